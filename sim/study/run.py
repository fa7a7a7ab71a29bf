"""Run cases into a folder: one here, or many on a cluster of dask, by their ids."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from importlib.util import find_spec
from logging import WARNING, getLogger
from math import inf
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from sim.errors import RecordingError
from sim.story.recording import Recording
from sim.study.cases import FORMAT, Script, StudyCase, StudyError
from sim.study.script import ScriptError, blamed, importing_beside, load

HEAD = "study.json"


class StudyFolder:
    """Where a study keeps its cases; several studies of one script share it.

    ``cases/ID/``: ``case.json`` what is to run, ``run.vtkhdf`` the recording,
    ``row.json`` the result, written last, and ``seconds`` how long it took.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def mistakes(self, script: Path) -> list[str]:
        """List what speaks against keeping this script's cases here; writes nothing."""
        if self.path.exists() and not self.path.is_dir():
            return [f"{self.path}: is no folder; name another"]
        head = self.path / HEAD
        if head.exists():
            try:
                of = json.loads(head.read_text(encoding="utf-8"))["script"]
            except (ValueError, KeyError, TypeError, OSError):
                return [f"{head}: is damaged; name another folder"]
            if of != script.name:
                return [f"{self.path}: belongs to {of}, not to {script.name}"]
        elif self.path.exists() and any(self.path.iterdir()):
            return [f"{self.path}: holds other files and no study; name another folder"]
        there = next(
            p
            for p in (self.path.absolute(), *self.path.absolute().parents)
            if p.exists()
        )
        if not os.access(there, os.W_OK):
            return [f"{self.path}: nothing can be written there"]
        return []

    def begin(self, script: Script) -> None:
        """Make the folder, and say whose it is."""
        (self.path / "cases").mkdir(parents=True, exist_ok=True)
        text = json.dumps({"script": script.path.name, "format": FORMAT})
        if not (self.path / HEAD).exists():
            _put(self.path / HEAD, text)

    def case(self, id_: str) -> Path:
        """Return the folder of a case."""
        return self.path / "cases" / id_

    def plan(self, case: StudyCase, script: Script) -> None:
        """Write down what a case is to run, for whoever gets its id."""
        folder = self.case(case.id)
        folder.mkdir(exist_ok=True)
        told = {
            "script": os.path.abspath(script.path),
            "digest": script.digest,
            "settings": case.settings,
            "frames": script.frames,
        }
        _put(folder / "case.json", json.dumps(told, indent=1))

    def is_finished(self, id_: str) -> bool:
        """Say whether the row of a case is there."""
        return (self.case(id_) / "row.json").exists()

    def row(self, id_: str) -> dict[str, Any] | None:
        """Return the row of a finished case, or None."""
        folder = self.case(id_)
        try:
            row: dict[str, Any] = json.loads((folder / "row.json").read_bytes())
        except FileNotFoundError:
            return None
        with suppress(OSError, ValueError):
            row["seconds"] = float((folder / "seconds").read_bytes())
        return row

    def finish(self, id_: str, row: dict[str, Any], seconds: float) -> None:
        """Write the row of a case: from now on it is finished."""
        folder = self.case(id_)
        _put(folder / "seconds", f"{seconds:.4f}")
        _put(folder / "row.json", json.dumps(row, indent=1))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder: one study runs in it at a time; a killed one lets go.

        Raises StudyError if another one runs.
        """
        with open(self.path / "lock", "a+b") as file:
            if not _lock(file.fileno()):
                raise StudyError([f"{self.path}: another study runs here; wait for it"])
            yield


def _put(path: Path, text: str) -> None:
    """Write a file that is whole or not there."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def _lock(descriptor: int) -> bool:
    """Lock a file for this process, until it is closed; False if another one has it."""
    try:
        if os.name == "nt":  # no other way on Windows
            from msvcrt import LK_NBLCK, locking  # type: ignore[attr-defined]

            locking(descriptor, LK_NBLCK, 1)
        else:
            from fcntl import LOCK_EX, LOCK_NB, flock

            flock(descriptor, LOCK_EX | LOCK_NB)
    except OSError:
        return False
    return True


TRIES = 3  # alone and in the same frame: whoever kills by chance hits another one
REACHED = "reached"  # a file with a byte for every frame, while a case runs
WAIT = 30.0  # seconds for the first worker
ANSWER = 5.0  # seconds for a scheduler to answer
HERE = "127.0.0.1"
KEYS = {  # of distributed's Security, by the option of a worker that takes the file
    "tls_ca_file": "tls-ca-file",
    "tls_worker_cert": "tls-cert",
    "tls_worker_key": "tls-key",
}


def run_case(folder: str, id_: str) -> str:
    """Run one case that is planned in a folder, write its row, and return its id.

    What a script raises is a result.  What the machine refuses is none, and is raised:
    a full disk, a missing file, too little memory, a script that was edited meanwhile.
    The id says what script and settings it is of, whatever else stands in the folder.
    """
    where = StudyFolder(Path(folder))
    if where.is_finished(id_):
        return id_
    place = where.case(id_)
    plan = json.loads((place / "case.json").read_bytes())
    script, settings, frames = Path(plan["script"]), plan["settings"], plan["frames"]
    row: dict[str, Any] = {**settings, "id": id_, "status": "done", "error": None}
    # under a name of its own: a worker that was thought dead may still be writing
    recording, start = place / f".{token_hex(4)}.vtkhdf", time.perf_counter()
    if Script.read(script, frames).case(settings).id != id_:
        said = "was edited since this case was planned, or is not what was planned"
        raise ScriptError(f"{script}: {said}; run the study again")
    try:
        with importing_beside(script):
            world = load(script, settings)
            world.notes.setdefault("script", script.name)
            events, least = 0, inf
            mark = open(place / REACHED, "wb", buffering=0)  # noqa: SIM115
            with mark, blamed(script), world.record(recording):
                for frame in world.run(frames):
                    mark.write(b".")
                    events += len(frame.events)
                    least = min(least, frame.pairs.distance.min(initial=inf))
        with Recording.open(recording) as told:
            digests = {"digest": told.digest, "story_digest": told.story_digest}
        nearest = None if least == inf else float(least)
        row |= {"events": events, **digests, "least_distance": nearest}
    except ScriptError as error:
        if isinstance(error.__cause__, OSError | MemoryError | RecordingError):
            raise
        row |= {"status": "failed", "error": str(error)}
    if recording.exists():
        os.replace(recording, place / "run.vtkhdf")
    where.finish(id_, row, time.perf_counter() - start)
    for left in (*place.glob(".*.vtkhdf"), place / REACHED):
        left.unlink(missing_ok=True)
    return id_


def run_here(folder: Path, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Run cases in this process, in order; tell each id, and why one has no result."""
    for id_ in ids:
        try:
            yield run_case(os.fspath(folder), id_), ""
        except (OSError, MemoryError, ScriptError, RecordingError) as error:
            yield id_, _said(error)


def run_on_cluster(
    folder: Path, ids: Sequence[str], workers: int, scheduler: str | None
) -> Iterator[tuple[str, str]]:
    """Run cases on dask; tell each id as it is done, with an error if it was given up.

    Never more cases are out than there are workers, of one thread each, so a process
    that ends takes one case with it.  That one waits until the others are done and is
    then tried alone, until it ends its process thrice in the same frame: then it is
    given up, since it was no accident.

    Raises StudyError if the scheduler does not answer, has no workers, or goes away.
    """
    where = os.path.abspath(folder)
    waiting, alone = deque(ids), deque[str]()
    tries: Counter[str] = Counter()
    # how many frames a case had when it ended its process alone, and how often
    reached: dict[str, tuple[int, int]] = {}
    with _client(min(workers, len(ids)), scheduler) as client:
        distributed: Any = import_module("distributed")  # untyped
        done = distributed.as_completed()
        out = {}

        def send(id_: str) -> None:
            tries[id_] += 1
            future = client.submit(
                run_case, where, id_, key=f"{id_}-{tries[id_]}", pure=False, retries=0
            )
            out[future.key] = id_
            done.add(future)

        room = len(_asked(client.nthreads, scheduler))
        while waiting or alone or out:
            while waiting and len(out) < max(1, room):
                send(waiting.popleft())
            if was_alone := not out:
                send(alone.popleft())
            # while cases run, since dask sends nothing for 10 ms after each message
            future = None  # which says that its result is not wanted any more
            room = len(_asked(client.nthreads, scheduler))
            future = next(done)
            id_ = out.pop(future.key)
            error = _asked(future.exception, scheduler)
            if error is None:
                yield id_, ""
            elif type(error).__name__ != "KilledWorker":
                yield id_, _said(error)
            else:
                frames = _size(StudyFolder(folder).case(id_) / REACHED)
                if was_alone:
                    before, times = reached.get(id_, (-1, 0))
                    reached[id_] = frames, times + 1 if before == frames else 1
                if reached.get(id_, (0, 0))[1] == TRIES:
                    said = f"frame {frames}, alone, {TRIES} times"
                    yield id_, f"its process ended in {said}"
                else:
                    alone.append(id_)


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _asked(question: Callable[[], Any], scheduler: str | None) -> Any:
    """Return an answer of the scheduler; StudyError if it has gone."""
    from asyncio import CancelledError
    from concurrent.futures import CancelledError as Cancelled

    try:
        return question()
    except (OSError, CancelledError, Cancelled) as error:
        raise StudyError(
            [f"scheduler {scheduler or 'here'}: has gone; run again, and it goes on"]
        ) from error


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@contextmanager
def _client(workers: int, scheduler: str | None) -> Iterator[Any]:
    """Give a client of a cluster: one that is there, or one of processes here."""
    if not (find_spec("distributed") and find_spec("cryptography")):
        raise ImportError(
            "workers need dask and a package for keys: pip install 'wingedge[sweep]'; "
            "workers=0 runs here"
        )
    theirs = nullcontext((scheduler, None))  # what dask's configuration says of TLS
    where = _cluster(workers) if scheduler is None else theirs
    with where as told, _connected(*told) as client:
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError:
            who = f"scheduler {scheduler}" if scheduler else f"{workers} workers here"
            raise StudyError([f"{who}: no worker came in {WAIT:g} s"]) from None
        yield client


def _connected(address: str, security: Any = None) -> Any:
    """Return a client of a scheduler; StudyError if it does not answer."""
    distributed: Any = import_module("distributed")  # untyped
    try:
        return distributed.Client(address, timeout=ANSWER, security=security)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise StudyError(
            [
                f"scheduler {address}: does not answer ({why}); start it with "
                f"dask scheduler"
            ]
        ) from None


def mistakes_of_scheduler(scheduler: str) -> Sequence[str]:
    """Say whether nobody answers at an address; runs nothing."""
    try:
        _connected(scheduler).close()
    except StudyError as error:
        return error.mistakes
    return []


@contextmanager
def _cluster(workers: int) -> Iterator[tuple[str, Any]]:
    """Give the address of a scheduler in this process, with workers on this machine.

    They run whatever they are sent, so they listen on this machine only, and to who has
    the key, which is made for this run and readable by this user.  Workers are started
    first: what they import takes longer than the scheduler.
    """
    distributed: Any = import_module("distributed")  # untyped
    security, ended = distributed.Security.temporary(), Event()
    with TemporaryDirectory() as name, ThreadPoolExecutor(workers) as keepers:
        place = Path(name)
        for role, file in KEYS.items():
            (place / file).write_text(getattr(security, role))
        for _ in range(workers):
            keepers.submit(_keep, place, ended)
        try:
            # it tells with a traceback that a client went before its last message
            getLogger("distributed.batched").setLevel(WARNING)
            with distributed.LocalCluster(
                n_workers=0,
                protocol="tls",
                security=security,
                host=HERE,
                processes=False,
                dashboard_address=None,
                silence_logs=50,
                scheduler_kwargs={"allowed_failures": 0},
            ) as cluster:
                address = cluster.scheduler_address
                _put(place / "scheduler", json.dumps({"address": address}))
                yield address, security
                ended.set()
        finally:
            ended.set()


def _keep(place: Path, ended: Event) -> None:
    """Keep a worker running, a program of its own; start it again if it was killed.

    It does not import the caller's ``__main__``, and waits for the file that has the
    scheduler's address.
    """
    start = f"import {__name__}; from distributed.cli.dask_worker import main; main()"
    command = [sys.executable, "-c", start, "--scheduler-file", f"{place}/scheduler"]
    command += ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", HERE]
    command += ["--dashboard-address", f"{HERE}:0"]  # else on every address
    command += [f"--{file}={place / file}" for file in KEYS.values()]
    command += ["--death-timeout", f"{WAIT:g}"]  # this process may be killed
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path}
    silent: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    while not ended.is_set():
        with subprocess.Popen(command, env=environment, **silent) as process:
            while process.poll() is None and not ended.wait(0.05):
                pass
            process.kill()

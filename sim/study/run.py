"""Run cases: one here, or many on a cluster of dask, which carries their ids alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from math import inf
from pathlib import Path
from secrets import token_hex
from threading import Event
from typing import Any

from sim.errors import RecordingError
from sim.story.recording import Recording
from sim.study.cases import Script, StudyError
from sim.study.folder import StudyFolder
from sim.study.script import ScriptError, blamed, importing_beside, load

TRIES = 3  # alone and in the same frame: whoever kills by chance hits another one
REACHED = "reached"  # a file with a byte for every frame, while a case runs
WAIT = 30.0  # seconds for the first worker
ANSWER = 5.0  # seconds for a scheduler to answer


def run_case(folder: str, id_: str) -> str:
    """Run one case that is planned in a folder, write its row, and return its id.

    What a script raises is a result.  What the machine refuses is none, and is raised:
    a full disk, a missing file, too little memory, a script that was edited meanwhile.
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
    if Script.read(script, frames).digest != plan["digest"]:
        raise ScriptError(f"{script}: was edited since this case was planned")
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
    with _client(workers, scheduler) as client:
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

        while waiting or alone or out:
            room = max(1, len(_asked(client.nthreads, scheduler)))
            while waiting and len(out) < room:
                send(waiting.popleft())
            if was_alone := not out:
                send(alone.popleft())
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
    try:
        from dask import config

        distributed: Any = import_module("distributed")  # untyped
    except ImportError:
        raise ImportError(
            "workers need dask: pip install 'wingedge[sweep]'; workers=0 runs here"
        ) from None
    settings = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.comm.timeouts.connect": WAIT,
    }
    with config.set(settings):
        if scheduler is not None:
            try:
                client = distributed.Client(scheduler, timeout=ANSWER)
            except (OSError, ValueError) as error:
                raise StudyError([_unreachable(scheduler, error)]) from None
            with client:
                _wait(client, f"scheduler {scheduler}")
                yield client
            return
        with (
            distributed.LocalCluster(
                n_workers=0,
                protocol="tcp",
                host="127.0.0.1",
                processes=False,
                dashboard_address=None,
                silence_logs=50,
            ) as cluster,
            distributed.Client(cluster) as client,
            _workers(cluster.scheduler_address, workers),
        ):
            _wait(client, f"{workers} workers here")
            yield client


def mistakes_of_scheduler(scheduler: str) -> list[str]:
    """Say whether nobody answers at an address; runs nothing."""
    distributed: Any = import_module("distributed")  # untyped
    try:
        distributed.Client(scheduler, timeout=ANSWER).close()
    except (OSError, ValueError) as error:
        return [_unreachable(scheduler, error)]
    return []


def _unreachable(scheduler: str, error: Exception) -> str:
    why = " ".join(str(error).split()) or type(error).__name__
    return (
        f"scheduler {scheduler}: does not answer ({why}); start it with dask scheduler"
    )


def _wait(client: Any, who: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        raise StudyError([f"{who}: no worker came in {WAIT:g} s"]) from None


@contextmanager
def _workers(address: str, count: int) -> Iterator[None]:
    """Keep so many workers running, programs of their own, until the block ends.

    None imports the caller's ``__main__``; one that was killed is started again.
    """
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address]
    command += ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
    command += ["--preload", __name__]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    silent: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    ended = Event()

    def keep(_: int) -> None:
        while not ended.is_set():
            with subprocess.Popen(command, env=environment, **silent) as process:
                while process.poll() is None and not ended.wait(0.05):
                    pass
                process.kill()

    with ThreadPoolExecutor(count) as keepers:
        kept = keepers.map(keep, range(count))
        try:
            yield
        finally:
            ended.set()
            list(kept)

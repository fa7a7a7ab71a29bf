"""Run cases: one here, or many on a cluster of dask, which carries their ids alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from sim.story.recording import Recording
from sim.study.cases import Script, StudyError
from sim.study.folder import StudyFolder
from sim.study.script import ScriptError, blamed, importing_beside, load

ALONE = 2  # times that a case may end its process while no other case is out
WAIT = 30.0  # seconds for the first worker


def run_case(folder: str, id_: str) -> str:
    """Run one case that is planned in a folder, write its row, and return its id."""
    where = StudyFolder(Path(folder))
    if where.is_finished(id_):
        return id_
    place = where.case(id_)
    plan = json.loads((place / "case.json").read_bytes())
    script, settings, frames = Path(plan["script"]), plan["settings"], plan["frames"]
    row: dict[str, Any] = {**settings, "id": id_, "status": "done", "error": None}
    recording, start = place / "run.vtkhdf", time.perf_counter()
    try:
        if Script.read(script, frames).digest != plan["digest"]:
            raise ScriptError(f"{script}: was edited since this case was planned")
        with importing_beside(script):
            world = load(script, settings)
            world.notes.setdefault("script", script.name)
            events, least = 0, inf
            with blamed(script), world.record(recording):
                for frame in world.run(frames):
                    events += len(frame.events)
                    least = min(least, frame.pairs.distance.min(initial=inf))
        with Recording.open(recording) as told:
            digests = {"digest": told.digest, "story_digest": told.story_digest}
        nearest = None if least == inf else float(least)
        row |= {"events": events, **digests, "least_distance": nearest}
    except ScriptError as error:
        row |= {"status": "failed", "error": str(error)}
    where.finish(id_, row, time.perf_counter() - start)
    return id_


def run_here(folder: Path, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Run cases in this process, in order; tell each id, and no error."""
    for id_ in ids:
        yield run_case(os.fspath(folder), id_), ""


def run_on_cluster(
    folder: Path, ids: Sequence[str], workers: int, scheduler: str | None
) -> Iterator[tuple[str, str]]:
    """Run cases on dask; tell each id as it is done, with an error if it was given up.

    Never more cases are out than there are workers, of one thread each, so a process
    that ends takes one case with it.  That one waits until the others are done and is
    then tried alone; where it ends its process twice more it is given up.

    Raises StudyError if the scheduler does not answer.
    """
    where = os.path.abspath(folder)
    waiting, alone = deque(ids), deque[str]()
    deaths: dict[str, int] = {}
    with _client(workers, scheduler) as client:
        distributed: Any = import_module("distributed")  # untyped
        done = distributed.as_completed()
        out = {}

        def send(id_: str) -> None:
            future = client.submit(
                run_case,
                where,
                id_,
                key=f"{id_}-{deaths.get(id_, 0)}",
                pure=False,
                retries=0,
            )
            out[future.key] = id_
            done.add(future)

        while waiting or alone or out:
            room = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
            while waiting and len(out) < room:
                send(waiting.popleft())
            if not out:
                send(alone.popleft())
            future = next(done)
            id_, was_alone = out.pop(future.key), not (waiting or out)
            error = future.exception()
            if error is None:
                yield id_, ""
            elif type(error).__name__ != "KilledWorker":
                yield id_, f"{type(error).__name__}: {error}"
            else:
                deaths[id_] = deaths.get(id_, 0) + was_alone
                if deaths[id_] < ALONE:
                    alone.append(id_)
                else:
                    yield id_, f"its process ended {ALONE} times while it ran alone"


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
                client = distributed.Client(scheduler, timeout=10.0)
            except (OSError, ValueError) as error:
                said = f"scheduler {scheduler}: does not answer ({error})"
                raise StudyError([said]) from None
            with client:
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
            client.wait_for_workers(1, timeout=WAIT)
            yield client


@contextmanager
def _workers(address: str, count: int) -> Iterator[None]:
    """Start workers as programs of their own: none imports the caller's ``__main__``.

    Each has a nanny, which starts another one where it was killed.
    """
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address]
    command += ["--nthreads", "1", "--nworkers", str(count), "--no-dashboard"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

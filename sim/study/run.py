"""Run cases into a folder: here, in processes of this machine, or on dask."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from importlib import import_module
from math import inf
from multiprocessing import connection, get_context
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Any, NamedTuple

from sim.errors import RecordingError
from sim.story.recording import Recording
from sim.study.cases import Settings, StudyError
from sim.study.script import ScriptError, blamed, load

HEAD, FORMAT = "study.json", 1  # which rises when rows mean something else
OWN = {HEAD, "cases", "running"}  # another study may be making them just now
DAY = 86400.0  # seconds
TRIES, ANSWER = 3, 5.0  # of a case whose process ends; seconds for a scheduler
Ended = Generator[tuple[str, str], None, None]  # what `outcome` returns


class StudyFolder(NamedTuple):
    """Where a study keeps its cases; several studies of one script share it.

    ``cases/ID.vtkhdf`` is the recording of a case, ``cases/ID.json`` its row, which
    comes last: what is there is finished.  Both come whole, from ``running``.
    """

    path: Path
    script: Path
    digest: str  # of the script's text
    frames: int

    @classmethod
    def of(cls, path: Path, script: Path, frames: int) -> StudyFolder:
        """Read a script, whose text is part of what its cases are called.

        Raises StudyError if its cases cannot be kept in the folder; writes nothing.
        """
        there, head = path.absolute(), path / HEAD
        if there.exists() and not there.is_dir():
            raise StudyError(f"{path}: is no folder; name another")
        if head.exists():
            try:
                of = json.loads(head.read_bytes())["script"]
            except (ValueError, KeyError, TypeError, OSError):
                raise StudyError(f"{head}: is damaged; name another folder") from None
            if of != script.name:
                raise StudyError(f"{path}: belongs to {of}, not to {script.name}")
        elif there.exists() and {file.name for file in there.iterdir()} - OWN:
            said = "holds other files and no study; name another folder"
            raise StudyError(f"{path}: {said}")
        made = next(folder for folder in (there, *there.parents) if folder.exists())
        if not os.access(made, os.W_OK):
            raise StudyError(f"{path}: nothing can be written there")
        digest = blake2b(script.read_bytes(), digest_size=16).hexdigest()
        return cls(there, script.absolute(), digest, frames)

    def id(self, settings: Settings) -> str:
        """Return the name of the case with these settings, wherever it runs."""
        text = partial(json.dumps, sort_keys=True, separators=(",", ":"))
        whole = text([self.digest, text(dict(settings)), self.frames, FORMAT])
        return blake2b(whole.encode(), digest_size=10).hexdigest()

    def file(self, id_: str, ending: str) -> Path:
        """Return the name of a case's file: its "json" is the row."""
        return self.path / "cases" / f"{id_}.{ending}"

    def is_finished(self, id_: str) -> bool:
        """Say whether the row of a case is there."""
        return self.file(id_, "json").exists()

    def row(self, id_: str) -> dict[str, Any]:
        """Return the row of a finished case."""
        return json.loads(self.file(id_, "json").read_bytes())  # type: ignore[no-any-return]

    def make(self) -> None:
        """Make the folder; remove what killed studies left in it."""
        for name in ("cases", "running"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        for file in (self.path / "running").iterdir():
            with suppress(OSError):  # another study that runs here removed it
                if file.stat().st_mtime < time.time() - DAY:
                    file.unlink()
        if not (self.path / HEAD).exists():
            with self.writing(self.path / HEAD) as made:
                head = {"script": self.script.name, "format": FORMAT}
                made.write_text(json.dumps(head), encoding="utf-8")

    @contextmanager
    def writing(self, path: Path) -> Iterator[Path]:
        """Give a fresh name to write a file to; it appears whole, or not at all."""
        made = self.path / "running" / f"{token_hex(8)}.vtkhdf"
        yield made
        with suppress(FileNotFoundError):  # nothing was written
            os.replace(made, path)


def run_case(folder: StudyFolder, settings: Settings) -> str:
    """Run one case that is not finished, and write its row; return its id.

    What a script raises is a result.  What the machine refuses is none, and is raised:
    a full disk, a missing file, too little memory, a script that was edited meanwhile.
    """
    id_, start, script = folder.id(settings), time.perf_counter(), folder.script
    if folder.is_finished(id_):
        return id_
    if StudyFolder.of(folder.path, script, folder.frames) != folder:
        said = "was edited since the study began; run the study again"
        raise ScriptError(f"{script}: {said}")
    row = {**settings, "id": id_, "status": "done", "error": None}
    with folder.writing(folder.file(id_, "vtkhdf")) as recording:
        try:
            events, least = 0, inf
            world = load(script, settings)
            world.notes.setdefault("script", script.name)
            with blamed(script), world.record(recording):
                for frame in world.run(folder.frames):
                    events += len(frame.events)  # a recording has no brushes
                    least = min(least, float(frame.pairs.distance.min(initial=inf)))
            with Recording.open(recording) as recorded:
                row |= {"events": events, "digest": recorded.digest}
                row["story_digest"] = recorded.story_digest
            row["least_distance"] = None if least == inf else least
        except ScriptError as error:
            if isinstance(error.__cause__, OSError | MemoryError | RecordingError):
                raise
            row |= {"status": "failed", "error": str(error)}
    row["seconds"] = round(time.perf_counter() - start, 4)
    with folder.writing(folder.file(id_, "json")) as made:
        made.write_text(json.dumps(row, indent=1), encoding="utf-8")
    return id_


def outcome(folder: StudyFolder, case: Settings) -> tuple[str, str]:
    """Run a case in this process; return its id, and why it has no result, if so."""
    try:
        return run_case(folder, case), ""
    except Exception as error:
        return folder.id(case), f"{type(error).__name__}: {error}"


def _serve(folder: StudyFolder, pipe: Any) -> None:
    """Run the cases that come, until who sends them is gone; print nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who was interrupted ends it
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    with suppress(EOFError, OSError):
        for case in iter(pipe.recv, None):
            pipe.send(outcome(folder, case))


def _worker(folder: StudyFolder) -> tuple[Any, Any]:
    """Start a process that does not import the caller's program; return its pipe."""
    context = get_context("spawn")
    pipe, end = context.Pipe()
    worker = context.Process(target=_serve, args=(folder, end), daemon=True)
    program, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        worker.start()
    finally:
        sys.modules["__main__"] = program
    end.close()  # so that it is told when the worker ends
    return worker, pipe


def on_processes(folder: StudyFolder, cases: Iterable[Settings], workers: int) -> Ended:
    """Run cases in so many processes, of which any may be killed.

    Each runs one case at a time, so it is known which one ends its process: it is run
    again, and at the third time given up.
    """
    waiting = deque((case, 1) for case in cases)
    busy: dict[Any, tuple[Any, Settings, int]] = {}  # by pipe
    idle: list[tuple[Any, Any]] = []
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                worker, pipe = idle.pop() if idle else _worker(folder)
                busy[pipe] = worker, *waiting.popleft()
                with suppress(OSError):  # it has ended
                    pipe.send(busy[pipe][1])
            ready: list[Any] = connection.wait(busy)
            for pipe in ready:
                worker, case, nth = busy.pop(pipe)
                try:
                    yield pipe.recv()
                    idle.append((worker, pipe))
                except (EOFError, OSError):
                    if nth < TRIES:
                        waiting.append((case, nth + 1))
                    else:
                        yield folder.id(case), f"its process ended {TRIES} times"
    finally:  # nobody waits for what runs
        for worker, *_ in [*idle, *busy.values()]:
            worker.kill()


def on_dask(folder: StudyFolder, cases: Iterable[Settings], scheduler: str) -> Ended:
    """Run cases on the workers of a scheduler, which says how often it tries one.

    Raises StudyError if it does not answer, or goes away; ImportError if dask is not
    there.
    """
    try:
        distributed: Any = import_module("distributed")  # untyped
    except ImportError:
        said = "pip install 'wingedge[sweep]'; workers=2 runs here"
        raise ImportError(f"a scheduler needs dask: {said}") from None
    try:
        with distributed.Client(scheduler, timeout=ANSWER) as client:
            executor = client.get_executor(pure=False, retries=0)
            out = {executor.submit(run_case, folder, case): case for case in cases}
            for future in futures.as_completed(out):
                raised = future.exception()
                why = f"{type(raised).__name__}: {raised}" if raised else ""
                yield folder.id(out[future]), why
    except (OSError, ValueError, futures.CancelledError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        said = f"does not answer ({why}); start it with dask scheduler"
        raise StudyError(f"scheduler {scheduler}: {said}") from error

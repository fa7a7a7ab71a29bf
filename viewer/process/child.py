"""Pass the newest frame to a process that draws: a pickled file replaced by rename."""

import io
import os
import pickle
import shutil
import time
import traceback
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

from sim import Body
from viewer.sources import PushedFrames
from viewer.timeline import Timeline
from wingedge import WingedEdgeMesh

DRAWN = "drawn"  # a file that grows by a byte with every frame that is taken


class Mailbox:
    """The newest message, whole: one process puts, one takes; ``number`` counts them.

    A mesh is pickled once, and the same one in all messages that have it.
    """

    def __init__(self, path: Path) -> None:
        self.number, self._path = 0, path

    def put(self, message: object) -> None:
        """Replace the message; OSError if there is no room for it."""
        file, part = io.BytesIO(), self._path.with_suffix(".part")
        self.number += 1
        pickle.dump(self.number, file)
        pickler = pickle.Pickler(file, 5)
        pickler.dispatch_table = {
            WingedEdgeMesh: lambda mesh: (_mesh, (_packed(mesh),)),
            Body: lambda b: (_body, (b.name, b.mesh, b.convexity, b.flatness)),
        }
        pickler.dump(message)
        part.write_bytes(file.getbuffer())
        for _ in range(1000):  # Windows replaces no file that somebody reads
            with suppress(PermissionError):
                os.replace(part, self._path)
                break
            time.sleep(0.001)

    def take(self) -> Any:
        """Return the newest message; None if it was taken, or there is none."""
        with suppress(FileNotFoundError, PermissionError):  # replaced just now
            with self._path.open("rb") as file:
                number = pickle.load(file)
                content = b"" if number == self.number else file.read()
            if content:
                message, self.number = pickle.loads(content), number
                return message
        return None


@lru_cache(256)
def _packed(mesh: WingedEdgeMesh) -> bytes:
    return pickle.dumps(mesh, 5)


@lru_cache(256)  # the same one in every frame
def _mesh(packed: bytes) -> Any:
    return pickle.loads(packed)


@lru_cache(256)
def _body(name: str, mesh: WingedEdgeMesh, convexity: str, flatness: str) -> Body:
    return Body(mesh, name=name, convexity=convexity, flatness=flatness)


class MailedFrames(PushedFrames):
    """The newest frame of another process, and the events since the last one."""

    dt = 1 / 60  # whatever time it is there

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._box, self._drawn = Mailbox(folder / "frame"), folder / DRAWN

    def extend(self) -> bool:
        """Take the newest frame; False if there is no other one."""
        before, message = self._box.number, self._box.take()
        if message is None:
            return False
        waiting, frame = message
        new = (told for number, told in waiting if number > before)
        self.append(frame, [event for told in new for event in pickle.loads(told)])
        with suppress(FileNotFoundError), self._drawn.open("ab") as file:
            file.write(b".")
        return True


def main() -> None:
    """Draw for the process that started this one, until either has enough."""
    pipe, code = os.fdopen(os.dup(0), "rb"), 0
    folder, make = pickle.load(pipe)
    frames = MailedFrames(folder)
    Thread(target=_end_with, args=(pipe, folder), daemon=True).start()
    try:
        if hasattr(os, "nice"):
            os.nice(10)  # the loop goes first
        view = make()
        while not frames.extend():
            time.sleep(0.004)
        view.play(Timeline(frames))
    except BaseException:
        traceback.print_exc()
        code = 1
    os._exit(code)  # a thread still reads, and nothing here needs to be tidied up


def _end_with(pipe: BinaryIO, folder: Path) -> None:
    """End when the parent is gone, whyever."""
    with suppress(OSError):
        pipe.read()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)

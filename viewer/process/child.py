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


class Mailbox:
    """The newest message, whole: one process puts, one takes; ``number`` counts them.

    A mesh has a file of its own, as long as messages have it.
    """

    def __init__(self, path: Path) -> None:
        self.number, self._path = 0, path
        self._meshes: dict[WingedEdgeMesh, Path] = {}

    def put(self, message: object) -> None:
        """Replace the message; OSError if there is no room for it."""
        file, part = io.BytesIO(), self._path.with_suffix(".part")
        self.number += 1
        known, self._meshes = self._meshes, {}

        def apart(mesh: WingedEdgeMesh) -> Any:
            path = self._meshes.get(mesh) or known.pop(mesh, None)
            if path is None:
                name = f"{self._path.name}-{self.number}-{len(self._meshes)}"
                path = self._path.with_name(name)
                path.write_bytes(pickle.dumps(mesh, 5))
            self._meshes[mesh] = path
            return _mesh, (str(path),)

        pickle.dump(self.number, file)
        pickler = pickle.Pickler(file, 5)
        pickler.dispatch_table = {
            WingedEdgeMesh: apart,
            Body: lambda b: (_body, (b.name, b.mesh, b.convexity, b.flatness)),
        }
        pickler.dump(message)
        part.write_bytes(file.getbuffer())
        for _ in range(1000):  # Windows replaces no file that somebody reads
            with suppress(PermissionError):
                os.replace(part, self._path)
                break
            time.sleep(0.001)
        for gone in known.values():  # whoever reads the last message gets this one
            with suppress(OSError):
                gone.unlink()

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


@lru_cache(256)  # the same one in every frame
def _mesh(path: str) -> Any:
    return pickle.loads(Path(path).read_bytes())


@lru_cache(256)
def _body(name: str, mesh: WingedEdgeMesh, convexity: str, flatness: str) -> Body:
    return Body(mesh, name=name, convexity=convexity, flatness=flatness)


class MailedFrames(PushedFrames):
    """The newest frame of another process, and all events since the last one."""

    dt = 1 / 60  # whatever time it is there

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._box, self._said = Mailbox(folder / "frame"), Mailbox(folder / "said")
        self.last: list[Exception | None] = []  # once no frame comes any more: why

    def extend(self) -> bool:
        """Take the newest frame; False if there is no other one."""
        before, message = self._box.number, self._box.take()
        if message is None:
            if self.last:
                self.end(*self.last)
            return False
        waiting, frame = message
        new = (told for number, _, told in waiting if number > before)
        self.append(frame, [event for told in new for event in pickle.loads(told)])
        self.say("")
        return True

    def say(self, trouble: str) -> None:
        """Tell the other process how far this one is."""
        with suppress(FileNotFoundError):  # it is gone, and its folder
            self._said.put((self._box.number, len(self), trouble))


def main() -> None:
    """Draw for the process that started this one, until either has enough."""
    pipe, code = os.fdopen(os.dup(0), "rb"), 0
    folder, make, niceness = pickle.load(pipe)
    frames = MailedFrames(folder)
    Thread(target=_listen, args=(pipe, frames, folder), daemon=True).start()
    try:
        if hasattr(os, "nice"):
            os.nice(niceness)
        view = make()
        while not frames.extend():
            time.sleep(0.004)
        view.play(Timeline(frames))
    except BaseException as error:
        if error is not frames.trouble:
            traceback.print_exc()
            frames.say(f"{type(error).__name__}: {error}")
            code = 1
    os._exit(code)  # a thread still reads, and nothing here needs to be tidied up


def _listen(pipe: BinaryIO, frames: MailedFrames, folder: Path) -> None:
    """Hear why no frame comes any more; end when the parent is gone, whyever."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            frames.last = pickle.load(pipe)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)

"""Show frames in a window of another process, which takes the newest from a file."""

import os
import pickle
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from sim import Body, Frame
from viewer.gl import NoPicture, require_gl
from viewer.screens import Closing
from viewer.sources import PushedFrames, Still, frame_of
from viewer.timeline import Timeline
from viewer.window.window import WindowScreen
from wingedge import WingedEdgeMesh
from wingedge.registry import attributes

WAITING = 256  # frames of which events are told though the frames were passed over
# The path says which ``sim`` it is. The program that starts it is not imported again.
_CHILD = "import sys; sys.path.insert(0, {!r}); import viewer.process as s; s.main()"


class ProcessScreen(Closing):
    """Show frames in another process, which always takes the newest one.

    For a loop that must not be late: `show` replaces a file and returns. What happened
    in frames that were passed over is told with the next one that is taken. Should the
    other process hang or be killed, the loop goes on; ``trouble`` says why it ended.

    Raises ImportError, NoPicture if nothing can be drawn, or no window be opened, here.

    Parameters
    ----------
    size, theme, layers
        As for `viewer.watch`.
    off_screen : bool
        Draw into memory: to time a loop.
    """

    trouble = ""  # why the other process ended, if not in peace
    count = drawn = 0  # frames that were handed over; that the next one found taken
    __getattr__ = attributes("viewer.process.ProcessScreen")

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "light",
        layers: Iterable[str] = (),
        off_screen: bool = False,
    ) -> None:
        look: dict[str, Any] = {"size": size, "theme": theme, "layers": (*layers,)}
        make = partial(WindowScreen, off_screen=off_screen, **look)
        make()  # refuses a theme that there is not; nothing is opened yet
        if not require_gl().window and not off_screen:
            raise NoPicture(f"no window can be opened here: {require_gl().no_window}")
        self._waiting: deque[tuple[int, bytes]] = deque(maxlen=WAITING)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # not a disk
        self._made = TemporaryDirectory("", "wingedge-", memory, True)
        self._path = Path(self._made.name, "frame")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CHILD.format(str(Path(__file__).parents[2]))],
            stdin=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the loop
        )
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended: `closed` says so
            pickle.dump((self._path, make), self._process.stdin)
            self._process.stdin.flush()

    @property
    def closed(self) -> bool:
        """Whether it shows no more: closed by a person, or ended, or by `close`."""
        code = self._process.poll()
        if code:  # minus a signal
            words = f"the process that draws ended with exit code {code}"
            self.trouble = self.trouble or f"{words}; the loop is not harmed"
        return code is not None

    def show(self, shown: Still | Sequence[Still]) -> None:
        """Hand over the newest frame, or what else `viewer.show` takes; never waits."""
        if self.closed:
            return
        frame = frame_of(shown)
        self.drawn += self.count > 0 and not self._path.exists()
        self.count += 1
        if frame.events:
            plain = [replace(event, state=None) for event in frame.events]
            self._waiting.append((self.count, pickle.dumps(plain, 5)))
        known = frame.index, frame.time, frame.pairs, frame.events, frame.bodies
        frame = Frame(*known, frame.cut, law=frame.law)  # nothing is proven for this
        put(self._path, (self.count, tuple(self._waiting), frame))

    def wait(self) -> None:
        """Leave the last frame on show until a person closes it."""
        with self:
            while not self.closed:
                time.sleep(0.05)

    def close(self) -> None:
        """End the other process; closing twice is no error."""
        with suppress(subprocess.TimeoutExpired):
            if not self.closed:  # it ends when nobody can tell it anything
                self._process.communicate(timeout=10.0)
        self._process.kill()
        self._made.cleanup()


def put(path: Path, message: object) -> None:
    """Replace the message that is there; OSError if there is no room for it.

    A mesh is pickled once, and the same one in all messages that have it.
    """
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        pickler = pickle.Pickler(file, 5)
        pickler.dispatch_table = {
            WingedEdgeMesh: lambda mesh: (_mesh, (_packed(mesh),)),
            Body: lambda b: (_body, (b.name, b.mesh, b.convexity, b.flatness)),
        }
        pickler.dump(message)
    for _ in range(1000):  # Windows replaces no file that somebody holds
        with suppress(PermissionError):
            os.replace(part, path)
            break
        time.sleep(0.001)


def take(path: Path) -> Any:
    """Take the newest message away, whole; None if there is none."""
    taken = path.with_suffix(".taken")
    with suppress(FileNotFoundError, PermissionError):
        os.replace(path, taken)
        return pickle.loads(taken.read_bytes())
    return None


_packed = lru_cache(256)(pickle.dumps)


@lru_cache(256)  # the same one in every frame
def _mesh(packed: bytes) -> Any:
    return pickle.loads(packed)


@lru_cache(256)
def _body(name: str, mesh: WingedEdgeMesh, convexity: str, flatness: str) -> Body:
    return Body(mesh, name=name, convexity=convexity, flatness=flatness)


class MailedFrames(PushedFrames):
    """The newest frame of another process, and the events since the last one."""

    dt = 1 / 60  # whatever time it is there

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._last = path, 0

    def extend(self) -> bool:
        """Take the newest frame; False if there is no other one."""
        if (message := take(self._path)) is None:
            return False
        before, (self._last, waiting, frame) = self._last, message
        new = (events for number, events in waiting if number > before)
        self.append(frame, [event for events in new for event in pickle.loads(events)])
        return True


def main() -> None:
    """Draw for the process that started this one, until either has enough."""
    path, make = pickle.load(sys.stdin.buffer)
    Thread(target=_end_with_parent, args=(path.parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(10)  # the loop goes first
    frames, view = MailedFrames(path), make()
    while not frames.extend():
        time.sleep(0.004)
    view.play(Timeline(frames))


def _end_with_parent(folder: Path) -> None:
    """End when nobody can tell this process anything, whyever."""
    with suppress(OSError):
        os.read(0, 1)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)

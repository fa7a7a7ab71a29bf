"""Show frames in a window of another process, without waiting for it."""

import atexit
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sim import Event, Frame
from viewer.drawing.overlays import check_layers
from viewer.gl import NoPicture, require_gl
from viewer.process.child import DRAWN, Mailbox
from viewer.screens import Closing
from viewer.sources import Still, frame_of
from viewer.window.window import WindowScreen
from wingedge.registry import attributes

WAITING = 256  # frames of which events are told though the frames were passed over
# The path says which ``sim`` it is. The program that starts it is not imported again.
_CHILD = (
    "import sys; sys.path.insert(0, {!r}); import viewer.process.child as c; c.main()"
)


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
    count = 0  # frames that were handed over
    __getattr__ = attributes("viewer.process.screen.ProcessScreen")

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "light",
        layers: Iterable[str] = (),
        off_screen: bool = False,
    ) -> None:
        look: dict[str, Any] = {"theme": theme, "layers": check_layers(layers)}
        make = partial(WindowScreen, size=size, off_screen=off_screen, **look)
        make()  # refuses a theme that there is not; nothing is opened yet
        if not require_gl().window and not off_screen:
            raise NoPicture(f"no window can be opened here: {require_gl().no_window}")
        self._waiting: deque[tuple[int, bytes]] = deque(maxlen=WAITING)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # not a disk
        self._folder = Path(tempfile.mkdtemp(prefix="wingedge-", dir=memory))
        self._frames = Mailbox(self._folder / "frame")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CHILD.format(str(Path(__file__).parents[2]))],
            stdin=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the loop
        )
        self.pid = self._process.pid
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended: `closed` says so
            pickle.dump((self._folder, make), self._process.stdin)
            self._process.stdin.flush()
        atexit.register(self.close)

    @property
    def drawn(self) -> int:
        """How many of the ``count`` frames that were handed over were drawn."""
        path = self._folder / DRAWN
        return path.stat().st_size if path.exists() else 0

    @property
    def closed(self) -> bool:
        """Whether it shows no more: closed by a person, or ended, or by `close`."""
        code = self._process.poll()
        if code and not self.trouble:
            how = f"with exit code {code}"  # minus a signal
            self.trouble = f"the process that draws ended {how}; the loop is not harmed"
        return code is not None

    def show(
        self,
        shown: Frame | Still | Sequence[Still],
        events: Sequence[Event] | None = None,
    ) -> None:
        """Hand over the newest frame, or what else `viewer.show` takes; never waits."""
        if self.closed:
            return
        frame = frame_of(shown)
        self.count += 1
        if told := frame.events if events is None else events:
            plain = [replace(event, state=None) for event in told]
            self._waiting.append((self.count, pickle.dumps(plain, 5)))
        known = frame.index, frame.time, frame.pairs, frame.events, frame.bodies
        frame = Frame(*known, frame.cut, law=frame.law)  # nothing is proven for this
        self._frames.put((tuple(self._waiting), frame))

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
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.close)

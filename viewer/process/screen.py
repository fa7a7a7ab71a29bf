"""Show frames in a window or a page of another process, without waiting for it."""

import atexit
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame
from viewer.drawing.overlays import check_layers
from viewer.process import mailbox
from viewer.process.mailbox import CLOSED, Control, Outbox
from viewer.screens import Closing
from viewer.sources import Still, frame_of
from viewer.theme import named
from viewer.timeline import Timeline

KINDS = ("window", "web")
_ROOM = 2**19  # bytes of a message beside its positions, to begin with
_IDLE = 0.05  # seconds between two looks at a process that is waited for
_PATIENCE = 10.0  # seconds until a process that was asked to end is ended

_THREADS = 4  # more do not draw faster
# -P: the current folder must not bring another ``sim``; the path says which it is. It
# does not import the program that starts it: a script needs no guard.
_CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from viewer.process.child import main; main()"
)


class ProcessScreen(Closing):
    """Show frames in another process, which always takes the newest one.

    For a loop that must not be late, as a controller at 1 kHz: `show` copies a frame
    into shared memory and returns. The other process draws whenever it can, runs only
    where nobody else wants to, and passes over the frames that came meanwhile; what
    happened in those is told with the next one that it takes. There is no lock: if it
    hangs or is killed, the loop does not notice.

    In the window everything works that needs frames alone: layers, reading features,
    pausing and going back to frames that it took. Bodies cannot be moved there.

    Raises ImportError, NoPicture if nothing can be drawn, or no window be opened, here;
    says why. Raises OSError if the other process cannot be started, or there is no
    shared memory.

    Parameters
    ----------
    kind : {"window", "web"}
        A window, or a page for a browser (needs viser).
    size : (width, height)
        Of the window, in pixels.
    theme : {"light", "dark"}
    layers : iterable of str
        Names of layers of the window to switch on.
    off_screen : bool
        Draw into memory: for tests, and to time a loop. `image` returns the picture.
    background : bool
        Let every other program of this machine go first. Where all cores are busy the
        picture then stands still; False draws on, and the loop may be late for it.

    Attributes
    ----------
    trouble : str
        Why the other process ended, if not in peace.

    Examples
    --------
    ::

        with viewer.ProcessScreen() as screen:
            while not screen.closed:
                screen.show(world.step())
    """

    def __init__(
        self,
        kind: str = "window",
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "light",
        layers: Iterable[str] = (),
        off_screen: bool = False,
        background: bool = True,
    ) -> None:
        if kind not in KINDS:
            raise ValueError(f"kind={kind!r}: there are {', '.join(map(repr, KINDS))}")
        named(theme)
        given: dict[str, Any] = {"theme": theme}
        if kind == "web":
            from viewer.web.server import require_viser

            require_viser()
        else:
            from viewer.gl import NoPicture, require_gl

            found = require_gl()
            if not off_screen and not found.window:
                raise NoPicture(f"no window can be opened here: {found.no_window}")
            given |= {"size": size, "layers": check_layers(layers)}
            given |= {"off_screen": off_screen}
        self.trouble = ""
        self._size, self._off_screen = size, off_screen and kind == "window"
        from viewer.process.packing import Packer  # which needs h5py

        self._packer = Packer()
        self._outbox: Outbox | None = None
        self._number = 0
        self._asked = 0
        self._ended = self._released = False
        self._made_in = os.getpid()
        self._drawn = 0
        self._control = Control()
        try:
            self._process = _started(background)
        except OSError:
            self._control.close()
            raise
        self._tell(self._control.name, kind, given, background)
        atexit.register(self.close)

    @property
    def closed(self) -> bool:
        """Whether it shows no more: closed by a person, or ended, or by `close`."""
        if not self._ended:
            code, state = self._process.poll(), self._control.state
            if code is not None or state in (CLOSED, mailbox.FAILED):
                self._ended = True
                if state != CLOSED:
                    self.trouble = self._control.said or _last_word(code)
        return self._ended

    @property
    def pid(self) -> int:
        """The number of the other process, to give it other cores or a priority."""
        return self._process.pid

    @property
    def count(self) -> int:
        """How many frames were handed over."""
        return self._number

    @property
    def drawn(self) -> int:
        """How many of them were taken and drawn."""
        return self._drawn if self._released else self._control.drawn

    @property
    def lost_events(self) -> int:
        """How many events are not told: too many happened until a frame was taken."""
        return self._packer.lost

    def show(
        self,
        shown: Frame | Still | Sequence[Still],
        events: Sequence[Event] | None = None,
    ) -> None:
        """Hand over the newest frame, or what else `viewer.show` takes; never waits.

        Cost: a copy and a checksum of positions that moves some 120 kB in 0.1 ms (two
        bodies of 2500 vertices), and 5 us for each pair that is reported. A body that
        is new or has another mesh costs some milliseconds, once.
        """
        if self.closed:
            return
        frame = frame_of(shown)
        number = self._number + 1
        suits = self._packer.suits(frame)
        told = frame.events if events is None else tuple(events)
        taken = self._control.taken
        arrays, text = self._packer.pack(number, frame, told, taken)
        room = sum(map(len, text))
        if self._outbox is None or not suits or room > self._outbox.room:
            self._replace(max(_ROOM, 2 * room))
        assert self._outbox is not None
        self._outbox.put(number, arrays, text)
        self._number = number

    def image(self) -> NDArray[np.uint8]:
        """Return what the window shows, (height, width, 3), top row first.

        Waits until the newest frame is drawn. Raises ValueError if there is no picture.
        """
        if not self._off_screen:
            raise ValueError("only ProcessScreen(off_screen=True) returns its picture")
        if not self._number or self.closed:
            raise ValueError(
                self.trouble or "there is no picture: call show(frame) before close()"
            )
        width, height = self._size
        self._asked += 1
        memory = mailbox.create(3 * width * height)
        try:
            self._tell("image", memory.name, self._asked)
            while self._control.answered < self._asked and not self.closed:
                time.sleep(0.002)
            if self.closed:
                raise ValueError(self.trouble or "the screen was closed")
            picture = np.frombuffer(bytes(mailbox.bytes_of(memory)), np.uint8)
            image: NDArray[np.uint8] = picture[: 3 * width * height].copy()
            return image.reshape(height, width, 3)
        finally:
            memory.close()
            memory.unlink()

    def press(self, symbol: str) -> None:
        """Do in the window what a key does, by its name in `viewer.window.keys`.

        Raises ValueError if nothing was shown yet.
        """
        if not self._number:
            raise ValueError("nothing was shown yet; call show(frame) first")
        self._tell("press", symbol)

    def wait(self, trouble: Exception | None = None) -> None:
        """Leave the last frame on show, and say trouble, until a person closes it."""
        try:
            self._tell("end", _sayable(trouble))
            while not self.closed:
                time.sleep(_IDLE)
        finally:
            self.close()

    def play(self, timeline: Timeline) -> Frame | None:
        """Hand over the frames of a timeline at their own time; then `wait`.

        Returns the last one, or raises what ended a running world before its time.
        """
        try:
            if timeline.frame is not None:
                self.show(timeline.frame)
            while timeline.playing and not self.closed:
                if timeline.tick() and timeline.frame is not None:
                    self.show(timeline.frame)
                else:
                    time.sleep(timeline.pause_left)
            if not self.closed:
                self.wait(timeline.source.trouble)
        finally:
            self.close()
        if self.trouble:
            print(self.trouble, file=sys.stderr)
        if timeline.source.trouble is not None:
            raise timeline.source.trouble
        return timeline.frame

    def close(self) -> None:
        """End the other process; closing twice is no error."""
        if self._released:
            return
        atexit.unregister(self.close)
        # a fork has a copy of this, and an end of its own
        mine = os.getpid() == self._made_in
        if mine:
            # before its first frame it has nothing to lose, and would load VTK first
            starting = not self.closed and self._control.state == mailbox.STARTING
            self._end(at_once=starting)
        self._drawn, self._ended = self._control.drawn, True
        if self._outbox is not None:
            self._outbox.close(remove=mine)
        self._control.close(remove=mine)
        self._released = True

    def _replace(self, room: int) -> None:
        """Make another mailbox, and let the other process find it."""
        old, generation = self._outbox, self._control.generation + 1
        name, packer = self._control.mailbox(generation), self._packer
        self._outbox = Outbox(name, packer.preface, packer.floats, room)
        self._control.generation = generation
        if old is not None:
            old.close()

    def _tell(self, *order: object) -> None:
        """Ask the other process for something; one that is gone for nothing."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(pickle.dumps(order))
            self._process.stdin.flush()

    def _end(self, *, at_once: bool) -> None:
        """Let the other process end, or end it."""
        assert self._process.stdin is not None
        if at_once:
            self._process.kill()
        with contextlib.suppress(OSError):
            self._process.stdin.close()  # it ends when nobody can tell it anything
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def limit_threads(environment: MutableMapping[str, str]) -> None:
    """Tell llvmpipe, before GL is loaded, to leave a core free, unless the user did."""
    spare = max(1, (os.cpu_count() or 2) - 1)
    environment.setdefault("LP_NUM_THREADS", str(min(spare, _THREADS)))


def _started(background: bool) -> subprocess.Popen[bytes]:
    """Start a process that waits to be told what to draw."""
    if not sys.executable:
        raise OSError(
            "this Python does not know its own executable, so it cannot start another "
            "process; show frames with viewer.WindowScreen"
        )
    environment, flags = dict(os.environ), 0
    if background:
        limit_threads(environment)
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # Windows
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _CHILD, str(Path(__file__).parents[2])],
        env=environment,
        stdin=subprocess.PIPE,
        creationflags=flags,
        start_new_session=True,  # Ctrl-C is for the loop
    )


def _last_word(code: int | None) -> str:
    """Say in a sentence how a process ended."""
    how = f"ended with exit code {code}"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            how = f"was ended by {signal.Signals(-code).name}"
    return f"the process that draws {how}; the loop is not harmed"


def _sayable(trouble: Exception | None) -> Exception | None:
    """Make an error that any process can read."""
    if trouble is None:
        return None
    said = RuntimeError(str(trouble))
    for note in getattr(trouble, "__notes__", []):
        said.add_note(note)
    return said

"""A window in which keys play a demo of the plane, and what was played as a text."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from sim.planar.keys import KeyLog, Keys
from viewer.demos.keyboard import Keyboard
from viewer.gl import probe
from viewer.interrupt import interruptible

_FRAME = 1.0 / 60.0  # seconds; what is late is not made up for


class Demo(Protocol):
    """What keys move on by a frame."""

    @property
    def frame(self) -> Any:
        """What there is to see now."""

    def step(self, keys: Keys = ...) -> Any:
        """Go on by one frame."""


class Drawing(Protocol):
    """What shows frames of a demo, and has a plotter with its keys."""

    plotter: Any

    @property
    def sight(self) -> object:
        """What the camera sees."""

    def draw(self, frame: Any, events: Any) -> None:
        """Show a frame, and the last of these events."""

    def close(self) -> None:
        """Release the window."""


class Window:
    """Step a demo by the keys that are held, and draw it.

    Time stands still while no key is held: a frame is a frame with keys. The mouse
    moves and zooms the plane, and never turns it.

    Parameters
    ----------
    board : Drawing
        On a screen, or off it as in tests: keys arrive at ``board.plotter.iren``.
    new_demo : function
        Makes the demo; Home makes it anew.
    log : KeyLog
        What is played before the keys of the window count.

    Attributes
    ----------
    demo
        As it is now.
    events : list
        What happened since the start.
    closed : bool
        Whether q, Escape or the frame of the window asked for the end.
    """

    def __init__(
        self, board: Drawing, new_demo: Callable[[], Demo], log: KeyLog | None = None
    ) -> None:
        self.board = board
        self._new_demo = new_demo
        iren = board.plotter.iren
        iren.enable_custom_trackball_style(
            left="pan",
            shift_left="pan",
            control_left="pan",
            middle="pan",
            shift_middle="pan",
            control_middle="pan",
            right="dolly",
            shift_right="dolly",
            control_right="dolly",
        )
        self._keyboard = Keyboard(board.plotter, self.end, self.restart)
        iren.add_observer("ExitEvent", self.end)
        self.closed = False
        self.restart()
        self._upcoming: Iterator[Keys] = iter(log or KeyLog())

    @property
    def log(self) -> KeyLog:
        """What was held since the start; played again, it ends where this is."""
        return KeyLog.of(self._played)

    def restart(self) -> None:
        """Begin from the start, with an empty log."""
        self._upcoming = iter(())
        self._played: list[Keys] = []
        self.demo = self._new_demo()
        self.events: list[object] = list(getattr(self.demo.frame, "events", ()))
        self._seen: object = None

    def turn(self) -> None:
        """Go on by a frame if a key is held; draw what changed."""
        keys = next(self._upcoming, None)
        if keys is None:
            keys = self._keyboard.take() or None
        if keys is not None:
            self._played.append(keys)
            self.events += getattr(self.demo.step(keys), "events", ())
            self._seen = None
        if self.board.sight != self._seen:
            self.board.draw(self.demo.frame, self.events)
            self.board.plotter.render()
            self._seen = self.board.sight

    def run(self) -> KeyLog:
        """Show the window until it is closed; return what was played."""
        try:
            with interruptible() as end_if_asked:
                self._show(end_if_asked)
        finally:
            self.board.close()
        return self.log

    def _show(self, end_if_asked: Callable[[], None]) -> None:
        plotter = self.board.plotter
        self.board.draw(self.demo.frame, self.events)
        plotter.show(interactive_update=True, auto_close=False)
        due = time.perf_counter()
        while not self.closed:
            end_if_asked()
            self.turn()
            plotter.iren.process_events()
            due = max(due + _FRAME, time.perf_counter())
            time.sleep(max(0.0, due - time.perf_counter()))

    def end(self, *_: object) -> None:
        """Close the window after this turn."""
        self.closed = True


def play_disk(log: KeyLog | str = "") -> KeyLog | None:
    """Play the disk and the triangle in a window until it is closed.

    H and L move the disk left and right, J and K down and up, R turns the triangle, S
    and T stretch it, Shift turns these round; Home begins anew, q ends. Where no window
    can be opened, one sentence on stderr says why.

    Parameters
    ----------
    log : KeyLog or str
        What is played first.

    Returns
    -------
    KeyLog or None
        What was played, for ``sim.planar.disk.story``; None without a window.

    Raises
    ------
    ValueError
        If the log cannot be read, or holds a key that does nothing here.
    """
    from sim.planar.controls import DISK_KEYS
    from sim.planar.disk import DiskDemo
    from viewer.demos.disk import DiskBoard

    return _played(DiskBoard, DiskDemo, log, DISK_KEYS)


def play_segments(log: KeyLog | str = "") -> KeyLog | None:
    """Play the two segments in a window until it is closed.

    1 and 2 choose a segment; H, J, K, L move it, R turns it, S stretches it, Shift
    turns R and S round; Home begins anew, q ends. Where no window can be opened, one
    sentence on stderr says why.

    Parameters
    ----------
    log : KeyLog or str
        What is played first.

    Returns
    -------
    KeyLog or None
        What was played; None without a window.

    Raises
    ------
    ValueError
        If the log cannot be read, or holds a key that does nothing here.
    """
    from sim.planar.controls import SEGMENT_KEYS
    from sim.planar.segments import SegmentDemo
    from viewer.demos.segments import SegmentBoard

    return _played(SegmentBoard, SegmentDemo, log, SEGMENT_KEYS)


def _played(
    board: Callable[..., Drawing],
    demo: Callable[[], Demo],
    log: KeyLog | str,
    known: tuple[str, ...],
) -> KeyLog | None:
    first = (KeyLog.parse(log) if isinstance(log, str) else log).known(known)
    found = probe()
    if not found.window:
        print(f"no window can be opened here: {found.no_window}", file=sys.stderr)
        return None
    return Window(board(off_screen=False), demo, first).run()

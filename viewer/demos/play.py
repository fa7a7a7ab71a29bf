"""Play a demo of the plane by keys in a window, or draw where keys lead it."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from sim.planar.disk import DiskDemo
from sim.planar.keys import DISK_KEYS, SEGMENT_KEYS, SHIFT, KeyLog, Keys, SegmentDemo
from viewer.arrays import Image
from viewer.demos.board import Board
from viewer.demos.boards import DiskBoard, SegmentBoard
from viewer.gl import probe
from viewer.interrupt import interruptible
from viewer.still import check_format, check_size, save

ENDS = ("q", "Q", "Escape")
AGAIN = "Home"
_SUPERSAMPLE = 2


class Keyboard:
    """Collect the keys that are held in a plotter's window.

    The keys that pyvista binds are cleared, and this stands in for VTK's own.
    """

    def __init__(
        self, plotter: Any, end: Callable[[], None], again: Callable[[], None]
    ) -> None:
        self._interactor = plotter.iren.interactor
        self._commands = {**dict.fromkeys(ENDS, end), AGAIN: again}
        self._held: set[str] = set()
        self._tapped: set[str] = set()  # since the keys were taken last
        plotter.iren.clear_key_event_callbacks()
        # a style with an observer of its own leaves characters to it
        plotter.iren.style.AddObserver("CharEvent", lambda *_: None)
        plotter.iren.add_observer("KeyPressEvent", self._pressed)
        plotter.iren.add_observer("KeyReleaseEvent", self._released)

    def take(self) -> Keys:
        """Return the keys of a frame, held or tapped since; Shift alone is none."""
        keys = self._held | self._tapped
        self._tapped.clear()
        return frozenset(keys) if keys - {SHIFT} else frozenset()

    def _pressed(self, *_: object) -> None:
        name = self._name()
        if name in self._commands:
            self._commands[name]()
            return
        self._held.add(name)
        if name != SHIFT:
            self._tapped |= {name, *(self._held & {SHIFT})}

    def _released(self, *_: object) -> None:
        self._held.discard(self._name())

    def _name(self) -> str:
        """Name the key of the present event, and see whether Shift is held with it."""
        symbol = str(self._interactor.GetKeySym())
        if symbol.startswith("Shift"):
            return SHIFT
        note = self._held.add if self._interactor.GetShiftKey() else self._held.discard
        note(SHIFT)
        # on most layouts a digit with Shift is another sign: it is left alone
        return symbol.upper() if len(symbol) == 1 else symbol


_WITH = "", "shift_", "control_"  # and a button of the mouse
_FRAME = 1.0 / 60.0  # seconds; what is late is not made up for


class DemoWindow:
    """Step a demo by the keys that are held, and draw it.

    Time stands still while none is. ``log`` is played before the window's keys count.
    """

    def __init__(
        self, board: Any, new_demo: Callable[[], Any], log: KeyLog | None = None
    ) -> None:
        self.board = board
        self._new_demo = new_demo
        iren = board.plotter.iren
        acts = {"left": "pan", "middle": "pan", "right": "dolly"}
        iren.enable_custom_trackball_style(
            **{f"{k}{button}": act for button, act in acts.items() for k in _WITH}
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
        plotter = self.board.plotter
        try:
            with interruptible() as end_if_asked:
                self.board.draw(self.demo.frame, self.events)
                plotter.show(interactive_update=True, auto_close=False)
                due = time.perf_counter()
                while not self.closed:
                    end_if_asked()
                    self.turn()
                    plotter.iren.process_events()
                    due = max(due + _FRAME, time.perf_counter())
                    time.sleep(max(0.0, due - time.perf_counter()))
        finally:
            self.board.close()
        return self.log

    def end(self, *_: object) -> None:
        """Close the window after this turn."""
        self.closed = True


DEMOS: dict[str, tuple[type[Board], Callable[[], Any], tuple[str, ...]]] = {
    "disk": (DiskBoard, DiskDemo, DISK_KEYS),
    "segments": (SegmentBoard, SegmentDemo, SEGMENT_KEYS),
}


def play(which: str, log: KeyLog | str = "") -> KeyLog | None:
    """Play the disk and the triangle, or the two segments, in a window.

    Home begins anew, q ends. ``log`` is played first; a ValueError if it cannot be.
    Returns what was played; None without a window, and one sentence on stderr says why.
    """
    board, demo, keys = DEMOS[which]
    first = (KeyLog.parse(log) if isinstance(log, str) else log).known(keys)
    found = probe()
    if not found.window:
        print(f"no window can be opened here: {found.no_window}", file=sys.stderr)
        return None
    return DemoWindow(board(off_screen=False), demo, first).run()


def picture(
    which: str,
    log: KeyLog | str,
    path: str | os.PathLike[str] | None = None,
    *,
    size: tuple[int, int] = (1280, 720),
) -> Image:
    """Draw where a log of keys leads "disk" or "segments"; needs no display.

    Returns the picture, (height, width, 3), top row first; saved where ``path`` says.
    Raises ImportError, NoPicture, OSError, ValueError as `viewer.picture`.
    """
    if path is not None:
        check_format(path)
    check_size(size)
    new_board, new_demo, _ = DEMOS[which]
    demo, events = new_demo(), list[object]()
    for frame in demo.play(log):
        events += getattr(frame, "events", ())
    board: Any = new_board(size=size, supersample=_SUPERSAMPLE)
    try:
        board.draw(demo.frame, events)
        image: Image = board.image()
    finally:
        board.close()
    if path is not None:
        save(image, path)
    return image

"""Play, pause, step and seek: say which frame is shown, and when the next is due.

A loop over frames is ended by Ctrl-C between two of them.
"""

import signal
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from time import perf_counter
from types import FrameType

from sim import Event, Frame, RecordingError
from viewer.sources import FrameSource

SPEEDS = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0)


class Timeline:
    """Play, pause, step and seek; one frame is always the present one.

    At the end of what a running world has shown, playing makes new frames; elsewhere it
    shows what there was. ``trouble`` is why the frame that was asked for cannot be had.
    """

    def __init__(
        self,
        source: FrameSource,
        *,
        loop: bool = False,
        speed: float = 1.0,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.source, self.loop, self.clock = source, loop, clock
        self.frame: Frame | None = None
        self.position, self.playing = -1, True
        self.speed = speed
        if not len(source):
            source.extend()
        self.trouble = source.trouble
        self.seek(source.first)
        self.play()

    @property
    def at_end(self) -> bool:
        """Whether no frame comes after the present one."""
        return self.source.ended and self.position >= len(self.source) - 1

    @property
    def before(self) -> Frame | None:
        """The frame before the present one; None if it is gone or cannot be read."""
        with suppress(RecordingError, IndexError):
            return self.source[self.position - 1]
        return None

    def play(self) -> None:
        """Go on; from the end of what is stored, begin again."""
        if self.at_end and self.source.trouble is None and not self.playing:
            self.seek(self.source.first)
        self.playing = True
        self._last = self.clock()

    def pause(self) -> None:
        """Stay on the present frame."""
        self.playing = False

    def toggle(self) -> None:
        """Pause, or go on."""
        (self.pause if self.playing else self.play)()

    def faster(self, by: int = 1) -> None:
        """Play at the next speed up, or down for -1."""
        find = bisect_right if by > 0 else bisect_left
        k = find(SPEEDS, self.speed) + min(by, 0)
        self.speed = SPEEDS[min(max(k, 0), len(SPEEDS) - 1)]

    def seek(self, k: int) -> bool:
        """Show the frame at this place, or the nearest; tell whether it is new."""
        if not len(self.source):
            return False
        k = min(max(k, self.source.first), len(self.source) - 1)
        if k == self.position and self.trouble is None:
            return False
        self.position = k
        try:
            self.frame = self.source[k]
        except Exception as error:  # damaged: stay with what is shown, say which frame
            self.trouble = error
            self.pause()
            return False
        self.trouble = None
        return True

    def step(self, by: int = 1) -> bool:
        """Pause and show the frame so many later, which a running world makes."""
        self.pause()
        return self._advance(by)

    def to_end(self) -> bool:
        """Show the newest frame that is there."""
        return self.seek(len(self.source) - 1)

    def next_event(self, by: int = 1) -> bool:
        """Pause at the next frame in which something happened, or the last before."""
        self.pause()
        places = self.event_places()
        at = bisect_left(places, self.position + (by > 0)) - (by < 0)
        if not 0 <= at < len(places):
            return self.to_end() if by > 0 else self.seek(0)
        return self.seek(places[at])

    def event_places(self) -> list[int]:
        """Return the places of all frames in which something happened, in order."""
        return sorted({k for k, _ in self.source.events()})

    def tick(self) -> bool:
        """Show the next frame if it is due; what is late is never skipped."""
        now, pause = self.clock(), self.source.dt / self.speed
        if not self.playing or now < self._last + pause:
            return False
        self._last = max(self._last + pause, now - pause)
        if not self.at_end:
            return self._advance(1)
        if self.loop and self.source.trouble is None:
            return self.seek(0)
        self.pause()
        before, self.trouble = self.trouble, self.trouble or self.source.trouble
        return self.trouble is not before

    def _advance(self, n: int) -> bool:
        wanted = self.position + n
        while wanted >= len(self.source) and self.source.extend():
            pass
        moved = self.seek(wanted)
        if self.source.trouble is not None and wanted >= len(self.source):
            self.trouble = self.source.trouble
            self.pause()
        return moved


def words_of(event: Event) -> str:
    """Return the line of an event, its frame with the time in it if that is known."""
    when = event.when
    if when is None or when == (0.0, 1.0):
        return str(event)
    frame, _, words = str(event).partition(" ")
    return f"{frame}@{sum(when) / 2:.3f} {words}"


def check_above_zero(**numbers: float) -> None:
    """Raise ``ValueError`` for a number that is none, or not above 0, by its name."""
    for name, value in numbers.items():
        if not (hasattr(value, "__float__") and 0 < value < float("inf")):
            hint = "; 1 is real time" if name == "speed" else ""
            raise ValueError(f"{name}={value!r}: give a number above 0{hint}")


@contextmanager
def interruptible(twice: bool = True) -> Iterator[Callable[[], None]]:
    """Let Ctrl-C end the block where what is given is called next, or at its end.

    An interrupt in a callback of the garbage collector is printed and lost, one while a
    library is loaded may crash it. So the first Ctrl-C only asks; the second raises at
    once if ``twice``: a frame may never end.
    """
    asked = False

    def ask(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked and twice:
            raise KeyboardInterrupt
        asked = True

    def end_if_asked() -> None:
        if asked:
            raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before != signal.default_int_handler:
        yield end_if_asked
        return
    signal.signal(signal.SIGINT, ask)
    try:
        yield end_if_asked
        end_if_asked()
    finally:
        signal.signal(signal.SIGINT, before)

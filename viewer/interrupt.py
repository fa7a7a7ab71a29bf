"""Let Ctrl-C end a loop between two frames."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C end the block where what is given is called next.

    Python raises ``KeyboardInterrupt`` wherever it happens to be, and where that is a
    callback of the garbage collector the interrupt is printed and lost.  The first
    Ctrl-C therefore only asks, the second one raises at once: a frame that never ends
    can still be left.  Outside the main thread nothing changes.
    """
    asked = False

    def ask(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
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

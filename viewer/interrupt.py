"""Let Ctrl-C end a loop between two frames."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C end the block where what is given is called next.

    An interrupt in a callback of the garbage collector is printed and lost. So the
    first Ctrl-C only asks, and the second raises at once: a frame may never end.
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

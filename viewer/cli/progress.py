"""Show progress on stderr after one second; on terminals only."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.status import Status

Item = TypeVar("Item")

_PATIENCE = 1.0  # seconds


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass items on; show a bar when they take longer than a second.

    Parameters: ``total``: how many there will be; ``what``: written beside the bar.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    start = time.perf_counter()
    with ExitStack() as stack:
        bar = None
        for done, item in enumerate(items):
            if bar is None and time.perf_counter() - start > _PATIENCE:
                bar = _Bar(stack, total, what)
            if bar is not None:
                bar.show(done)
            yield item


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function of how much is done and of how much; it shows a bar."""
    start = time.perf_counter()
    with ExitStack() as stack:
        bar: _Bar | None = None

        def told(done: int, total: int) -> None:
            nonlocal bar
            late = time.perf_counter() - start > _PATIENCE
            if bar is None and late and sys.stderr.isatty():
                bar = _Bar(stack, total, what)
            if bar is not None:
                bar.show(done)

        yield told


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show a spinner while the block runs, from its second second on.

    The block prints nothing: rich would take it for text above the spinner.
    """
    if not sys.stderr.isatty():
        yield
        return
    spinner = _Spinner(what)
    timer = Timer(_PATIENCE, spinner.show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        spinner.end()


class _Bar:
    def __init__(self, stack: ExitStack, total: int, what: str) -> None:
        from rich.console import Console
        from rich.progress import Progress

        # Lines printed meanwhile go above the bar; into a pipe they go as they are.
        self._progress = stack.enter_context(
            Progress(
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=sys.stdout.isatty(),
            )
        )
        self._task = self._progress.add_task(what, total=total)

    def show(self, done: int) -> None:
        self._progress.update(self._task, completed=done)


class _Spinner:
    """Shown from the timer's thread, ended from the caller's."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = Lock()
        self._ended = False
        self._status: Status | None = None

    def show(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._ended:
                self._status = Console(stderr=True).status(self._what)
                self._status.start()

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._status is not None:
                self._status.stop()

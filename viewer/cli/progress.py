"""Show progress on stderr after one second; on terminals only."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Timer
from typing import TypeVar

Item = TypeVar("Item")

_PATIENCE = 1.0  # seconds


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass items on; show a bar when they take longer than a second.

    Parameters: ``total``: how many there will be; ``what``: written beside the bar.
    """
    with counting(what) as told:
        for done, item in enumerate(items):
            told(done, total)
            yield item


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function of how much is done and of how much; it shows a bar."""
    start = time.perf_counter()
    with ExitStack() as stack:
        show: Callable[[int, int], None] | None = None

        def told(done: int, total: int) -> None:
            nonlocal show
            late = time.perf_counter() - start > _PATIENCE
            if show is None and late and sys.stderr.isatty():
                show = _bar(stack, what)
            if show is not None:
                show(done, total)

        yield told


def _bar(stack: ExitStack, what: str) -> Callable[[int, int], None]:
    from rich.console import Console
    from rich.progress import Progress

    # Lines printed meanwhile go above the bar; into a pipe they go as they are.
    bar = Progress(
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    )
    task = stack.enter_context(bar).add_task(what, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show a spinner while the block runs, from its second second on.

    The block prints nothing: rich would take it for text above the spinner.
    """
    if not sys.stderr.isatty():
        yield
        return
    shown = ExitStack()

    def show() -> None:
        from rich.console import Console

        shown.enter_context(Console(stderr=True).status(what))

    timer = Timer(_PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # it may be showing the spinner just now
        shown.close()

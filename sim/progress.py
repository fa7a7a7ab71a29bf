"""A bar on the terminal for what takes longer than a second."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from threading import Lock, Timer
from typing import TypeVar

Item = TypeVar("Item")

_PATIENCE = 1.0  # seconds


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass items on, of so many; show a bar when they take longer than a second."""
    with counting(what) as told:
        for done, item in enumerate(items):
            told(done, total)
            yield item


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function of how much is done and of how much: a bar after a second."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    start, lock, shown = time.perf_counter(), Lock(), ExitStack()
    update: list[Callable[..., None]] = []

    def show() -> None:
        from rich.console import Console
        from rich.progress import Progress, ProgressColumn, Task, TaskProgressColumn
        from rich.text import Text

        class Rate(ProgressColumn):
            def render(self, task: Task) -> Text:
                return TaskProgressColumn.render_speed(task.speed)

        with lock:
            if not update:
                # lines printed meanwhile go above it; into a pipe they go as they are
                bar = Progress(
                    *Progress.get_default_columns(),
                    Rate(),
                    console=Console(stderr=True),
                    transient=True,
                    redirect_stdout=sys.stdout.isatty(),
                )
                shown.callback(bar.console.show_cursor)  # whatever Ctrl-C breaks off
                shown.callback(bar.stop)
                bar.start()
                update.append(partial(bar.update, bar.add_task(what, total=None)))

    def told(done: int, total: int) -> None:
        if time.perf_counter() - start > _PATIENCE:
            show()
        for say in update:
            say(completed=done, total=total)

    timer = Timer(_PATIENCE, show)
    timer.daemon = True
    timer.start()
    with shown:
        shown.callback(timer.join)  # it may be showing the bar just now
        shown.callback(timer.cancel)
        yield told

"""What takes long: a bar on the terminal after a second, frames still to come."""

import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from inspect import GEN_CREATED, getgeneratorstate
from threading import Lock, Timer
from typing import Any, TypeVar
from warnings import warn
from weakref import finalize

Item = TypeVar("Item")

_PATIENCE = 1.0  # seconds


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass ``total`` items on; show a bar when they take longer than a second."""
    with counting(what) as update:
        for done, item in enumerate(items):
            update(done, total)
            yield item


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that takes how much is done, of how much: a bar in a second."""
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


class FrameRun(Iterator[Item]):
    """Step a world, frame by frame, whenever the next one is asked for.

    Made by ``World.run``.  ``len(run)`` is how many frames are to come.
    """

    def __init__(self, step: Callable[[], Item], count: int, *, bar: bool) -> None:
        self.step = step
        self._frames: Iterator[Item] = map(lambda _: step(), range(count))
        self._left = self._count = count
        self._asked = not count
        if bar:
            self._frames = progress(self._frames, count, "run")

    def __len__(self) -> int:
        """Count the frames that are to come."""
        return self._left

    def __next__(self) -> Item:
        self._asked = True
        frame = next(self._frames)
        self._left -= 1
        return frame

    def __del__(self) -> None:
        """Say so where a run was asked for and never gone through."""
        if not self._asked:
            warn(
                f"world.run({self._count}) was never gone through, so no frame was "
                f"stepped: write 'for frame in world.run({self._count}): ...'",
                RuntimeWarning,
                stacklevel=2,
            )


def warn_if_unused(made: Any, call: str) -> None:
    """Warn when a context manager made by a generator is dropped but never entered."""
    said = f"{call} was never entered, so nothing was done: write 'with {call}: ...'"

    def check(body: Generator[Any, None, None]) -> None:
        if getgeneratorstate(body) == GEN_CREATED:
            warn(said, RuntimeWarning, stacklevel=3)  # whoever dropped it

    finalize(made, check, made.gen).atexit = False

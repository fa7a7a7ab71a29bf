"""The frames of a run that are still to come."""

from collections.abc import Callable, Generator, Iterator
from inspect import GEN_CREATED, getgeneratorstate
from typing import Any, TypeVar
from warnings import warn
from weakref import finalize

Frame = TypeVar("Frame")


class FrameRun(Iterator[Frame]):
    """Step a world, frame by frame, whenever the next one is asked for.

    Made by ``World.run``.  ``len(run)`` is how many frames are to come.
    """

    def __init__(
        self, step: Callable[[], Frame], count: int, *, progress: bool
    ) -> None:
        self._step = step
        self._left = self._count = count
        self._asked = not count
        self._shows = progress
        self._bar: Any = None
        self._tell: Callable[[int, int], None] | None = None

    def __len__(self) -> int:
        """Count the frames that are to come."""
        return self._left

    def __next__(self) -> Frame:
        """Step to the next frame and return it."""
        self._asked = True
        if not self._left:
            self._end()
            raise StopIteration
        if self._shows and self._tell is None:
            from sim.progress import counting

            self._bar = counting("run")
            self._tell = self._bar.__enter__()
        try:
            frame = self._step()
        except BaseException:
            self._end()
            raise
        self._left -= 1
        if self._tell is not None:
            self._tell(self._count - self._left, self._count)
        return frame

    def _end(self) -> None:
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.__exit__(None, None, None)

    def __repr__(self) -> str:
        """Say how much is left."""
        return f"FrameRun({self._left} of {self._count} frames to come)"

    def __del__(self) -> None:
        """Put the bar away; say so where a run was asked for and never gone through."""
        self._end()
        if not self._asked:
            warn(
                f"world.run({self._count}) was never gone through, so no frame was "
                f"stepped: write 'for frame in world.run({self._count}): ...'",
                RuntimeWarning,
                stacklevel=2,
            )


def warn_if_unused(made: Any, call: str) -> None:
    """Warn when a context manager that a generator made goes, and nobody entered it."""
    said = f"{call} was never entered, so nothing was done: write 'with {call}: ...'"

    def check(body: Generator[Any, None, None]) -> None:
        if getgeneratorstate(body) == GEN_CREATED:
            warn(said, RuntimeWarning, stacklevel=3)  # whoever dropped it

    finalize(made, check, made.gen).atexit = False

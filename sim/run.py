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
        self.step = step
        self._frames: Iterator[Frame] = map(lambda _: step(), range(count))
        self._left = self._count = count
        self._asked = not count
        if progress:
            from sim.progress import progress as shown

            self._frames = shown(self._frames, count, "run")

    def __len__(self) -> int:
        """Count the frames that are to come."""
        return self._left

    def __next__(self) -> Frame:
        """Step to the next frame and return it."""
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
    """Warn when a context manager that a generator made goes, and nobody entered it."""
    said = f"{call} was never entered, so nothing was done: write 'with {call}: ...'"

    def check(body: Generator[Any, None, None]) -> None:
        if getgeneratorstate(body) == GEN_CREATED:
            warn(said, RuntimeWarning, stacklevel=3)  # whoever dropped it

    finalize(made, check, made.gen).atexit = False

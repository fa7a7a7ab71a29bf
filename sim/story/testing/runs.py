"""What a test may hand over: a run that is over, or one that is still to happen."""

from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Protocol, runtime_checkable

from sim.frame import Frame
from sim.story.recording import Recording
from sim.story.story import Story

GROUP = "wingedge.views"
INSTALL = "pip install 'wingedge[viewer]'"


def try_picture(frame: Frame | None, path: Path, group: str = GROUP) -> str:
    """Draw a frame into a file if anybody here can; return a sentence about it.

    A view is a function of a frame and a path that is registered in the entry-point
    group; the first by name draws.  Whatever goes wrong is said, not raised: a picture
    that cannot be drawn must not hide the failure that it was to show.
    """
    from importlib.metadata import entry_points

    if frame is None:
        return "no picture: the positions of that frame are not known"
    views = sorted(entry_points(group=group), key=lambda view: view.name)
    if not views:
        return f"no picture: nobody here draws any; run: {INSTALL}"
    try:
        views[0].load()(frame, path)
    except Exception as error:
        return f"no picture: {str(error) or type(error).__name__}"
    return f"picture of frame {frame.index}: {path}"


@runtime_checkable
class Runs(Protocol):
    """A world: what can be run on."""

    def run(self, n: int) -> Iterator[Frame]:
        """Step so many frames."""


Source = Runs | Recording | Story | Iterable[Frame]
Run = Recording | Story | list[Frame]


def run_of(source: Source, frames: int | None = None) -> Run:
    """Run a world on, or collect frames; a story, and a whole recording, are as given.

    Parameters: ``frames``: how many frames; needed for a world, all that there are
    otherwise.

    Raises TypeError if the source is something else, or no number of frames fits it;
    ValueError if there are not so many frames.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    if frames is not None and (isinstance(frames, bool) or not isinstance(frames, int)):
        raise TypeError(f"frames={frames!r} must be a whole number")
    if isinstance(source, Runs):
        if frames is None:
            raise TypeError(
                "a world runs for ever; say how many frames, as in check(world, "
                "frames=90), or give world.run(90)"
            )
        return list(source.run(frames))
    if isinstance(source, Story) and frames is not None:
        raise TypeError("a story cannot be cut; leave out frames, or give the frames")
    if isinstance(source, Story) or (isinstance(source, Recording) and frames is None):
        return source
    if not isinstance(source, Iterable) or isinstance(source, str | PathLike):
        raise TypeError(
            f"no contacts can be told of {type(source).__name__}; give a World and "
            "frames, a Recording, as of Recording.open(path), a Story, or frames as of "
            "world.run(90)"
        )
    if frames is None:
        return list(source)
    if frames < 0:
        raise ValueError(f"frames={frames} must be 0 or more")
    run = list(islice(source, frames))
    if len(run) < frames:
        raise ValueError(f"frames={frames}, but there are only {len(run)}")
    return run


def frame_of(run: Run, number: int | None) -> Frame | None:
    """Return the frame of this number, or the last one; None where none is known."""
    if isinstance(run, Story) or len(run) == 0:
        return None
    k = len(run) - 1 if number is None else number - run[0].index
    return run[k] if 0 <= k < len(run) else None

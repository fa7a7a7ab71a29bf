"""Gather a story from frames, and the time between them that no frame says."""

from collections.abc import Iterable, Iterator
from math import inf, nextafter
from os import PathLike
from typing import TYPE_CHECKING

from sim.story.events import Event

if TYPE_CHECKING:
    from sim.frame import Frame

Gathered = tuple[tuple[str, ...], int, int, float, tuple[Event, ...]]


def gather(frames: Iterable["Frame"], dt: float | None) -> Gathered:
    """Go through frames; return bodies, number of frames, the first, dt, events.

    Raises
    ------
    ValueError
        If a frame does not follow the last one, or has other bodies.
    TypeError
        If there are no frames, or something is none.
    """
    from sim.frame import Frame

    if not isinstance(frames, Iterable) or isinstance(frames, str | PathLike):
        raise TypeError(
            "a story is told of a Recording or of Frames, got "
            f"{type(frames).__name__}; write Story.of(world.run(100)), or, of a file, "
            "Story.read(path)"
        )
    events: list[Event] = []
    times: list[tuple[int, float]] = []
    names: tuple[str, ...] = ()
    for frame in frames:
        if not isinstance(frame, Frame):
            raise TypeError(
                f"a story is told of Frames that follow one another, and this is "
                f"{type(frame).__name__}; write Story.of(world.run(100))"
            )
        here = tuple(body.name for body in frame.bodies)
        if times and (frame.index != times[-1][0] + 1 or here != names):
            raise ValueError(
                f"frame {frame.index} of {'/'.join(here)} does not follow frame "
                f"{times[-1][0]} of {'/'.join(names)}; give frames of one run, one "
                "after the other"
            )
        names = here
        times.append((frame.index, frame.time))
        events += frame.events
    first = times[0][0] if times else 0
    step = time_between(times) if dt is None else dt
    return names, len(times), first, step, tuple(events)


def time_between(times: list[tuple[int, float]]) -> float:
    """Return the dt of which all times are multiples to the bit; 0.0 if there is none.

    Where several are, the one that is a whole fraction of 1, or else the shortest in
    digits.

    Parameters
    ----------
    times : list of (index, time)
        ``time == index * dt``, rounded to float64.
    """
    known = [(index, time) for index, time in times if index > 0]
    if not known:
        return 0.0
    index, time = known[0]
    fitting = [
        dt
        for dt in _candidates(index, time)
        if dt > 0.0 and all(i * dt == t for i, t in known)
    ]
    return min(
        fitting, key=lambda dt: (len(repr(1.0 / dt)), len(repr(dt))), default=0.0
    )


def _candidates(index: int, time: float) -> Iterator[float]:
    middle = low = high = time / index
    yield middle
    for _ in range(2):
        low, high = nextafter(low, -inf), nextafter(high, inf)
        yield low
        yield high

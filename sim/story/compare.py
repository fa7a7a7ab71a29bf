"""Compare two stories: what differs, since when, and what that means."""

from collections.abc import Iterator

from sim.story.comparing.difference import Comparison, Difference, counted
from sim.story.comparing.matching import matched
from sim.story.comparing.sources import Side, Source, opened
from sim.story.comparing.telling import changes, lineages, unmatched
from sim.story.comparing.threads import Key, Thread, threads
from sim.story.comparing.timing import Lag, lags, shifts
from sim.story.events import Event

WHOLE = ("bodies", "frames", "dt", "relabelled")  # told before what happens in frames


def compare(
    a: Source, b: Source, *, frame_tolerance: int = 0, tolerance: float = 1e-9
) -> Comparison:
    """Compare two stories, and say in words what is different.

    Parameters
    ----------
    a, b : Story, Recording, path of either, or iterable of Frame
        The first is what was expected, the second what is.
    frame_tolerance : int
        The same event at most so many frames later or earlier counts as equal.
    tolerance : float
        How far numbers may differ, and features may be from equally close: relative
        to the size of the coordinates, ``state.size``; of normals, absolute.

    Returns
    -------
    Comparison
        ``differences``, and in a condition whether there is none.

    Raises
    ------
    OSError, ValueError
        If a file cannot be read, or a tolerance makes no sense.
    TypeError
        If a source is something else.

    Notes
    -----
    The events of every pair are aligned on their own, so that one contact more makes
    nothing differ that comes after it.  Cost: O(n log n) in the number of events where
    most of them are the same.
    """
    if isinstance(frame_tolerance, bool) or not isinstance(frame_tolerance, int):
        raise TypeError(f"frame_tolerance={frame_tolerance!r} must be a whole number")
    if frame_tolerance < 0:
        raise ValueError(f"frame_tolerance={frame_tolerance} must be 0 or more")
    if not 0.0 <= tolerance < float("inf"):
        raise ValueError(f"tolerance={tolerance!r} must be a finite number, 0 or more")
    with opened(a) as first, opened(b) as second:
        return _compared(first, second, frame_tolerance, tolerance)


def _compared(a: Side, b: Side, frame_tolerance: int, tolerance: float) -> Comparison:
    found: list[Difference] = []
    of_a, of_b = _threads(a, b)
    every_lag: list[list[Lag]] = []
    for key in [*of_a, *(key for key in of_b if key not in of_a)]:
        one = of_a.get(key) or Thread(key, (), (), ())
        other = of_b.get(key) or Thread(key, (), (), ())
        match = matched(one, other, frame_tolerance)
        found += changes(one, other, match, tolerance)
        found += unmatched(one, other, match)
        found += lineages(one, other, match)
        every_lag.append(lags(one, other, match))
    found = [*_runs(a, b, found), *(one for one in found if _shared(a, b, one))]
    excused: list[Difference] = []
    for shift in shifts(every_lag):
        (found if abs(shift.lag) > frame_tolerance else excused).append(shift)
    names = {"/".join(key[:2]): None for key in [*of_a, *of_b]}
    return Comparison(
        tuple(sorted(found, key=_order)),
        tuple(sorted(excused, key=_order)),
        tuple(names),
        (len(a.story.events), len(b.story.events)),
        ties_judged=False,
        numbers_compared=False,
    )


def _runs(a: Side, b: Side, found: list[Difference]) -> Iterator[Difference]:
    """Tell in what the runs differ that the stories are of.

    What only one can tell of, as the other has no such frame, is told here at once.
    """
    start = a.story.first
    ours, theirs = a.story.bodies, b.story.bodies
    for name, events, which in (
        *((name, a.story.events, "first") for name in ours if name not in theirs),
        *((name, b.story.events, "second") for name in theirs if name not in ours),
    ):
        n = sum(1 for event in events if name in (event.a, event.b))
        words = f"only the {which} has {name!r}, with {counted(n, 'event')}"
        yield Difference(start, "bodies", (name,), words, count=n)
    shared = [name for name in ours if name in theirs]
    order = [name for name in theirs if name in ours]
    if shared != order:
        words = f"{', '.join(shared)} became {', '.join(order)}: another order"
        yield Difference(start, "bodies", (), words)
    if (start, _end(a)) != (b.story.first, _end(b)):
        beyond = sum(one.count for one in found if not _shared(a, b, one))
        also = f", with {counted(beyond, 'event')} where only one has frames"
        words = f"{_span(a)} became {_span(b)}{also if beyond else ''}"
        yield Difference(start, "frames", (), words, count=beyond)
    x, y = a.story.dt, b.story.dt
    if x and y and abs(x - y) > 1e-12 * max(x, y):  # 0.0: nobody knows
        yield Difference(start, "dt", (), f"{x!r} became {y!r}")


def _shared(a: Side, b: Side, found: Difference) -> bool:
    """Say whether both could have told of something that only one tells."""
    if found.kind == "lost":
        return b.story.first <= found.frame < _end(b)
    if found.kind == "inserted":
        return a.story.first <= found.frame < _end(a)
    return True


def _threads(a: Side, b: Side) -> tuple[dict[Key, Thread], dict[Key, Thread]]:
    """Sort what happened to bodies that both have, by pair, as the first names it."""
    shared = {*a.story.bodies, ""} & {*b.story.bodies, ""}

    def told(side: Side) -> Iterator[Event]:
        for event in side.story.events:
            if event.a in shared and event.b in shared:
                yield event

    place = {name: k for k, name in enumerate(a.story.bodies)}
    turn = {
        (event.a, event.b)
        for event in told(b)
        if event.b and place[event.a] > place[event.b]
    }
    return threads(told(a), frozenset()), threads(told(b), turn)


def _end(side: Side) -> int:
    return side.story.first + side.story.frames


def _span(side: Side) -> str:
    if not side.story.frames:
        return "none"
    return f"{side.story.first} to {_end(side) - 1}"


def _order(found: Difference) -> tuple[bool, int, int]:
    rank = WHOLE.index(found.kind) if found.kind in WHOLE else len(WHOLE)
    return rank == len(WHOLE), found.frame, rank

"""Compare two stories: what differs, since when, what that means; and two tellings."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

import numpy as np

from sim.body.placed import same_bits
from sim.events.event import Event
from sim.frame import Frame
from sim.story.comparing.difference import Comparison, Difference, counted
from sim.story.comparing.matching import matched
from sim.story.comparing.numbers import Tolerances, are_told, differing
from sim.story.comparing.telling import changes, lags, lineages, shifts, unmatched
from sim.story.comparing.threads import Key, Side, Source, Thread, opened, threads
from sim.story.comparing.ties import TieFilter

LOOSEST = 3  # 1e-3: what differs by more is advised to nobody as a tolerance
WHOLE = ("bodies", "frames", "dt")  # told before what happens in frames


def compare(
    a: Source,
    b: Source,
    *,
    frame_tolerance: int = 0,
    tolerance: float | Mapping[str, float] = 1e-9,
    numbers: bool = True,
) -> Comparison:
    """Compare two stories, and say in words what is different.

    Raises OSError or ValueError if a file cannot be read, or a tolerance makes no
    sense; TypeError if a source is something else.

    Returns: ``differences``, and in a condition whether there is none.

    The events of every pair are aligned on their own, so that one contact more makes
    nothing differ that comes after it.  Cost: O(n log n) in the number of events where
    most of them are the same; a second for 10 000 of which a tenth is not.

    Parameters
    ----------
    a, b : Story, Recording, path of either, or iterable of Frame
        The first is what was expected, the second what is.
    frame_tolerance : int
        The same event at most so many frames later or earlier counts as equal.
    tolerance : float, or mapping of name to float
        How far numbers may differ, "distance" and "points" per unit of ``state.size``,
        "normal" as it is; and "distance" how far features may be from equally close.
    numbers : bool
        Whether to compare distances, points and normals, where both have them: in all
        frames of two runs, and where something happened if one is a story with numbers.
    """
    if isinstance(frame_tolerance, bool) or not isinstance(
        frame_tolerance, int | np.integer
    ):
        raise TypeError(f"frame_tolerance={frame_tolerance!r} must be a whole number")
    if frame_tolerance < 0:
        raise ValueError(f"frame_tolerance={frame_tolerance} must be 0 or more")
    tolerances = Tolerances.of(tolerance)
    with opened(a) as first, opened(b) as second:
        known = numbers and are_told(first, second, frame_tolerance)
        return _compared(first, second, frame_tolerance, tolerances, known)


def _compared(
    a: Side, b: Side, frame_tolerance: int, tolerances: Tolerances, numbers: bool
) -> Comparison:
    of_a, of_b = sorted_threads(a, b)
    none = {key: Thread(key, (), (), (), ()) for key in (*of_a, *of_b)}
    both = [(of_a.get(key, nil), of_b.get(key, nil)) for key, nil in none.items()]
    found: list[Difference] = []
    excused: list[Difference] = []
    late = []
    for one, other in both:
        ties = TieFilter((a, b), tolerances.distance, one, other)
        match = ties.left(matched(one, other, frame_tolerance))
        found += changes(one, other, match, tolerances.distance, ties.remarks)
        found += unmatched(one, other, match)
        found += lineages(one, other, match)
        late.append(lags(one, other, match))
        excused += ties.found
    found = [*runs_differ(a, b, found), *(one for one in found if both_tell(a, b, one))]
    for shift in shifts(late):
        (found if abs(shift.lag) > frame_tolerance else excused).append(shift)
    if numbers:
        found += differing(a, b, frame_tolerance, tolerances)
    return Comparison(
        tuple(sorted(found, key=_order)),
        tuple(sorted(excused, key=_order)),
        tuple(dict.fromkeys(one.name for one, _ in both)),
        (len(a.story.events), len(b.story.events)),
        ties_judged=a.run is not None or b.run is not None,
        numbers_compared=numbers,
    )


def _order(found: Difference) -> tuple[bool, int, int]:
    rank = WHOLE.index(found.kind) if found.kind in WHOLE else len(WHOLE)
    return rank == len(WHOLE), found.frame, rank


def runs_differ(a: Side, b: Side, found: list[Difference]) -> Iterator[Difference]:
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
        beyond = sum(one.count for one in found if not both_tell(a, b, one))
        also = f", with {counted(beyond, 'event')} where only one has frames"
        words = f"{_span(a)} became {_span(b)}{also if beyond else ''}"
        yield Difference(start, "frames", (), words, count=beyond)
    x, y = a.story.dt, b.story.dt
    if x and y and abs(x - y) > 1e-12 * max(x, y):  # 0.0: nobody knows
        yield Difference(start, "dt", (), f"{x!r} became {y!r}")


def both_tell(a: Side, b: Side, found: Difference) -> bool:
    """Say whether both could have told of something that only one tells."""
    if found.kind == "lost":
        return b.story.first <= found.frame < _end(b)
    if found.kind == "inserted":
        return a.story.first <= found.frame < _end(a)
    return True


def sorted_threads(a: Side, b: Side) -> tuple[dict[Key, Thread], dict[Key, Thread]]:
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


def remedy(
    expected: Source, run: Source, found: Comparison, allowed: dict[str, Any]
) -> list[str]:
    """Say with which tolerances the test passes, if with any; a line, or none.

    Tried on the run itself, the tightest first: those that were given, as many frames
    as something is late or early by, and powers of ten up to `LOOSEST`; then without
    the numbers.
    """
    given = allowed["tolerance"]
    names = given if isinstance(given, Mapping) else {"": given}
    powers = [float(f"1e-{k}") for k in range(8, LOOSEST - 1, -1)]
    loose = [{name: max(t, p) for name, t in names.items()} for p in (0.0, *powers)]
    least = allowed["frame_tolerance"]
    frames = sorted({least, max(least, *(abs(d.lag) for d in found.differences))})
    tries = [
        {"frame_tolerance": n, "tolerance": t.get("", t), "numbers": numbers}
        for numbers in (allowed["numbers"], False)
        for n in frames
        for t in loose
    ]
    if not compare(expected, run, **tries[-1]):
        return []
    best = next(one for one in tries if compare(expected, run, **one))
    late = best["frame_tolerance"]
    said = [f"frame_tolerance={late}"] if late else []
    if best["tolerance"] != 1e-9:
        said.append(f"tolerance={best['tolerance']}".replace("e-0", "e-"))
    said += ["numbers=False"] * (not best["numbers"])
    return [f"if so much may differ: check(..., {', '.join(said)})"]


def first_difference(
    recorded: Iterable[Frame], answered: Iterable[Frame]
) -> str | None:
    """Say in which frame two runs first differ, and in what; None where in no bit.

    What an answer cost is left out.
    """
    for old, new in zip_longest(recorded, answered):
        if old is None or new is None:
            which = new if old is None else old
            more = "answered" if old is None else "recorded"
            return f"frame {which.index}: only the {more} run has it"
        said = difference(old, new)
        if said:
            return f"frame {old.index}: {said}"
    return None


def difference(old: Frame, new: Frame) -> str:
    """Say in what two frames differ, the most telling first; nothing if in no bit."""
    if (old.index, old.time) != (new.index, new.time):
        return f"it was number {old.index} at {old.time!r}, not {new.index}"
    for before, after in zip_longest(old.events, new.events):
        was, now = ("silent" if e is None else f"'{e}'" for e in (before, after))
        if was != now:
            return f"the story was {was}, and is {now}"
        if before.contact != after.contact:
            return f"{was} was contact {before.contact}, and is {after.contact}"
    first, second = _facts(old), _facts(new)
    for what in {**first, **second}:
        if what not in first or what not in second:
            return f"{what} is {'no longer' if what in first else 'now'} reported"
        if first[what] != second[what]:
            return f"{what} was {first[what]}, and is {second[what]}"
    for one, other in zip(old.bodies, new.bodies, strict=True):
        if one.pose != other.pose or not same_bits(one.points, other.points):
            return f"body '{one.name}' is in another place"
    return ""


def _facts(frame: Frame) -> dict[str, str]:
    """List all that a frame says of its pairs but what it cost, to the bit."""
    pairs = {f"{state.a.name}/{state.b.name}": state for state in frame.pairs}
    found = dict.fromkeys(pairs, "")
    for who, state in pairs.items():
        features = f"{state.kind} {state.feature_a} {state.feature_b}"
        found |= {f"{who}: regime": state.regime, f"{who}: features": features}
        every = {f"{who}: region #{r.identity}": r for r in state.regions}
        found |= {where: str(region.faces.tolist()) for where, region in every.items()}
        for where, said in {who: state, **every}.items():
            for name, value in said.numbers._asdict().items():
                if name != "work":
                    found[f"{where}: {name}"] = repr(np.array(value).tolist())
    return found

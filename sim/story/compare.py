"""Compare two stories: what differs, since when, what that means; and two tellings."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

import numpy as np

from sim.arguments import check_count
from sim.body.placed import same_bits
from sim.frame import Frame
from sim.story.comparing.difference import Comparison, Difference, counted
from sim.story.comparing.histories import Side, Source, histories, matched, opened
from sim.story.comparing.numbers import are_told, checked_tolerances, differing
from sim.story.comparing.telling import Partners, changes, in_words, shifts, unmatched
from sim.story.comparing.ties import TieFilter

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
    reach = check_count("frame_tolerance", frame_tolerance)
    tolerances = checked_tolerances(tolerance)
    with opened(a) as first, opened(b) as second:
        known = numbers and are_told(first, second, reach)
        return _compared(first, second, reach, tolerances, known)


def _compared(
    a: Side, b: Side, frame_tolerance: int, tolerances: dict[str, float], numbers: bool
) -> Comparison:
    pairs = histories(a, b)
    found: list[Difference] = []
    excused: list[Difference] = []
    together: list[list[Partners]] = []
    for one, other in pairs:
        ties = TieFilter((a, b), tolerances["distance"], one, other)
        match = ties.left(matched(one, other))
        said = []
        for i, j in match.paired:
            x, y = one.events[i], other.events[j]
            same = one.tokens[i] == other.tokens[j] or in_words(x) == in_words(y)
            said.append(Partners(one.name, x, y, same))
        found += changes(said, tolerances["distance"])
        found += unmatched(one, other, match)
        together.append(said)
        excused += ties.excused
    beyond = [one for one in found if not _both_tell(a, b, one)]
    found = [one for one in found if _both_tell(a, b, one)]
    found += _runs_differ(a, b, sum(one.count for one in beyond))
    for shift in shifts(together):
        (found if abs(shift.lag) > frame_tolerance else excused).append(shift)
    if numbers:
        found += differing(a, b, frame_tolerance, tolerances)
    return Comparison(
        tuple(sorted(found, key=_order)),
        tuple(sorted(excused, key=_order)),
        tuple(dict.fromkeys(one.name for one, _ in pairs)),
        (len(a.story.events), len(b.story.events)),
        ties_judged=a.run is not None or b.run is not None,
        numbers_compared=numbers,
    )


def _order(found: Difference) -> tuple[bool, int]:
    return found.kind not in WHOLE, found.frame


def _both_tell(a: Side, b: Side, found: Difference) -> bool:
    """Say whether both could have told of something that only one tells."""
    other = {"lost": b, "inserted": a}.get(found.kind)
    return other is None or other.has(found.frame)


def _runs_differ(a: Side, b: Side, beyond: int) -> Iterator[Difference]:
    """Tell in what the runs differ that the stories are of.

    Parameters: ``beyond``: how many events are in frames that only one of them has.
    """
    start = a.story.first
    ours, theirs = a.story.bodies, b.story.bodies
    for side, names, which in ((a, theirs, "first"), (b, ours, "second")):
        for name in side.story.bodies:
            if name not in names:
                n = sum(name in (event.a, event.b) for event in side.story.events)
                words = f"only the {which} has {name!r}, with {counted(n, 'event')}"
                yield Difference(start, "bodies", (name,), words, count=n)
    shared = [name for name in ours if name in theirs]
    order = [name for name in theirs if name in ours]
    if shared != order:
        words = f"{', '.join(shared)} became {', '.join(order)}: another order"
        yield Difference(start, "bodies", (), words)
    spans = [
        f"{side.story.first} to {side.end - 1}" if side.story.frames else "none"
        for side in (a, b)
    ]
    if spans[0] != spans[1]:
        also = f", with {counted(beyond, 'event')} where only one has frames"
        words = f"{' became '.join(spans)}{also if beyond else ''}"
        yield Difference(start, "frames", (), words, count=beyond)
    x, y = a.story.dt, b.story.dt
    if x and y and abs(x - y) > 1e-12 * max(x, y):  # 0.0: nobody knows
        yield Difference(start, "dt", (), f"{x!r} became {y!r}")


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

"""Compare two stories: what differs, since when, what that means; and two tellings."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import check_count
from sim.body.guard import same_bits
from sim.events.event import EVENT_KINDS
from sim.events.touch import Touch
from sim.frame import Frame
from sim.story.comparing.difference import (
    Comparison,
    Difference,
    Partners,
    changes,
    counted,
    in_words,
    shifts,
    unmatched,
)
from sim.story.comparing.histories import Side, Source, histories, matched, opened
from sim.story.comparing.ties import TieFilter

PLACES = {  # of the numbers of a pair
    "distance": slice(0, 1),
    **{"point_a": slice(1, 4), "point_b": slice(4, 7), "normal": slice(7, 10)},
}
UNTOLD = (np.nan,) * 3  # a vector that nobody tells
WHOLE = ("bodies", "frames", "dt")  # told before what happens in frames


def compare(
    a: Source,
    b: Source,
    *,
    frame_tolerance: int = 0,
    tolerance: float = 1e-9,
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
        The same event at most so many frames later or earlier counts as equal; then
        no numbers are compared.
    tolerance : float
        How far numbers may differ, distances and points per unit of ``state.size``,
        normals as they are; and how far features may be from equally close.
    numbers : bool
        Whether to compare distances, points and normals, where both have them: in all
        frames of two runs, and where something happened if one is a story with numbers.
    """
    reach = check_count("frame_tolerance", frame_tolerance)
    asked: object = tolerance
    if not (isinstance(asked, float | int) and 0.0 <= asked < np.inf):
        raise ValueError(f"tolerance={tolerance!r} must be a finite number, 0 or more")
    with opened(a) as first, opened(b) as second:
        told = all(x.run is not None or x.story.numbers for x in (first, second))
        return _compared(
            first, second, reach, tolerance, numbers and told and not reach
        )


def _compared(
    a: Side, b: Side, frame_tolerance: int, tolerance: float, numbers: bool
) -> Comparison:
    pairs = histories(a, b)
    found: list[Difference] = []
    excused: list[Difference] = []
    together: list[list[Partners]] = []
    # a story of before bodies had parts names none
    named = all(any(e.part_a or e.part_b for e in x.story.events) for x in (a, b))
    for one, other in pairs:
        ties = TieFilter((a, b), tolerance, one, other)
        match = ties.left(one, other, matched(one, other))
        said = []
        for i, j in match.paired:
            x, y = one.events[i], other.events[j]
            same = one.tokens[i] == other.tokens[j] or in_words(x) == in_words(y)
            same = same and (x.named == y.named or not named)
            said.append(Partners(one.name, x, y, same))
        found += changes(said, tolerance)
        found += unmatched(one, other, match)
        together.append(said)
        excused += ties.excused
    witness = {"lost": b, "inserted": a}  # who might have told of it, too
    shared = [x for x in found if x.kind not in witness or witness[x.kind].has(x.frame)]
    beyond = sum(x.count for x in found) - sum(x.count for x in shared)
    found = [*shared, *_runs_differ(a, b, beyond)]
    for shift in shifts(together):
        (found if abs(shift.lag) > frame_tolerance else excused).append(shift)
    if numbers:
        found += differing(a, b, tolerance)
    for some in (found, excused):
        some.sort(key=lambda one: (one.kind not in WHOLE, one.frame))
    return Comparison(
        tuple(found),
        tuple(excused),
        tuple(dict.fromkeys(one.name for one, _ in pairs)),
        (len(a.story.events), len(b.story.events)),
        ties_judged=a.run is not None or b.run is not None,
        numbers_compared=numbers,
    )


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
        words = f"in the order {', '.join(order)}, not {', '.join(shared)}"
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


class Row(NamedTuple):
    """The numbers of one pair in one frame."""

    size: float
    label: object  # the features that the numbers are of; None: nobody says
    values: NDArray[np.float64]  # as in PLACES; points only where one pair is closest


Rows = dict[tuple[int, str, str], Row]  # by frame and pair


def differing(a: Side, b: Side, tolerance: float) -> Iterator[Difference]:
    """Tell for every pair since when its numbers differ, and by how much at most.

    Points and normals are compared where they are of the same features.
    """
    bodies = (b if b.run is None else a).story.bodies  # a story says which pairs
    ours, theirs = (
        _told(side) if side.run is None else _measured(side, bodies) for side in (a, b)
    )
    found: dict[str, dict[str, list[tuple[float, int, str]]]]
    found = {"/".join(key[1:]): {name: [] for name in PLACES} for key in ours}
    for key, row in ours.items():
        other = theirs.get(key)
        if other is None:
            continue
        off = found["/".join(key[1:])]
        named = row.label is not None and row.label == other.label
        gaps = abs(row.values - other.values)
        for name in PLACES if named else ("distance",):
            amount = gaps[PLACES[name]].max()
            scale = 1.0 if name == "normal" else max(row.size, other.size)
            if amount > tolerance * scale:
                deep = min(row.values[0], other.values[0]) < 0.0
                label = "depth" if deep and name == "distance" else name
                off[name].append((amount, -key[0], label))
    for who, off in found.items():
        some = list(filter(None, off.values()))
        if some:
            worst = map(max, some)
            said = [f"{x} by up to {most:.3g} (frame {-k})" for most, k, x in worst]
            n, start = max(map(len, some)), min(-k for one in some for _, k, _ in one)
            words = f"{', '.join(said)}: in {counted(n, 'frame')}"
            yield Difference(start, "numbers", (who,), words, count=n)


def _measured(side: Side, bodies: tuple[str, ...]) -> Rows:
    """Read the numbers of a run, of the pairs of some bodies in their order."""
    place = {name: k for k, name in enumerate(bodies)}
    rows: Rows = {}
    for frame in side.run or ():
        for state in frame.pairs:
            a, b = state.a.name, state.b.name
            if a not in place or b not in place:
                continue
            if place[a] > place[b]:
                a, b, state = b, a, state.swapped()
            n = state.numbers
            points = (*n.point_a, *n.point_b) if n.unique else 2 * UNTOLD
            values = np.array([n.distance, *points, *n.normal])
            rows[frame.index, a, b] = Row(n.size, Touch.of(state), values)
    return rows


def _told(side: Side) -> Rows:
    """Read the numbers of a story; features are those that its events name."""
    told = (event for event in side.story.events if event.kind in EVENT_KINDS)
    touches = {(e.frame, e.a, e.b): e.after for e in told}  # None at an "end"
    rows: Rows = {}
    for one in side.story.numbers:
        vectors = (*(one.point or UNTOLD), *UNTOLD, *(one.normal or UNTOLD))
        values = np.array([one.distance, *vectors])
        rows[one.key] = Row(one.size, touches[one.key], values)
    return rows


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
    for both in zip_longest(old.events, new.events):
        was, now = (f"'{e}' of contact {e.contact}" if e else "silent" for e in both)
        if was != now:
            return f"the story was {was}, and is {now}"
    first, second = _facts(old), _facts(new)
    for what in {**first, **second}:
        was, now = (facts.get(what, "not reported") for facts in (first, second))
        if was != now:
            return f"{what} was {was}, and is {now}"
    for one, other in zip(old.bodies, new.bodies, strict=True):
        if one.pose != other.pose or not same_bits(one.points, other.points):
            return f"body '{one.name}' is in another place"
    return ""


def _facts(frame: Frame) -> dict[str, str]:
    """List all that a frame says of its pairs but what it cost, to the bit."""
    pairs = {f"{state.a.name}/{state.b.name}": state for state in frame.pairs}
    found = dict.fromkeys(pairs, "reported")
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

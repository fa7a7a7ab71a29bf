"""Compare two stories: what differs, since when, what that means; and two tellings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from sim.body.placed import same_bits
from sim.events.event import Event
from sim.frame import Frame
from sim.result.state import PairState
from sim.story.comparing.difference import Comparison, Difference, counted
from sim.story.comparing.matching import Match, matched
from sim.story.comparing.numbers import Tolerances, are_told, differing
from sim.story.comparing.relabelled import relabelled
from sim.story.comparing.telling import Lag, changes, lags, lineages, shifts, unmatched
from sim.story.comparing.threads import Key, Side, Source, Thread, opened, threads
from sim.story.comparing.ties import TieFilter
from sim.story.file.states import RAGGED, encode

Pair = tuple[Thread, Thread]
NAMES = ("lost", "inserted", "reordered", "feature")  # what other numbers look like
WHOLE = ("bodies", "frames", "dt", "relabelled")  # told before what happens in frames


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

    Returns
    -------
    Comparison
        ``differences``, and in a condition whether there is none.

    Notes
    -----
    The events of every pair are aligned on their own, so that one contact more makes
    nothing differ that comes after it.  Cost: O(n log n) in the number of events where
    most of them are the same; a second for 10 000 of which a tenth is not.
    """
    if isinstance(frame_tolerance, bool) or not isinstance(frame_tolerance, int):
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
    judge = TieFilter(a, b, tolerances.distance)
    told = _Told()
    for one, other in both:
        match = matched(one, other, frame_tolerance)
        match, ties, remarks = judge.judge(one, other, match)
        told.found += changes(one, other, match, tolerances.distance, remarks)
        told.found += unmatched(one, other, match)
        told.found += lineages(one, other, match)
        told.lags.append(lags(one, other, match))
        told.ties += ties
    told.found = [
        *runs_differ(a, b, told.found),
        *(one for one in told.found if both_tell(a, b, one)),
    ]
    other_names = sum(1 for one in told.found if one.kind in NAMES)
    if other_names > 1:
        renamed = relabelled(a, b, of_a, of_b)
        if renamed is not None and len(renamed) < other_names:
            told = _renamed(both, renamed, tolerances.distance)
            told.found += runs_differ(a, b, told.found)
    found, excused = told.found, told.ties
    for shift in shifts(told.lags):
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


@dataclass
class _Told:
    """What is told of all threads."""

    found: list[Difference] = field(default_factory=list)
    ties: list[Difference] = field(default_factory=list)
    lags: list[list[Lag]] = field(default_factory=list)


def _renamed(both: list[Pair], found: list[Difference], tolerance: float) -> _Told:
    """Tell what else differs where other names are explained: the events one by one."""
    told = _Told([*found])
    for one, other in both:
        match = Match([(k, k) for k in range(len(one.events))], [], [], [], [])
        said = changes(one, other, match, tolerance, {})
        told.found += (change for change in said if change.kind == "numbers")
        told.found += lineages(one, other, match)
        told.lags.append(lags(one, other, match))
    return told


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


COST = ("work", "frame", "pair", "ints", "floats", "text")  # say nothing of the answer


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
    lines = [[str(event) for event in frame.events] for frame in (old, new)]
    for was, now in zip_longest(*lines):
        if was != now:
            return f"the story was {_quoted(was)}, and is {_quoted(now)}"
    for before, after in zip(old.events, new.events, strict=True):
        if before.contact != after.contact:
            return f"'{before}' was contact {before.contact}, and is {after.contact}"
    names = [[f"{s.a.name}/{s.b.name}" for s in f.pairs] for f in (old, new)]
    if names[0] != names[1]:
        lost = [*set(names[0]) - set(names[1])] or [*set(names[1]) - set(names[0])]
        where = "no longer" if len(names[0]) > len(names[1]) else "now"
        return f"{', '.join(sorted(lost))} is {where} reported"
    for first, second in zip(old.pairs, new.pairs, strict=True):
        said = _in_state(first, second)
        if said:
            return f"{first.a.name}/{first.b.name}: {said}"
    for one, other in zip(old.bodies, new.bodies, strict=True):
        if one.pose != other.pose or not same_bits(one.points, other.points):
            return f"body '{one.name}' is in another place"
    return ""


def _in_state(old: PairState, new: PairState) -> str:
    rows = [encode([((0, 0), True, state)]) for state in (old, new)]
    one, other = (table["states"] for table in rows)
    if old.regime != new.regime:
        return f"it was {old.regime}, and is {new.regime}"
    features = [f"{s.kind} {s.feature_a} {s.feature_b}" for s in (old, new)]
    if features[0] != features[1]:
        return f"the closest features were {features[0]}, and are {features[1]}"
    for name in one.dtype.names or ():
        if name not in COST and one[name].tobytes() != other[name].tobytes():
            was, now = (getattr(state.numbers, name, "?") for state in (old, new))
            return f"{name} was {was!r}, and is {now!r}"
    for name in RAGGED:
        parts = [table[name].tobytes() for table in rows]
        if parts[0] != parts[1]:
            return "the parts, the corners or the reason are others"
    if len(old.regions) != len(new.regions):
        return f"it had {len(old.regions)} regions, and has {len(new.regions)}"
    for first, second in zip(old.regions, new.regions, strict=True):
        same = first.identity == second.identity
        if not same or first.faces.tobytes() != second.faces.tobytes():
            return f"region #{first.identity} is another"
        if first.numbers._replace(work=second.numbers.work) != second.numbers:
            return f"region #{first.identity} has other numbers"
    return ""


def _quoted(line: str | None) -> str:
    return "silent" if line is None else f"'{line}'"

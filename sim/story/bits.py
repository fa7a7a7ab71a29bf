"""Where two tellings of the same run part: the first frame, in words."""

from collections.abc import Iterable
from itertools import zip_longest

from sim.body.placed import same_bits
from sim.frame import Frame
from sim.result.state import PairState
from sim.story.file.states import RAGGED, encode

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

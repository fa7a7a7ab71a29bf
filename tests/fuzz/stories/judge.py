"""One frame against the truth: is the answer right, certified, proved again?

The truth is ``exhaustive``, of bodies that were placed exactly where placing them would
lose digits.  It is float64 too, and what the tracker cannot prove it searches in the
same way: where the two differ beyond the bar, or ``verify`` refuses the answer, exact
rationals decide (convex bodies of at most 60 vertices).
"""

from typing import NamedTuple

from sim import Body, PairState, PairTracker, closest, exhaustive, verify
from stories.brute import crosses_itself, solids
from stories.centred import centred, loses_digits
from stories.notched import off_features

TOUCH = 4e-15  # per unit of size
REGIMES = ("separated", "touching", "penetrating")


class Judgement(NamedTuple):
    regime: str  # by the truth
    error: float  # |distance - truth| per unit of the bar: wrong above 1
    certified: bool
    faults: tuple[str, ...]  # "wrong", "unproved: ..." and so on
    fallbacks: int
    text: str  # the numbers, for a report


def bar(truth: float, size: float) -> float:
    return 1e-9 * abs(truth) + 1e-13 * size


class Truth(NamedTuple):
    """The true signed distance: a float64 one, or enclosed by two floats."""

    distance: float
    lower: float
    upper: float
    size: float
    exact: bool


def enumerated(a: Body, b: Body) -> Truth:
    """Return the truth by comparing every pair in float64."""
    size = 0.0
    if loses_digits(a, b):
        size = exhaustive(a, b).size  # what counts as size is told about a's origin
        a, b = centred(a, b)
    found = exhaustive(a, b)
    d = found.distance
    return Truth(d, d, d, size or found.size, False)


def exactly(a: Body, b: Body) -> Truth | None:
    """Return the truth in exact rationals, or None where they do not reach."""
    try:
        found = exhaustive(a, b, rational=True)
    except (ValueError, AssertionError):
        return None
    return Truth(found.distance, found.lower, found.upper, found.size, True)


def judge(
    tracker: PairTracker,
    *,
    exact: bool = False,
    cold: bool = False,
    rational: bool = False,
    proved: bool = True,
) -> Judgement:
    """Update a tracker and compare its answer with the truth.

    ``cold`` compares with ``closest`` as well, ``rational`` takes exact truth from the
    start, ``proved`` asks ``verify``.
    """
    a, b = tracker.a, tracker.b
    try:
        state = tracker.update(exact)
    except Exception as error:
        what = f"exception: {type(error).__name__}: {error}"
        return Judgement("none", 0.0, False, (what,), 0, "")
    floats = enumerated(a, b)
    truth = (exactly(a, b) if rational else None) or floats
    size = max(state.size, floats.size)
    limit = bar(truth.distance, size)
    faults = []
    verdict = verify(state, a, b) if proved else None
    refused = verdict is not None and not verdict.holds
    if not truth.exact and (refused or _doubtful(state, truth, limit)):
        sure = exactly(a, b)
        if sure is None and not refused:
            faults.append("undecided: too large or not convex for rationals")
        elif sure and abs(sure.distance - truth.distance) > limit:
            faults.append("oracle wrong")
        truth = sure or truth
        limit = bar(truth.distance, size)
    regime = _regime(truth.distance, size)
    error = abs(state.distance - truth.distance) / limit
    # In overlap an answer that is not certified is only a lower bound.
    binding = state.certified or exact or regime != "penetrating"
    if error > 1.0 and binding:
        faults.append("certified and wrong" if state.certified else "wrong")
    slack = 0.0 if truth.exact else limit
    if truth.lower > state.upper + slack or truth.upper < state.lower - slack:
        faults.append("outside its bounds")
    if not state.certified and (exact or regime != "penetrating"):
        faults.append(f"uncertified: {state.reason}"[:90])
    if verdict is not None and refused:
        faults.append(f"unproved: {verdict.reason}"[:90])
    if faults and any(map(crosses_itself, solids(a, b, {}))):
        # Nobody can say what lies inside it, but what came before must not.
        error, faults = 0.0, []
        if (state.distance > 0.0) != (closest(a, b, exact=exact).distance > 0.0):
            faults.append("history decides the side")
    if state.distance < -limit and (off := off_features(state, a, b)):
        faults.append(off)
    if cold and (exact or regime != "penetrating"):
        faults += _compare(state, closest(a, b, exact=exact))
    text = (
        f"{state!r} size {state.size:.6g} bounds [{state.lower!r}, {state.upper!r}] "
        f"truth {truth.distance!r} float oracle {floats.distance!r}"
    )
    return Judgement(
        regime, error, state.certified, tuple(faults), state.work.fallbacks, text
    )


def _doubtful(state: PairState, truth: Truth, limit: float) -> bool:
    return (
        abs(state.distance - truth.distance) > limit
        or truth.distance > state.upper + limit
        or truth.distance < state.lower - limit
    )


def _regime(distance: float, size: float) -> str:
    if abs(distance) <= TOUCH * size:
        return "touching"
    return "separated" if distance > 0.0 else "penetrating"


def _compare(warm: PairState, cold: PairState) -> list[str]:
    if warm.unique and cold.unique:
        one, other = warm.numbers._asdict(), cold.numbers._asdict()
        lasted = ["proof"] if {warm.proof, cold.proof} == {"ring", "scan"} else []
        differing = [
            k for k in one if one[k] != other[k] and k not in ["work", *lasted]
        ]
        return [f"warm is not cold: {', '.join(differing)}"] if differing else []
    if warm.unique != cold.unique:
        return ["warm is not cold: unique"]
    # Which of several closest pairs or axes is kept is history's to decide.
    if abs(warm.distance - cold.distance) <= 1e-14 * warm.size:
        return []
    return ["warm is not cold: distance, not unique"]

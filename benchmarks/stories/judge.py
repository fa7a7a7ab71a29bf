"""One frame against the truth: is the answer right, certified, proved again?

The truth is ``exhaustive``.  It is float64 too: where it and the tracker differ beyond
the bar, exact rationals decide (bodies of at most 60 vertices).
"""

from typing import NamedTuple

from sim import Body, PairState, PairTracker, closest, exhaustive, verify

RATIONAL_LIMIT = 60
TOUCH = 4e-15  # per unit of size
REGIMES = ("separated", "touching", "penetrating")


class Judgement(NamedTuple):
    """What is known about one frame."""

    regime: str  # by the truth
    error: float  # |distance - truth| per unit of the bar: wrong above 1
    certified: bool
    faults: tuple[str, ...]  # "wrong", "unproved: ..." and so on
    fallbacks: int
    text: str  # the numbers, for a report


def bar(truth: float, size: float) -> float:
    """Return the error from which on a frame counts as wrong."""
    return 1e-9 * abs(truth) + 1e-13 * size


def exactly(a: Body, b: Body) -> PairState | None:
    """Return the exact answer, or None where rationals do not reach."""
    try:
        return exhaustive(a, b, rational=True)
    except ValueError:
        return None


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
    float_truth = exhaustive(a, b)
    truth = (exactly(a, b) if rational else None) or float_truth
    size = max(state.size, float_truth.size)
    limit = bar(truth.distance, size)
    faults = []
    if truth is float_truth and _doubtful(state, truth, limit):
        sure = exactly(a, b)
        if sure is None:
            faults.append("undecided: too large or not convex for rationals")
        elif abs(sure.distance - truth.distance) > limit:
            faults.append("oracle wrong")
        truth = sure or truth
        limit = bar(truth.distance, size)
    regime = _regime(truth.distance, size)
    error = abs(state.distance - truth.distance) / limit
    # In overlap an answer that is not certified is only a lower bound.
    binding = state.certified or exact or regime != "penetrating"
    if error > 1.0 and binding:
        faults.append("certified and wrong" if state.certified else "wrong")
    if truth.lower > state.upper + limit or truth.upper < state.lower - limit:
        faults.append("outside its bounds")
    if truth is not float_truth and (
        truth.lower > state.upper or truth.upper < state.lower
    ):
        faults.append("exact truth outside its bounds")
    if not state.certified and (exact or regime != "penetrating"):
        faults.append(f"uncertified: {state.reason}"[:90])
    if proved:
        verdict = verify(state, a, b)
        if not verdict:
            faults.append(f"unproved: {verdict.reason}"[:90])
    if cold and (exact or regime != "penetrating"):
        faults += _compare(state, closest(a, b, exact=exact))
    text = (
        f"{state!r} size {state.size:.6g} bounds [{state.lower!r}, {state.upper!r}] "
        f"truth {truth.distance!r} float oracle {float_truth.distance!r}"
    )
    return Judgement(
        regime, error, state.certified, tuple(faults), state.work.fallbacks, text
    )


def _doubtful(state: PairState, truth: PairState, limit: float) -> bool:
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
    """Name the first number that history changed."""
    if warm.unique and cold.unique:
        one, other = warm.numbers._asdict(), cold.numbers._asdict()
        differing = [k for k in one if one[k] != other[k] and k != "work"]
        return [f"warm is not cold: {', '.join(differing)}"] if differing else []
    if warm.distance == cold.distance and warm.kind == cold.kind:
        return []
    return ["warm is not cold: distance or kind, not unique"]

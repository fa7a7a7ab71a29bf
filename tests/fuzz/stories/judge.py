"""One frame of two bodies against the truth: what is wrong with the answer?

The truth is brute force in floats (``brute``), and without any rounding (``unrounded``)
where that doubts an answer; how deep convex bodies overlap is ``exhaustive``'s to say,
in rational numbers where floats doubt.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sim import Body, PairState, closest, exhaustive, verify
from stories import brute, rational, unrounded
from stories.brute import Solid, Truth, crosses_itself, truth
from stories.hulls import counts_as_convex, hull_depth

TOUCH = 4e-15  # per unit of size
CLEAR = 1e-10  # per unit of size: an edge that passes this far through does cross
DOUBT = 4 * 2.0**-52  # per unit of size: an edge that passes less far through may not
HULLS = 3600  # vertex pairs up to which the penetration of the hulls is computed
Shared = Callable[[Solid, Solid, float], bool]


class Weighed(NamedTuple):
    regime: str  # by the truth
    error: float  # |distance - truth| per unit of the bar; nan where undecided
    faults: tuple[str, ...]
    text: str


def bar(truth: float, size: float) -> float:
    return 1e-9 * abs(truth) + 1e-13 * size


def weigh(state: PairState, a: Solid, b: Solid, found: Truth | None = None) -> Weighed:
    """Compare an answer with brute force.

    Apart: distance, bounds, certificate.  Overlapping: the sign, and that the bounds
    enclose what is known: at least the deepest vertex, at most the hulls'
    penetration.  Between, where rounding decides whether an edge passes through, an
    answer must be within rounding of touching.  Of a body that crosses itself nobody
    can say what lies inside: not judged, but for its distance while it is apart.
    """
    judged = _judged(state, a, b, found or truth(a, b), brute.share_interior)
    if not judged.faults or judged.regime == "none":
        return judged
    # Floats may have misled the judge: narrow triangles, touch, a body in itself.
    return _judged(state, a, b, unrounded.truth(a, b), unrounded.share_interior)


def largest_term(solid: Solid) -> float:
    """Return the largest number that cancels where a body far from its origin is."""
    if solid.stored is None:
        return 0.0
    positions, placed, _ = solid.stored
    return float((np.abs(positions) @ np.abs(placed[:, :3]).T).max())


def _judged(
    state: PairState, a: Solid, b: Solid, found: Truth, share_interior: Shared
) -> Weighed:
    d, gap, size = state.distance, found.gap, found.size
    terms = min(state.size, max(largest_term(a), largest_term(b)))
    limit = bar(gap, max(terms, min(size, max(state.size, 1e-6 * size))))
    text = (
        f"{state!r} size {state.size:.6g} bounds [{state.lower!r}, {state.upper!r}] "
        f"truth {found}"
    )
    if not np.isfinite([d, state.lower, state.upper]).all():
        return Weighed("none", np.nan, ("not finite",), text)
    faults = []
    if not state.lower <= d <= state.upper:
        faults.append("crossed bounds")
    if max(found.pierced, found.inside) > CLEAR * size or found.contained:
        regime, error = "overlapping", np.nan
        faults += _overlap(state, a, b, found)
    elif found.pierced > 0.0 or gap == 0.0:
        regime, error = "touching", np.nan
        faults += _touch(state, found, share_interior(a, b, size))
    else:
        regime = "touching" if gap <= TOUCH * size else "apart"
        error = abs(d - gap) / limit
        if d < 0.0 and gap <= CLEAR * size and share_interior(a, b, size):
            regime, error = "overlapping", np.nan  # one within the other's skin
        else:
            faults += _apart(state, gap, error, limit)
    doubtful = regime != "apart" or d < 0.0
    if faults and doubtful and (crosses_itself(a) or crosses_itself(b)):
        return Weighed("crossing itself", np.nan, (), text)
    return Weighed(regime, error, tuple(faults), text)


def _apart(state: PairState, gap: float, error: float, limit: float) -> list[str]:
    faults = []
    if error > 1.0:
        sign = "false overlap" if state.distance < -limit else "wrong distance"
        faults.append(f"{sign}, {'certified' if state.certified else 'not certified'}")
    if gap > state.upper + limit or gap < state.lower - limit:
        faults.append("outside its bounds")
    if not state.certified:
        faults.append(f"uncertified: {state.reason}"[:90])
    return faults


def _touch(state: PairState, found: Truth, shared: bool) -> list[str]:
    """Judge where surfaces meet within rounding: touch, or share their insides."""
    near = max(10.0 * CLEAR, 1e-9) * found.size
    if shared and state.distance >= -1e-12 * found.size:
        return ["missed overlap of coinciding surfaces"]
    crossed = found.pierced > DOUBT * found.size  # by little, but more than rounding
    if not shared and not crossed and state.distance < -near:
        return ["false overlap of surfaces that touch"]
    if not shared and state.distance > near:
        return ["wrong distance of surfaces that touch"]
    if state.distance >= 0.0 and not state.certified:
        return [f"uncertified: {state.reason}"[:90]]
    return []


def _overlap(state: PairState, a: Solid, b: Solid, found: Truth) -> list[str]:
    """Judge an overlap: of convex bodies by their hulls, of others by an interval."""
    if state.distance >= 0.0:
        kind = "containment" if found.contained else "crossing"
        return [f"missed overlap: {kind}"]
    slack = 1e-9 * abs(state.lower) + 1e-11 * found.size
    small = len(a.points) * len(b.points) <= HULLS
    most = hull_depth(a, b) if small else np.nan
    faults = _interval(state, found.inside, most, slack)
    if not (small or faults):
        return []
    convex = {counts_as_convex(solid) for solid in (a, b)}
    if False in convex:
        return faults
    depth = most if small else hull_depth(a, b)
    of_hulls = []
    if not state.lower - slack <= -depth <= state.upper + slack:
        of_hulls.append("bounds leave out the depth of convex bodies")
    if None in convex:  # within the tolerance or not: either answer is one
        return faults if of_hulls else []
    return of_hulls


def _interval(state: PairState, inside: float, most: float, slack: float) -> list[str]:
    faults = []
    if state.upper < -inside - slack and state.certified is False:
        faults.append("upper bound deeper than the deepest vertex")
    if state.lower > -inside + slack:
        faults.append("lower bound above the deepest vertex")
    if state.upper < -most - slack:
        faults.append("upper bound deeper than the hulls")
    if state.lower < -1.01 * most - slack:
        faults.append("lower bound far below the hulls' penetration")
    return faults


def wrong_depth(state: PairState, a: Body, b: Body) -> list[str]:
    """Hold a certified overlap of convex bodies to all axes."""
    told = exhaustive(a, b)
    if abs(state.distance - told.distance) > bar(told.distance, state.size):
        if not (rational.is_small(a) and rational.is_small(b)):
            return []
        told = rational.truth(a, b)
    slack = bar(told.distance, state.size)
    off = abs(state.distance - told.distance)
    return [f"certified and wrong: {told.distance!r} deep"] if off > slack else []


def bounds_that_fail(state: PairState, a: Solid, b: Solid) -> list[str]:
    """Say which certified bounds do not hold as real numbers, without any slack."""
    found = unrounded.truth(a, b)
    if found.pierced > 0.0 or found.contained:
        deep = max(found.pierced, found.inside)
        return [f"certified and wrong: {deep!r} deep"] if state.lower > -deep else []
    rounded = 2.0**-52 * found.gap  # of a root that is right to its last bit
    if state.lower - rounded <= found.gap <= state.upper + rounded:
        return []
    return [f"certified and wrong: the truth is {found.gap!r}"]


def compare(
    one: PairState,
    other: PairState,
    label: str,
    skipped: tuple[str, ...] = ("work",),
    ties: bool = False,
) -> list[str]:
    """List what differs of two answers, but for what history may choose."""
    size = max(one.size, other.size)
    if one.distance < 0.0 and not (one.certified and other.certified):  # the axis
        return [f"{label}: the side"] if other.distance > TOUCH * size else []
    x, y = one.numbers._asdict(), other.numbers._asdict()
    lasted = {one.proof, other.proof} == {"ring", "scan"}
    ignored = (*skipped, "proof") if lasted else skipped
    differing = [k for k in x if x[k] != y[k] and k not in ignored]
    if not differing:
        return []
    off = abs(one.distance - other.distance)
    if not (one.unique or other.unique):  # the place
        return [] if off <= 1e-14 * size else [f"{label}: distance, not unique"]
    # Two legs of one body that bends may be equally near to the last bit or so.
    named = [(s.feature_a, s.feature_b) for s in (one, other)]
    tied = named[0] != named[1] or differing == ["unique"]
    if ties and off <= TOUCH * size and tied:
        return []
    return [f"{label}: {', '.join(differing)}"]


def swapped(state: PairState, a: Body, b: Body) -> list[str]:
    """Compare with the answer from cold with A and B exchanged."""
    mirror = closest(b, a)
    numbers = mirror.numbers.mirrored()
    back = PairState.of(numbers, mirror.regime, mirror.frame, a, b)
    return compare(state, back, "A and B exchanged", ties=True)


def unproved(state: PairState, a: Body, b: Body, sure: bool = True) -> list[str]:
    """Say why ``verify`` does not prove an answer; not ``sure``: what it refutes."""
    verdict = verify(state, a, b)
    # Where two edges touch at their ends, no face tells which way leads out.
    unsure = verdict.answer == "cannot say" and (state.distance == 0.0 or not sure)
    return [] if verdict.holds or unsure else [f"unproved: {verdict.reason}"[:90]]

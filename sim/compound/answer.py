"""The answer for two unions of pieces, from the answers for pairs of pieces."""

from typing import NamedTuple

import numpy as np

from sim.compound.overlap import SNUG, Group, WayOut, way_out
from sim.compound.pairing import DepthTools, Shadow
from sim.compound.state import Near, Party, PieceAnswer
from sim.contact import PairState
from sim.kernels import layout
from sim.kernels.vector import dot

RETREATS = 32  # steps back to where the bodies touch
CLOSE = 1e-14  # per unit of size: this near, they do


class PairCase(NamedTuple):
    """What is known of one frame, in kernel order."""

    nears: list[Near]  # every pair of pieces that may carry the answer
    floor: float  # all others are at least so far apart
    groups: tuple[Group, Group]
    parties: tuple[Party, Party]
    tolerance: float  # ``parallel_tolerance``


def answer(case: PairCase, tools: DepthTools) -> PieceAnswer:
    """Answer for the unions; ``tools`` are for where the pieces prove no depth."""
    if any(near.state.distance < 0.0 for near in case.nears):
        return _overlapping(case, tools)
    return _apart(case)


def _apart(case: PairCase) -> PieceAnswer:
    """Take the least over all pairs of pieces, which is the unions' distance."""
    nears = case.nears
    carrier = min(nears, key=lambda near: near.state.distance)
    state = carrier.state
    lowest = min(nears, key=lambda near: near.state.lower).state
    found = _carried(case, carrier)._replace(
        lower=min(lowest.lower, case.floor, state.distance),
        upper=max(min(near.state.upper for near in nears), state.distance),
        unique=state.unique and _is_single(case, carrier),
    )
    return _explained(found, lowest.reason or "two pairs of pieces bound it too widely")


def _is_single(case: PairCase, carrier: Near) -> bool:
    """Say whether no other two pieces are as near somewhere else."""
    state = carrier.state
    level = case.tolerance * state.size
    for near in case.nears:
        other = near.state
        if other.distance <= state.distance + level:
            off = np.abs(other.point_a - state.point_a).max()
            off = max(off, np.abs(other.point_b - state.point_b).max())
            if off > level:
                return False
    return True


def _overlapping(case: PairCase, tools: DepthTools) -> PieceAnswer:
    """Bound the overlap: by the deepest pair of pieces and by the way out."""
    inside = [near for near in case.nears if near.state.distance < 0.0]
    inside.sort(key=lambda near: near.state.distance)
    size = max(_reach(case.groups), *(near.state.size for near in inside))
    ways = [
        WayOut(near.state.depth, near.state.numbers.normal, *near[:2])
        for near in inside
    ]
    way = way_out(*case.groups, ways, size, tools)
    if way in ways:
        carrier = inside[ways.index(way)]
    else:
        way, carrier = _until_they_touch(case, way, tools.shadow, size)
    size = max(size, carrier.state.size)
    lower = -way.length - (layout.ALLOWANCE + SNUG) * size
    lower = min(lower, carrier.state.lower)
    upper = min(near.state.upper for near in inside)
    found = _carried(case, carrier)._replace(
        distance=-way.length, lower=lower, upper=max(upper, -way.length), size=size
    )
    return _explained(
        found,
        "overlap of bodies in pieces: distance is the shortest way out that was found, "
        "upper the deepest pair of pieces",
    )


def _until_they_touch(
    case: PairCase, way: WayOut, shadow: Shadow, size: float
) -> tuple[WayOut, Near]:
    """Shorten a way out to where the bodies touch, and name what touches there.

    Step by step back along it, each no farther than the proven gaps of all pairs allow
    (conservative advancement: Mirtich 1996), so that it stays a way out.
    """
    n = way.normal
    length = way.length
    nears, floor = shadow.look((length * n[0], length * n[1], length * n[2]))
    for _ in range(RETREATS):
        if min(near.state.distance for near in nears) <= CLOSE * size:
            break
        back = floor
        for near in nears:
            closing = dot(n, near.state.numbers.normal)
            if closing > 0.0:
                back = min(back, near.state.lower / closing)
        if not 0.0 < back < length:
            break
        length -= back
        nears, floor = shadow.look((length * n[0], length * n[1], length * n[2]))
    carrier = min(nears, key=lambda near: near.state.distance)
    i, j = carrier[:2]
    one, other = (p.pieces[k] for p, k in zip(case.parties, (i, j), strict=True))
    numbers = carrier.state.numbers
    (x, y, z), d = numbers.point_a, -length
    corners = np.array(numbers.corners).reshape(-1, 2, 3)
    corners[:, 1] -= np.array(n) * length
    numbers = numbers._replace(
        distance=d,
        lower=d + min(0.0, *(near.state.lower for near in nears)),
        normal=n,
        point_b=(x + d * n[0], y + d * n[1], z + d * n[2]),
        corners=tuple(corners.ravel().tolist()),
        proof="search",
    )
    frame = case.nears[0].state.frame
    hulls = carrier.state.hulls
    state = PairState(numbers, "penetrating", frame, one, other, hulls=hulls)
    return WayOut(length, n, i, j), Near(i, j, state)


def _carried(case: PairCase, carrier: Near) -> PieceAnswer:
    """Return the answer of the pair that carries the unions' answer."""
    state = carrier.state
    return PieceAnswer(
        distance=state.distance,
        lower=state.lower,
        upper=state.upper,
        size=state.size,
        carrier=carrier,
        unique=state.unique,
        proof=state.proof,
        reason="",
        looked=tuple(near.state for near in case.nears),
        parties=case.parties,
        tolerance=case.tolerance,
    )


def _explained(found: PieceAnswer, reason: str) -> PieceAnswer:
    """Say why an answer is not certified, if it is not."""
    wanted = layout.RELATIVE * abs(found.distance) + layout.ABSOLUTE * found.size
    if found.upper - found.lower <= wanted:
        return found
    return found._replace(reason=reason)


def _reach(groups: tuple[Group, Group]) -> float:
    """Return the largest coordinate."""
    return max(float(np.abs(x).max()) for g in groups for x in (g.low, g.high))

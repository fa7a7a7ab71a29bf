"""The answer for two unions of pieces, from the answers for pairs of pieces."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sim.body import Body
from sim.compound.overlap import SNUG, Group, RestHull, WayOut, way_out
from sim.compound.state import Found, Near, Party
from sim.contact import PairState, Work
from sim.kernels import layout
from sim.pose import Pose
from sim.tracking.pair import closest

Hulls = Callable[[], tuple[RestHull, RestHull]]


class Case(NamedTuple):
    """What is known of one frame, in kernel order."""

    nears: list[Near]  # every pair of pieces that may carry the answer
    floor: float  # all others are at least so far apart
    groups: tuple[Group, Group]
    parties: tuple[Party, Party]
    tolerance: float  # ``parallel_tolerance``


def answer(case: Case, hulls: Hulls) -> Found:
    """Answer for the unions; ``hulls`` are asked for where pieces prove no depth."""
    if any(near.state.distance < 0.0 for near in case.nears):
        return _overlapping(case, hulls)
    return _apart(case)


def _apart(case: Case) -> Found:
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


def _is_single(case: Case, carrier: Near) -> bool:
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


def _overlapping(case: Case, hulls: Hulls) -> Found:
    """Bound the overlap: by the deepest pair of pieces and by the way out."""
    inside = [near for near in case.nears if near.state.distance < 0.0]
    inside.sort(key=lambda near: near.state.distance)
    size = max(_reach(case.groups), *(near.state.size for near in inside))
    ways = [
        WayOut(near.state.depth, near.state.numbers.normal, *near[:2])
        for near in inside
    ]
    way = way_out(*case.groups, ways, size, hulls)
    own = way in ways
    carrier = inside[ways.index(way)] if own else _where_they_part(case, way)
    size = max(size, carrier.state.size)
    lower = -way.length - (layout.ALLOWANCE + SNUG) * size
    if own:
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


def _where_they_part(case: Case, way: WayOut) -> Near:
    """Name the closest features of two pieces after B took the way out."""
    one, other = case.parties
    a, b = one.pieces[way.piece_a], other.pieces[way.piece_b]
    step = np.array([way.length * x for x in way.normal])
    moved = Body(b.mesh)
    moved.points = b.positions
    moved.pose = Pose(b.pose.linear, b.pose.translation + step)
    n = closest(a, moved).numbers
    (x, y, z), (nx, ny, nz), d = n.point_a, way.normal, -way.length
    corners = np.array(n.corners).reshape(-1, 2, 3)
    corners[:, 1] -= step
    numbers = n._replace(
        distance=d,
        normal=way.normal,
        point_b=(x + d * nx, y + d * ny, z + d * nz),
        corners=tuple(corners.ravel().tolist()),
        proof="search",
    )
    frame = case.nears[0].state.frame
    state = PairState(numbers, "penetrating", frame, a, b)
    return Near(way.piece_a, way.piece_b, state)


def _carried(case: Case, carrier: Near) -> Found:
    """Return the answer of the pair that carries the unions' answer."""
    state = carrier.state
    work = [near.state.work for near in case.nears]
    return Found(
        distance=state.distance,
        lower=state.lower,
        upper=state.upper,
        size=state.size,
        carrier=carrier,
        unique=state.unique,
        proof=state.proof,
        reason="",
        work=Work(*(sum(counts) for counts in zip(*work, strict=True))),
        parties=case.parties,
        tolerance=case.tolerance,
    )


def _explained(found: Found, reason: str) -> Found:
    """Say why an answer is not certified, if it is not."""
    wanted = layout.RELATIVE * abs(found.distance) + layout.ABSOLUTE * found.size
    if found.upper - found.lower <= wanted:
        return found
    return found._replace(reason=reason)


def _reach(groups: tuple[Group, Group]) -> float:
    """Return the largest coordinate."""
    return max(float(np.abs(x).max()) for g in groups for x in (g.low, g.high))

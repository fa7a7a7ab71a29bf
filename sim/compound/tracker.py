"""The tracker of two bodies of which one or both are compounds."""

from typing import Any, NamedTuple, cast

import numpy as np

from sim.body.body import Body
from sim.compound.body import Compound
from sim.compound.pairing import (
    SNUG,
    DepthTools,
    Group,
    Member,
    Options,
    Pairing,
    WayOut,
    pieces_of,
    way_out,
)
from sim.compound.state import CompoundState, Near, Party, PieceAnswer, turned
from sim.engine.bound import floats
from sim.kernels import layout
from sim.kernels.limits import comes_after
from sim.kernels.vector import dot
from sim.result.answer import Region
from sim.result.state import PairState
from sim.tracking.options import check_options, next_regime, refuse_hulls, thresholds
from sim.tracking.region_tracker import RegionTracker

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
    return _carried(
        case,
        carrier,
        lowest.reason or "two pairs of pieces bound it too widely",
        lower=min(lowest.lower, case.floor, state.distance),
        upper=max(min(near.state.upper for near in nears), state.distance),
        unique=state.unique and _is_single(case, carrier),
    )


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
    reach = max(float(np.abs(x).max()) for g in case.groups for x in (g.low, g.high))
    size = max(reach, *(near.state.size for near in inside))
    ways = [
        WayOut(near.state.depth, near.state.numbers.normal, *near[:2])
        for near in inside
    ]
    way = way_out(*case.groups, ways, size, tools)
    if way in ways:
        carrier = inside[ways.index(way)]
    else:
        way, carrier = _until_they_touch(case, way, tools, size)
    size = max(size, carrier.state.size)
    lower = -way.length - (layout.ALLOWANCE + SNUG) * size
    lower = min(lower, carrier.state.lower)
    upper = min(near.state.upper for near in inside)
    return _carried(
        case,
        carrier,
        "overlap of bodies in pieces: distance is the shortest way out that was found, "
        "upper the deepest pair of pieces",
        distance=-way.length,
        lower=lower,
        upper=max(upper, -way.length),
        size=size,
    )


def _until_they_touch(
    case: PairCase, way: WayOut, tools: DepthTools, size: float
) -> tuple[WayOut, Near]:
    """Shorten a way out to where the bodies touch, and name what touches there.

    Step by step back along it, each no farther than the proven gaps of all pairs allow
    (conservative advancement: Mirtich 1996), so that it stays a way out.
    """
    n = way.normal
    length = way.length
    nears, floor = tools.look((length * n[0], length * n[1], length * n[2]))
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
        nears, floor = tools.look((length * n[0], length * n[1], length * n[2]))
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


def _carried(case: PairCase, carrier: Near, reason: str, **fields: Any) -> PieceAnswer:
    """Return the answer of the pair that carries the unions', with other fields.

    With the reason if it is not certified.
    """
    state = carrier.state
    found = PieceAnswer(
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
    )._replace(**fields)
    wanted = layout.RELATIVE * abs(found.distance) + layout.ABSOLUTE * found.size
    if found.upper - found.lower <= wanted:
        return found
    return found._replace(reason=reason)


class CompoundTracker:
    """Track the closest features of two bodies that are sets of pieces.

    One ``PairTracker`` for every two pieces that ever came near, made when they do and
    warm from then on; the pieces that are farther apart by their boxes than the nearest
    pair is are passed over.  The answer is that of the union: apart, the least over all
    pairs, and its bounds; overlapping, see ``sim.compound.pairing``.

    Kept between frames: those trackers, which pair of pieces was nearest, the regime.
    Cost: bounding boxes of all pieces, then one update per near pair.

    Parameters
    ----------
    a, b : Body or Compound
        Two different bodies.
    contact_distance, release_distance : float, optional
        As for ``PairTracker``; the rest size of a compound is that of its surface, or
        of all its pieces.
    parallel_tolerance : float
        As for ``PairTracker``.
    regions : bool
        Find all contacts of the pair in every frame, ``state.regions``, as
        ``PairTracker`` does: of a compound those of its surface, in its numbers.
        Without a surface those of its pieces, in the numbers that run through all: a
        part that several pieces share is then several regions.
    """

    def __init__(
        self,
        a: Member,
        b: Member,
        *,
        contact_distance: float | None = None,
        release_distance: float | None = None,
        parallel_tolerance: float = 1e-12,
        regions: bool = False,
    ) -> None:
        for body in (a, b):
            if not isinstance(body, Body | Compound):
                raise TypeError(
                    f"a tracker of compounds needs two of sim.Compound or sim.Body, "
                    f"got {type(body).__name__}"
                )
        if a is b:
            raise ValueError(f"body '{a.name}' cannot be tracked against itself")
        check_options(parallel_tolerance, "certified", (None, False, False, False))
        self.a = a
        self.b = b
        self.next_frame = 0
        ends = thresholds(a, b, contact_distance, release_distance)
        self._options = Options(*ends, parallel_tolerance)
        self._pairing = Pairing(a, b, self._options)
        self._tools: dict[bool, DepthTools] = {}  # by whether B comes first
        self._state: CompoundState | None = None
        self._regions: RegionTracker | None = None
        if regions:
            refuse_hulls(a, b)
            one, other = (x.skin if isinstance(x, Compound) else x for x in (a, b))
            self._regions = RegionTracker(one, other, ends[0], parallel_tolerance)

    @property
    def contact_distance(self) -> float:
        """At this distance or less the pair is in contact."""
        return self._options.contact_distance

    @property
    def release_distance(self) -> float:
        """Beyond this distance the contact ends."""
        return self._options.release_distance

    @property
    def state(self) -> CompoundState | None:
        """The last answer, or None before the first."""
        return self._state

    def reset(self) -> None:
        """Forget the last frame: the next update starts cold."""
        self._state = None
        self._pairing.forget()
        self._tools.clear()
        if self._regions is not None:
            self._regions.last = ()

    @property
    def next_region(self) -> int:
        """The identity of the next region that is new."""
        return 0 if self._regions is None else self._regions.next_identity

    def resume(self, state: PairState | None, next_region: int = 0) -> None:
        """Go on after a state of this pair: it leaves its regime and its regions.

        The trackers of pieces go on from where they are, a frame farther after an
        interrupt: of equals they choose the same ones again.  Their buffers are made
        anew.
        """
        self._state = cast("CompoundState | None", state)
        self._pairing.resume()
        for tools in self._tools.values():
            tools.resume()
        if self._regions is not None:
            self._regions.lay_out()
            self._regions.resume(state, next_region)

    def update(self, exact: bool = False) -> CompoundState:
        """Answer for the present positions and poses.

        Raises ValueError if a coordinate that is met is not finite, or a transform
        mirrors.

        Parameters: ``exact``: as for ``PairTracker.update``, for every pair of pieces.
        """
        frame = self.next_frame
        for body in (self.a, self.b):
            if isinstance(body, Compound):
                body.settle(frame)
        mirrored = self._mirrored()
        origin = (self.b if mirrored else self.a).transform[:, 3]
        groups = self._pairing.groups(origin)
        self._pairing.check_placed(groups, frame)
        nears, floor = self._pairing.look(groups, frame, exact)
        a, b = (
            Party(x, x.shot() if isinstance(x, Compound) else None)
            for x in (self.a, self.b)
        )
        parties = a, b
        if mirrored:
            nears = sorted((turned(n) for n in nears), key=lambda near: near[:2])
            groups = groups[1], groups[0]
            parties = parties[1], parties[0]
        case = PairCase(nears, floor, groups, parties, self._options.parallel_tolerance)
        if mirrored not in self._tools:
            first, second = (self.b, self.a) if mirrored else (self.a, self.b)
            self._tools[mirrored] = DepthTools(first, second, self._options)
        found = answer(case, self._tools[mirrored])
        if mirrored:
            found = found.swapped()
            nears = sorted((turned(n) for n in nears), key=lambda near: near[:2])
        before = "separated" if self._state is None else self._state.regime
        contact, release, _ = self._options
        regime = next_regime(before, found, contact, release)
        touching = tuple(n for n in nears if n.state.distance <= contact)
        bodies = cast("tuple[Body, Body]", (self.a, self.b))
        regions: tuple[Region, ...] = ()
        if self._regions is not None:
            # The pieces prove nothing about the surface: it is always looked at.
            regions = self._regions.follow(found.carrier.state.numbers.normal)
        self._state = CompoundState(found, touching, regime, frame, bodies, regions)
        self._pairing.nearest = found.carrier[:2]
        self.next_frame = frame + 1
        return self._state

    def _mirrored(self) -> bool:
        """Say whether B comes first by a rule on numbers, as in ``PairTracker``."""
        a, b = self.a, self.b
        counts = [(x.mesh.n_vertices, len(pieces_of(x))) for x in (a, b)]
        if counts[0] != counts[1]:
            return counts[0] > counts[1]
        return comes_after(
            floats(np.ascontiguousarray(a.positions)),
            floats(a.transform),
            floats(np.ascontiguousarray(b.positions)),
            floats(b.transform),
            a.mesh.n_vertices,
        )

"""From plane to plane: until when two bodies are farther apart than a level.

Newton's method on the distance, from the safe side: the closest features at a time give
a normal; along it the bodies stay apart until the root of the gap (``path``); there the
closest features give the next one.  Every step carries its proof, so the first time at
which they are near is never passed over, however fast they move.
"""

from typing import NamedTuple

from sim.kernels import layout
from sim.kernels.audit.hinges import SIGNS, Hinges, judged
from sim.kernels.between.path import (
    Path,
    PlaneGap,
    allowance_of,
    blend,
    clear_until,
    facing_of,
    lay_plane,
    look_at,
    put_time,
    settle,
    shift_of,
    turning_gap,
)
from sim.kernels.language import Floats, Record, Vec, kernel, record
from sim.kernels.solve import solve
from sim.kernels.vector import cross, dot, minus, point, put
from sim.kernels.walk.gjk import seed, walk
from sim.kernels.workspace import Workspace

FREE = 0  # farther apart than the level, all the time
MET = 1  # farther until ``lower``, at most the level at ``upper``
WITHIN = 2  # not farther at the start
UNDECIDED = 3  # farther until ``lower``; to ``upper`` within rounding of the level
STUCK = 4  # farther until ``lower``; no plane was found that proves more
"""How a chain of planes ends."""

PROOF = 8  # numbers of a plane: from when, until when, its normal at both

UPDATES = 1000  # planes of a chain at most; many where bodies nearly touch
STEP = 4e-10  # of a frame: a chain that gains less has arrived
TRIES = 60
FEW = 2  # where hulls are near: where surfaces are is another question
SLOW = 8  # planes after which those that turn are tried, too
LONG = 1e-6  # of a frame: a plane that stands as long tells the speed
LOOKED_AT = 64  # hinges of a body
DENTED = 1e-6  # squared sine of the angle by which a hinge is bent in
NEVER = 2.0


@record
class Found(Record):
    """What a chain has shown."""

    level: float  # read: the distance that is asked about
    lower: float
    upper: float
    speed: float  # by which the gap closes at ``lower``
    distance: float  # least that was seen at a time
    slope: float  # by which the distance fell along the last plane that turned
    ahead: float  # how far the next plane that turns may reach
    met: float  # when they were seen to be as near, as a chain looked ahead
    solid: int  # 1 where both are convex solids then: surfaces are near, not hulls
    planes: int
    updates: int  # how often closest features were asked for


class Chain(NamedTuple):
    """The buffers of a chain."""

    found: Found
    plane: PlaneGap
    proof: Floats  # PROOF per plane
    room: int  # planes that fit


@kernel
def put_both(a: Path, b: Path, t: float) -> None:
    """Put both bodies where they are at a time."""
    put_time(a, t)
    put_time(b, t)
    s = shift_of(a.start_map, b.start_map)
    e = shift_of(a.end_map, b.end_map)
    pose = b.view.pose
    pose[3] = blend(t, s[0], e[0])
    pose[7] = blend(t, s[1], e[1])
    pose[11] = blend(t, s[2], e[2])


GUIDED = 0  # rings guide: right for convex bodies, whose faces look outward
SCANNED = 1  # every support is scanned for
POINTS = 2  # and the axis is that of the closest points alone
WAYS = 3


@kernel
def features_at(
    a: Path, b: Path, t: float, way: int, pair: Workspace, found: Found
) -> int:
    """Find the closest features at a time; only hints for what planes then prove."""
    result = pair.result
    if way != SCANNED:
        found.updates += 1
    if way == GUIDED:
        put_both(a, b, t)
        result.dent = 0.0
        return solve(a.facing[facing_of(a)], b.facing[facing_of(b)], 1, pair)
    pair.simplex[0] = pair.hull.filled[0] = 0
    result.known = 0
    if way == SCANNED:
        return solve(a.scanned, b.scanned, 1, pair)
    p = b.view.pose
    origin = (p[3], p[7], p[11])
    seed(a.scanned, b.scanned, origin, pair)
    _, n, _, _ = walk(a.scanned, b.scanned, origin, pair)
    pair.simplex[0] = 0
    result.normal = n
    return layout.UNPROVEN


@kernel
def is_parted(
    a: Path, b: Path, t: float, n: Vec, level: float, plane: PlaneGap
) -> bool:
    """Lay a plane, if the normal is one; say whether the gap at a time is a level."""
    if not 0.5 < dot(n, n) < 2.0:
        return False
    return lay_plane(a, b, n, t, plane) >= level


@kernel
def is_told(status: int) -> bool:
    """Say whether the bounds of an answer hold."""
    return status == layout.CERTIFIED or status == layout.BOUNDED


@kernel
def keep(chain: Chain, start: float, n: Vec, until: float, m: Vec) -> bool:
    """Write down a plane that proves something; False where there is no room.

    Its direction is ``n`` at the start, and turns straight to ``m``.
    """
    found = chain.found
    if found.planes >= chain.room:
        return False
    at = PROOF * found.planes
    chain.proof[at] = start
    chain.proof[at + 1] = until
    put(chain.proof, at + 2, n)
    put(chain.proof, at + 5, m)
    found.planes += 1
    found.lower = until
    return True


@kernel
def follow_planes(a: Path, b: Path, pair: Workspace, chain: Chain) -> int:
    """Prove two bodies apart from the start for as long as they are; return the end.

    ``plane.normal`` is tried first.  Cost: O(V) a plane, and the closest features at
    its end; a handful of planes to a first touch.
    """
    found = chain.found
    plane = chain.plane
    settle(a)
    settle(b)
    plane.allowance = allowance_of(a, b, found.level)
    clear = found.level + 2.0 * plane.allowance
    found.planes = found.updates = found.solid = 0
    found.lower = found.upper = found.speed = 0.0
    found.ahead = 1.0
    found.slope = 0.0
    found.met = NEVER
    t = last = 0.0
    dented = -1  # not known
    held = plane.normal
    parted = is_parted(a, b, t, held, clear, plane)
    for k in range(UPDATES):
        if not parted:
            if dented != 0:
                put_both(a, b, t)
                dented = 1 if has_dent(a.hinges) or has_dent(b.hinges) else 0
            for way in range(WAYS):
                if not parted and (dented == 0 or way == POINTS):
                    features_at(a, b, t, way, pair, found)
                    parted = is_parted(a, b, t, pair.result.normal, clear, plane)
        if not parted and t == 0.0:
            put_both(a, b, t)
            found.solid = is_solid_pair(a, b)
            return WITHIN
        until = t
        if parted:
            held = plane.normal
            until = clear_until(a, b, t, clear, plane)
            found.speed = plane.from_gap - plane.to_gap
            if until - t > LONG:
                found.slope = 0.0  # a plane that stands so long knows the speed itself
            if 0.0 < found.slope < found.speed:
                found.speed = found.slope
            parted = k >= SLOW and until < 1.0 and turns(a, b, t, until, pair, chain)
            if parted:
                until = found.lower
                held = plane.normal
            elif until > t and not keep(chain, t, held, until, held):
                break
            if until == 1.0:
                return FREE
            if k == 0 and pair.simplex[0] == 0:  # begin at what bounds the gap now
                pair.simplex[0] = 1
                pair.simplex[1] = plane.first
                pair.simplex[5] = plane.second
        gain = until - t  # shrinks as it did, or faster: is the next one worth a plane?
        if not parted and (gain <= STEP or gain * gain <= 0.25 * STEP * last):
            if dented == 1:
                found.solid = 0
                return STUCK
            ended = arrived(a, b, until, held, pair, chain)
            if ended != FREE or found.lower == 1.0:
                return ended
            until = found.lower
        last = until - t
        t = until
    found.upper = found.met
    return MET if found.met < NEVER else STUCK


@kernel
def turns(
    a: Path, b: Path, t: float, until: float, pair: Workspace, chain: Chain
) -> bool:
    """Prove bodies apart past a time by a plane that turns; say whether one does.

    A plane that stands loses what the bodies turn, and a chain of them gains little
    where they come near slowly; along one that turns the loss is of second order.  It
    turns from ``plane.normal`` at ``t`` to that of the closest features some time
    ahead: twice as far as the last one, or half as far where that one failed.
    """
    found = chain.found
    plane = chain.plane
    n = plane.normal
    near = pair.result.distance
    clear = found.level + 2.0 * plane.allowance
    later = min(1.0, t + max(found.ahead, 2.0 * (until - t)))
    for way in range(POINTS):
        status = features_at(a, b, later, way, pair, found)
        m = pair.result.normal
        parted = is_parted(a, b, later, m, clear, plane)
        if (
            parted
            and turning_gap(a, b, t, n, later, m, plane) >= clear
            and keep(chain, t, n, later, m)
        ):
            found.ahead = 2.0 * (later - t)
            if found.met < NEVER:
                found.ahead = 0.5 * (found.met - later)
            parted = is_parted(a, b, later, m, clear, plane)
            found.slope = (near - plane.gap) / (later - t)
            return parted
        met = is_told(status) and pair.result.upper <= found.level - plane.allowance
        if met and later < found.met:
            found.met = later
            found.solid = is_solid_pair(a, b)
    found.ahead = 0.5 * (later - t)
    lay_plane(a, b, n, until, plane)
    return False


@kernel
def is_solid_pair(a: Path, b: Path) -> int:
    """Return 1 where both bodies are convex solids where they were put."""
    _, _, one = judged(a.hinges, SIGNS)
    _, _, two = judged(b.hinges, SIGNS)
    return 1 if one > 0.0 and two > 0.0 else 0


@kernel
def has_dent(hinges: Hinges) -> bool:
    """Say whether one of a few hinges is dented for sure; False says nothing.

    Then hulls alone are near, and closest features of shapes whose rings mislead take
    longer than to ask their surfaces at once.
    """
    if hinges.triangles == 0:
        return False
    for i in range(LOOKED_AT):
        k = 3 * (i * hinges.triangles // LOOKED_AT)
        p = point(hinges.points, hinges.corner[k])
        d = minus(point(hinges.points, hinges.corner[k + 1]), p)
        n = cross(d, minus(point(hinges.points, hinges.corner[k + 2]), p))
        e = minus(point(hinges.points, hinges.across[k]), p)
        h = dot(n, e)
        if h > 0.0 and h * h > DENTED * dot(n, n) * dot(e, e):
            return True
    return False


@kernel
def arrived(
    a: Path, b: Path, t: float, held: Vec, pair: Workspace, chain: Chain
) -> int:
    """Prove that the bodies are as near as the level soon after a time, or go past it.

    ``held`` parts them at that time.  FREE where a plane takes them past:
    ``found.lower`` says until when.  Bodies that touch and no more are UNDECIDED until
    ``found.upper``, when they are told to touch.
    """
    found = chain.found
    plane = chain.plane
    allowance = plane.allowance
    level = found.level
    clear = level + 2.0 * allowance
    result = pair.result
    step = STEP
    if found.speed > 0.0:
        step = max(step, 16.0 * allowance / found.speed)
    found.upper = 1.0
    until = t
    for k in range(TRIES):
        if k == FEW and is_solid_pair(a, b) == 0:
            found.solid = 0
            return STUCK
        until = min(1.0, t + step)
        for way in range(POINTS):
            status = features_at(a, b, until, way, pair, found)
            if is_told(status) and result.upper <= level - allowance:
                found.upper = until
                found.solid = is_solid_pair(a, b)
                return MET
            if status == layout.OVERLAP and is_solid_pair(a, b) == 0:
                found.upper = until  # of hulls, how deep is not known: surfaces tell
                return MET
            if is_told(status) and result.distance <= level:
                found.upper = min(found.upper, until)
            n = result.normal
            if is_parted(a, b, until, n, clear, plane):
                if look_at(a, b, t, plane) >= level + allowance:
                    return FREE if keep(chain, t, n, until, n) else STUCK
                if turning_gap(a, b, t, held, until, n, plane) >= clear:
                    return FREE if keep(chain, t, held, until, n) else STUCK
                found.upper = min(found.upper, until)
                found.solid = is_solid_pair(a, b)
                return UNDECIDED
        if until == 1.0:
            break
        step *= 2.0
    found.solid = is_solid_pair(a, b)
    return UNDECIDED

"""What an engine is asked to run: one frame, or all frames of a trajectory.

The arguments are tables of buffers and nothing else, the result is an int: an entry is
called across the border between two engines.
"""

from sim.kernels import layout, reel
from sim.kernels.audit.sag import placed_sag
from sim.kernels.closest.measure import put
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.limits import is_within, reach_of
from sim.kernels.maps import maps_are_sound
from sim.kernels.order import comes_after, exchange
from sim.kernels.overlap.depth import frame
from sim.kernels.reel import Reel
from sim.kernels.result import Part, Result
from sim.kernels.side import Side
from sim.kernels.slate import Slate
from sim.kernels.upright import is_upright
from sim.kernels.vector import back, plus

DONE = -1  # the reel has reached its end


@kernel
def one_frame(a: Side, b: Side, slate: Slate) -> int:
    """Answer one frame for two bodies in kernel order; return the status.

    Bodies that both prove by their rings are convex; others are taken for their hulls
    once it is known how far these reach beyond them.  A body that is not convex to
    rounding may reach as far in two places at once, which is for a search of its
    surface to tell.
    """
    result = slate.result
    result.dent = 0.0
    convex = 1
    if a.whole + b.whole > 0:
        convex = 1 if a.sag[0] >= 0.0 and b.sag[0] >= 0.0 else 0
    if convex == 1 and a.whole + b.whole > 0:
        result.dent = placed_sag(a.sag, a.pose) + placed_sag(b.sag, b.pose)
    status = frame(a, b, origin_of(a, b), convex, slate)
    dented = convex == 0 or result.dent > layout.EQUAL * result.size
    note_upright(a, b, status, slate)
    proven = status == layout.CERTIFIED and dented
    if proven and (stands_twice(slate) or all_but_touches(slate)):
        return layout.UNPROVEN
    return status


@kernel
def note_upright(a: Side, b: Side, status: int, slate: Slate) -> None:
    """Note whether the answer shows that no open body is inside-out."""
    n = slate.result.normal
    shown = (
        status == layout.CERTIFIED
        and (a.spread >= 0.0 or is_upright(a, n))
        and (b.spread >= 0.0 or is_upright(b, back(n)))
    )
    slate.result.upright = 1 if shown else 0


@kernel
def stands_twice(slate: Slate) -> bool:
    """Say whether a part that was called unique may not be, where surfaces can tell."""
    return slate.result.twice == 1 and slate.result.parallel == 0


@kernel
def all_but_touches(slate: Slate) -> bool:
    """Say whether surfaces are so near that only last frame's parts led to them.

    From cold the walk ends inside; what surfaces answer must not depend on the way.
    """
    return slate.result.distance <= layout.BLIND * slate.result.size


@kernel
def checked_frame(a: Side, b: Side, slate: Slate) -> int:
    """Answer one frame, unless a body may be misplaced or they are out of order.

    Then nothing is written, and the status is REFUSED or TURNED.
    """
    if not maps_are_sound(a.pose, b.pose):
        return layout.REFUSED
    if not (is_within(a, reach_of(a)) and is_within(b, reach_of(b))):
        return layout.REFUSED
    if a.size == b.size and comes_after(a.points, a.pose, b.points, b.pose, a.size):
        return layout.TURNED
    return one_frame(a, b, slate)


@kernel
def vouched_frame(a: Side, b: Side, slate: Slate) -> int:
    """Answer one frame for bodies in order, every vertex of which was looked at."""
    return one_frame(a, b, slate)


@kernel
def hull_frame(a: Side, b: Side, slate: Slate) -> int:
    """Answer one frame for two bodies that are taken for their hulls."""
    return frame(a, b, origin_of(a, b), 1, slate)


@kernel
def origin_of(a: Side, b: Side) -> Vec:
    """Return the second translation relative to the first.

    Far from the origin this is subtracted before anything else is computed.
    """
    p = a.pose
    q = b.pose
    return (q[3] - p[3], q[7] - p[7], q[11] - p[11])


@kernel
def many_frames(a: Side, b: Side, slate: Slate, tape: Reel) -> int:
    """Answer frame after frame for A and B; return DONE, or the status of a stop.

    A frame that is not certified, met a number that is not finite, or does not fit
    into the pools stops the reel: its answer is in ``slate``, its row is not written,
    and the caller finishes it.  One of a body that may be misplaced is not answered.
    """
    cursor = tape.cursor
    first = a
    second = b
    if cursor[reel.SWAPPED] == 1:
        first = b
        second = a
    far_a = reach_of(a)  # only poses move
    far_b = reach_of(b)
    while cursor[reel.FRAME] < cursor[reel.END]:
        t = cursor[reel.FRAME]
        if tape.moves_a == 1:
            put_pose(tape.poses_a, t, a.pose)
        if tape.moves_b == 1:
            put_pose(tape.poses_b, t, b.pose)
        if tape.moves_a == 1 and not is_within(a, far_a):
            return layout.REFUSED
        if tape.moves_b == 1 and not is_within(b, far_b):
            return layout.REFUSED
        if a.size == b.size and comes_after(
            first.points, first.pose, second.points, second.pose, a.size
        ):
            exchange(slate)
            cursor[reel.SWAPPED] = 1 - cursor[reel.SWAPPED]
            first, second = second, first
        status = one_frame(first, second, slate)
        total = slate.result.sink
        if status != layout.CERTIFIED or total - total != 0.0:
            return status
        if not store(first, second, slate, tape, t):
            return status
        cursor[reel.FRAME] = t + 1
    return DONE


@kernel
def put_pose(poses: Floats, t: int, pose: Floats) -> None:
    """Move a body to where it is in a frame."""
    for k in range(12):
        pose[k] = poses[12 * t + k]


@kernel
def store(first: Side, second: Side, slate: Slate, tape: Reel, t: int) -> bool:
    """Write the answer of a frame; False if the pools have no room for it."""
    result = slate.result
    cursor = tape.cursor
    swapped = cursor[reel.SWAPPED] == 1
    corners = result.corners
    parts_at = cursor[reel.PARTS_USED]
    corners_at = cursor[reel.CORNERS_USED]
    count = parts_of(result.part_a) + parts_of(result.part_b)
    if parts_at + count > tape.parts_room:
        return False
    if corners_at + corners > tape.corners_room:
        return False
    at = reel.FACTS * t
    facts = tape.facts
    side_a = second if swapped else first
    side_b = first if swapped else second
    part_a = result.part_b if swapped else result.part_a
    part_b = result.part_a if swapped else result.part_b
    parts_b_at = write_parts(side_a, part_a, tape.parts, parts_at)
    ended = write_parts(side_b, part_b, tape.parts, parts_b_at)
    facts[at + reel.DIMENSION_A] = part_a.dimension
    facts[at + reel.DIMENSION_B] = part_b.dimension
    facts[at + reel.PARTS_AT] = parts_at
    facts[at + reel.PARTS_A] = parts_b_at - parts_at
    facts[at + reel.PARTS_B] = ended - parts_b_at
    facts[at + reel.CORNERS_AT] = corners_at
    facts[at + reel.CORNERS] = corners
    facts[at + reel.UNIQUE] = 1 - result.parallel
    proof = reel.RING if first.whole + second.whole == 0 else reel.SCAN
    facts[at + reel.PROOF] = reel.EPA if result.by_hull == 1 else proof
    facts[at + reel.WORK] = result.steps
    facts[at + reel.WORK + 1] = result.vertices
    facts[at + reel.WORK + 2] = result.level_faces
    facts[at + reel.WORK + 3] = result.scans
    facts[at + reel.WORK + 4] = result.fallbacks
    world = (first.pose[3], first.pose[7], first.pose[11])
    write_row(result, world, swapped, tape.numbers, reel.NUMBERS * t)
    slate.last[0] = -1
    if corners > 0:
        write_corners(slate, world, swapped, tape, corners_at)
    regime = regime_after(
        cursor[reel.REGIME],
        result.distance,
        result.size,
        tape.contact,
        tape.release,
    )
    facts[at + reel.REGIME_NOW] = regime
    cursor[reel.REGIME] = regime
    cursor[reel.PARTS_USED] = ended
    cursor[reel.CORNERS_USED] = corners_at + corners
    return True


@kernel
def regime_after(
    before: int, distance: float, size: float, contact: float, release: float
) -> int:
    """Return the regime that follows, with hysteresis.

    Contact begins at ``contact`` and ends beyond ``release``; penetration begins
    below -1e-9 size and ends at 0.
    """
    if distance < -reel.PENETRATION * size:
        return reel.PENETRATING
    if before == reel.PENETRATING and distance < 0.0:
        return reel.PENETRATING
    if distance <= contact:
        return reel.CONTACT
    if before != reel.SEPARATED and distance <= release:
        return reel.CONTACT
    return reel.SEPARATED


@kernel
def parts_of(part: Part) -> int:
    """Return how many numbers name the part of one side."""
    if part.dimension == 0:
        return 1
    return part.edges if part.dimension == 1 else part.faces


@kernel
def write_parts(side: Side, part: Part, parts: Ints, parts_at: int) -> int:
    """Copy the numbers that name the part of one side; return where they end."""
    if part.dimension == 0:
        parts[parts_at] = part.name
        return parts_at + 1
    listed = side.edges if part.dimension == 1 else side.faces
    count = parts_of(part)
    for k in range(count):
        parts[parts_at + k] = listed[k]
    return parts_at + count


@kernel
def write_row(result: Result, world: Vec, swapped: bool, to: Floats, at: int) -> None:
    """Copy the numbers of an answer, moved to the world, A first."""
    to[at + reel.DISTANCE] = result.distance
    to[at + reel.LOWER] = result.lower
    to[at + reel.UPPER] = result.upper
    to[at + reel.SIZE] = result.size
    p = plus(result.point_a, world)
    q = plus(result.point_b, world)
    if swapped:
        put(to, at + reel.NORMAL, back(result.normal))
        put(to, at + reel.POINT_A, q)
        put(to, at + reel.POINT_B, p)
    else:
        put(to, at + reel.NORMAL, result.normal)
        put(to, at + reel.POINT_A, p)
        put(to, at + reel.POINT_B, q)


@kernel
def write_corners(
    slate: Slate, world: Vec, swapped: bool, tape: Reel, corners_at: int
) -> None:
    """Copy the corners of the patch, moved to the world, A first.

    Swapped they run the other way.  The corner that is nearest to the point on A is
    remembered for the next frame.
    """
    result = slate.result
    count = result.corners
    d = result.distance
    nx, ny, nz = result.normal
    x = d * nx
    y = d * ny
    z = d * nz
    ax, ay, az = plus(result.point_a, world)
    nearest = 0.0
    for k in range(count):
        px = slate.patch[4 * k] + world[0]
        py = slate.patch[4 * k + 1] + world[1]
        pz = slate.patch[4 * k + 2] + world[2]
        place = corners_at + (count - 1 - k if swapped else k)
        on_a = 6 * place + (3 if swapped else 0)
        on_b = 6 * place + (0 if swapped else 3)
        tape.corners[on_a] = px
        tape.corners[on_a + 1] = py
        tape.corners[on_a + 2] = pz
        tape.corners[on_b] = px + x
        tape.corners[on_b + 1] = py + y
        tape.corners[on_b + 2] = pz + z
        turn = 2 if swapped else 0
        for i in range(4):
            tape.labels[4 * place + (i + turn) % 4] = slate.labels[4 * k + i]
        off = max(abs(px - ax), abs(py - ay), abs(pz - az))
        if k == 0 or off < nearest:
            nearest = off
            for i in range(4):
                slate.last[i] = slate.labels[4 * k + i]

"""The buffers of a whole trajectory: poses, positions in, one row per frame out.

And what a pair carries from one frame to the next: ids and one normal, a row a pair.  A
frame reads a row and writes another one, all of it: nothing else that is there can be
read in the next.
"""

from typing import NamedTuple

from sim.kernels.intake import REFUSED, TAKEN, copy_positions, offered
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.overlap.polytope import Polytope
from sim.kernels.vector import point, put
from sim.kernels.workspace import NEW, BodyView, Part, Workspace, clear, name_part


class Placements(NamedTuple):
    """Where a body is, frame after frame."""

    flat: Floats  # 12 per frame
    frames: int  # 0 where the body does not move
    extremes: Floats  # 3: see ``limits.are_maps``


STILL = Placements(  # of a body that stays
    memoryview(bytearray(12 * 8)).cast("d"), 0, memoryview(bytearray(3 * 8)).cast("d")
)


class Shapes(NamedTuple):
    """Where the vertices of a body are, frame after frame."""

    flat: Floats  # 3 per vertex per frame
    frames: int  # 0 where the body stays as it is
    trusted: int  # 1: rings prove whatever they are


class AnswerRows(NamedTuple):
    """Rows of answers, one a frame of a trajectory or one a pair; R of them.

    What has a different length in each row, the named parts and the corners of patches,
    goes one after the other into pools that may run full.
    """

    cursor: Ints  # see below: where the reel stands
    numbers: Floats  # NUMBERS R, see below; points in the world
    facts: Ints  # FACTS R, see below
    parts: Ints  # pool: numbers of the parts of A, then of B
    parts_room: int
    corners: Floats  # pool: 6 per corner, its points on A and on B, world
    labels: Ints  # pool: 4 per corner, dimension and number on A, on B
    corners_room: int


STIFF = Shapes(STILL.flat, 0, 0)  # of a body that stays as it is


class Trajectory(NamedTuple):
    """Where A and B of the caller are, frame after frame."""

    frames: int  # how many are to be answered
    maps_a: Placements
    maps_b: Placements
    shapes_a: Shapes
    shapes_b: Shapes


# The cursor.
FRAME = 0  # the next frame
END = 1  # where to stop
SWAPPED = 2  # 1 while the kernel takes B first
REGIME = 3  # of the frame before
PARTS_USED = 4
CORNERS_USED = 5
POOL_USED = 6  # of the memory of pairs
HELD = 7  # 1 while the workspace is where the pair was left: nothing need be read
CURSOR = 8

# The numbers of one frame: what an answer says.
DISTANCE = 0
LOWER = 1
UPPER = 2
SIZE = 3
NORMAL = 4  # 4, 5, 6
POINT_A = 7  # 7, 8, 9
POINT_B = 10  # 10, 11, 12
NUMBERS = 13

# The facts of one frame.
DIMENSION_A = 0
DIMENSION_B = 1
PARTS_AT = 2
PARTS_A = 3  # how many
PARTS_B = 4
CORNERS_AT = 5
CORNERS = 6  # how many
UNIQUE = 7
PROOF = 8
REGIME_NOW = 9
WORK = 10  # five counts
FACTS = 15

# Proofs that a kernel can give; the caller knows more.
RING = 0
SCAN = 1
SEARCH = 2
EPA = 3

SEPARATED = 0
CONTACT = 1
PENETRATING = 2
PENETRATION = 1e-9  # per unit of size: how deep before it is called one


@kernel
def regime_after(
    before: int, d: float, size: float, ends: tuple[float, float, float], dented: bool
) -> int:
    """Return the regime that follows a distance, with hysteresis.

    ``ends``: where contact begins and ends, and the resolution.  Penetration begins 4
    resolutions deep, and ends at 0; of ``dented`` bodies where they are as far apart.
    """
    contact, release, resolution = ends
    band = 4.0 * resolution
    if d < -max(PENETRATION * size, band):
        return PENETRATING
    if before == PENETRATING and (d < 0.0 or (dented and 0.0 < band >= d)):
        return PENETRATING
    if d <= contact:
        return CONTACT
    if before != SEPARATED and d <= release:
        return CONTACT
    return SEPARATED


@kernel
def put_pose(maps: Placements, t: int, pose: Floats) -> None:
    """Move a body to where it is in a frame."""
    if maps.frames > 0:
        for k in range(12):
            pose[k] = maps.flat[12 * t + k]


@kernel
def is_taken(side: BodyView, shapes: Shapes, t: int) -> bool:
    """Say whether the positions of a frame can be put in place; else a body is asked.

    Those of the frame before are not new: rings may prove them, or prove no longer.
    """
    if shapes.frames == 0:
        return True
    told = offered(side.points, side.size, shapes.flat, 3 * side.size * t)
    as_before = (side.proofs.scanned == NEW) == (told == TAKEN)
    return told != REFUSED and (as_before or shapes.trusted == 1)


@kernel
def put_shape(side: BodyView, shapes: Shapes, t: int) -> None:
    """Put a body's vertices where they are in a frame."""
    if shapes.frames > 0:
        copy_positions(side.points, side.size, shapes.flat, 3 * side.size * t)


# What a pair remembers, so many ids; SWAPPED and REGIME as in the cursor.
KNOWN = 0
BY_HULL = 1
POOL_AT = 4  # where its lists begin in the pool
HULL = 5  # three: how much of the polytope is filled
SIMPLEX = 8  # nine; see ``Workspace``
LAST = 17  # four
PART_A = 21  # three each: how many members, edges and faces
PART_B = 24
LEAVES = 27  # two; see ``Workspace``
IDS = 29


class PairMemory(NamedTuple):
    """What pairs carry from one frame to the next."""

    ids: Ints  # IDS per pair, see above
    normals: Floats  # 3 per pair
    pool: Ints  # lists: of the parts that are known, of the polytope while they overlap
    room: int


@kernel
def forget(pair: Workspace) -> None:
    """Begin from nothing."""
    pair.simplex[0] = 0
    pair.last[0] = -1
    pair.result.normal = (0.0, 0.0, 0.0)
    pair.result.known = 0
    pair.result.by_hull = 0
    pair.hull.filled[0] = 0
    pair.leaves[0] = pair.leaves[1] = -1


@kernel
def recall(
    memory: PairMemory, row: int, first: BodyView, second: BodyView, pair: Workspace
) -> None:
    """Begin with what a pair remembered."""
    pair.result.normal = point(memory.normals, row)
    pair.result.known = memory.ids[IDS * row + KNOWN]
    pair.result.by_hull = memory.ids[IDS * row + BY_HULL]
    carry(memory, row, first, second, pair, False)


@kernel
def remember(
    memory: PairMemory,
    row: int,
    first: BodyView,
    second: BodyView,
    pair: Workspace,
    cursor: Ints,
) -> None:
    """Write down what the next frame begins with."""
    ids = memory.ids
    at = IDS * row
    put(memory.normals, 3 * row, pair.result.normal)
    ids[at + KNOWN] = pair.result.known
    ids[at + BY_HULL] = pair.result.by_hull
    ids[at + REGIME] = cursor[REGIME]
    ids[at + SWAPPED] = cursor[SWAPPED]
    ids[at + POOL_AT] = cursor[POOL_USED]
    cursor[POOL_USED] = carry(memory, row, first, second, pair, True)


@kernel
def carry(
    memory: PairMemory,
    row: int,
    first: BodyView,
    second: BodyView,
    pair: Workspace,
    out: bool,
) -> int:
    """Copy all lists of ids of a pair out, or in; return where they end in the pool."""
    ids = memory.ids
    at = IDS * row
    copy_ids(pair.simplex, 9, ids, at + SIMPLEX, out)
    copy_ids(pair.last, 4, ids, at + LAST, out)
    copy_ids(pair.leaves, 2, ids, at + LEAVES, out)
    copy_ids(pair.hull.filled, 3, ids, at + HULL, out)
    begin = ids[at + POOL_AT]
    if pair.result.known == 1:
        begin = carry_part(first, pair.result.part_a, memory, at + PART_A, begin, out)
        begin = carry_part(second, pair.result.part_b, memory, at + PART_B, begin, out)
    return copy_hull(pair.hull, memory.pool, begin, out)


@kernel
def carry_part(
    side: BodyView, part: Part, memory: PairMemory, k: int, begin: int, out: bool
) -> int:
    """Copy the lists of a named part out, or in and name it; return where they end."""
    ids = memory.ids
    if out:
        ids[k] = side.mark[side.size]
        ids[k + 1] = part.edges
        ids[k + 2] = part.faces
    else:
        clear(side)
    begin = copy_ids(side.members, ids[k], memory.pool, begin, out)
    begin = copy_ids(side.edges, ids[k + 1], memory.pool, begin, out)
    begin = copy_ids(side.faces, ids[k + 2], memory.pool, begin, out)
    if not out:
        side.mark[side.size] = ids[k]
        for m in range(ids[k]):
            side.mark[side.members[m]] = 1
        name_part(side, part, ids[k + 1], ids[k + 2])
    return begin


@kernel
def room_for(first: BodyView, second: BodyView, pair: Workspace) -> int:
    """Return how much a pair puts into the pool, at most."""
    part_a = pair.result.part_a
    part_b = pair.result.part_b
    parts = part_a.edges + part_a.faces + part_b.edges + part_b.faces
    parts += first.mark[first.size] + second.mark[second.size]
    return parts + 2 * pair.hull.filled[0] + 7 * pair.hull.filled[1]


@kernel
def copy_hull(hull: Polytope, pool: Ints, begin: int, out: bool) -> int:
    """Copy the connectivity of a polytope out, or in; return where it ends."""
    filled = hull.filled
    if filled[0] == 0:
        return begin
    begin = copy_ids(hull.ids, 2 * filled[0], pool, begin, out)
    begin = copy_ids(hull.corners, 3 * filled[1], pool, begin, out)
    begin = copy_ids(hull.across, 3 * filled[1], pool, begin, out)
    return copy_ids(hull.state, filled[1], pool, begin, out)


@kernel
def copy_ids(own: Ints, count: int, pool: Ints, begin: int, out: bool) -> int:
    """Copy ids out into a pool, or in from there; return where they end."""
    if out:
        for k in range(count):
            pool[begin + k] = own[k]
    else:
        for k in range(count):
            own[k] = pool[begin + k]
    return begin + count

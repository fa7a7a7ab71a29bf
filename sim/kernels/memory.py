"""What a pair carries from one frame to the next: ids and one normal, a row a pair.

A frame reads a row and writes another one, all of it: nothing else that is there can be
read in the next.
"""

from typing import NamedTuple

from sim.kernels import trajectory
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.overlap.polytope import Polytope
from sim.kernels.vector import put
from sim.kernels.workspace import BodyView, Part, Workspace, name_part

# What a pair remembers, so many ids.
SIMPLEX = 0  # nine; see ``Workspace``
LAST = 9  # four
PART_A = 13  # six each: see ``Part``, and how many members are marked
PART_B = 19
KNOWN = 25
BY_HULL = 26
REGIME = 27
SWAPPED = 28  # 1 while the first body of the kernels is B
POOL_AT = 29  # where its lists begin in the pool
HULL = 30  # three: how much of the polytope is filled
IDS = 33


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


@kernel
def recall(
    memory: PairMemory, row: int, first: BodyView, second: BodyView, pair: Workspace
) -> None:
    """Begin with what a pair remembered."""
    ids = memory.ids
    at = IDS * row
    for k in range(9):
        pair.simplex[k] = ids[at + SIMPLEX + k]
    for k in range(4):
        pair.last[k] = ids[at + LAST + k]
    result = pair.result
    n = memory.normals
    result.normal = (n[3 * row], n[3 * row + 1], n[3 * row + 2])
    result.known = ids[at + KNOWN]
    result.by_hull = ids[at + BY_HULL]
    for k in range(3):
        pair.hull.filled[k] = ids[at + HULL + k]
    begin = ids[at + POOL_AT]
    if result.known == 1:
        begin = recall_part(first, result.part_a, memory, at + PART_A, begin)
        begin = recall_part(second, result.part_b, memory, at + PART_B, begin)
    copy_hull(pair.hull, memory.pool, begin, False)


@kernel
def recall_part(
    side: BodyView, part: Part, memory: PairMemory, k: int, begin: int
) -> int:
    """Read which part was named, and its lists; return where they end."""
    ids = memory.ids
    name_part(part, ids[k], ids[k + 1], ids[k + 2], ids[k + 3], ids[k + 4])
    mark = side.mark
    for m in range(mark[side.size]):
        mark[side.members[m]] = 0
    count = ids[k + 5]
    begin = copy_ids(side.members, count, memory.pool, begin, False)
    begin = copy_ids(side.edges, part.edges, memory.pool, begin, False)
    begin = copy_ids(side.faces, part.faces, memory.pool, begin, False)
    for m in range(count):
        mark[side.members[m]] = 1
    mark[side.size] = count
    return begin


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
    for k in range(9):
        ids[at + SIMPLEX + k] = pair.simplex[k]
    for k in range(4):
        ids[at + LAST + k] = pair.last[k]
    result = pair.result
    put(memory.normals, 3 * row, result.normal)
    ids[at + KNOWN] = result.known
    ids[at + BY_HULL] = result.by_hull
    ids[at + REGIME] = cursor[trajectory.REGIME]
    ids[at + SWAPPED] = cursor[trajectory.SWAPPED]
    for k in range(3):
        ids[at + HULL + k] = pair.hull.filled[k]
    begin = cursor[trajectory.POOL_USED]
    ids[at + POOL_AT] = begin
    if result.known == 1:
        begin = remember_part(first, result.part_a, memory, at + PART_A, begin)
        begin = remember_part(second, result.part_b, memory, at + PART_B, begin)
    cursor[trajectory.POOL_USED] = copy_hull(pair.hull, memory.pool, begin, True)


@kernel
def remember_part(
    side: BodyView, part: Part, memory: PairMemory, k: int, begin: int
) -> int:
    """Write which part was named, and its lists; return where they end."""
    ids = memory.ids
    ids[k] = part.dimension
    ids[k + 1] = part.name
    ids[k + 2] = part.members
    ids[k + 3] = part.edges
    ids[k + 4] = part.faces
    ids[k + 5] = side.mark[side.size]
    begin = copy_ids(side.members, side.mark[side.size], memory.pool, begin, True)
    begin = copy_ids(side.edges, part.edges, memory.pool, begin, True)
    return copy_ids(side.faces, part.faces, memory.pool, begin, True)


@kernel
def room_for(first: BodyView, second: BodyView, pair: Workspace) -> int:
    """Return how much a pair puts into the pool, at most."""
    part_a = pair.result.part_a
    part_b = pair.result.part_b
    parts = part_a.edges + part_a.faces + part_b.edges + part_b.faces
    parts += first.mark[first.size] + second.mark[second.size]
    return parts + 2 * pair.hull.filled[0] + 7 * pair.hull.filled[1]


@kernel
def clear(side: BodyView) -> None:
    """Unmark the members of a part, for the next body that works in this scratch."""
    for m in range(side.mark[side.size]):
        side.mark[side.members[m]] = 0
    side.mark[side.size] = 0


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

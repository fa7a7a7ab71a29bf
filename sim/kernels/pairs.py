"""All pairs of many bodies in one frame: a row of memory and a row of answer each.

What a pair remembers, ids and one normal, lies in flat tables: those of the frame
before are read, those of this frame written, so that a frame that is given up leaves
nothing behind.  All that is scratch is shared by the pairs of one thread.
"""

from math import sqrt
from typing import NamedTuple

from sim.kernels import layout, trajectory
from sim.kernels.frames import DONE, one_frame
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.limits import comes_after, exchange, is_placed
from sim.kernels.rows import COLD, copy_hull, copy_ids, put_regime, store
from sim.kernels.solve import renew
from sim.kernels.sweep import ROUNDED
from sim.kernels.trajectory import AnswerRows
from sim.kernels.vector import least, most, place, plus, put
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

FULL = -2  # the pool of what is remembered has no room
CROWDED = -3  # nor has one of the answers


class PairMemory(NamedTuple):
    """What pairs carry from one frame to the next."""

    ids: Ints  # IDS per pair, see above
    normals: Floats  # 3 per pair
    pool: Ints  # lists: of the parts that are known, of the polytope while they overlap
    room: int


class Pairs(NamedTuple):
    """Bodies and their pairs; P pairs, B bodies."""

    firsts: tuple[BodyView, ...]  # all with one scratch, which is clear between pairs
    seconds: tuple[BodyView, ...]  # and the same bodies with another one
    placed: Ints  # B: 1 where the body is placed within the limits
    odd: Ints  # B: what an answer must say of it; see ``Judged``
    reach: Floats  # B: contact begins at the lesser of two
    ends: Ints  # 2 P: A and B of every pair
    begun: Ints  # P: its row in the memory before, or COLD
    before: PairMemory
    after: PairMemory
    status: Ints  # P: CERTIFIED where answered, else why not; below 0: not asked


class PlacedBodies(NamedTuple):
    """The bodies of a table, and room for their boxes in the world."""

    bodies: tuple[BodyView, ...]
    total: int  # B
    placed: Ints  # B
    low: Floats  # 3 B
    high: Floats  # 3 B
    radius: Floats  # B: about the middle of each box


@kernel
def place_bodies(boxes: PlacedBodies) -> int:
    """Bound every body in the world; say which are placed, and return how many."""
    found = 0
    for k in range(boxes.total):
        side = boxes.bodies[k]
        renew(side)
        boxes.placed[k] = 1 if is_placed(side) else 0
        found += boxes.placed[k]
        bound_body(side, boxes.low, boxes.high, 3 * k)
        boxes.radius[k] = radius_of(side, boxes.low, boxes.high, 3 * k)
    return found


@kernel
def radius_of(side: BodyView, low: Floats, high: Floats, at: int) -> float:
    """Return how far a body goes from the middle of its box, at most."""
    pose = side.pose
    far = max(abs(pose[3]), abs(pose[7]), abs(pose[11]))
    x = pose[3] - 0.5 * (low[at] + high[at])
    y = pose[7] - 0.5 * (low[at + 1] + high[at + 1])
    z = pose[11] - 0.5 * (low[at + 2] + high[at + 2])
    square = 0.0
    for v in range(side.size):
        p = place(side.points, pose, (x, y, z), v)
        square = max(square, p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    return sqrt(square) + ROUNDED * far


@kernel
def bound_body(side: BodyView, low: Floats, high: Floats, at: int) -> None:
    """Bound one body; what is not finite leaves no number."""
    pose = side.pose
    shift = (pose[3], pose[7], pose[11])
    p = place(side.points, pose, shift, 0)
    lowest, highest = p, p
    total = 0.0
    for v in range(side.size):
        p = place(side.points, pose, shift, v)
        total += (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2])
        lowest = least(lowest, p)
        highest = most(highest, p)
    put(low, at, plus(lowest, (total, total, total)))
    put(high, at, plus(highest, (total, total, total)))


@kernel
def answer_pairs(pairs: Pairs, pair: Workspace, rows: AnswerRows) -> int:
    """Answer for the pairs from where the cursor stands; DONE, or what is full.

    A pair that is not certified, or of which something must be said, is left with its
    status to the caller.
    """
    cursor = rows.cursor
    while cursor[trajectory.FRAME] < cursor[trajectory.END]:
        p = cursor[trajectory.FRAME]
        if pairs.status[p] >= 0:
            status = answer_pair(pairs, pair, rows, p)
            if status < DONE:
                return status
            pairs.status[p] = status
        cursor[trajectory.FRAME] = p + 1
    return DONE


@kernel
def answer_pair(pairs: Pairs, pair: Workspace, rows: AnswerRows, p: int) -> int:
    """Answer for one pair, and write its row; return its status, or what is FULL."""
    i = pairs.ends[2 * p]
    j = pairs.ends[2 * p + 1]
    if pairs.placed[i] + pairs.placed[j] < 2:
        return layout.REFUSED
    cursor = rows.cursor
    row = pairs.begun[p]
    swapped = 1 if pairs.firsts[i].size > pairs.firsts[j].size else 0
    regime = trajectory.SEPARATED
    if row != COLD:
        swapped = pairs.before.ids[IDS * row + SWAPPED]
        regime = pairs.before.ids[IDS * row + REGIME]
    cursor[trajectory.SWAPPED] = swapped
    cursor[trajectory.REGIME] = regime
    first = pairs.firsts[j if swapped == 1 else i]
    second = pairs.seconds[i if swapped == 1 else j]
    if row == COLD:
        forget(pair)
    else:
        recall(pairs.before, row, first, second, pair)
    if first.size == second.size and comes_after(
        first.points, first.pose, second.points, second.pose, first.size
    ):
        exchange(pair)
        clear(first)
        clear(second)
        cursor[trajectory.SWAPPED] = 1 - swapped
        first = pairs.firsts[i if swapped == 1 else j]
        second = pairs.seconds[j if swapped == 1 else i]
    status = finish_pair(pairs, first, second, pair, rows, p)
    clear(first)
    clear(second)
    return status


@kernel
def clear(side: BodyView) -> None:
    """Unmark the members of a part, for the next body that works in this scratch."""
    for m in range(side.mark[side.size]):
        side.mark[side.members[m]] = 0
    side.mark[side.size] = 0


@kernel
def finish_pair(
    pairs: Pairs,
    first: BodyView,
    second: BodyView,
    pair: Workspace,
    rows: AnswerRows,
    p: int,
) -> int:
    """Answer for one pair laid out in order; write its row, and what it remembers."""
    cursor = rows.cursor
    i = pairs.ends[2 * p]
    j = pairs.ends[2 * p + 1]
    status = one_frame(first, second, pair)
    total = pair.result.sink
    if status != layout.CERTIFIED:
        return status
    odd = max(pairs.odd[i], pairs.odd[j])
    if total - total != 0.0 or odd > 1 or (odd == 1 and pair.result.upright == 0):
        return layout.REFUSED
    if cursor[trajectory.POOL_USED] + room_for(first, second, pair) > pairs.after.room:
        return FULL
    if not store(first, second, pair, rows, p):
        return CROWDED
    contact = min(pairs.reach[i], pairs.reach[j])
    put_regime(pair.result, rows, p, contact, 2.0 * contact)
    remember(pairs.after, p, first, second, pair, cursor)
    return status


@kernel
def room_for(first: BodyView, second: BodyView, pair: Workspace) -> int:
    """Return how much a pair puts into the pool, at most."""
    part_a = pair.result.part_a
    part_b = pair.result.part_b
    parts = part_a.edges + part_a.faces + part_b.edges + part_b.faces
    parts += first.mark[first.size] + second.mark[second.size]
    return parts + 2 * pair.hull.filled[0] + 7 * pair.hull.filled[1]


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

"""The broad phase: which bodies may be near each other.

Space is cut into cells along two axes, and boxes are swept along the third in each cell
(sweep and prune; Cohen et al. 1995, DOI 10.1145/199404.199437).  What is wide lies in
many cells and is swept in each.  Where boxes are near, the balls about their middles
must be near too.
"""

from math import inf, sqrt
from typing import NamedTuple

from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.limits import FARTHEST, NEAREST, is_placed
from sim.kernels.solve import renew
from sim.kernels.vector import least, most, place, plus, put
from sim.kernels.workspace import BodyView

SOME = 64  # boxes, at most, that the axes are chosen by
FULL = 8  # cells that a box lies in, on average, at most
SIZE = 7  # numbers of a box: its ends, and the radius of the ball
ROUNDED = 1e-12  # more than rounding does to a radius and to a middle


class BoxSweep(NamedTuple):
    """Boxes of bodies, room to sort them, and the pairs that are found; B boxes."""

    low: Floats  # 3 B
    high: Floats  # 3 B
    radius: Floats  # B: no point of the body is farther from the middle of its box
    margin: float
    total: int  # B
    some: Floats  # SOME
    box: Floats  # SIZE B: lower, upper ends with the margin; the sweep's axis first
    key: Floats  # B: the lower ends along that axis
    order: Ints  # B: the boxes in the order of these
    cells: Ints  # 2: how many along the second axis, and along the third
    cell: Ints  # 4 B: the first and the last that a box lies in, along either
    start: Ints  # B: where the members of each begin, then where they end
    member: Ints  # FULL B
    pairs: Ints  # 2 room
    spare: Ints  # 2 room
    room: int


@kernel
def lay_out_boxes(boxes: BoxSweep) -> int:
    """Choose axes, along the first boxes overlap least; write boxes, keys and cells.

    Returns how many cells there are.  Cost: O(B).
    """
    total = boxes.total
    x, y, z = 0, 1, 2
    a, b, c = slots_along(boxes, 0), slots_along(boxes, 1), slots_along(boxes, 2)
    if b[0] > a[0]:
        x, y, a, b = y, x, b, a
    if c[0] > b[0]:
        y, z, b, c = z, y, c, b
    if b[0] > a[0]:
        x, y, a, b = y, x, b, a
    for i in range(total):
        lay_out_box(boxes, i, x, y, z)
    rows = int(min(b[0], float(total)))
    columns = int(min(c[0], float(total)))
    while rows * columns > total or cut(boxes, b, rows, c, columns) > FULL * total:
        if rows > columns:
            rows = rows // 2
        else:
            columns = columns // 2
    boxes.cells[0], boxes.cells[1] = rows, columns
    return rows * columns


@kernel
def slots_along(boxes: BoxSweep, axis: int) -> Vec:
    """Say how many boxes fit beside each other along an axis, by some of them.

    Returns that, at least 1, where they begin, and how far they go.
    """
    count = rank(boxes, axis, -1.0)
    if count == 0:
        return (1.0, 0.0, 1.0)
    size = boxes.some[count // 2]
    rank(boxes, axis, 1.0)
    begin = 0.5 * boxes.some[count // 20]
    span = 0.5 * boxes.some[count - 1 - count // 20] - begin
    if not span > size:
        return (1.0, begin, 1.0)
    most = float(boxes.total)
    return (span / size if span < most * size else most, begin, span)


@kernel
def rank(boxes: BoxSweep, axis: int, sign: float) -> int:
    """Sort upper ends plus, or minus, lower ends of some boxes; return of how many."""
    some = boxes.some
    step = 1 + boxes.total // SOME
    count = 0
    for k in range((boxes.total + step - 1) // step):
        if reach_of(boxes, k * step) < FARTHEST:
            p = 3 * k * step + axis
            value = boxes.high[p] + sign * boxes.low[p]
            at = count
            while at > 0 and some[at - 1] > value:
                some[at] = some[at - 1]
                at -= 1
            some[at] = value
            count += 1
    return count


@kernel
def reach_of(boxes: BoxSweep, i: int) -> float:
    """Return the largest coordinate of a box; infinite where that is out of limits."""
    reach = 0.0
    total = 0.0
    for k in range(3 * i, 3 * i + 3):
        reach = max(reach, abs(boxes.low[k]), abs(boxes.high[k]))
        total += boxes.low[k] + boxes.high[k]
    sound = total - total == 0.0 and reach < FARTHEST
    return reach if sound and (reach > NEAREST or reach == 0.0) else inf


@kernel
def lay_out_box(boxes: BoxSweep, i: int, x: int, y: int, z: int) -> None:
    """Write a box with the axes in this order; one out of limits is everywhere."""
    box = boxes.box
    reach = reach_of(boxes, i)
    sound = reach < FARTHEST
    p = SIZE * i
    q = 3 * i
    box[p] = boxes.low[q + x] if sound else -inf
    box[p + 1] = boxes.low[q + y] if sound else -inf
    box[p + 2] = boxes.low[q + z] if sound else -inf
    box[p + 3] = boxes.high[q + x] + boxes.margin if sound else inf
    box[p + 4] = boxes.high[q + y] + boxes.margin if sound else inf
    box[p + 5] = boxes.high[q + z] + boxes.margin if sound else inf
    ball = boxes.radius[i] + 0.5 * boxes.margin
    box[p + 6] = ball + ROUNDED * (ball + reach)
    boxes.key[i] = box[p]


@kernel
def cut(boxes: BoxSweep, b: Vec, rows: int, c: Vec, columns: int) -> int:
    """Write in which cells boxes lie; return in how many all of them together."""
    box = boxes.box
    cell = boxes.cell
    members = 0
    for i in range(boxes.total):
        p = SIZE * i
        cell[4 * i] = cell_of(box[p + 1], b, rows)
        cell[4 * i + 1] = cell_of(box[p + 4], b, rows)
        cell[4 * i + 2] = cell_of(box[p + 2], c, columns)
        cell[4 * i + 3] = cell_of(box[p + 5], c, columns)
        high = cell[4 * i + 1] - cell[4 * i] + 1
        members += high * (cell[4 * i + 3] - cell[4 * i + 2] + 1)
    return members


@kernel
def cell_of(at: float, slots: Vec, count: int) -> int:
    """Return the cell of a coordinate; the outer ones reach to infinity."""
    place = (at - slots[1]) * (float(count) / slots[2])
    if not place > 0.0:
        return 0
    return int(place) if place < float(count) else count - 1


@kernel
def sweep_boxes(boxes: BoxSweep) -> int:
    """List the pairs that are near, ``i < j``, in ascending order; return how many.

    Where room is short, only that.  A pair is found in the first cell that both lie in.
    Cost: O(B + P), P the pairs that overlap along the first axis in a common cell.
    """
    fill_cells(boxes)
    box = boxes.box
    cell = boxes.cell
    member = boxes.member
    columns = boxes.cells[1]
    found = 0
    begin = 0
    for s in range(boxes.cells[0] * columns):
        end = boxes.start[s]  # filled
        for k in range(begin, end):
            i = member[k]
            p = SIZE * i
            x = box[p + 3]
            for m in range(k + 1, end):
                j = member[m]
                q = SIZE * j
                if box[q] > x:
                    break
                if box[q + 1] > box[p + 4] or box[q + 4] < box[p + 1]:
                    continue
                if box[q + 2] > box[p + 5] or box[q + 5] < box[p + 2]:
                    continue
                row = max(cell[4 * i], cell[4 * j])
                at = row * columns + max(cell[4 * i + 2], cell[4 * j + 2])
                if at != s or are_apart(box, p, q):
                    continue
                if found < boxes.room:
                    boxes.pairs[2 * found] = min(i, j)
                    boxes.pairs[2 * found + 1] = max(i, j)
                found += 1
        begin = end
    if found <= boxes.room:
        sort_pairs(boxes, boxes.pairs, boxes.spare, found, 1)
        sort_pairs(boxes, boxes.spare, boxes.pairs, found, 0)
    return found


@kernel
def are_apart(box: Floats, p: int, q: int) -> bool:
    """Say whether the balls about two boxes are farther apart than the margin."""
    x = box[p] + box[p + 3] - (box[q] + box[q + 3])
    y = box[p + 1] + box[p + 4] - (box[q + 1] + box[q + 4])
    z = box[p + 2] + box[p + 5] - (box[q + 2] + box[q + 5])
    reach = 2.0 * (box[p + 6] + box[q + 6])
    return x * x + y * y + z * z > reach * reach


@kernel
def fill_cells(boxes: BoxSweep) -> None:
    """List the members of every cell in order: counted, then put in their places."""
    start = boxes.start
    cell = boxes.cell
    columns = boxes.cells[1]
    count = boxes.cells[0] * columns
    for s in range(count):
        start[s] = 0
    for turn in range(2):
        for k in range(boxes.total):
            i = boxes.order[k]
            for row in range(cell[4 * i], cell[4 * i + 1] + 1):
                at = row * columns
                for s in range(at + cell[4 * i + 2], at + cell[4 * i + 3] + 1):
                    if turn == 1:
                        boxes.member[start[s]] = i
                    start[s] += 1
        if turn == 0:
            add_up(start, count)


@kernel
def add_up(start: Ints, count: int) -> None:
    """Turn the sizes of lists into where they begin."""
    total = 0
    for s in range(count):
        size = start[s]
        start[s] = total
        total += size


@kernel
def sort_pairs(boxes: BoxSweep, given: Ints, to: Ints, found: int, side: int) -> None:
    """Sort pairs by one of their bodies; those of one body stay in order."""
    start = boxes.start
    for i in range(boxes.total):
        start[i] = 0
    for k in range(found):
        start[given[2 * k + side]] += 1
    add_up(start, boxes.total)
    for k in range(found):
        i = given[2 * k + side]
        to[2 * start[i]] = given[2 * k]
        to[2 * start[i] + 1] = given[2 * k + 1]
        start[i] += 1


class PlacedBodies(NamedTuple):
    """The bodies of a table, and room for their boxes in the world."""

    bodies: tuple[BodyView, ...]
    total: int  # B
    placed: Ints  # B
    far: Floats  # B: of those that signs show convex, see ``Proofs``; taken from here
    low: Floats  # 3 B
    high: Floats  # 3 B
    radius: Floats  # B: about the middle of each box


@kernel
def place_bodies(boxes: PlacedBodies) -> int:
    """Say which bodies are placed in the world; return how many."""
    found = 0
    for k in range(boxes.total):
        renew(boxes.bodies[k], boxes.far[k])
        boxes.far[k] = 0.0
        boxes.placed[k] = 1 if is_placed(boxes.bodies[k]) else 0
        found += boxes.placed[k]
    return found


@kernel
def bound_bodies(boxes: PlacedBodies) -> int:
    """Bound every body in the world; what is not finite leaves no number; return 0."""
    for k in range(boxes.total):
        side = boxes.bodies[k]
        shift = (side.pose[3], side.pose[7], side.pose[11])
        lowest = place(side.points, side.pose, shift, 0)
        highest = lowest
        total = 0.0
        for v in range(side.size):
            p = place(side.points, side.pose, shift, v)
            total += (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2])
            lowest = least(lowest, p)
            highest = most(highest, p)
        put(boxes.low, 3 * k, plus(lowest, (total, total, total)))
        put(boxes.high, 3 * k, plus(highest, (total, total, total)))
        boxes.radius[k] = radius_of(side, boxes.low, boxes.high, 3 * k)
    return 0


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

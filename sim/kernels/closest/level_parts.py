"""Parts that are level within what positions can tell: other names, the same answer.

Where every vertex may be off by r, no two heights within 8 r of each other are known to
differ.  Distance, points and bounds stay those of the positions as they stand; what is
level over the patch that both parts have in common is named with them.
"""

from math import sqrt

from sim.kernels.closest.measure import face_normal, lift, name_corners, side_height
from sim.kernels.closest.naming import name_members
from sim.kernels.closest.outline import across, area_of, lay
from sim.kernels.closest.patch import CROSSING, overlap
from sim.kernels.closest.support_feature import (
    area_vector,
    confirmed,
    covered,
    plateau,
    push,
)
from sim.kernels.language import Vec, kernel
from sim.kernels.vector import HERE, back, dot, place, pull, unit
from sim.kernels.workspace import BodyView, Part, Workspace, origin_of

FACING = 0.99  # cosine: a face that looks farther away is never level
ROUNDS = 8  # of naming level parts along their own normal
LEVER = 64.0  # by how much more than over the patch a part may be off over all of it
INFINITE = float("inf")


@kernel
def height_over(side: BodyView, origin: Vec, part: Part, n: Vec, at: Vec) -> float:
    """Return the height of a part over a point of the plane across n.

    ``at``: two coordinates in that plane.  Of an area that of its mean plane.
    """
    if part.dimension == 0:
        return side.corners[2]
    if part.dimension == 1:
        return side_height(side, 0, at[0], at[1])
    count = side.mark[side.size]
    x, y, z = HERE
    for m in range(count):
        p = place(side.points, side.pose, origin, side.members[m])
        x, y, z = x + p[0], y + p[1], z + p[2]
    c = (x / count, y / count, z / count)
    u, v = across(n)
    w = face_normal(side, part.faces)
    off = dot(w, u) * (at[0] - dot(c, u)) + dot(w, v) * (at[1] - dot(c, v))
    return dot(c, n) - off / dot(w, n)


@kernel
def lay_patch(a: BodyView, b: BodyView, slack: float, pair: Workspace) -> int:
    """Write where the named parts face each other, in the plane across the normal."""
    result = pair.result
    n = result.normal
    count_a, round_a = lay(a, HERE, result.part_a, n, 0, slack)
    count_b, round_b = lay(b, origin_of(a, b), result.part_b, n, 1, slack)
    return overlap(a, count_a, b, count_b, round_a and round_b, slack, pair)


@kernel
def is_wide(count: int, drop: float, pair: Workspace) -> bool:
    """Say whether the patch of two areas is wider than what is level: else it is none.

    Its corners are in order.
    """
    patch = pair.patch
    area = 0.0
    longest = 0.0
    for k in range(1, count - 1):
        ex = patch[4 * k] - patch[0]
        ey = patch[4 * k + 1] - patch[1]
        fx = patch[4 * k + 4] - patch[0]
        fy = patch[4 * k + 5] - patch[1]
        area += 0.5 * (ex * fy - ey * fx)
        longest = max(longest, ex * ex + ey * ey, fx * fx + fy * fy)
    return area > drop * sqrt(longest)


@kernel
def gaps(a: BodyView, b: BodyView, count: int, pair: Workspace) -> tuple[float, float]:
    """Return the least and the greatest gap at so many corners of the patch.

    Along the normal; of what lies beside the other part as far as it is.
    """
    result = pair.result
    n = result.normal
    origin = origin_of(a, b)
    least = INFINITE
    most = -INFINITE
    for k in range(count):
        i = pair.labels[4 * k + 1]
        j = pair.labels[4 * k + 2]
        s = pair.patch[4 * k]
        t = pair.patch[4 * k + 1]
        miss = pair.patch[4 * k + 3]
        if pair.labels[4 * k] == CROSSING:
            low = side_height(a, i, s, t)
            high = side_height(b, j, s, t)
        elif i >= 0:
            low = a.corners[3 * i + 2]
            high = height_over(b, origin, result.part_b, n, (s, t, 0.0))
        else:
            low = height_over(a, HERE, result.part_a, n, (s, t, 0.0))
            high = b.corners[3 * j + 2]
        gap = high - low
        if miss > 0.0 and gap >= 0.0:
            gap = sqrt(gap * gap + miss * miss)
        least = min(least, gap)
        most = max(most, gap)
    return least, most


@kernel
def is_plain(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Say whether no more is level than what is named: nearly always."""
    result = pair.result
    depth = LEVER * pair.heights[0]
    d = pull(a.pose, result.normal)
    e = pull(b.pose, back(result.normal))
    beside_a, _ = confirmed(a, d, depth, 0.0, 0.0, result)
    beside_b, _ = confirmed(b, e, depth, 0.0, 0.0, result)
    return beside_a == -1 and beside_b == -1


@kernel
def seed_of(side: BodyView, part: Part) -> tuple[int, int, int]:
    """Return two vertices of a named part, or one twice, and a face of it, or -1."""
    last = side.mark[side.size] - 1 if part.dimension == 1 else 0
    face = side.faces[0] if part.dimension == 2 else -1
    return side.members[0], side.members[last], face


@kernel
def spread_out(
    side: BodyView, seed: tuple[int, int, int], d: Vec, part: Part, pair: Workspace
) -> bool:
    """Name what is level around a seed; edges that are in line within that as well.

    False where that is less than what was named.
    """
    drop = pair.heights[0]
    count = plateau(side, seed[0], d, drop, INFINITE, pair.result)
    if count < 1 or name_members(side, count, part, drop) < 0:
        return False
    if seed[2] >= 0:
        return part.dimension == 2 and covered(side, seed[2])
    return side.mark[seed[1]] == 1


@kernel
def level_on(
    a: BodyView,
    b: BodyView,
    seeds: tuple[tuple[int, int, int], tuple[int, int, int]],
    way: Vec,
    pair: Workspace,
) -> int:
    """Name what is level along a direction; return the corners of its patch.

    0 where that is not level, or is less than what was named.
    """
    result = pair.result
    drop = pair.heights[0]
    d = pull(a.pose, way)
    e = pull(b.pose, back(way))
    if not (
        spread_out(a, seeds[0], d, result.part_a, pair)
        and spread_out(b, seeds[1], e, result.part_b, pair)
    ):
        return 0
    count = lay_patch(a, b, drop, pair)
    areas = result.part_a.dimension + result.part_b.dimension == 4
    if count == 0 or (areas and not is_wide(count, drop, pair)):
        return 0
    least, most = gaps(a, b, count, pair)
    d0 = result.distance
    return count if most <= d0 + drop and least >= d0 - drop else 0


@kernel
def widest_normal(a: BodyView, b: BodyView, pair: Workspace) -> Vec:
    """Return the normal of the wider level area; zero where there is none."""
    n = m = HERE
    if pair.result.part_a.dimension == 2:
        n = push(a.pose, area_vector(a, a.faces, pair.result.part_a.faces))
    if pair.result.part_b.dimension == 2:
        m = back(push(b.pose, area_vector(b, b.faces, pair.result.part_b.faces)))
    return unit(n if dot(n, n) >= dot(m, m) else m)


@kernel
def widen(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Name the parts of an answer that are level; 0 where they are no more than named.

    Tried are the normal, those of the faces at the parts, and of what is level then:
    the wider, the better it is known.  The patch, its corners and the parts are
    written, nothing else; what was named is lost.  Cost: O(parts), and their faces.
    """
    if is_plain(a, b, pair):
        return 0
    pair.result.known = 0
    result = pair.result
    one = result.part_a
    two = result.part_b
    seeds = (seed_of(a, one), seed_of(b, two))
    members = a.mark[a.size] + b.mark[b.size]
    n = result.normal
    chosen = n
    best = one.dimension + two.dimension if level_on(a, b, seeds, n, pair) > 0 else -1
    for turn in range(2):
        side = a if turn == 0 else b
        v = seeds[0][0] if turn == 0 else seeds[1][0]
        for k in range(side.start[v], side.start[v + 1]):
            way = unit(push(side.pose, area_of(side, side.star_face[k])))
            if turn == 1:
                way = back(way)
            if best < 4 and dot(way, n) >= FACING:
                found = level_on(a, b, seeds, way, pair)
                if found > 0 and one.dimension + two.dimension > best:
                    best = one.dimension + two.dimension
                    chosen = way
    if best < 0 or level_on(a, b, seeds, chosen, pair) == 0:
        return 0
    for _ in range(ROUNDS):
        known = a.mark[a.size] + b.mark[b.size]
        way = widest_normal(a, b, pair)
        if way == HERE or level_on(a, b, seeds, way, pair) == 0:
            break
        if a.mark[a.size] + b.mark[b.size] <= known:
            break
        chosen = way
    count = level_on(a, b, seeds, chosen, pair)
    if a.mark[a.size] + b.mark[b.size] <= members:
        return 0
    result.corners = count
    lift(a, b, origin_of(a, b), (result.distance, result.distance), pair)
    name_corners(a, b, count, pair)
    return count


@kernel
def measure_held(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Measure the gaps of parts that are named; 0 where they no longer face each other.

    Beside each other by no more than is level.
    """
    count = lay_patch(a, b, pair.heights[0], pair)
    least, most = gaps(a, b, count, pair)
    pair.heights[1] = least
    pair.heights[2] = most
    return count

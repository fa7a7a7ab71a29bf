"""Whether two surfaces that touch share their insides, where no crossing is sure.

An edge that enters through a rim or a corner, to rounding, pierces none of the
triangles there beyond doubt, yet it is inside a moment later; and what runs exactly
along the other surface pierces nothing at all.
"""

from sim.kernels import layout
from sim.kernels.language import Vec, kernel
from sim.kernels.surface.boxes import enters, place_all, refit, top_along
from sim.kernels.surface.inside import UP, is_within, nearest_to, on_triangle, put_point
from sim.kernels.surface.nearest import descend
from sim.kernels.surface.piercing import across_triangle, corner, ids_at, orientation
from sim.kernels.vector import HERE, along, back, dot, length, minus, point, unit
from sim.kernels.workspace import BodyView, Tree, TreeSearch, Workspace, origin_of

BESIDE = 1e-6  # per unit of size: an edge may enter this far beside a triangle
LITTLE = 4e-16  # per unit of size: with the allowance less than a touch
UNDER = 1e-6  # per unit of size: how far under a triangle a point is asked about


@kernel
def is_in(
    a: Tree, x: Vec, b: Tree, sense: int, n: Vec, off: float, search: TreeSearch
) -> int:
    """Say whether a point lies deeper than ``off`` in B: 1 yes, -1 no, 0 unsure.

    ``sense`` is the orientation of B, ``n`` the axis to which both are turned.
    """
    put_point(a, x, n)
    p = point(a.turned, a.size)
    pad = search.state.pad
    if not enters(p, p, off - 0.125 * pad, b.boxes, 0):
        return -1
    enough = off * off
    near = 2.0 * enough + pad * pad
    square, _, _ = nearest_to(a, a.size, b, enough, near, pad, search.stack)
    if not square > enough:
        return -1
    return is_within(a, a.size, b, sense, search.stack)


@kernel
def passes(p: Vec, q: Vec, b: Tree, t: int, size: float) -> tuple[bool, float]:
    """Say whether a segment may pass a triangle, or beside it, and at which share."""
    at = corner(b, t, 0)
    u = minus(p, at)
    v = minus(q, at)
    n = unit(across_triangle(b, ids_at(b, t)))
    one = dot(u, n)
    two = dot(v, n)
    if one == two or not max(abs(one), abs(two)) > layout.TOUCH * size:
        return False, 0.0
    share = min(max(one / (one - two), 0.0), 1.0)
    x = along(p, share, minus(q, p))
    square, _ = on_triangle(x, b, t)
    return square <= BESIDE * BESIDE * size * size, share


@kernel
def next_pass(
    a: Tree, k: int, b: Tree, after: float, size: float, search: TreeSearch
) -> tuple[bool, float]:
    """Say whether the k-th segment of A may pass B from a share on, and where next.

    Returns the least share beyond ``after``, 1 where there is none.
    """
    p = point(a.placed, a.segment[2 * k])
    q = point(a.placed, a.segment[2 * k + 1])
    turned = point(a.turned, a.segment[2 * k])
    way = minus(point(a.turned, a.segment[2 * k + 1]), turned)
    begin = along(turned, after, way)
    end = along(turned, 1.0, way)
    pad = search.state.pad + BESIDE * size
    stack = search.stack
    stack[0] = 0
    top = 1
    met = False
    share = 1.0
    while top > 0:
        top -= 1
        node = stack[top]
        if not enters(begin, end, -pad, b.boxes, node):
            continue
        if node < b.leaves - 1:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        leaf = node - (b.leaves - 1)
        for t in range(b.triangle_start[leaf], b.triangle_start[leaf + 1]):
            may, at = passes(p, q, b, t, size)
            if may and at >= after:
                met = True
                if after < at < share:
                    share = at
                    end = along(turned, share, way)
    return met, share


@kernel
def edges_stay_out(
    a: Tree, b: Tree, sense: int, n: Vec, size: float, search: TreeSearch
) -> bool:
    """Say whether no part of an edge of A runs inside B, for sure.

    Every place where it may pass a triangle, or beside one, divides it; the middles of
    its parts are asked.  ``sense`` is the orientation of B.
    """
    off = layout.TOUCH * size
    for k in range(a.segment_start[a.leaves]):
        p = point(a.placed, a.segment[2 * k])
        way = minus(point(a.placed, a.segment[2 * k + 1]), p)
        begin = 0.0
        met, end = next_pass(a, k, b, begin, size, search)
        while met and begin < 1.0:
            x = along(p, 0.5 * (begin + end), way)
            if is_in(a, x, b, sense, n, off, search) >= 0:
                return False
            begin = end
            if begin < 1.0:
                _, end = next_pass(a, k, b, begin, size, search)
    return sense != 0


@kernel
def insides_stay_out(
    a: Tree,
    b: Tree,
    sense_a: int,
    sense_b: int,
    n: Vec,
    size: float,
    search: TreeSearch,
) -> bool:
    """Say whether no point just under a triangle of A lies in B, for sure.

    What edges do not tell that run exactly along the other's faces, up to two copies of
    one body in one place.
    """
    for t in range(a.triangle_start[a.leaves]):
        x = HERE
        for k in range(3):
            x = along(x, 1.0 / 3.0, corner(a, t, k))
        outward = unit(across_triangle(a, ids_at(a, t)))
        x = along(x, -sense_a * UNDER * size, outward)
        if (
            is_in(a, x, b, sense_b, n, 0.0, search) >= 0
            and is_in(b, x, a, sense_a, n, 0.0, search) >= 0
        ):
            return False
    return sense_a != 0 and sense_b != 0


@kernel
def solids_part(a: Tree, b: Tree, n: Vec, size: float, search: TreeSearch) -> bool:
    """Say whether bodies that touch share nothing of their insides, for sure.

    Both are placed, and no edge pierces a triangle for sure.  ``n`` is any unit vector:
    along it boxes are thin where it is the way between the surfaces.
    """
    if not length(n) > 0.5:
        n = UP
    refit(a, n)
    refit(b, n)
    sense_a = orientation(a)
    sense_b = orientation(b)
    return (
        edges_stay_out(a, b, sense_b, n, size, search)
        and edges_stay_out(b, a, sense_a, n, size, search)
        and insides_stay_out(a, b, sense_a, sense_b, n, size, search)
        and insides_stay_out(b, a, sense_b, sense_a, n, size, search)
    )


@kernel
def depth_along(
    a: BodyView, b: BodyView, n: Vec, size: float, pair: Workspace
) -> float:
    """Return how deep surfaces may overlap along n, what placing rounds included.

    B moves until, by exact signs, no edge pierces a triangle; where no step is enough,
    as of a tight peg, all that overlaps along n is told.
    """
    state = pair.search.state
    shift = 0.0  # then three that may certify, and two
    refit(a.tree, n)
    for _ in range(6):
        place_all(b.points, b.pose, along(origin_of(a, b), shift, n), b.tree)
        refit(b.tree, n)
        state.pierced = -1
        descend(a.tree, b.tree, state.limit, -1.0, pair.search)
        if state.pierced < 0:
            return max(layout.TOUCH * size, shift + layout.ALLOWANCE * size)
        shift = 2.0 * shift + LITTLE * size
    return shift + top_along(a.tree, n) + top_along(b.tree, back(n))

"""What surfaces answer that touch, or all but touch, and which of several places."""

from sim.kernels import layout
from sim.kernels.closest.answer import certify
from sim.kernels.language import Ints, Vec, kernel
from sim.kernels.surface.boxes import are_parted
from sim.kernels.surface.found import (
    answer_plainly,
    best_pair,
    bound,
    level_around,
    measured_around,
    tells,
)
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.piercing import across_triangle, ids_at, orientation, shared
from sim.kernels.surface.shared_inside import depth_along, solids_part
from sim.kernels.surface.ties import Key, crowded, feature, fits, pair_of, take_tie
from sim.kernels.vector import HERE, along, back, dot, minus, point, reach_of, unit
from sim.kernels.workspace import FRESH, KEY, BodyView, Tree, TreeSearch, Workspace

OTHER_PLACE = 1e-6  # per unit of size: as near, but at another place


@kernel
def marked(side: BodyView, ids: Key) -> bool:
    """Say whether all vertices of a feature are members of the named part."""
    mark = side.mark
    if mark[ids[0]] == 0:
        return False
    if ids[1] >= 0 and mark[ids[1]] == 0:
        return False
    return ids[2] < 0 or mark[ids[2]] == 1


@kernel
def is_elsewhere(a: BodyView, b: BodyView, k: int, pair: Workspace) -> bool:
    """Say whether the k-th of the equally near pairs is not the answer's own place."""
    ids_a, ids_b = pair_of(pair.search.ties, KEY * k)
    if marked(a, ids_a) and marked(b, ids_b):
        return False
    result = pair.result
    p, q = nearest_points(a.tree, b.tree, pair.search.ties, KEY * k)
    off = reach_of(minus(p, result.point_a), minus(q, result.point_b))
    return off > OTHER_PLACE * result.size


@kernel
def rank(search: TreeSearch, keys: Ints, at: int) -> int:
    """Say how well a named pair fits to the parts to stay at; 0 where not at all.

    By the side that fits less; parts beside each other share vertices, so a place that
    only meets them counts less.  Then a triangle is better: it knows its normal.
    """
    fit = fits(search, keys, at)
    ids_a, ids_b = pair_of(keys, at)
    flat = feature(ids_a) == 3 or feature(ids_b) == 3
    return 2 * fit + 1 if fit > 0 and flat else 2 * fit


@kernel
def move_to_other_minimum(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Look for other places that are equally near; say if the answer moves to one.

    To last frame's: where the closest points are not unique they stay.
    """
    search = pair.search
    others = 1 if crowded(search) else 0
    kin = -1
    most = rank(search, search.best, 0)
    for k in range(search.state.ties):
        if is_elsewhere(a, b, k, pair):
            others = 1
            fit = rank(search, search.ties, KEY * k)
            if fit > most:
                kin = k
                most = fit
    search.state.others = others
    if kin < 0:
        return False
    take_tie(search, kin)
    return True


BEYOND = 1e-8  # per unit of size: what stands higher above a part, it has no summit
APART = 1e-3  # per unit of size: what overlaps more along a normal, no plane parts


@kernel
def climb(tree: Tree, ids: Key, n: Vec) -> float:
    """Return how much the steeper triangle at a segment climbs along a unit vector."""
    v, w, _ = ids
    p = point(tree.placed, v)
    most = -1.0
    for m in range(tree.leaf_start[v], tree.leaf_start[v + 1]):
        leaf = tree.leaf[m]
        for t in range(tree.triangle_start[leaf], tree.triangle_start[leaf + 1]):
            count, rest = shared(tree, t, v, w, -1)
            if count == 2:
                most = max(most, dot(unit(minus(point(tree.placed, rest), p)), n))
    return most


@kernel
def turned_outward(a: BodyView, b: BodyView, n: Vec, pair: Workspace) -> Vec:
    """Return the normal of a touching pair, the way its triangle or ridges look.

    0 where it runs into the triangles at a ridge: two touch there at an end of one.
    """
    ids_a, ids_b = pair_of(pair.search.best, 0)
    if feature(ids_a) == 3:
        ahead = orientation(a.tree) * dot(across_triangle(a.tree, ids_a), n)
    elif feature(ids_b) == 3:
        ahead = -orientation(b.tree) * dot(across_triangle(b.tree, ids_b), n)
    else:
        for _ in range(2):
            if max(climb(a.tree, ids_a, n), climb(b.tree, ids_b, back(n))) <= BEYOND:
                return n
            n = back(n)
        return HERE
    return back(n) if ahead < 0.0 else n


@kernel
def level_there(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Say whether level parts around the best pair, parted or not, meet as near."""
    result = pair.result
    guide, d, size = best_pair(a, b, pair)
    slack = layout.RELATIVE * d + 0.25 * layout.ABSOLUTE * size
    if not d > layout.TOUCH * size:
        if not tells(a, b, pair.search.best, 0):
            return False
        guide = turned_outward(a, b, guide, pair)
        if guide == HERE:
            return False
        slack = pair.tolerance * size  # parts are no more level than that
    return (
        measured_around(a, b, guide, size, pair)
        and not result.miss > 0.0
        and abs(result.distance - d) <= slack
    )


@kernel
def level_nearby(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Measure the level parts around the best pair, else around others as near by name.

    The best pair is then the one that did, or stays.
    """
    search = pair.search
    for k in range(KEY):
        search.ties[KEY * FRESH + k] = search.best[k]
    found = level_there(a, b, pair)
    for k in range(search.state.ties):
        if not found and tells(a, b, search.ties, KEY * k):
            take_tie(search, k)
            found = level_there(a, b, pair)
    if not found:
        take_tie(search, FRESH)
    return found


@kernel
def parts_hold(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Certify level parts that no vertex stands beyond: rings may not have looked."""
    pad = (BEYOND + 4.0 * pair.tolerance) * pair.result.size
    return are_parted(a.tree, b.tree, pair.result.normal, -pad) and certify(a, b, pair)


@kernel
def parted_there(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Name and measure the level parts around the best pair, if a plane parts them."""
    result = pair.result
    guide, d, size = best_pair(a, b, pair)
    slack = layout.RELATIVE * d + 0.25 * layout.ABSOLUTE * size
    for turn in range(2):
        # So near, the points do not tell which of the bodies is ahead.
        n = guide if turn == 0 else back(guide)
        if (
            are_parted(a.tree, b.tree, n, -APART * size)
            and measured_around(a, b, n, size, pair)
            and not result.miss > 0.0
            and abs(result.distance - d) <= slack
            and parts_hold(a, b, pair)
        ):
            return True
    # Nor does the way between coincident points tell anything: a feature does.
    if level_nearby(a, b, pair) and parts_hold(a, b, pair):
        return True
    return parted_by_face(a, b, pair)


@kernel
def look_of(tree: Tree, t: int, keys: Ints, at: int) -> Vec:
    """Return the outward unit normal of a triangle at a named feature, 0 of others."""
    count, _ = shared(tree, t, keys[at], keys[at + 1], keys[at + 2])
    return HERE if count == 0 else unit(across_triangle(tree, ids_at(tree, t)))


@kernel
def end_along(tree: Tree, keys: Ints, at: int, n: Vec) -> int:
    """Return the vertex of a named feature that is farthest along a direction."""
    end = keys[at]
    for k in range(1, 3):
        v = keys[at + k]
        if v >= 0 and dot(minus(point(tree.placed, v), point(tree.placed, end)), n) > 0:
            end = v
    return end


@kernel
def parted_by_face(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Name and measure level parts along a face at the best pair that parts the bodies.

    Where faces lie on each other rim on rim all that touches are edges, and those in
    the plane are parallel: no pair of them tells its normal.
    """
    ta = a.tree
    tb = b.tree
    search = pair.search
    _, d, size = best_pair(a, b, pair)
    slack = layout.RELATIVE * d + 0.25 * layout.ABSOLUTE * size
    drop = pair.tolerance * size
    sense_a = orientation(ta)
    sense_b = -orientation(tb)
    count = ta.triangle_start[ta.leaves]
    n = HERE
    for t in range(count + tb.triangle_start[tb.leaves]):
        if t < count:
            way = along(HERE, sense_a, look_of(ta, t, search.best, 0))
        else:
            way = along(HERE, sense_b, look_of(tb, t - count, search.best, KEY // 2))
        known = dot(way, n) > 1.0 - 1e-15  # a fan has hundreds
        if way == HERE or known or not are_parted(ta, tb, way, -APART * size):
            continue
        n = way
        ends = (
            end_along(ta, search.best, 0, n),
            end_along(tb, search.best, KEY // 2, back(n)),
        )
        if (
            level_around(a, b, ends, n, drop, True, pair)
            and not pair.result.miss > 0.0
            and abs(pair.result.distance - d) <= slack
            and parts_hold(a, b, pair)
        ):
            return True
    return False


@kernel
def unparted_there(a: BodyView, b: BodyView, pair: Workspace) -> bool:
    """Name and measure what touches around the best pair, where no plane parts it.

    Of surfaces that share no insides: the distance is not negative.  Level parts around
    the pair first, then around others as near by name, else the pair itself.  Says
    False where no pair that is as near defines a normal.
    """
    result = pair.result
    found = level_nearby(a, b, pair)
    guide, d, size = best_pair(a, b, pair)
    if not found and not d > layout.TOUCH * size:
        return False
    if not found:
        pair.result.size = size
        answer_plainly(a, b, guide, pair)
    if found and not d > layout.TOUCH * size:
        # Level but for their last bits, parts do not know how near they are: pairs do.
        result.distance = d
        result.point_b = along(result.point_a, d, result.normal)
    bound(d, size, pair)
    return True


@kernel
def touch(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer for surfaces that touch, or all but touch; return the status.

    UNPROVEN where they share their insides, or even that is unsure: so shallow, only
    a comparison of all pairs tells which of the faces that tie to rounding is left.
    """
    search = pair.search
    result = pair.result
    parted = parted_there(a, b, pair)
    if parted and move_to_other_minimum(a, b, pair):
        parted = parted_there(a, b, pair)
    if not parted:
        guide, d, size = best_pair(a, b, pair)
        least = layout.TOUCH * size
        known = d > least or tells(a, b, search.best, 0)
        if known and search.pair_only == 1:
            return layout.UNPROVEN  # whether they part changes no pair
        if d > least and depth_along(a, b, guide, size, pair) > least:
            return layout.OVERLAP  # however coordinates are rounded
        parts = solids_part(a.tree, b.tree, guide, size, search)
        named = parts and unparted_there(a, b, pair)
        if named and move_to_other_minimum(a, b, pair):
            named = unparted_there(a, b, pair)
        if not named:
            return layout.UNPROVEN
    if search.state.others == 1:
        pair.result.parallel = 1
    limit = layout.TOUCH * result.size
    allowance = layout.ALLOWANCE * result.size
    if not parted and search.pair_only == 0 and result.lower <= limit - allowance:
        result.lower = -depth_along(a, b, result.normal, result.size, pair)
        if result.lower < -limit:  # they do cross
            result.upper = min(result.upper, max(result.distance, allowance))
    if result.lower >= -limit and result.upper <= limit:
        pair.result.distance = 0.0
        pair.result.point_b = pair.result.point_a
    pair.result.known = 1 if parted else 0
    return layout.CERTIFIED if parted else layout.SEARCHED

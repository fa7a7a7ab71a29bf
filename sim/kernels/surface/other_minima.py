"""Whether two surfaces are as near to each other at other places, and which to keep."""

from sim.kernels.language import Ints, kernel
from sim.kernels.surface.boxes import KEY, Tree, TreeSearch
from sim.kernels.surface.nearest import nearest_points
from sim.kernels.surface.ties import Key, crowded, feature, fits, pair_of, take_tie
from sim.kernels.vector import minus, reach_of
from sim.kernels.workspace import BodyView, Workspace

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
def is_elsewhere(
    a: BodyView,
    b: BodyView,
    ta: Tree,
    tb: Tree,
    search: TreeSearch,
    k: int,
    pair: Workspace,
) -> bool:
    """Say whether the k-th of the equally near pairs is not the answer's own place."""
    ids_a, ids_b = pair_of(search.ties, KEY * k)
    if marked(a, ids_a) and marked(b, ids_b):
        return False
    result = pair.result
    p, q = nearest_points(ta, tb, search.ties, KEY * k)
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
def move_to_other_minimum(
    a: BodyView, b: BodyView, ta: Tree, tb: Tree, search: TreeSearch, pair: Workspace
) -> bool:
    """Look for other places that are equally near; say if the answer moves to one.

    To last frame's: where the closest points are not unique they stay.
    """
    others = 1 if crowded(search) else 0
    kin = -1
    most = rank(search, search.best, 0)
    for k in range(search.state.ties):
        if is_elsewhere(a, b, ta, tb, search, k, pair):
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

"""What surfaces answer that touch, or all but touch: across a plane, or beside none."""

from sim.kernels import layout
from sim.kernels.closest.answer import certified
from sim.kernels.language import Vec, kernel
from sim.kernels.surface.elsewhere import look_elsewhere
from sim.kernels.surface.entering import solids_share
from sim.kernels.surface.found import answer_plainly, best_pair, bound, measured_around
from sim.kernels.surface.telling import take_next, tells, turned_outward
from sim.kernels.surface.tree import Tree
from sim.kernels.surface.tree_search import KEY, OTHERS, TIES, TreeSearch
from sim.kernels.vector import along, back
from sim.kernels.view import BodyView
from sim.kernels.workspace import Workspace


@kernel
def level_there(
    a: BodyView,
    b: BodyView,
    origin: Vec,
    ta: Tree,
    tb: Tree,
    search: TreeSearch,
    pair: Workspace,
) -> bool:
    """Name and measure the level parts around the best pair, parted by a plane or not.

    Says whether they meet as near as the pair does.
    """
    result = pair.result
    guide, d, size = best_pair(ta, tb, origin, search)
    if not d > layout.TOUCH * size:
        if not tells(ta, tb, search.best, 0):
            return False
        guide = turned_outward(ta, tb, search, guide)
    slack = layout.RELATIVE * d + 0.25 * layout.ABSOLUTE * size
    if not d > layout.TOUCH * size:
        slack = pair.tolerance * size  # parts are no more level than that
    return (
        measured_around(a, b, origin, search, guide, size, pair)
        and not result.miss > 0.0
        and abs(result.distance - d) <= slack
    )


@kernel
def level_nearby(
    a: BodyView,
    b: BodyView,
    origin: Vec,
    ta: Tree,
    tb: Tree,
    search: TreeSearch,
    pair: Workspace,
) -> bool:
    """Measure the level parts around the best pair, else around others as near by name.

    The best pair is then the one that did, or stays.
    """
    end = KEY * search.counts[TIES]
    for k in range(KEY):
        search.ties[end + k] = search.best[k]
    found = level_there(a, b, origin, ta, tb, search, pair)
    if not found:
        for k in range(KEY):
            search.best[k] = -1
        while not found and take_next(ta, tb, search):
            found = level_there(a, b, origin, ta, tb, search, pair)
    if not found:
        for k in range(KEY):
            search.best[k] = search.ties[end + k]
    return found


@kernel
def parted_there(
    a: BodyView,
    b: BodyView,
    origin: Vec,
    ta: Tree,
    tb: Tree,
    search: TreeSearch,
    pair: Workspace,
) -> bool:
    """Name and measure the level parts around the best pair, if a plane parts them."""
    result = pair.result
    guide, d, size = best_pair(ta, tb, origin, search)
    slack = layout.RELATIVE * d + 0.25 * layout.ABSOLUTE * size
    for turn in range(2):
        # So near, the points do not tell which of the bodies is ahead.
        n = guide if turn == 0 else back(guide)
        if (
            measured_around(a, b, origin, search, n, size, pair)
            and not result.miss > 0.0
            and abs(result.distance - d) <= slack
            and certified(a, b, pair)
        ):
            return True
    # Nor does the way between coincident points tell anything: a feature does.
    return level_nearby(a, b, origin, ta, tb, search, pair) and certified(a, b, pair)


@kernel
def unparted_there(
    a: BodyView,
    b: BodyView,
    origin: Vec,
    ta: Tree,
    tb: Tree,
    search: TreeSearch,
    pair: Workspace,
) -> bool:
    """Name and measure what touches around the best pair, where no plane parts it.

    Of surfaces that share no insides: the distance is not negative.  Level parts around
    the pair first, then around others as near by name, else the pair itself.  Says
    False where no pair that is as near defines a normal.
    """
    result = pair.result
    found = level_nearby(a, b, origin, ta, tb, search, pair)
    guide, d, size = best_pair(ta, tb, origin, search)
    if not found and not d > layout.TOUCH * size:
        if not tells(ta, tb, search.best, 0):
            for k in range(KEY):
                search.best[k] = -1
            if not take_next(ta, tb, search):
                return False
            guide, d, size = best_pair(ta, tb, origin, search)
        guide = turned_outward(ta, tb, search, guide)
    if not found:
        pair.result.size = size
        answer_plainly(a, b, ta, tb, search, guide, pair)
    if found and not d > layout.TOUCH * size:
        # Level but for their last bits, parts do not know how near they are: pairs do.
        result.distance = d
        result.point_b = along(result.point_a, d, result.normal)
    bound(d, size, search, pair)
    if not d > layout.TOUCH * size:
        # What lies less deep inside was not asked for.
        deep = -layout.TOUCH * result.size
        result.lower = min(result.lower, deep)
    return True


@kernel
def meet(pair: Workspace) -> None:
    """Let the points coincide, at distance 0."""
    result = pair.result
    result.distance = 0.0
    result.point_b = result.point_a


@kernel
def touch(
    a: BodyView,
    b: BodyView,
    origin: Vec,
    ta: Tree,
    tb: Tree,
    search: TreeSearch,
    pair: Workspace,
) -> int:
    """Answer for surfaces that touch, or all but touch; return the status.

    UNPROVEN where they share their insides, or even that is unsure: so shallow, only
    a comparison of all pairs tells which of the faces that tie to rounding is left.
    """
    result = pair.result
    parted = parted_there(a, b, origin, ta, tb, search, pair)
    if parted and look_elsewhere(a, b, ta, tb, search, pair):
        parted = parted_there(a, b, origin, ta, tb, search, pair)
    if not parted:
        guide, _, size = best_pair(ta, tb, origin, search)
        shared = solids_share(ta, tb, guide, size, search)
        named = shared < 0 and unparted_there(a, b, origin, ta, tb, search, pair)
        if named and look_elsewhere(a, b, ta, tb, search, pair):
            named = unparted_there(a, b, origin, ta, tb, search, pair)
        if not named:
            return layout.UNPROVEN
    if search.counts[OTHERS] == 1:
        pair.result.parallel = 1
    limit = layout.TOUCH * result.size
    if result.lower >= -limit and result.upper <= limit:
        meet(pair)
    pair.result.known = 1 if parted else 0
    return layout.CERTIFIED if parted else layout.SEARCHED

"""What surfaces answer that touch, or all but touch: across a plane, or beside none."""

from sim.kernels import layout
from sim.kernels.closest.answer import certified
from sim.kernels.language import Vec, kernel
from sim.kernels.side import Side
from sim.kernels.slate import Slate
from sim.kernels.surface.elsewhere import look_elsewhere
from sim.kernels.surface.entering import solids_share
from sim.kernels.surface.found import answer_plainly, best_pair, bound, measured_around
from sim.kernels.surface.hunt import KEY, OTHERS, TIES, Hunt
from sim.kernels.surface.telling import take_next, tells, turned_outward
from sim.kernels.surface.tree import Tree
from sim.kernels.vector import along, back


@kernel
def level_there(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> bool:
    """Name and measure the level parts around the best pair, parted by a plane or not.

    Says whether they meet as near as the pair does.
    """
    result = slate.result
    guide, d, size = best_pair(ta, tb, origin, hunt)
    if not d > layout.TOUCH * size:
        if not tells(ta, tb, hunt.best, 0):
            return False
        guide = turned_outward(ta, tb, hunt, guide)
    slack = layout.RELATIVE * d + 0.25 * layout.ABSOLUTE * size
    if not d > layout.TOUCH * size:
        slack = slate.tolerance * size  # parts are no more level than that
    return (
        measured_around(a, b, origin, hunt, guide, size, slate)
        and not result.miss > 0.0
        and abs(result.distance - d) <= slack
    )


@kernel
def level_nearby(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> bool:
    """Measure the level parts around the best pair, else around others as near by name.

    The best pair is then the one that did, or stays.
    """
    end = KEY * hunt.counts[TIES]
    for k in range(KEY):
        hunt.ties[end + k] = hunt.best[k]
    found = level_there(a, b, origin, ta, tb, hunt, slate)
    if not found:
        for k in range(KEY):
            hunt.best[k] = -1
        while not found and take_next(ta, tb, hunt):
            found = level_there(a, b, origin, ta, tb, hunt, slate)
    if not found:
        for k in range(KEY):
            hunt.best[k] = hunt.ties[end + k]
    return found


@kernel
def parted_there(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> bool:
    """Name and measure the level parts around the best pair, if a plane parts them."""
    result = slate.result
    guide, d, size = best_pair(ta, tb, origin, hunt)
    slack = layout.RELATIVE * d + 0.25 * layout.ABSOLUTE * size
    for turn in range(2):
        # So near, the points do not tell which of the bodies is ahead.
        n = guide if turn == 0 else back(guide)
        if (
            measured_around(a, b, origin, hunt, n, size, slate)
            and not result.miss > 0.0
            and abs(result.distance - d) <= slack
            and certified(a, b, slate)
        ):
            return True
    # Nor does the way between coincident points tell anything: a feature does.
    return level_nearby(a, b, origin, ta, tb, hunt, slate) and certified(a, b, slate)


@kernel
def unparted_there(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> bool:
    """Name and measure what touches around the best pair, where no plane parts it.

    Of surfaces that share no insides: the distance is not negative.  Level parts around
    the pair first, then around others as near by name, else the pair itself.  Says
    False where no pair that is as near defines a normal.
    """
    result = slate.result
    found = level_nearby(a, b, origin, ta, tb, hunt, slate)
    guide, d, size = best_pair(ta, tb, origin, hunt)
    if not found and not d > layout.TOUCH * size:
        if not tells(ta, tb, hunt.best, 0):
            for k in range(KEY):
                hunt.best[k] = -1
            if not take_next(ta, tb, hunt):
                return False
            guide, d, size = best_pair(ta, tb, origin, hunt)
        guide = turned_outward(ta, tb, hunt, guide)
    if not found:
        answer_plainly(a, b, ta, tb, hunt, guide, size, slate)
    if found and not d > layout.TOUCH * size:
        # Level but for their last bits, parts do not know how near they are: pairs do.
        result.distance = d
        result.point_b = along(result.point_a, d, result.normal)
    bound(d, size, hunt, slate)
    if not d > layout.TOUCH * size:
        # What lies less deep inside was not asked for.
        deep = -layout.TOUCH * result.size
        result.lower = min(result.lower, deep)
    return True


@kernel
def meet(slate: Slate) -> None:
    """Let the points coincide, at distance 0."""
    result = slate.result
    result.distance = 0.0
    result.point_b = result.point_a


@kernel
def touch(
    a: Side, b: Side, origin: Vec, ta: Tree, tb: Tree, hunt: Hunt, slate: Slate
) -> int:
    """Answer for surfaces that touch, or all but touch; return the status.

    UNPROVEN where they share their insides, or even that is unsure: so shallow, only
    a comparison of all pairs tells which of the faces that tie to rounding is left.
    """
    result = slate.result
    parted = parted_there(a, b, origin, ta, tb, hunt, slate)
    if parted and look_elsewhere(a, b, ta, tb, hunt, slate):
        parted = parted_there(a, b, origin, ta, tb, hunt, slate)
    if not parted:
        guide, _, size = best_pair(ta, tb, origin, hunt)
        shared = solids_share(ta, tb, guide, size, hunt)
        named = shared < 0 and unparted_there(a, b, origin, ta, tb, hunt, slate)
        if named and look_elsewhere(a, b, ta, tb, hunt, slate):
            named = unparted_there(a, b, origin, ta, tb, hunt, slate)
        if not named:
            return layout.UNPROVEN
    if hunt.counts[OTHERS] == 1:
        slate.result.parallel = 1
    limit = layout.TOUCH * result.size
    if result.lower >= -limit and result.upper <= limit:
        meet(slate)
    slate.result.known = 1 if parted else 0
    return layout.CERTIFIED if parted else layout.SEARCHED

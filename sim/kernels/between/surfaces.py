"""When two surfaces of any shape, all vertices going straight, are first near.

Both trees of ``surface.boxes`` are fitted at both ends of the frame.  A box between is
the blend of the two: it holds what is inside, since all of it goes straight.  So two
nodes may be near only while six lines are all below a level: from when to when takes
six divisions.  Depth first, the pair of nodes that may be near first before the other;
what two leaves own goes to ``pieces``.  Whatever may only be near later than the first
places that were found is left out.
"""

from typing import NamedTuple

from sim.kernels.between.path import Path, allowance_of, settle, shift_of
from sim.kernels.between.pieces import APART, NEAR, Approach, Pieces, approach
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.surface.boxes import (
    BOX,
    Tree,
    TreeSearch,
    girth,
    place_all,
    refit,
    turn_all,
)
from sim.kernels.surface.nearest import push
from sim.kernels.surface.pairs import point
from sim.kernels.vector import HERE, least, most, put

NEVER = 2.0
ROUNDING = 128.0 * 2.220446049250313e-16  # of coordinates, turned, and of times

LISTED = 28  # pieces of a leaf: 12 vertices, 12 segments and 4 triangles at most
PLACES = 64
PLACE = 5  # ints: which kind of pair, and four vertices
VERTEX_OF_A = 0  # of A against a triangle of B
VERTEX_OF_B = 1
SEGMENTS = 2

Corners = tuple[int, int, int]


class Moving(NamedTuple):
    """A body on its way, and its tree at both ends of it."""

    path: Path
    start: Tree
    end: Tree


class Places(NamedTuple):
    """The buffers of a search for the first places at which surfaces are near."""

    found: Approach
    search: TreeSearch  # its stack
    pieces: Pieces
    start: Floats  # 2 LISTED BOX scratch: boxes of the pieces of two leaves
    end: Floats
    corners: Ints  # 2 LISTED 3: their vertices
    many: Ints  # 6: where vertices, segments and triangles of each leaf end
    place: Ints  # PLACES PLACE
    times: Floats  # 3 PLACES: free until, then NEAR or GRAZE until; closing speed
    kind: Ints  # PLACES


@kernel
def may_be_near(
    a0: Floats, a1: Floats, i: int, b0: Floats, b1: Floats, j: int, found: Approach
) -> float:
    """Return from when on two boxes may be as near as the level; NEVER.

    Each begins at a place in the buffers of both ends of the frame.
    """
    enters = found.since
    leaves = found.horizon
    for k in range(6):
        x = k % 3
        if k < 3:
            s = b0[j + x] - a0[i + 3 + x] - found.near
            e = b1[j + x] - a1[i + 3 + x] - found.near
        else:
            s = a0[i + x] - b0[j + 3 + x] - found.near
            e = a1[i + x] - b1[j + 3 + x] - found.near
        if s > 0.0:
            if e > 0.0:
                return NEVER
            enters = max(enters, s / (s - e))
        elif e > 0.0:
            leaves = min(leaves, s / (s - e))
    return enters if enters <= leaves else NEVER


@kernel
def fit_piece(turned: Floats, ids: Corners, boxes: Floats, at: int) -> None:
    """Fit a box to three turned vertices, some of which may be the same."""
    p = point(turned, ids[0])
    q = point(turned, ids[1])
    r = point(turned, ids[2])
    put(boxes, at, least(least(p, q), r))
    put(boxes, at + 3, most(most(p, q), r))


@kernel
def list_piece(
    a: Moving, ids: Corners, b: Moving, node: int, slot: int, places: Places
) -> int:
    """List a piece of A if it may be near a node of B; return the next free slot."""
    at = BOX * slot
    fit_piece(a.start.turned, ids, places.start, at)
    fit_piece(a.end.turned, ids, places.end, at)
    j = BOX * node
    if (
        may_be_near(
            places.start, places.end, at, b.start.boxes, b.end.boxes, j, places.found
        )
        > 1.0
    ):
        return slot
    places.corners[3 * slot] = ids[0]
    places.corners[3 * slot + 1] = ids[1]
    places.corners[3 * slot + 2] = ids[2]
    return slot + 1


@kernel
def list_pieces(
    a: Moving, leaf: int, b: Moving, node: int, side: int, places: Places
) -> None:
    """List what a leaf owns, and its triangles, as far as a node of B may be near."""
    tree = a.start
    slot = LISTED * side
    for k in range(tree.own_start[leaf], tree.own_start[leaf + 1]):
        v = tree.own[k]
        slot = list_piece(a, (v, v, v), b, node, slot, places)
    places.many[3 * side] = slot
    for k in range(tree.segment_start[leaf], tree.segment_start[leaf + 1]):
        v = tree.segment[2 * k]
        w = tree.segment[2 * k + 1]
        slot = list_piece(a, (v, w, w), b, node, slot, places)
    places.many[3 * side + 1] = slot
    for k in range(tree.triangle_start[leaf], tree.triangle_start[leaf + 1]):
        i = 3 * k
        ids = (tree.triangle[i], tree.triangle[i + 1], tree.triangle[i + 2])
        slot = list_piece(a, ids, b, node, slot, places)
    places.many[3 * side + 2] = slot


@kernel
def put_point(moving: Moving, v: int, k: int, pieces: Pieces) -> None:
    """Write where a vertex is at both ends of the frame as one of four points."""
    put(pieces.start, 3 * k, point(moving.start.placed, v))
    put(pieces.end, 3 * k, point(moving.end.placed, v))


@kernel
def ask_pieces(a: Moving, i: int, b: Moving, j: int, kind: int, places: Places) -> None:
    """Ask about two listed pieces, the first of A but where ``kind`` says otherwise."""
    found = places.found
    t = may_be_near(
        places.start, places.end, BOX * i, places.start, places.end, BOX * j, found
    )
    if t > 1.0:
        return
    split = 2 if kind == SEGMENTS else 1
    pieces = places.pieces
    corners = places.corners
    put_point(a, corners[3 * i], 0, pieces)
    if split == 2:
        put_point(a, corners[3 * i + 1], 1, pieces)
    for k in range(split, 4):
        put_point(b, corners[3 * j + k - split], k, pieces)
    ended = approach(pieces, split, t, found)
    if ended == APART:
        return
    found.horizon = min(found.horizon, found.upper)
    slot = found.places
    if slot == PLACES:  # the latest gives way
        slot = 0
        for k in range(PLACES):
            if places.times[3 * k] > places.times[3 * slot]:
                slot = k
        if found.lower >= places.times[3 * slot]:
            return
    else:
        found.places += 1
    places.times[3 * slot] = found.lower
    places.times[3 * slot + 1] = found.upper
    places.times[3 * slot + 2] = found.speed
    places.kind[slot] = ended
    at = PLACE * slot
    places.place[at] = kind
    for k in range(4):
        n = 3 * i + k if k < split else 3 * j + k - split
        places.place[at + 1 + k] = corners[n]


@kernel
def ask_leaves(a: Moving, i: int, b: Moving, j: int, places: Places) -> None:
    """Ask about all pairs of pieces that a leaf of A and a leaf of B own."""
    list_pieces(a, i, b, b.start.leaves - 1 + j, 0, places)
    list_pieces(b, j, a, a.start.leaves - 1 + i, 1, places)
    many = places.many
    for p in range(0, many[0]):
        for q in range(many[4], many[5]):
            ask_pieces(a, p, b, q, VERTEX_OF_A, places)
    for q in range(LISTED, many[3]):
        for p in range(many[1], many[2]):
            ask_pieces(b, q, a, p, VERTEX_OF_B, places)
    for p in range(many[0], many[1]):
        for q in range(many[3], many[4]):
            ask_pieces(a, p, b, q, SEGMENTS, places)


@kernel
def fit_ends(moving: Moving, s: Vec, e: Vec, n: Vec) -> float:
    """Fit both trees of a body whose origin is at ``s`` and ``e``; return its reach."""
    path = moving.path
    first = place_all(path.start, path.start_map, s, moving.start)
    last = place_all(path.end, path.end_map, e, moving.end)
    turn_all(moving.start, n)
    turn_all(moving.end, n)
    refit(moving.start)
    refit(moving.end)
    return max(first, last)


@kernel
def find_places(a: Moving, b: Moving, places: Places) -> int:
    """Find where two surfaces are first near, of all places that may be the first.

    NEAR or GRAZE: the places are listed, and everywhere the surfaces are apart until
    the first ``times`` of the earliest.  APART: they are farther apart than the level
    from ``since`` to the end of the frame.  -1: more pairs of pieces than were to be
    asked; apart until ``found.lower``.
    """
    found = places.found
    settle(a.path)
    settle(b.path)
    s = shift_of(a.path.start_map, b.path.start_map)
    e = shift_of(a.path.end_map, b.path.end_map)
    reach = fit_ends(a, HERE, HERE, found.normal) + fit_ends(b, s, e, found.normal)
    found.allowance = allowance_of(a.path, b.path, found.level)
    found.near = found.level + ROUNDING * (reach + found.level)
    found.horizon = 1.0
    found.places = found.pairs = 0
    found.speed = 0.0
    if not descend(a, b, places):
        return -1
    if found.places == 0:
        return APART
    return NEAR


@kernel
def descend(a: Moving, b: Moving, places: Places) -> bool:
    """Take both trees apart where they may be near; False where that takes too long."""
    found = places.found
    search = places.search
    one = a.start
    two = b.start
    a0, a1 = one.boxes, a.end.boxes
    b0, b1 = two.boxes, b.end.boxes
    first_a = one.leaves - 1
    first_b = two.leaves - 1
    top = push(0, 0, may_be_near(a0, a1, 0, b0, b1, 0, found), 0, search)
    while top > 0:
        top -= 1
        if search.below[top] > found.horizon:
            continue
        i = search.stack[2 * top]
        j = search.stack[2 * top + 1]
        if found.pairs > found.most:
            found.lower = search.below[top]
            for k in range(top):
                found.lower = min(found.lower, search.below[k])
            return False
        if i >= first_a and j >= first_b:
            ask_leaves(a, i - first_a, b, j - first_b, places)
            continue
        whole = i >= first_a or (
            j < first_b and girth(b0, BOX * j) > girth(a0, BOX * i)
        )
        i1 = i if whole else 2 * i + 1
        i2 = i if whole else 2 * i + 2
        j1 = 2 * j + 1 if whole else j
        j2 = 2 * j + 2 if whole else j
        sooner = may_be_near(a0, a1, BOX * i1, b0, b1, BOX * j1, found)
        later = may_be_near(a0, a1, BOX * i2, b0, b1, BOX * j2, found)
        if sooner > later:
            i1, j1, i2, j2 = i2, j2, i1, j1
            sooner, later = later, sooner
        if later <= found.horizon:
            top = push(i2, j2, later, top, search)
        if sooner <= found.horizon:
            top = push(i1, j1, sooner, top, search)
    return True

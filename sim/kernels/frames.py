"""What an engine is asked to run: one frame, or all frames of a trajectory.

The arguments are tables of buffers and nothing else, the result is an int: an entry is
called across the border between two engines.
"""

from math import sqrt
from typing import NamedTuple

from sim.kernels import layout, trajectory
from sim.kernels.language import Floats, Vec, kernel
from sim.kernels.limits import all_placed, comes_after, exchange, is_placed
from sim.kernels.rows import copy_hull, put_regime, store
from sim.kernels.solve import are_hulls, is_hull, renew, solve
from sim.kernels.trajectory import AnswerRows, Trajectory, is_taken, put_pose, put_shape
from sim.kernels.vector import back, cross, dot, length, minus, pull, unit
from sim.kernels.workspace import NEW, BodyView, Workspace

FLAT = 1e-6  # volume of three edges per product of their lengths


@kernel
def corner(points: Floats, v: int) -> Vec:
    """Return a vertex in its body's frame."""
    i = 3 * v
    return (points[i], points[i + 1], points[i + 2])


@kernel
def is_upright(side: BodyView, way: Vec) -> bool:
    """Say whether the part that stands highest along ``way`` faces it, in a solid.

    Of the edges at its first vertex the flattest is one of the convex hull too, and
    what stands highest there lies between the normals of its faces: their sum faces
    the same way, of a surface seen from outside.  Where that is unsure, or some four
    vertices lie in a plane, the volume must tell.  Cost: O(degree).
    """
    points = side.points
    members = side.mark[side.size]
    if members == 0:
        return False
    v = side.members[0]
    p = corner(points, v)
    d = pull(side.pose, way)
    first = side.start[v]
    last = side.start[v + 1]
    best = -1
    flattest = 0.0
    for k in range(first, last):
        e = minus(corner(points, side.star[k]), p)
        steep = min(0.0, dot(unit(e), d))
        if (members == 1 or side.mark[side.star[k]] == 1) and (
            best < 0 or steep > flattest
        ):
            best = k
            flattest = steep
    if best < 0:
        return False
    e = minus(corner(points, side.star[best]), p)
    before = side.star[last - 1 if best == first else best - 1]
    after = side.star[first if best == last - 1 else best + 1]
    one = dot(unit(cross(minus(corner(points, before), p), e)), d)
    other = dot(unit(cross(e, minus(corner(points, after), p))), d)
    if not one + other > FLAT * sqrt(dot(d, d)):
        return False
    third = side.size // 3
    p = corner(points, 0)
    e = minus(corner(points, third), p)
    f = minus(corner(points, 2 * third), p)
    g = minus(corner(points, side.size - 1), p)
    return abs(dot(cross(e, f), g)) > FLAT * (length(e) * length(f) * length(g))


DONE = -1  # the reel has reached its end
ASKED = -2  # nothing is known of the positions of a frame: the bodies must take them


@kernel
def solve_anew(a: BodyView, b: BodyView, convex: int, pair: Workspace) -> int:
    """Answer as from cold wherever last frame's parts might decide what is level."""
    warm = pair.simplex[0] > 0
    status = solve(a, b, convex, pair)
    if warm and pair.result.close == 1:
        pair.simplex[0] = pair.hull.filled[0] = 0
        status = solve(a, b, convex, pair)
    return status


@kernel
def one_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame for two bodies in kernel order; return the status.

    Bodies that both prove by their rings are convex; others are taken for their hulls
    once it is known how far these reach beyond them; of new positions that is asked
    where it matters.  A body that is not convex to rounding may reach as far in two
    places at once, which is for a search of its surface to tell.
    """
    result = pair.result
    known = result.known
    last = (result.part_a.name, result.part_b.name)
    kinds = (result.part_a.dimension, result.part_b.dimension)
    scanned = a.scanned + b.scanned > 0
    status = solve_anew(a, b, are_hulls(a, b, 0, pair), pair)
    result.upright = 0
    if status == layout.CERTIFIED:
        n = result.normal
        result.upright = 1 if faces(a, n) and faces(b, back(n)) else 0
    # Surfaces can tell what hulls cannot: whether another part stands as high, and what
    # is so near that a walk from cold would end inside.
    stays = known == 1 and last == (result.part_a.name, result.part_b.name)
    stays = stays and kinds == (result.part_a.dimension, result.part_b.dimension)
    others = result.twice == 1 and not (stays and result.parallel == 1)
    unsure = others or result.distance <= layout.BLIND * result.size
    if scanned and unsure and status == layout.CERTIFIED:
        convex = are_hulls(a, b, 1, pair)
        if convex == 0 or result.dent > layout.EQUAL * result.size:
            return layout.UNPROVEN
    return status


@kernel
def faces(side: BodyView, way: Vec) -> bool:
    """Say whether an answer shows that a body is seen from outside; most others are."""
    return side.scanned < NEW or is_upright(side, way) or is_hull(side, 1)


@kernel
def checked_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame, unless a body may be misplaced or they are out of order.

    Then no answer is written, and the status is REFUSED or TURNED.
    """
    renew(a)
    renew(b)
    if not (is_placed(a) and is_placed(b)):
        return layout.REFUSED
    if a.size == b.size and comes_after(a.points, a.pose, b.points, b.pose, a.size):
        return layout.TURNED
    return one_frame(a, b, pair)


class Tables(NamedTuple):
    """All that is read and written in a frame of one pair, bodies in kernel order."""

    first: BodyView
    second: BodyView
    pair: Workspace
    rows: AnswerRows  # their cursor says the order and the regime of before, too
    contact: float  # contact begins at this distance
    release: float  # and ends beyond this one
    odd: int  # what an answer must say of the bodies; see ``Judged``


@kernel
def note_start(pair: Workspace) -> None:
    """Copy the ids that a frame starts from."""
    begun = pair.begun
    for k in range(9):
        begun[k] = pair.simplex[k]
    for k in range(4):
        begun[9 + k] = pair.last[k]
    begun[13] = pair.result.known
    begun[14] = pair.result.by_hull
    for k in range(3):
        begun[15 + k] = pair.hull.filled[k]
    copy_hull(pair.hull, begun, 18, True)


@kernel
def plain_frame(tables: Tables) -> int:
    """Answer one frame as ``checked_frame``; write the row of a plain certified answer.

    Then the status is PLAIN and the regime that follows, 3 more where the caller must
    begin the rows anew.  Plain is what they have room for, and what needs no remark.
    """
    pair = tables.pair
    note_start(pair)
    status = checked_frame(tables.first, tables.second, pair)
    result = pair.result
    total = result.sink
    if status != layout.CERTIFIED or total - total != 0.0:
        return status
    if tables.odd > result.upright:
        return status
    rows = tables.rows
    cursor = rows.cursor
    t = cursor[trajectory.FRAME]
    if t == cursor[trajectory.END]:
        return status
    if not store(tables.first, tables.second, pair, rows, t):
        return status
    put_regime(result, rows, t, tables.contact, tables.release)
    cursor[trajectory.FRAME] = t + 1
    full = (
        t + 1 == cursor[trajectory.END]
        or 2 * cursor[trajectory.PARTS_USED] > rows.parts_room
        or 2 * cursor[trajectory.CORNERS_USED] > rows.corners_room
    )
    return layout.PLAIN + cursor[trajectory.REGIME] + (3 if full else 0)


@kernel
def hull_frame(a: BodyView, b: BodyView, pair: Workspace) -> int:
    """Answer one frame for two bodies that are taken for their hulls."""
    return solve_anew(a, b, 1, pair)


@kernel
def many_frames(a: BodyView, b: BodyView, pair: Workspace, frames: Trajectory) -> int:
    """Answer frame after frame for A and B; return DONE, or the status of a stop.

    A frame that is not certified, met a number that is not finite, or does not fit
    into the pools stops the reel: its answer is in ``pair``, its row is not written,
    and the caller finishes it.  None is answered where a body may be misplaced in one,
    or is no longer what it was proven to be.
    """
    rows = frames.rows
    cursor = rows.cursor
    first = a
    second = b
    if cursor[trajectory.SWAPPED] == 1:
        first = b
        second = a
    placed = all_placed(a, frames.maps_a) and all_placed(b, frames.maps_b)
    moved = frames.shapes_a.frames + frames.shapes_b.frames > 0
    while cursor[trajectory.FRAME] < cursor[trajectory.END]:
        t = cursor[trajectory.FRAME]
        if not (is_taken(a, frames.shapes_a, t) and is_taken(b, frames.shapes_b, t)):
            return ASKED
        put_shape(a, frames.shapes_a, t)
        put_shape(b, frames.shapes_b, t)
        renew(a)
        renew(b)
        if frames.maps_a.frames > 0:
            put_pose(frames.maps_a.flat, t, a.pose)
        if frames.maps_b.frames > 0:
            put_pose(frames.maps_b.flat, t, b.pose)
        if moved:
            placed = is_placed(a) and is_placed(b)
        if not placed:
            return layout.REFUSED
        if a.size == b.size and comes_after(
            first.points, first.pose, second.points, second.pose, a.size
        ):
            exchange(pair)
            cursor[trajectory.SWAPPED] = 1 - cursor[trajectory.SWAPPED]
            first, second = second, first
        status = one_frame(first, second, pair)
        total = pair.result.sink
        if status != layout.CERTIFIED or total - total != 0.0:
            return status
        if pair.result.upright == 0 or not store(first, second, pair, rows, t):
            return status
        put_regime(pair.result, rows, t, frames.contact, frames.release)
        cursor[trajectory.FRAME] = t + 1
    return DONE

"""A frame of a pair, of many pairs, and many frames of one: all by the same few steps.

What a pair remembers, ids and one normal, is a row of memory: that of the frame before
is read, another one written, so that a frame that is given up leaves nothing behind.
Scratch is shared by the pairs of one thread; that of a pair which is alone goes on as
it is.
"""

from typing import NamedTuple

from sim.kernels import layout, trajectory
from sim.kernels.closest.level_parts import widen
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.limits import all_placed, comes_after, exchange, is_placed
from sim.kernels.rows import COLD, store
from sim.kernels.solve import are_hulls, renew, solve
from sim.kernels.trajectory import (
    IDS,
    REGIME,
    SWAPPED,
    AnswerRows,
    PairMemory,
    Trajectory,
    forget,
    is_taken,
    put_pose,
    put_shape,
    recall,
    regime_after,
    remember,
    room_for,
)
from sim.kernels.workspace import BodyView, Workspace, clear

DONE = -1  # all that was asked is answered
FULL = -2  # the pool of what is remembered has no room
CROWDED = -3  # nor has one of the answers
ASKED = -4  # nothing is known of the positions of a frame: the bodies must take them


class Pairs(NamedTuple):
    """Bodies and their pairs; P pairs, B bodies."""

    firsts: tuple[BodyView, ...]  # all with one scratch, which is clear between pairs
    seconds: tuple[BodyView, ...]  # and the same bodies with another one
    placed: Ints  # B: 1 where the body is placed within the limits
    odd: Ints  # B: what an answer must say of it; see ``Judged``
    reach: Floats  # B: contact begins at the lesser of two
    release: float  # and ends beyond this one; below 0: twice as far
    resolution: Floats  # B: how far vertices may be off, the greater of two
    ends: Ints  # 2 P: A and B of every pair
    begun: Ints  # P: its row in the memory before, or COLD
    kept: Ints  # P: its row in the memory after
    before: PairMemory
    after: PairMemory
    status: Ints  # P: below 0: not asked; alone, WANTED before: it is laid out by now


class Alone(NamedTuple):
    """A pair that nobody shares scratch or memory with: a table of one."""

    pairs: Pairs  # its memories before and after are one, with two rows
    pair: Workspace
    rows: AnswerRows  # of the next frames
    ways: Trajectory  # where the bodies are in them


@kernel
def take_up(pairs: Pairs, pair: Workspace, cursor: Ints, p: int) -> None:
    """Begin where a pair was left, unless its workspace is still there."""
    if cursor[trajectory.HELD] == 1:
        return
    i = pairs.ends[2 * p]
    j = pairs.ends[2 * p + 1]
    row = pairs.begun[p]
    cursor[trajectory.SWAPPED] = 1 if pairs.firsts[i].size > pairs.firsts[j].size else 0
    cursor[trajectory.REGIME] = trajectory.SEPARATED
    if row == COLD:
        forget(pair)
        return
    ids = pairs.before.ids
    cursor[trajectory.SWAPPED] = 1 if ids[IDS * row + SWAPPED] == 1 else 0
    cursor[trajectory.REGIME] = ids[IDS * row + REGIME]
    first, second = in_order(pairs, cursor, p)
    recall(pairs.before, row, first, second, pair)


@kernel
def in_order(pairs: Pairs, cursor: Ints, p: int) -> tuple[BodyView, BodyView]:
    """Return the bodies of a pair in the order of the kernels."""
    swapped = cursor[trajectory.SWAPPED]
    return (
        pairs.firsts[pairs.ends[2 * p + swapped]],
        pairs.seconds[pairs.ends[2 * p + 1 - swapped]],
    )


@kernel
def next_frame(pairs: Pairs, pair: Workspace, rows: AnswerRows, p: int) -> int:
    """Answer for a pair that was taken up; write its row if that says all.

    REMARKED where something else must be said, CROWDED where the row has no room.
    """
    cursor = rows.cursor
    first, second = in_order(pairs, cursor, p)
    if first.size == second.size and comes_after(
        first.points, first.pose, second.points, second.pose, first.size
    ):
        exchange(pair)
        clear(first)
        clear(second)
        cursor[trajectory.SWAPPED] = 1 - cursor[trajectory.SWAPPED]
        first, second = in_order(pairs, cursor, p)
    status = solve(first, second, 0, pair)
    total = pair.result.nan_sum
    if status != layout.CERTIFIED:
        return status
    i = pairs.ends[2 * p]
    j = pairs.ends[2 * p + 1]
    odd = max(pairs.odd[i], pairs.odd[j])
    again = pairs.status[p] == layout.WANTED
    if again or total - total != 0.0 or odd > pair.result.outward_seen:
        return layout.REMARKED
    if store(first, second, pair, rows) == 0:
        return CROWDED
    put_regime(pairs, pair, rows, p)
    return status if name_level(pairs, pair, rows, p) else CROWDED


@kernel
def thresholds(pairs: Pairs, p: int) -> tuple[float, float, float]:
    """Return where contact begins and ends, and the resolution, 4 times between."""
    i = pairs.ends[2 * p]
    j = pairs.ends[2 * p + 1]
    contact = min(pairs.reach[i], pairs.reach[j])
    release = pairs.release if pairs.release >= 0.0 else 2.0 * contact
    known = max(pairs.resolution[i], pairs.resolution[j])
    return contact, release, min(known, 0.25 * (release - contact))


@kernel
def put_regime(pairs: Pairs, pair: Workspace, rows: AnswerRows, p: int) -> None:
    """Write the regime that follows the one in the cursor, and leave it there."""
    cursor = rows.cursor
    ends = thresholds(pairs, p)
    before = cursor[trajectory.REGIME]
    d = pair.result.distance
    dented = False
    if before == trajectory.PENETRATING and 0.0 <= d <= 4.0 * ends[2]:
        first, second = in_order(pairs, cursor, p)
        dented = are_hulls(first, second, 1, pair) == 0
    regime = regime_after(before, d, pair.result.size, ends, dented)
    at = trajectory.FACTS * cursor[trajectory.FRAME]
    rows.facts[at + trajectory.REGIME_NOW] = regime
    cursor[trajectory.REGIME] = regime


@kernel
def name_level(pairs: Pairs, pair: Workspace, rows: AnswerRows, p: int) -> bool:
    """Write the row of a frame again, with all that is level within a resolution.

    Returns False where it has no room.  The next frame walks: what was named is lost.
    """
    level = 8.0 * thresholds(pairs, p)[2]
    if not level > 0.0:
        return True
    cursor = rows.cursor
    first, second = in_order(pairs, cursor, p)
    pair.heights[0] = max(level, pair.tolerance * pair.result.size)
    if widen(first, second, pair) == 0:
        return True
    last = (pair.last[0], pair.last[1], pair.last[2], pair.last[3])
    at = trajectory.FACTS * cursor[trajectory.FRAME]
    cursor[trajectory.PARTS_USED] = rows.facts[at + trajectory.PARTS_AT]
    cursor[trajectory.CORNERS_USED] = rows.facts[at + trajectory.CORNERS_AT]
    stored = store(first, second, pair, rows) == 1
    pair.last[0], pair.last[1], pair.last[2], pair.last[3] = last
    if not stored:
        pair.search.state.told = 1
        solve(first, second, 0, pair)  # whoever finishes it begins with its own names
    return stored


@kernel
def keep(pairs: Pairs, pair: Workspace, cursor: Ints, p: int) -> bool:
    """Remember what the next frame of a pair begins with; False if there is no room."""
    first, second = in_order(pairs, cursor, p)
    if cursor[trajectory.POOL_USED] + room_for(first, second, pair) > pairs.after.room:
        return False
    remember(pairs.after, pairs.kept[p], first, second, pair, cursor)
    return True


@kernel
def answer_pairs(pairs: Pairs, pair: Workspace, rows: AnswerRows) -> int:
    """Answer for the pairs from where the cursor stands; DONE, WANTED, or what is full.

    A pair that is not certified, or of which something must be said, is left with its
    status to the caller.
    """
    cursor = rows.cursor
    ended = DONE
    while cursor[trajectory.FRAME] < cursor[trajectory.END]:
        p = cursor[trajectory.FRAME]
        if pairs.status[p] >= 0:
            status = answer_pair(pairs, pair, rows, p)
            if status < DONE:
                return status
            pairs.status[p] = status
            if status == layout.WANTED:
                ended = status
        cursor[trajectory.FRAME] = p + 1
    return ended


@kernel
def answer_pair(pairs: Pairs, pair: Workspace, rows: AnswerRows, p: int) -> int:
    """Answer for one of many pairs; leave scratch clear for the next."""
    if pairs.placed[pairs.ends[2 * p]] + pairs.placed[pairs.ends[2 * p + 1]] < 2:
        return layout.REFUSED
    cursor = rows.cursor
    take_up(pairs, pair, cursor, p)
    pair.search.state.others = 0  # of another pair
    pair.search.state.told = 1 if pairs.begun[p] == COLD else 0
    status = next_frame(pairs, pair, rows, p)
    if status == layout.CERTIFIED and not keep(pairs, pair, cursor, p):
        status = FULL
    first, second = in_order(pairs, cursor, p)
    clear(first)
    clear(second)
    return status


@kernel
def keep_frame(alone: Alone) -> int:
    """Remember a frame of a pair that is alone; its two rows go by turns."""
    pairs = alone.pairs
    cursor = alone.rows.cursor
    begun = pairs.kept[0]
    cursor[trajectory.POOL_USED] = begun * (pairs.after.room // 2)
    keep(pairs, alone.pair, cursor, 0)
    pairs.kept[0] = 1 - begun
    pairs.begun[0] = begun
    cursor[trajectory.HELD] = 1
    return DONE


@kernel
def follow_pair(alone: Alone) -> int:
    """Answer frame after frame for a pair that is alone; return the status of a stop.

    Where all rows say all, the status is PLAIN and the regime that follows, 3 more
    where the caller must begin the rows anew.  A frame that is not certified, met a
    number that is not finite, or does not fit into the rows is a stop: its answer is in
    the workspace, its row is not written, and the caller finishes it.  None is answered
    where a body may be misplaced in one, or is no longer what it was proven to be.
    """
    pairs = alone.pairs
    ways = alone.ways
    cursor = alone.rows.cursor
    take_up(pairs, alone.pair, cursor, 0)
    cursor[trajectory.HELD] = 0
    a = pairs.firsts[0]
    b = pairs.firsts[1]
    again = pairs.status[0] == layout.WANTED
    placed = again or (all_placed(a, ways.maps_a) and all_placed(b, ways.maps_b))
    moved = ways.shapes_a.frames + ways.shapes_b.frames > 0
    scripted = ways.maps_a.frames + ways.maps_b.frames > 0
    status = DONE
    for _ in range(ways.frames):
        t = cursor[trajectory.FRAME]
        if not (is_taken(a, ways.shapes_a, t) and is_taken(b, ways.shapes_b, t)):
            status = ASKED
            break
        put_shape(a, ways.shapes_a, t)
        put_shape(b, ways.shapes_b, t)
        if not again:
            renew(a, 0.0)
            renew(b, 0.0)
        put_pose(ways.maps_a, t, a.pose)
        put_pose(ways.maps_b, t, b.pose)
        if not again and (moved or not scripted):
            placed = (is_placed(a) and is_placed(b)) or pairs.placed[0] == 1
        if not placed:
            status = layout.REFUSED
            break
        status = next_frame(pairs, alone.pair, alone.rows, 0)
        if status == CROWDED or status == layout.REMARKED:
            return layout.CERTIFIED
        if status != layout.CERTIFIED:
            return status
        cursor[trajectory.FRAME] = t + 1
        status = DONE
    keep_frame(alone)
    if status != DONE:
        return status
    full = (
        cursor[trajectory.FRAME] == cursor[trajectory.END]
        or 2 * cursor[trajectory.PARTS_USED] > alone.rows.parts_room
        or 2 * cursor[trajectory.CORNERS_USED] > alone.rows.corners_room
    )
    return layout.PLAIN + cursor[trajectory.REGIME] + (3 if full else 0)

"""Answers as rows, moved to the world, A first; what is new since the rows before."""

from typing import NamedTuple

from sim.kernels import trajectory
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.trajectory import AnswerRows
from sim.kernels.vector import along, back, minus, plus, put
from sim.kernels.workspace import BodyView, Part, Result, Workspace

COLD = -1  # no row of the frame before


@kernel
def store(first: BodyView, second: BodyView, pair: Workspace, rows: AnswerRows) -> int:
    """Write the answer of the next frame; 0 if the pools have no room for it."""
    result = pair.result
    cursor = rows.cursor
    t = cursor[trajectory.FRAME]
    swapped = cursor[trajectory.SWAPPED] == 1
    corners = result.corners
    parts_at = cursor[trajectory.PARTS_USED]
    corners_at = cursor[trajectory.CORNERS_USED]
    count = parts_of(result.part_a) + parts_of(result.part_b)
    if parts_at + count > rows.parts_room or corners_at + corners > rows.corners_room:
        return 0
    at = trajectory.FACTS * t
    facts = rows.facts
    side_a = second if swapped else first
    side_b = first if swapped else second
    part_a = result.part_b if swapped else result.part_a
    part_b = result.part_a if swapped else result.part_b
    parts_b_at = write_parts(side_a, part_a, rows.parts, parts_at)
    ended = write_parts(side_b, part_b, rows.parts, parts_b_at)
    facts[at + trajectory.DIMENSION_A] = part_a.dimension
    facts[at + trajectory.DIMENSION_B] = part_b.dimension
    facts[at + trajectory.PARTS_AT] = parts_at
    facts[at + trajectory.PARTS_A] = parts_b_at - parts_at
    facts[at + trajectory.PARTS_B] = ended - parts_b_at
    facts[at + trajectory.CORNERS_AT] = corners_at
    facts[at + trajectory.CORNERS] = corners
    facts[at + trajectory.UNIQUE] = 1 - result.parallel
    proof = trajectory.EPA if result.by_hull == 1 else trajectory.SEARCH
    if result.by_hull == 0:
        scanned = first.proofs.scanned + second.proofs.scanned > 0
        proof = trajectory.SCAN if scanned else trajectory.RING
    facts[at + trajectory.PROOF] = proof
    facts[at + trajectory.WORK] = result.steps
    facts[at + trajectory.WORK + 1] = result.vertices
    facts[at + trajectory.WORK + 2] = result.level_faces
    facts[at + trajectory.WORK + 3] = result.scans
    facts[at + trajectory.WORK + 4] = result.fallbacks
    world = (first.pose[3], first.pose[7], first.pose[11])
    write_row(result, world, swapped, rows.numbers, trajectory.NUMBERS * t)
    pair.last[0] = -1
    if corners > 0:
        write_corners(pair, world, swapped, rows, corners_at)
    cursor[trajectory.PARTS_USED] = ended
    cursor[trajectory.CORNERS_USED] = corners_at + corners
    return 1


@kernel
def parts_of(part: Part) -> int:
    """Return how many numbers name the part of one side."""
    if part.dimension == 0:
        return 1
    return part.edges if part.dimension == 1 else part.faces


@kernel
def write_parts(side: BodyView, part: Part, parts: Ints, parts_at: int) -> int:
    """Copy the numbers that name the part of one side, mostly one; return the end."""
    count = parts_of(part)
    if count == 1:
        parts[parts_at] = part.name
        return parts_at + 1
    listed = side.edges if part.dimension == 1 else side.faces
    for k in range(count):
        parts[parts_at + k] = listed[k]
    return parts_at + count


@kernel
def write_row(result: Result, world: Vec, swapped: bool, to: Floats, at: int) -> None:
    """Copy the numbers of an answer, moved to the world, A first."""
    to[at + trajectory.DISTANCE] = result.distance
    to[at + trajectory.LOWER] = result.lower
    to[at + trajectory.UPPER] = result.upper
    to[at + trajectory.SIZE] = result.size
    n = result.normal
    p = plus(result.point_a, world)
    q = plus(result.point_b, world)
    if swapped:
        n, p, q = back(n), q, p
    put(to, at + trajectory.NORMAL, n)
    put(to, at + trajectory.POINT_A, p)
    put(to, at + trajectory.POINT_B, q)


@kernel
def write_corners(
    pair: Workspace, world: Vec, swapped: bool, rows: AnswerRows, corners_at: int
) -> None:
    """Copy the corners of the patch, moved to the world, A first.

    Swapped they run the other way.  The corner that is nearest to the point on A is
    remembered for the next frame.
    """
    result = pair.result
    count = result.corners
    d = result.distance
    n = result.normal
    on = plus(result.point_a, world)
    nearest = 0.0
    for k in range(count):
        at = 4 * k
        p = plus((pair.patch[at], pair.patch[at + 1], pair.patch[at + 2]), world)
        place = corners_at + (count - 1 - k if swapped else k)
        put(rows.corners, 6 * place + (3 if swapped else 0), p)
        put(rows.corners, 6 * place + (0 if swapped else 3), along(p, d, n))
        turn = 2 if swapped else 0
        for i in range(4):
            rows.labels[4 * place + (i + turn) % 4] = pair.labels[4 * k + i]
        w = minus(p, on)
        off = max(abs(w[0]), abs(w[1]), abs(w[2]))
        if k == 0 or off < nearest:
            nearest = off
            for i in range(4):
                pair.last[i] = pair.labels[4 * k + i]


class Told(NamedTuple):
    """What pairs answer in a frame and in the one before; see ``AnswerRows``."""

    total: int  # P
    begun: Ints  # P
    said: Ints  # P: 1 where something is told whatever they answer
    facts: Ints
    parts: Ints
    facts_before: Ints
    parts_before: Ints
    contacts_before: Ints  # identities of the contacts that last, else -1
    next_contact: int
    contacts: Ints  # P + 1: the same of now, and the next one
    changed: Ints  # 2 P: rows, and the contact that lasts, begins or ends there, or -1


@kernel
def tell_pairs(told: Told) -> int:
    """Say which contacts last, and list pairs of which there may be something to tell.

    Of others regime and features are those of the frame before; returns how many.
    """
    found = 0
    begins = told.next_contact
    for k in range(told.total):
        row = told.begun[k]
        regime = told.facts[trajectory.FACTS * k + trajectory.REGIME_NOW]
        meets = regime != trajectory.SEPARATED
        contact = told.contacts_before[row] if row != COLD else -1
        if meets and contact < 0:
            contact = begins
            begins += 1
        told.contacts[k] = contact if meets else -1
        new = meets if row == COLD else not answers_as_before(told, k, row)
        if new or told.said[k] == 1:
            told.changed[2 * found] = k
            told.changed[2 * found + 1] = contact
            found += 1
    told.contacts[told.total] = begins
    return found


@kernel
def answers_as_before(told: Told, k: int, row: int) -> bool:
    """Say whether regime and, in contact, the features are those of then."""
    now = told.facts
    then = told.facts_before
    at = trajectory.FACTS * k
    was = trajectory.FACTS * row
    regime = now[at + trajectory.REGIME_NOW]
    if regime != then[was + trajectory.REGIME_NOW]:
        return False
    if regime == trajectory.SEPARATED:
        return True
    for d in range(trajectory.DIMENSION_A, trajectory.DIMENSION_B + 1):
        if now[at + d] != then[was + d]:
            return False
    i = now[at + trajectory.PARTS_AT]
    j = then[was + trajectory.PARTS_AT]
    if told.parts[i] != told.parts_before[j]:
        return False
    i += now[at + trajectory.PARTS_A]
    j += then[was + trajectory.PARTS_A]
    return told.parts[i] == told.parts_before[j]

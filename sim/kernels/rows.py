"""Answers as rows: what a kernel found, moved to the world, A first."""

from sim.kernels import trajectory
from sim.kernels.closest.measure import put
from sim.kernels.language import Floats, Ints, Vec, kernel
from sim.kernels.trajectory import AnswerRows, regime_after
from sim.kernels.vector import back, plus
from sim.kernels.workspace import BodyView, Part, Result, Workspace


@kernel
def store(
    first: BodyView, second: BodyView, pair: Workspace, rows: AnswerRows, t: int
) -> bool:
    """Write the answer of a frame; False if the pools have no room for it."""
    result = pair.result
    cursor = rows.cursor
    swapped = cursor[trajectory.SWAPPED] == 1
    corners = result.corners
    parts_at = cursor[trajectory.PARTS_USED]
    corners_at = cursor[trajectory.CORNERS_USED]
    count = parts_of(result.part_a) + parts_of(result.part_b)
    if parts_at + count > rows.parts_room:
        return False
    if corners_at + corners > rows.corners_room:
        return False
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
    proof = trajectory.RING if first.scanned + second.scanned == 0 else trajectory.SCAN
    facts[at + trajectory.PROOF] = trajectory.EPA if result.by_hull == 1 else proof
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
    return True


@kernel
def put_regime(
    result: Result, rows: AnswerRows, t: int, contact: float, release: float
) -> None:
    """Write the regime that follows the one in the cursor, and leave it there."""
    before = rows.cursor[trajectory.REGIME]
    d = result.distance
    regime = regime_after(before, d, result.size, contact, release)
    rows.facts[trajectory.FACTS * t + trajectory.REGIME_NOW] = regime
    rows.cursor[trajectory.REGIME] = regime


@kernel
def parts_of(part: Part) -> int:
    """Return how many numbers name the part of one side."""
    if part.dimension == 0:
        return 1
    return part.edges if part.dimension == 1 else part.faces


@kernel
def write_parts(side: BodyView, part: Part, parts: Ints, parts_at: int) -> int:
    """Copy the numbers that name the part of one side; return where they end."""
    if part.dimension == 0:
        parts[parts_at] = part.name
        return parts_at + 1
    listed = side.edges if part.dimension == 1 else side.faces
    count = parts_of(part)
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
    p = plus(result.point_a, world)
    q = plus(result.point_b, world)
    if swapped:
        put(to, at + trajectory.NORMAL, back(result.normal))
        put(to, at + trajectory.POINT_A, q)
        put(to, at + trajectory.POINT_B, p)
    else:
        put(to, at + trajectory.NORMAL, result.normal)
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
    nx, ny, nz = result.normal
    x = d * nx
    y = d * ny
    z = d * nz
    ax, ay, az = plus(result.point_a, world)
    nearest = 0.0
    for k in range(count):
        px = pair.patch[4 * k] + world[0]
        py = pair.patch[4 * k + 1] + world[1]
        pz = pair.patch[4 * k + 2] + world[2]
        place = corners_at + (count - 1 - k if swapped else k)
        on_a = 6 * place + (3 if swapped else 0)
        on_b = 6 * place + (0 if swapped else 3)
        rows.corners[on_a] = px
        rows.corners[on_a + 1] = py
        rows.corners[on_a + 2] = pz
        rows.corners[on_b] = px + x
        rows.corners[on_b + 1] = py + y
        rows.corners[on_b + 2] = pz + z
        turn = 2 if swapped else 0
        for i in range(4):
            rows.labels[4 * place + (i + turn) % 4] = pair.labels[4 * k + i]
        off = max(abs(px - ax), abs(py - ay), abs(pz - az))
        if k == 0 or off < nearest:
            nearest = off
            for i in range(4):
                pair.last[i] = pair.labels[4 * k + i]

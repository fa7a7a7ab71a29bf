"""The buffers of a whole trajectory: poses, positions in, one row per frame out."""

from typing import NamedTuple

from sim.kernels.intake import REFUSED, TAKEN, copy_positions, offered
from sim.kernels.language import Floats, Ints, kernel
from sim.kernels.workspace import NEW, BodyView


class Placements(NamedTuple):
    """Where a body is, frame after frame."""

    flat: Floats  # 12 per frame
    frames: int  # 0 where the body does not move
    extremes: Floats  # 3: see ``limits.are_maps``


STILL = Placements(  # of a body that stays
    memoryview(bytearray(12 * 8)).cast("d"), 0, memoryview(bytearray(3 * 8)).cast("d")
)


class Shapes(NamedTuple):
    """Where the vertices of a body are, frame after frame."""

    flat: Floats  # 3 per vertex per frame
    frames: int  # 0 where the body stays as it is
    trusted: int  # 1: rings prove whatever they are


class AnswerRows(NamedTuple):
    """Rows of answers, one a frame of a trajectory or one a pair; R of them.

    What has a different length in each row, the named parts and the corners of patches,
    goes one after the other into pools that may run full.
    """

    cursor: Ints  # see below: where the reel stands
    numbers: Floats  # NUMBERS R, see below; points in the world
    facts: Ints  # FACTS R, see below
    parts: Ints  # pool: numbers of the parts of A, then of B
    parts_room: int
    corners: Floats  # pool: 6 per corner, its points on A and on B, world
    labels: Ints  # pool: 4 per corner, dimension and number on A, on B
    corners_room: int


STIFF = Shapes(STILL.flat, 0, 0)  # of a body that stays as it is


class Trajectory(NamedTuple):
    """Where A and B of the caller are, frame after frame."""

    frames: int  # how many are to be answered
    maps_a: Placements
    maps_b: Placements
    shapes_a: Shapes
    shapes_b: Shapes


# The cursor.
FRAME = 0  # the next frame
END = 1  # where to stop
SWAPPED = 2  # 1 while the kernel takes B first
REGIME = 3  # of the frame before
PARTS_USED = 4
CORNERS_USED = 5
POOL_USED = 6  # of the memory of pairs
HELD = 7  # 1 while the workspace is where the pair was left: nothing need be read
CURSOR = 8

# The numbers of one frame: what an answer says.
DISTANCE = 0
LOWER = 1
UPPER = 2
SIZE = 3
NORMAL = 4  # 4, 5, 6
POINT_A = 7  # 7, 8, 9
POINT_B = 10  # 10, 11, 12
NUMBERS = 13

# The facts of one frame.
DIMENSION_A = 0
DIMENSION_B = 1
PARTS_AT = 2
PARTS_A = 3  # how many
PARTS_B = 4
CORNERS_AT = 5
CORNERS = 6  # how many
UNIQUE = 7
PROOF = 8
REGIME_NOW = 9
WORK = 10  # five counts
FACTS = 15

# Proofs that a kernel can give; the caller knows more.
RING = 0
SCAN = 1
EPA = 3

SEPARATED = 0
CONTACT = 1
PENETRATING = 2
PENETRATION = 1e-9  # per unit of size: how deep before it is called one


@kernel
def regime_after(
    before: int, distance: float, size: float, contact: float, release: float
) -> int:
    """Return the regime that follows, with hysteresis.

    Contact begins at ``contact`` and ends beyond ``release``; penetration begins
    below -1e-9 size and ends at 0.
    """
    if distance < -PENETRATION * size:
        return PENETRATING
    if before == PENETRATING and distance < 0.0:
        return PENETRATING
    if distance <= contact:
        return CONTACT
    if before != SEPARATED and distance <= release:
        return CONTACT
    return SEPARATED


@kernel
def put_pose(maps: Placements, t: int, pose: Floats) -> None:
    """Move a body to where it is in a frame."""
    if maps.frames > 0:
        for k in range(12):
            pose[k] = maps.flat[12 * t + k]


@kernel
def is_taken(side: BodyView, shapes: Shapes, t: int) -> bool:
    """Say whether the positions of a frame can be put in place; else a body is asked.

    Those of the frame before are not new: rings may prove them, or prove no longer.
    """
    if shapes.frames == 0:
        return True
    told = offered(side.points, side.size, shapes.flat, 3 * side.size * t)
    as_before = (side.scanned == NEW) == (told == TAKEN)
    return told != REFUSED and (as_before or shapes.trusted == 1)


@kernel
def put_shape(side: BodyView, shapes: Shapes, t: int) -> None:
    """Put a body's vertices where they are in a frame."""
    if shapes.frames > 0:
        copy_positions(side.points, side.size, shapes.flat, 3 * side.size * t)

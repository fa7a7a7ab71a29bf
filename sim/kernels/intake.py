"""New positions of a body: whether they can be any, whether they are others; a copy."""

from typing import TYPE_CHECKING, NamedTuple

from sim.kernels.language import Floats, Later, kernel, stands_for
from sim.kernels.vector import point

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")

# What new positions come to.
REFUSED = -1  # not finite, or of no common size: who refuses them says why
SAME = 0  # they are what is there
TAKEN = 1

HARMLESS, COMMON = 1e-25, 1e20  # positions that reach this far need no look


class Intake(NamedTuple):
    """New positions of a body."""

    points: Floats  # 3 per vertex, body frame: those that are there
    vertices: int
    given: Floats  # the same


@kernel
def offer_positions(intake: Intake) -> int:
    """Say what positions come to: REFUSED, SAME, TAKEN."""
    return offered(intake.points, intake.vertices, intake.given, 0)


@kernel
def offered_each(points: Floats, count: int, given: Floats, at: int) -> int:
    """Say what positions come to that lie somewhere in an array.

    Cost: O(V); what is there is read only where the first vertex stays.
    """
    end = at + 3 * count
    beyond = 0
    for i in range(at, end):
        if not abs(given[i]) < COMMON:
            beyond += 1
    i = at
    while i < end and not abs(given[i]) > HARMLESS:
        i += 1
    if beyond > 0 or i == end:
        return REFUSED
    if point(given, at // 3) != point(points, 0):
        return TAKEN
    others = 0
    for i in range(3 * count):
        if given[at + i] != points[i]:
            others += 1
    return TAKEN if others > 0 else SAME


@stands_for(offered_each)
def offered(points: Floats, count: int, given: Floats, at: int) -> int:
    """Say it by elementwise numpy."""
    new = np.asarray(given)[at : at + 3 * count]
    far = np.abs(new).max()
    if not HARMLESS < far < COMMON:
        return REFUSED
    same = all(np.array_equal(new[:n], np.asarray(points)[:n]) for n in (3, 3 * count))
    return SAME if same else TAKEN


@kernel
def copy_each(points: Floats, count: int, given: Floats, at: int) -> None:
    """Put positions in place."""
    for i in range(3 * count):
        points[i] = given[at + i]


@stands_for(copy_each)
def copy_positions(points: Floats, count: int, given: Floats, at: int) -> None:
    """Put them by numpy."""
    np.asarray(points)[:] = np.asarray(given)[at : at + 3 * count]

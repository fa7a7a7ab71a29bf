"""Finish frames that a kernel left open; say what a body is that is no convex solid."""

from collections.abc import Callable

import numpy as np

from sim.body.body import Body
from sim.engine.bound import ints
from sim.kernels import layout
from sim.result.answer import Numbers, work_of
from sim.tracking.buffers import Buffers
from wingedge.registry import wings


def remarked(source: Numbers, a: Body, b: Body) -> Numbers:
    """Add to an answer what must be said of its bodies."""
    said = sorted(a.remarks() + b.remarks())  # in one order, whoever is called A
    return source._replace(reason="; ".join(filter(None, [*said, source.reason])))


def wanted(numbers: Numbers) -> float:
    """Return how far apart the bounds of a certified answer are at most."""
    return layout.RELATIVE * abs(numbers.distance) + layout.ABSOLUTE * numbers.size


def is_certified(numbers: Numbers) -> bool:
    """Say whether the bounds of an answer are near enough to each other."""
    return numbers.upper - numbers.lower <= wanted(numbers)


def is_barely_deep(numbers: Numbers) -> bool:
    """Say whether a vertex lies inside barely deeper than a touch, and proves that."""
    touch = layout.TOUCH * numbers.size
    inside = layout.ALLOWANCE * numbers.size - numbers.upper
    return touch < inside and -2.0 * touch < numbers.distance and is_certified(numbers)


def explained(numbers: Numbers) -> Numbers:
    """Say why an answer is not certified."""
    if numbers.reason or is_certified(numbers):
        return numbers
    width, most = numbers.upper - numbers.lower, wanted(numbers)
    said = f"the bounds are {width:.3g} apart, {most:.3g} would certify"
    return numbers._replace(reason=said)


def copied(buffers: Buffers, status: int) -> Numbers:
    """Copy the rows that a kernel filled in, complete by its status; A first."""
    if buffers.result.by_hull == 2:
        return explained(buffers.told("search"))
    if status == layout.CERTIFIED and buffers.result.by_hull == 0:
        return buffers.told("scan" if buffers.scanned else "ring")
    hull, said = buffers.workspace.hull, ""
    if status == layout.BOUNDED and hull.filled[0] == hull.room:
        said = "the polytope ran out of room; exact=True searches on"
    return explained(buffers.told("epa", said))


def fallen_back(
    buffers: Buffers, status: int, before: Callable[[], Numbers | None]
) -> Numbers:
    """Answer what no kernel could, A first: by an interval, else exhaustively.

    Surfaces that cross, or may, have an interval, beside the answer ``before``.
    """
    numbers: Numbers | None = None
    unsure = status == layout.UNPROVEN
    if unsure or status == layout.OVERLAP:
        done = work_of(buffers.result)
        numbers = wings.interval(buffers, before())
        numbers = numbers and numbers._replace(work=done)
    if numbers is None or (unsure and not is_barely_deep(numbers)):
        numbers = wings.searched(buffers)
    assert numbers is not None
    return numbers.mirrored() if buffers.swapped else numbers


def corner_of(source: Numbers, swapped: bool) -> memoryview:
    """Return the labels of the corner that carries the points, in kernel order."""
    numbers = source.mirrored() if swapped else source
    off = np.reshape(numbers.corners, (-1, 6))[:, :3] - numbers.point_a
    chosen = 4 * int(abs(off).max(axis=1).argmin())
    return ints(np.array(numbers.labels[chosen : chosen + 4], np.int32))

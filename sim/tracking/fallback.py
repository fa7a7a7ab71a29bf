"""Finish frames that a kernel left open; say what a body is that is no convex solid."""

from collections.abc import Callable

import numpy as np

from sim.body.body import Body
from sim.engine.bound import ints
from sim.kernels import layout
from sim.kernels.solve import one_frame
from sim.result.answer import Numbers, work_of
from sim.tracking.buffers import Buffers
from wingedge.registry import find


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
    if status == layout.CERTIFIED and buffers.result.by_hull == 0:
        return buffers.told("scan" if buffers.scanned else "ring")
    if status == layout.SEARCHED:
        return explained(buffers.told("search"))
    hull, said = buffers.workspace.hull, ""
    if status == layout.BOUNDED and hull.filled[0] == hull.room:
        said = "the polytope ran out of room; exact=True searches on"
    return explained(buffers.told("epa", said))


def fallen_back(
    buffers: Buffers,
    status: int,
    exact: bool,
    before: Callable[[], Numbers | None],
    frame: int,
) -> tuple[Numbers, bool]:
    """Answer what no walk could certify, A first; say whether it was taken for hulls.

    First by a search of both surfaces, the answer of all that are apart; then, where
    both bodies are convex within tolerance, by their hulls, unless their dents leave
    room for surfaces that are apart; at last exhaustively.
    Bodies are asked here whether they are inside-out: their faces run the other way, so
    that no walk can name them.
    """
    kept = buffers.first, buffers.second
    try:
        if not buffers.convex:
            buffers.set_outward(*(x.outward_mesh(ask=True) for x in buffers.bodies))
        as_before = buffers.first is kept[0] and buffers.second is kept[1]
        if buffers.learn_sags() or not as_before:
            status = buffers.call(one_frame, *buffers.tables)
            buffers.result.outward_seen = 0  # as seen on faces that were turned round
            if status == layout.CERTIFIED:
                return copied(buffers, status), buffers.first.sag[0] >= 0.0
        found: Numbers | None = None
        meeting = layout.BOUNDED  # what a search of the surfaces says of that
        dented = buffers.result.dent > 0.0
        # Hulls mostly prove it at once, for a tenth of what surfaces take that all but
        # coincide; a place farther off is for the surfaces, who know of others.
        # Where surfaces were far apart a frame ago, nobody asks how convex they are.
        asked = status in (layout.OVERLAP, layout.UNPROVEN) and not buffers.far
        as_hulls = asked and both_convex(buffers)
        if as_hulls and buffers.run_as_hulls() == layout.CERTIFIED:
            source = copied(buffers, layout.CERTIFIED)
            if not source.reason and source.distance <= layout.NEAR * source.size:
                return source, True
        if status != layout.BOUNDED or dented:
            meeting = buffers.run_as_surfaces(before)
            total = buffers.result.nan_sum
            if total - total != 0.0:
                for body in buffers.given:
                    body.refuse_unfinite(frame)
            if meeting in (layout.CERTIFIED, layout.SEARCHED):
                found = copied(buffers, meeting)
                buffers.far = found.distance > layout.NEAR * found.size
                if buffers.far:
                    return found, False
        buffers.far = False
        as_hulls = as_hulls if asked else both_convex(buffers)
        if as_hulls:
            status = buffers.run_as_hulls()
            enough = not exact or buffers.result.dent > 0.0
            if status == layout.CERTIFIED or (status == layout.BOUNDED and enough):
                source = copied(buffers, status)
                if source.reason == "":
                    return source, True
        if found is None:
            numbers, unsure = None, meeting == layout.UNPROVEN
            if unsure or meeting == layout.OVERLAP:
                done = work_of(buffers.result)
                numbers = find("interval")(buffers, before())
                numbers = numbers and numbers._replace(work=done)
            if numbers is None or (unsure and not is_barely_deep(numbers)):
                numbers = find("searched")(buffers)
            found = numbers.mirrored() if buffers.swapped else numbers
        return found, as_hulls
    finally:
        buffers.first, buffers.second = kept


def corner_of(source: Numbers, swapped: bool) -> memoryview:
    """Return the labels of the corner that carries the points, in kernel order."""
    numbers = source.mirrored() if swapped else source
    x, y, z = numbers.point_a
    c = numbers.corners
    off = [
        max(abs(c[i] - x), abs(c[i + 1] - y), abs(c[i + 2] - z))
        for i in range(0, len(c), 6)
    ]
    chosen = 4 * off.index(min(off))
    return ints(np.array(numbers.labels[chosen : chosen + 4], np.int32))


def both_convex(buffers: Buffers) -> bool:
    """Say whether an overlap is one of nearly convex bodies.  Cost: two audits."""
    return not buffers.convex and all(body.is_convex() for body in buffers.bodies)

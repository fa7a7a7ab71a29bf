"""Deformations of the sections across an axis: taper, twist, bend, bulge.

After Barr, "Global and local deformations of solid primitives", SIGGRAPH 1984, DOI
10.1145/800031.808573. All of them curve what was straight: a convex body may lose
convexity, and a flat face its plane. All of them are portable to the bit where the
amounts that they are given are. ``axis``, ``span`` and ``about``: see `sim.deform`.
"""

from collections.abc import Callable
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.angles import sincos
from sim.arguments import (
    ORIGIN,
    Amount,
    Axis,
    Span,
    Vec,
    amount_of,
    check_axis,
    check_span,
    check_vector,
)
from sim.deform.deformer import Deformer, Points, deforms

Range = Span | None


class _Place(NamedTuple):
    """Where the vertices lie along the axis, each (V,) but the first and the last."""

    axis: int
    about: Vec
    part: Points  # 0 at the low end of the span and before, 1 at the high end and after
    inside: Points  # the length gone within the span, 0 to length
    beyond: Points  # the length gone past its high end, 0 or more
    within: NDArray[np.bool_]  # whether the vertex lies in the span, its ends included
    length: float  # of the span; 0 for a shape that is flat along the axis

    @property
    def across(self) -> tuple[int, int]:
        """The axes of the sections."""
        return (self.axis + 1) % 3, (self.axis + 2) % 3


@deforms
def taper(
    amount: Amount, *, axis: Axis = 2, span: Range = None, about: ArrayLike = ORIGIN
) -> Deformer:
    """Make the sections smaller, evenly along the axis.

    ``amount`` is the part by which the section at the high end is made smaller: 0.4
    leaves 60 %, negative widens it; the low end stays as it is, and the sections past
    the span have the size of its end.

    Raises ValueError when called, if nothing of the section is left.
    """

    def tapered(rest: Points, t: float, by: float, place: _Place) -> Points:
        if not by < 1.0:
            raise ValueError(
                f"tapered by {by:g} at time {t:g}: nothing of the section is left; the "
                f"amount must be below 1"
            )
        return _widened(rest, -by * place.part, place)

    return _along(tapered, amount, axis, span, about)


@deforms
def bulge(
    amount: Amount, *, axis: Axis = 2, span: Range = None, about: ArrayLike = ORIGIN
) -> Deformer:
    """Swell the middle of the body like a barrel, or narrow it like a waist.

    ``amount`` is the part by which the section in the middle of the span is made
    larger, falling to 0 at both ends by a parabola; negative narrows.

    Raises ValueError when called, if nothing of the section is left.
    """

    def bulged(rest: Points, t: float, by: float, place: _Place) -> Points:
        if not by > -1.0:
            raise ValueError(
                f"bulged by {by:g} at time {t:g}: nothing of the waist is left; the "
                f"amount must be above -1"
            )
        return _widened(rest, 4.0 * by * place.part * (1.0 - place.part), place)

    return _along(bulged, amount, axis, span, about)


@deforms
def twist(
    angle: Amount, *, axis: Axis = 2, span: Range = None, about: ArrayLike = ORIGIN
) -> Deformer:
    """Turn the sections about the axis, evenly along it.

    ``angle`` is that of the high end against the low end, which stays [radians,
    counter-clockwise seen against the axis]; what lies past the high end is turned as a
    whole. Keeps the volume of a solid, but of a mesh only in the limit of small faces:
    its faces stay straight between their vertices.
    """

    def twisted(rest: Points, t: float, by: float, place: _Place) -> Points:
        u, v = place.across
        sine, cosine = sincos(by * place.part)
        x, y = rest[:, u] - place.about[u], rest[:, v] - place.about[v]
        points = rest.copy()
        points[:, u] += x * (cosine - 1.0) - y * sine
        points[:, v] += x * sine + y * (cosine - 1.0)
        return points

    return _along(twisted, angle, axis, span, about, "angle")


@deforms
def bend(
    angle: Amount,
    *,
    axis: Axis = 2,
    towards: Axis = 0,
    span: Range = None,
    about: ArrayLike = ORIGIN,
) -> Deformer:
    """Bend the body along an axis into an arc of a circle.

    ``angle`` is that of the whole arc [radians]: positive bends the high end
    ``towards`` that axis, where the centre of the arc lies, negative away from it; more
    than 2 pi runs into itself. The low end stays; what lies past the high end stays
    straight; the line through ``about`` along the axis keeps its length.

    Raises ValueError if the two axes are the same; when called, if the body reaches
    past the centre of the arc, where it would be folded.
    """
    side = check_axis("towards", towards)
    if side == check_axis("axis", axis):
        raise ValueError(f"axis and towards are both {axis}; a bend needs two axes")

    def bent(rest: Points, t: float, whole: float, place: _Place) -> Points:
        height = rest[:, side] - place.about[side]
        _check_fold(whole, place, height, t)
        theta = whole * place.part
        sine, cosine = sincos(theta)
        half, _ = sincos(0.5 * theta)
        straight = theta == 0.0
        over = np.where(straight, 1.0, theta)
        chord = np.where(straight, 0.0, sine / over - 1.0)
        rise = np.where(straight, 0.0, 2.0 * half * half / over)
        inside, beyond, opened = place.inside, place.beyond, cosine - 1.0
        points = rest.copy()
        points[:, side] += height * opened + inside * rise + beyond * sine
        points[:, place.axis] += inside * chord - height * sine + beyond * opened
        return points

    return _along(bent, angle, axis, span, about, "angle")


def _along(
    deformed: Callable[[Points, float, float, _Place], Points],
    amount: Amount,
    axis: Axis,
    span: Range,
    about: ArrayLike,
    name: str = "amount",
) -> Deformer:
    """Check what all of them take, once, and look where the vertices lie."""
    part, along = amount_of(name, amount), check_axis("axis", axis)
    middle, where = check_vector("about", about), check_span("span", span)

    def function(rest: Points, t: float) -> Points:
        return deformed(rest, t, part(t), _place(rest, along, middle, where))

    return Deformer(function, is_portable=True)


def _place(rest: Points, axis: int, about: Vec, span: Range) -> _Place:
    height = rest[:, axis]
    low, high = (height.min(), height.max()) if span is None else span
    length = float(high - low)
    if not length > 0.0:
        none = np.zeros(len(rest))
        return _Place(axis, about, none, none, none, none > 0.0, 0.0)
    inside = np.minimum(np.maximum(height - low, 0.0), length)
    beyond = np.maximum(height - high, 0.0)
    within = (height >= low) & (height <= high)
    return _Place(axis, about, inside / length, inside, beyond, within, length)


def _widened(rest: Points, by: Points, place: _Place) -> Points:
    """Make sections larger by a part that depends on the place."""
    points = rest.copy()
    for side in place.across:
        points[:, side] += by * (rest[:, side] - place.about[side])
    return points


def _check_fold(angle: float, place: _Place, height: Points, t: float) -> None:
    """Refuse a bend whose arc has its centre inside the body."""
    reach = np.where(place.within, angle * height, 0.0)
    v = int(reach.argmax())
    if place.length and reach[v] >= place.length:
        raise ValueError(
            f"bent by {angle:g} radians ({angle / pi:.3g} pi) at time {t:g}, over a "
            f"length of {place.length:g}: vertex {v} lies {abs(height[v]):g} inside "
            f"the line that keeps its length, past the centre of the arc; bend less, "
            f"over a longer span, or about a line nearer to the inside"
        )

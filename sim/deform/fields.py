"""Deformations that push a vertex by where it lies: dent, wave, lattice.

All of them may lose convexity and flat faces, and are portable to the bit where the
amounts that they are given are.
"""

from collections.abc import Callable
from math import comb, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike

from sim.angles import sincos
from sim.arguments import (
    Amount,
    Axis,
    Vec,
    amount_of,
    check_above_zero,
    check_axis,
    check_number,
    check_vector,
    over_time,
)
from sim.deform.deformer import Deformer, Points, deforms


@deforms
def dent(
    depth: Amount,
    *,
    at: ArrayLike | Callable[[float], ArrayLike],
    radius: float,
    direction: ArrayLike | None = None,
) -> Deformer:
    """Press a smooth round dent, or raise a bump.

    The push falls off as (1 - d^2 / radius^2)^2: smooth at the rim, and without square
    roots (Wyvill, McPheeters and Wyvill, "Data structure for soft objects", The Visual
    Computer 2, 1986, DOI 10.1007/BF01900346, use a polynomial of the same kind).

    Raises ValueError if the radius is not above 0, or the direction is zero.

    Parameters: ``depth``: how far the deepest point is pushed [length], negative raises
    a bump; ``at`` (3,): where, a function of time makes it travel; ``radius``: how far
    from there it reaches; ``direction`` (3,): which way is in, of any length; towards
    the middle of the rest shape's box if left out.
    """
    push = amount_of("depth", depth)
    reach = check_above_zero("radius", radius)
    given: Vec | None = None
    if direction is not None:
        given = _unit(check_vector("direction", direction), "direction")
    place = over_time(at, lambda p, when: check_vector(f"{when}, at".lstrip(", "), p))

    def deformed(rest: Points, t: float) -> Points:
        deepest, by, way = place(t), push(t), given
        if way is None:
            middle = rest.min(axis=0) / 2 + rest.max(axis=0) / 2
            x, y, z = (middle - deepest).tolist()
            why = f"at={deepest} is the middle of the body: direction"
            way = _unit((x, y, z), why)
        x, y, z = ((rest[:, k] - deepest[k]) / reach for k in range(3))
        left = np.maximum(1.0 - (x * x + y * y + z * z), 0.0)
        weight = by * (left * left)
        return np.stack([rest[:, k] + weight * way[k] for k in range(3)], axis=1)

    return Deformer(deformed, is_portable=True)


@deforms
def wave(
    amount: Amount,
    *,
    length: float,
    axis: Axis = 0,
    along: Axis = 2,
    speed: float = 0.0,
    phase: float = 0.0,
) -> Deformer:
    """Let a sine wave run through the body.

    Keeps the volume of a solid unless both axes are the same, which makes a pressure
    wave. Raises ValueError if the length is not above 0.

    Parameters: ``amount``: how far it pushes to either side [length], along ``axis``;
    ``length``: from crest to crest; ``along``: the axis along which it runs, at a
    ``speed`` [length per unit of time], 0 stands; ``phase``: its angle at the origin at
    time 0 [radians].
    """
    part, pushed = amount_of("amount", amount), check_axis("axis", axis)
    way = check_axis("along", along)
    crest = check_above_zero("length", length)
    fast, first = check_number("speed", speed), check_number("phase", phase)

    def deformed(rest: Points, t: float) -> Points:
        turns = (rest[:, way] - fast * t) / crest
        sine, _ = sincos(2.0 * pi * (turns - np.floor(turns)) + first)
        points = rest.copy()
        points[:, pushed] += part(t) * sine
        return points

    return Deformer(deformed, is_portable=True)


def _unit(vector: Vec, name: str) -> Vec:
    x, y, z = vector
    most = max(abs(x), abs(y), abs(z))
    if not most > 0.0:
        raise ValueError(f"{name} is {vector}; give one that is not zero")
    x, y, z = x / most, y / most, z / most
    length = sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


@deforms
def lattice(
    offsets: ArrayLike | Callable[[float], ArrayLike],
    *,
    amount: Amount = 1.0,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
) -> Deformer:
    """Move the control points of a box of lattice cells; the body inside follows.

    Raises ValueError if the offsets are no finite (l, m, n, 3) array, or the box has a
    side without length.

    Trivariate Bernstein polynomials over the box: Sederberg and Parry, "Free-form
    deformation of solid geometric models", SIGGRAPH 1986, DOI 10.1145/15922.15903.
    A vertex outside the box is carried along with the nearest point of the box.

    Parameters: ``offsets`` (l, m, n, 3) or function of time: by how much each control
    point is moved off its place [length]; l, m, n control points, one or more, lie
    evenly along x, y, z. ``amount`` multiplies all; ``low``, ``high`` (3,): corners of
    the box, body frame; that of the rest shape if both are left out.
    """
    part = amount_of("amount", amount)
    box: tuple[Points, Points] | None = None
    if low is not None or high is not None:
        if low is None or high is None:
            said = "needs both corners, low and high, or neither"
            raise ValueError(f"a lattice's box {said}")
        ends = check_vector("low", low), check_vector("high", high)
        if not all(b < t for b, t in zip(*ends, strict=True)):
            raise ValueError(
                f"the lattice's box from low={ends[0]} to high={ends[1]} has a side "
                f"without length; give low < high along every axis"
            )
        box = np.array(ends[0]), np.array(ends[1])
    offsets_at = over_time(offsets, _checked_offsets)

    def deformed(rest: Points, t: float) -> Points:
        low, high = (rest.min(axis=0), rest.max(axis=0)) if box is None else box
        local = (rest - low) / np.where(high > low, high - low, 1.0)
        local = np.minimum(np.maximum(local, 0.0), 1.0)
        control = offsets_at(t)
        weights = (bernstein(control.shape[k] - 1, local[:, k]) for k in range(3))
        points: Points = rest + part(t) * _blended(control, *weights)
        return points

    return Deformer(deformed, is_portable=True)


def bernstein(n: int, s: Points) -> list[Points]:
    """Return the n + 1 Bernstein polynomials of degree n at parameters s."""
    up, down = [np.ones_like(s)], [np.ones_like(s)]
    for _ in range(n):
        up.append(up[-1] * s)
        down.append(down[-1] * (1.0 - s))
    return [float(comb(n, i)) * up[i] * down[n - i] for i in range(n + 1)]


def _blended(offsets: Points, first: list[Points], *others: list[Points]) -> Points:
    """Blend the offsets of control points, (l, ..., 3), by the weights of each axis."""
    parts = [_blended(part, *others) for part in offsets] if others else offsets
    total = np.zeros((len(first[0]), 3))
    for weight, part in zip(first, parts, strict=True):
        total += weight[:, None] * part
    return total


def _checked_offsets(offsets: ArrayLike, when: str) -> Points:
    array = np.array(offsets, np.float64)
    if array.ndim != 4 or array.shape[3] != 3 or not array.size:
        raise ValueError(
            f"the lattice's offsets have shape {array.shape}{when}; give an array "
            f"(l, m, n, 3), three numbers for each control point"
        )
    for place in np.argwhere(~np.isfinite(array).all(axis=3)).tolist():
        raise ValueError(
            f"the lattice's offset {place} is {array[*place].tolist()}{when}; every "
            f"number must be finite"
        )
    return array

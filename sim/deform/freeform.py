"""Free-form deformation: a lattice of control points that carries the body along."""

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from sim.arguments import Amount, amount_of, check_vector
from sim.deform.deformer import Deformer, Points, as_called

OUTSIDE = ("carry", "keep", "raise")


def lattice(
    offsets: ArrayLike | Callable[[float], ArrayLike],
    *,
    amount: Amount = 1.0,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    outside: str = "carry",
) -> Deformer:
    """Move the control points of a box of lattice cells; the body inside follows.

    Parameters
    ----------
    offsets : (l, m, n, 3) array_like or function of t
        By how much each control point is moved off its place [length]; l, m, n control
        points, one or more, lie evenly along x, y, z. Zeros leave the body as it is.
    amount : float or function of t
        Multiplies all of them.
    low, high : (3,) array_like, optional
        Corners of the box, body frame; that of the rest shape if left out.
    outside : {"carry", "keep", "raise"}
        What happens to a vertex outside the box: it is carried along with the nearest
        point of the box; it stays, as in the paper, which tears the body unless the
        outer control points stay as well; or it is refused.

    Raises
    ------
    ValueError
        If the offsets are no finite (l, m, n, 3) array, the box has a side without
        length, or a vertex lies outside a box with ``outside="raise"``.

    Notes
    -----
    Trivariate Bernstein polynomials over the box: Sederberg and Parry, "Free-form
    deformation of solid geometric models", SIGGRAPH 1986, DOI 10.1145/15922.15903. May
    lose convexity and flat faces. Portable to the bit if offsets and amount are. Cost:
    O(V l m n).
    """
    if outside not in OUTSIDE:
        raise ValueError(f"outside={outside!r} is not one of {', '.join(OUTSIDE)}")
    part = amount_of("amount", amount)
    box = _checked_box(low, high)
    offsets_at: Callable[[float], Points]
    if callable(offsets):
        moving = offsets

        def offsets_at(t: float) -> Points:
            return _checked_offsets(moving(t), f" at time {t:g}")

        told: object = offsets
    else:
        fixed = told = _checked_offsets(offsets, "")

        def offsets_at(t: float) -> Points:
            return fixed

    def deformed(rest: Points, t: float) -> Points:
        if box is None:
            bottom, top = rest.min(axis=0), rest.max(axis=0)
        else:
            bottom, top = box
        local = (rest - bottom) / np.where(top > bottom, top - bottom, 1.0)
        clamped = np.minimum(np.maximum(local, 0.0), 1.0)
        moved = rest + part(t) * _carried(offsets_at(t), clamped)
        if outside == "carry":
            return moved
        out = (clamped != local).any(axis=1)
        if outside == "raise" and out.any():
            v = int(out.argmax())
            raise ValueError(
                f"vertex {v} at {rest[v].tolist()} lies outside the lattice's box, "
                f"{bottom.tolist()} to {top.tolist()}; make it larger, or choose "
                f"outside='carry'"
            )
        return np.where(out[:, None], rest, moved)

    name = as_called(
        "lattice",
        told,
        amount=amount,
        low=None if box is None else tuple(box[0].tolist()),
        high=None if box is None else tuple(box[1].tolist()),
        outside=outside,
    )
    return Deformer(deformed, is_portable=True, name=name)


def bernstein(n: int, s: Points) -> list[Points]:
    """Return the n + 1 Bernstein polynomials of degree n at parameters s."""
    up, down = [np.ones_like(s)], [np.ones_like(s)]
    for _ in range(n):
        up.append(up[-1] * s)
        down.append(down[-1] * (1.0 - s))
    return [float(comb(n, i)) * up[i] * down[n - i] for i in range(n + 1)]


def _carried(offsets: Points, local: Points) -> Points:
    """Blend the offsets of the control points for places in the unit cube, (V, 3)."""
    x, y, z = (bernstein(offsets.shape[k] - 1, local[:, k]) for k in range(3))
    carried = np.zeros_like(local)
    for axis in range(3):
        for i, along_x in enumerate(x):
            plane = np.zeros(len(local))
            for j, along_y in enumerate(y):
                row = np.zeros(len(local))
                for k, along_z in enumerate(z):
                    row += along_z * offsets[i, j, k, axis]
                plane += along_y * row
            carried[:, axis] += along_x * plane
    return carried


def _checked_offsets(offsets: ArrayLike, when: str) -> Points:
    array = np.array(offsets, np.float64)
    if array.ndim != 4 or array.shape[3] != 3 or not array.size:
        raise ValueError(
            f"the lattice's offsets have shape {array.shape}{when}; give an array "
            f"(l, m, n, 3), three numbers for each control point"
        )
    bad = np.argwhere(~np.isfinite(array).all(axis=3))
    if len(bad):
        i, j, k = bad[0].tolist()
        raise ValueError(
            f"the lattice's offset [{i}, {j}, {k}] is {array[i, j, k].tolist()}{when}; "
            f"every number must be finite"
        )
    return array


def _checked_box(
    low: ArrayLike | None, high: ArrayLike | None
) -> tuple[Points, Points] | None:
    if low is None and high is None:
        return None
    if low is None or high is None:
        raise ValueError("a lattice's box needs both corners, low and high, or neither")
    bottom, top = check_vector("low", low), check_vector("high", high)
    if not all(b < t for b, t in zip(bottom, top, strict=True)):
        raise ValueError(
            f"the lattice's box from low={bottom} to high={top} has a side without "
            f"length; give low < high along every axis"
        )
    return np.array(bottom), np.array(top)

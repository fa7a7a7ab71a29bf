"""Deformations towards shapes that are given: blend, keyframes, samples.

The shapes have the same vertices in the same order as the rest shape, and none of them
need be convex; between two that are, a body need not be either.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import Amount, amount_of, check_points, check_times
from sim.deform.deformer import Deformer, Points, deforms

METHODS = ("spline", "linear", "nearest")


@deforms
def blend(shapes: Sequence[ArrayLike], weights: Sequence[Amount]) -> Deformer:
    """Mix shapes: the rest shape plus so much of the way to each of the others.

    Raises ValueError if shapes and weights differ in number, or a shape is no finite
    (V, 3) array; when called, if the rest shape has another number of vertices.

    ``rest + w1 (shape1 - rest) + w2 (shape2 - rest) ...``, in this order. Portable to
    the bit if the weights are.

    Parameters: ``shapes``: (V, 3) each, body frame, copied; ``weights``: one for each
    shape: 0 is the rest shape, 1 all the way; any number, or function of time, goes.
    """
    targets = _checked_shapes(shapes)
    if len(weights) != len(targets) or not targets:
        raise ValueError(
            f"{len(weights)} weights for {len(targets)} shapes; give one for each, and "
            f"one shape at least"
        )
    parts = [amount_of(f"weight {k}", weight) for k, weight in enumerate(weights)]

    def deformed(rest: Points, t: float) -> Points:
        _check_count(targets[0], rest, "shapes of the blend")
        points = rest.copy()
        for target, part in zip(targets, parts, strict=True):
            points += part(t) * (target - rest)
        return points

    return Deformer(deformed, is_portable=True)


@deforms
def keyframes(
    times: ArrayLike, shapes: Sequence[ArrayLike | None], *, method: str = "spline"
) -> Deformer:
    """Run through a few shapes, being each of them at its time.

    Raises ValueError if times and shapes differ in number, times do not ascend, or a
    shape is no finite (V, 3) array; when called, if the rest shape has another number
    of vertices.

    The shapes are met exactly, to the bit. Portable to the bit, except by
    ``"spline"``, whose equations `scipy.interpolate.CubicSpline` solves.

    Parameters: ``times`` (K,): ascending; before the first and after the last the shape
    stays; ``shapes``: body frame; copied. None stands for the rest shape; ``method``
    {"spline", "linear", "nearest"}: how to get from one to the next: by a natural cubic
    spline of every vertex, twice differentiable in time; in straight lines; or by a
    jump half-way.
    """
    given = list(shapes)
    when = check_times(times, len(given), "shapes")
    targets = _checked_shapes([s for s in given if s is not None])
    fill = iter(targets)
    keys = [None if s is None else next(fill) for s in given]
    weights = _weights(when, method)

    def deformed(rest: Points, t: float) -> Points:
        if targets:
            _check_count(targets[0], rest, "shapes of the keyframes")
        points = np.zeros_like(rest)
        for weight, key in zip(weights(t), keys, strict=True):
            shape: Points = rest if key is None else key
            if weight == 1.0:
                return shape.copy()
            if weight != 0.0:
                points += weight * shape
        return points

    return Deformer(deformed, is_portable=method != "spline")


@deforms
def samples(times: ArrayLike, points: ArrayLike, *, method: str = "linear") -> Deformer:
    """Play positions that were computed elsewhere, such as a simulator's output.

    Raises ValueError if times and positions differ in number, times do not ascend, or
    positions are no finite (T, V, 3) array, naming frame and vertex; when called, if
    the rest shape has another number of vertices.

    The positions of the rest shape do not matter. Portable to the bit, except by
    ``"spline"``. Cost: O(V) a call; "spline" O(T V).

    Parameters: ``times`` (T,): ascending; before the first and after the last the shape
    stays; ``points`` (T, V, 3): body frame; copied; ``method`` {"linear", "nearest",
    "spline"}: how to get from one to the next, as in `keyframes`; "nearest" returns
    only shapes that are there, the earlier one half-way between two.
    """
    array = np.array(points, np.float64)
    if array.ndim != 3 or array.shape[2] != 3:
        raise ValueError(
            f"samples have shape {array.shape}; give an array (T, V, 3), one row of "
            f"positions for each time"
        )
    when = check_times(times, len(array), "samples")
    for k, sample in enumerate(array):
        check_points(f"sample {k}", sample)
    if method == "spline":
        return keyframes(when, list(array), method=method)
    ascending = _checked(when, method)

    def deformed(rest: Points, t: float) -> Points:
        _check_count(array[0], rest, "samples")
        k, s = _part(ascending, t, method)
        points: Points = array[k].copy()
        if s != 0.0:
            points += s * (array[k + 1] - points)
        return points

    return Deformer(deformed, is_portable=True)


def _weights(when: NDArray[np.float64], method: str) -> Callable[[float], list[float]]:
    """Return how much each key counts at a time, as a function of the time."""
    ascending, count, spline = _checked(when, method), len(when), None
    if method == "spline" and count > 2:
        from scipy.interpolate import CubicSpline

        # a spline is linear in its values: one for each key serves every vertex
        spline = CubicSpline(when, np.eye(count), bc_type="natural")

    def weights(t: float) -> list[float]:
        k, s = _part(ascending, t, method)
        if s != 0.0 and spline is not None:
            return [float(weight) for weight in spline(t)]
        counts = [0.0] * count
        counts[k] = 1.0 - s
        if s != 0.0:
            counts[k + 1] = s
        return counts

    return weights


def _part(times: list[float], t: float, method: str) -> tuple[int, float]:
    """Return the key before a time, and which part of the way to the next is gone.

    The part is below 1, and 0 wherever one key alone counts.
    """
    k = bisect_right(times, t) - 1
    if k < 0 or k == len(times) - 1:
        return max(k, 0), 0.0
    s = (t - times[k]) / (times[k + 1] - times[k])
    if method == "nearest":
        return (k + 1 if s > 0.5 else k), 0.0
    return (k, s) if s < 1.0 else (k + 1, 0.0)


def _checked(times: NDArray[np.float64], method: str) -> list[float]:
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not one of {', '.join(METHODS)}")
    return [float(t) for t in times]


def _checked_shapes(shapes: Sequence[ArrayLike]) -> list[Points]:
    copies: list[Points] = []
    for k, shape in enumerate(shapes):
        checked = check_points(f"shape {k}", shape)
        if copies and checked.shape != copies[0].shape:
            raise ValueError(
                f"shape {k} has {len(checked)} vertices where shape 0 has "
                f"{len(copies[0])}; give the same vertices in every shape"
            )
        copies.append(np.array(checked))
    return copies


def _check_count(shape: Points, rest: Points, what: str) -> None:
    if shape.shape != rest.shape:
        raise ValueError(
            f"the {what} have {len(shape)} vertices, the rest shape has {len(rest)}; "
            f"give one position for each vertex of the mesh"
        )

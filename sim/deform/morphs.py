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
    return _played(times, shapes, method, "shape", "shapes of the keyframes")


@deforms
def samples(times: ArrayLike, points: ArrayLike, *, method: str = "linear") -> Deformer:
    """Play positions that were computed elsewhere, such as a simulator's output.

    The positions of the rest shape do not matter. Raises ValueError as `keyframes`
    does, naming frame and vertex.

    Parameters: ``times`` (T,): ascending; ``points`` (T, V, 3): body frame; copied;
    ``method``: as in `keyframes`; "nearest" returns only shapes that are there, the
    earlier one half-way between two.
    """
    array = np.array(points, np.float64)
    if array.ndim != 3 or array.shape[2] != 3:
        raise ValueError(
            f"samples have shape {array.shape}; give an array (T, V, 3), one row of "
            f"positions for each time"
        )
    return _played(times, list(array), method, "sample", "samples")


def _played(
    times: ArrayLike,
    shapes: Sequence[ArrayLike | None],
    method: str,
    name: str,
    names: str,
) -> Deformer:
    """Run through shapes that errors call by a name."""
    when = check_times(times, len(shapes), f"{name}s")
    given = _checked_shapes([s for s in shapes if s is not None], name)
    left = iter(given)
    keys = [None if s is None else next(left) for s in shapes]
    weights = _weights(when, method)

    def deformed(rest: Points, t: float) -> Points:
        if given:
            _check_count(given[0], rest, names)
        points = np.zeros_like(rest)
        for k, weight in weights(t):
            key = keys[k]
            shape = rest if key is None else key
            if weight == 1.0:
                return shape.copy()
            points += weight * shape
        return points

    return Deformer(deformed, is_portable=method != "spline")


def _weights(
    when: NDArray[np.float64], method: str
) -> Callable[[float], list[tuple[int, float]]]:
    """Return which keys count at a time, and how much, as a function of the time."""
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not one of {', '.join(METHODS)}")
    times, spline = when.tolist(), None
    if method == "spline" and len(times) > 2:
        from scipy.interpolate import CubicSpline

        # a spline is linear in its values: one for each key serves every vertex
        spline = CubicSpline(when, np.eye(len(times)), bc_type="natural")

    def weights(t: float) -> list[tuple[int, float]]:
        k = max(bisect_right(times, t) - 1, 0)
        if t <= times[k] or k == len(times) - 1:
            return [(k, 1.0)]
        s = (t - times[k]) / (times[k + 1] - times[k])
        if method == "nearest" or s >= 1.0:
            return [(k + 1 if s > 0.5 else k, 1.0)]
        if spline is not None:
            return [*enumerate(spline(t).tolist())]
        return [(k, 1.0 - s), (k + 1, s)]

    return weights


def _checked_shapes(shapes: Sequence[ArrayLike], name: str = "shape") -> list[Points]:
    copies: list[Points] = []
    for k, shape in enumerate(shapes):
        checked = check_points(f"{name} {k}", shape)
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

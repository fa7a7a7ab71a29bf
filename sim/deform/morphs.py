"""Deformations towards shapes that are given, or by the modes of a surface.

The shapes have the same vertices in the same order as the rest shape, and none of them
need be convex; between two that are, a body need not be either.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import (
    Amount,
    Vec,
    amount_of,
    check_points,
    check_times,
    check_vector,
)
from sim.deform.deformer import Deformer, Points, as_called

if TYPE_CHECKING:
    from wingedge import WingedEdgeMesh


METHODS = ("spline", "linear", "nearest")


def blend(shapes: Sequence[ArrayLike], weights: Sequence[Amount]) -> Deformer:
    """Mix shapes: the rest shape plus so much of the way to each of the others.

    Parameters
    ----------
    shapes : sequence of (V, 3) array_like
        Body frame; copied.
    weights : sequence of float or function of t
        One for each shape: 0 is the rest shape, 1 all the way; any number goes.

    Raises
    ------
    ValueError
        If shapes and weights differ in number, or a shape is no finite (V, 3) array;
        when called, if the rest shape has another number of vertices.

    Notes
    -----
    ``rest + w1 (shape1 - rest) + w2 (shape2 - rest) ...``, in this order. May lose
    convexity and flat faces. Portable to the bit if the weights are.
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

    name = as_called("blend", targets, list(weights))
    return Deformer(deformed, is_portable=True, name=name)


def keyframes(
    times: ArrayLike, shapes: Sequence[ArrayLike | None], *, method: str = "spline"
) -> Deformer:
    """Run through a few shapes, being each of them at its time.

    Parameters
    ----------
    times : (K,) array_like
        Ascending; before the first and after the last the shape stays.
    shapes : sequence of K (V, 3) array_like
        Body frame; copied. None stands for the rest shape.
    method : {"spline", "linear", "nearest"}
        How to get from one to the next: by a natural cubic spline of every vertex,
        twice differentiable in time; in straight lines; or by a jump half-way.

    Raises
    ------
    ValueError
        If times and shapes differ in number, times do not ascend, or a shape is no
        finite (V, 3) array; when called, if the rest shape has another number of
        vertices.

    Notes
    -----
    The shapes are met exactly, to the bit. May lose convexity and flat faces. Portable
    to the bit, except by ``"spline"``, whose equations `scipy.interpolate.CubicSpline`
    solves.
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

    name = as_called("keyframes", when, list(keys), method=method)
    return Deformer(deformed, is_portable=method != "spline", name=name)


def samples(times: ArrayLike, points: ArrayLike, *, method: str = "linear") -> Deformer:
    """Play positions that were computed elsewhere, such as a simulator's output.

    Parameters
    ----------
    times : (T,) array_like
        Ascending; before the first and after the last the shape stays.
    points : (T, V, 3) array_like
        Body frame; copied.
    method : {"linear", "nearest", "spline"}
        How to get from one to the next, as in `keyframes`; "nearest" returns only
        shapes that are there, the earlier one half-way between two.

    Raises
    ------
    ValueError
        If times and positions differ in number, times do not ascend, or positions are
        no finite (T, V, 3) array, naming frame and vertex; when called, if the rest
        shape has another number of vertices.

    Notes
    -----
    The positions of the rest shape do not matter. May lose convexity and flat faces:
    that is up to the samples. Portable to the bit, except by ``"spline"``. Cost: O(V) a
    call; "spline" O(T V).
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
        moved = keyframes(when, list(array), method=method).function
    else:
        moved = _between(when, array, _checked_method(method))
    name = as_called("samples", when, array, method=method)
    return Deformer(moved, is_portable=method != "spline", name=name)


def _between(
    when: NDArray[np.float64], array: Points, method: str
) -> Callable[[Points, float], Points]:
    ascending = when.tolist()

    def deformed(rest: Points, t: float) -> Points:
        _check_count(array[0], rest, "samples")
        k, s = _part(ascending, t, method)
        points: Points = array[k].copy()
        if s != 0.0:
            points += s * (array[k + 1] - points)
        return points

    return deformed


def _weights(when: NDArray[np.float64], method: str) -> Callable[[float], list[float]]:
    """Return how much each key counts at a time, as a function of the time."""
    _checked_method(method)
    ascending, count = when.tolist(), len(when)
    if method == "spline" and count > 2:
        from scipy.interpolate import CubicSpline

        # a spline is linear in its values: one for each key serves every vertex
        spline = CubicSpline(when, np.eye(count), bc_type="natural")
    else:
        spline = None

    def weights(t: float) -> list[float]:
        k, s = _part(ascending, t, method)
        counts = [0.0] * count
        if s == 0.0:
            counts[k] = 1.0
        elif spline is None:
            counts[k], counts[k + 1] = 1.0 - s, s
        else:
            counts = [float(weight) for weight in spline(t)]
        return counts

    return weights


def _part(times: list[float], t: float, method: str) -> tuple[int, float]:
    """Return the key before a time, and which part of the way to the next is gone.

    The part is below 1, and 0 wherever one key alone counts.
    """
    k = bisect_right(times, t) - 1
    if k < 0:
        return 0, 0.0
    if k == len(times) - 1:
        return k, 0.0
    s = (t - times[k]) / (times[k + 1] - times[k])
    if method == "nearest":
        return (k + 1 if s > 0.5 else k), 0.0
    return (k, s) if s < 1.0 else (k + 1, 0.0)


def _checked_method(method: str) -> str:
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not one of {', '.join(METHODS)}")
    return method


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


SAME = 1e-7  # eigenvalues that differ by less, relative to the largest, are one
SMALL = 400  # vertices up to which all eigenvectors are found at once


def modal(
    mesh: "WingedEdgeMesh",
    amounts: Sequence[Amount],
    *,
    direction: ArrayLike | None = None,
) -> Deformer:
    """Swing a body in the modes of its mesh, the slowest first.

    Parameters
    ----------
    mesh : WingedEdgeMesh
        Its edges make the Laplacian; the rest shape given later has its vertices.
    amounts : sequence of float or function of t
        For the first modes after the constant one: how far the vertex that moves most
        is pushed [length].
    direction : (3,) array_like, optional
        Which way vertices are pushed; each along its own normal, the area-weighted one
        of the rest shape given, if left out.

    Raises
    ------
    ValueError
        If there are no amounts or more than V - 1; when called, if the rest shape has
        another number of vertices.

    Notes
    -----
    Eigenvectors of the graph Laplacian of the mesh's edges (Taubin, "A signal
    processing approach to fair surface design", SIGGRAPH 1995, DOI
    10.1145/218380.218473; Vallet and Levy, "Spectral geometry processing with manifold
    harmonics", Computer Graphics Forum 27, 2008, DOI 10.1111/j.1467-8659.2008.01122.x).
    Modes are ordered by eigenvalue, scaled to largest entry 1, and positive at the
    first vertex where they are largest. Where several share an eigenvalue, as on every
    regular body, each of them is the one that moves a single vertex most, the first
    such vertex after what the modes before it moved is taken away: this depends on the
    solver by rounding alone. May lose convexity and flat faces. Not portable: solvers
    of eigenvalues round differently. Cost: once O(V^3) up to 400 vertices, sparse
    beyond; then O(V k) a call.
    """
    parts = [amount_of(f"amount {k}", amount) for k, amount in enumerate(amounts)]
    if not 1 <= len(parts) <= mesh.n_vertices - 1:
        raise ValueError(
            f"{len(parts)} amounts for a mesh of {mesh.n_vertices} vertices; give 1 to "
            f"{mesh.n_vertices - 1}, one for each mode"
        )
    way = None if direction is None else check_vector("direction", direction)
    if way is not None and not any(way):
        raise ValueError(f"direction={way} is zero; give one to push along")
    swing = modes(mesh, len(parts))

    def deformed(rest: Points, t: float) -> Points:
        if len(rest) != mesh.n_vertices:
            raise ValueError(
                f"the modes are those of a mesh of {mesh.n_vertices} vertices, the "
                f"rest shape has {len(rest)}; give the positions of that mesh"
            )
        push = np.zeros(len(rest))
        for part, mode in zip(parts, swing, strict=True):
            push += part(t) * mode
        points: Points = rest + push[:, None] * _ways(mesh, rest, way)
        return points

    name = as_called("modal", mesh, list(amounts), direction=way)
    return Deformer(deformed, name=name)


def modes(mesh: "WingedEdgeMesh", count: int) -> NDArray[np.float64]:
    """Return the slowest modes of a mesh after the constant one, (count, V).

    See `modal` for their order, sign and scale.
    """
    values, vectors = _eigenvectors(mesh, count)
    found: list[Points] = []
    start = 1
    while len(found) < count:
        end = start + 1
        while end < len(values) and values[end] - values[start] <= SAME * values[-1]:
            end += 1
        found += _settled(vectors[:, start:end])
        start = end
    return np.array(found[:count])


def _settled(space: Points) -> list[Points]:
    """Choose a basis of an eigenspace (V, m) by its vertices, free of the solver's."""
    basis: list[Points] = []
    left = space
    for _ in range(space.shape[1]):
        moved = np.sqrt((left * left).sum(axis=1))
        v = int((moved >= (1.0 - 1e-6) * moved.max()).argmax())
        mode = left @ (left[v] / moved[v])
        mode /= np.sqrt((mode * mode).sum())
        basis.append(mode / mode[v])  # by Cauchy and Schwarz its largest entry is here
        left = left - mode[:, None] * (mode @ left)
    return basis


def _eigenvectors(mesh: "WingedEdgeMesh", count: int) -> tuple[Points, Points]:
    """Find eigenvalues and vectors, at least to the end of mode ``count``'s space."""
    from scipy.sparse import csc_array

    n = mesh.n_vertices
    tail, tip = mesh.edge_vertices.T
    vertex = np.arange(n)
    rows = np.concatenate([vertex, tail, tip])
    columns = np.concatenate([vertex, tip, tail])
    degrees = np.bincount(mesh.edge_vertices.ravel(), minlength=n)
    entries = np.concatenate([degrees, np.full(2 * len(tail), -1.0)])
    laplacian = csc_array((entries, (rows, columns)), shape=(n, n))
    wanted = count + 8
    while n > SMALL and wanted < n // 4:
        from scipy.sparse.linalg import eigsh

        start = np.linspace(1.0, 2.0, n)  # any fixed one: chance is not wanted here
        values, vectors = eigsh(laplacian, wanted, sigma=-1e-3, v0=start)
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
        if values[-1] - values[count] > SAME * values[-1]:
            return values, vectors  # the last eigenspace may be cut, but none is before
        wanted *= 2
    values, vectors = np.linalg.eigh(laplacian.toarray())
    return values, vectors


def _ways(mesh: "WingedEdgeMesh", rest: Points, way: Vec | None) -> Points:
    """Return the unit direction in which each vertex is pushed, (V, 3) or (1, 3)."""
    if way is not None:
        x, y, z = way
        return np.array([way]) / sqrt(x * x + y * y + z * z)
    corners = rest[mesh.fan.vertex]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    vertex = mesh.fan.vertex.T.ravel()
    normals = np.stack(
        [np.bincount(vertex, np.tile(areas[:, k], 3), len(rest)) for k in range(3)],
        axis=1,
    )
    length = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    unit: Points = normals / np.where(length > 0.0, length, 1.0)
    return unit

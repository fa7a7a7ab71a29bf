"""Modal deformation: the slowest ways in which a surface swings."""

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.arguments import Amount, Vec, amount_of, check_vector
from sim.deform.deformer import Deformer, Points, deforms
from wingedge.geometry import fan_normals

if TYPE_CHECKING:
    from wingedge import WingedEdgeMesh

SAME = 1e-7  # eigenvalues that differ by less, relative to the largest, are one
SMALL = 400  # vertices up to which all eigenvectors are found at once


@deforms
def modal(
    mesh: "WingedEdgeMesh",
    amounts: Sequence[Amount],
    *,
    direction: ArrayLike | None = None,
) -> Deformer:
    """Swing a body in the modes of its mesh, the slowest first.

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

    Parameters: ``amounts``: numbers or functions of time, for the first modes after the
    constant one: how far the vertex that moves most is pushed [length]; ``direction``
    (3,): which way vertices are pushed; each along its own normal, the area-weighted
    one of the rest shape given, if left out.

    Raises ValueError if there are no amounts or more than V - 1; when called, if the
    rest shape has another number of vertices.
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

    return Deformer(deformed)


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
    from scipy.sparse import csc_array, csgraph

    n = mesh.n_vertices
    ends = np.concatenate([mesh.edge_vertices, mesh.edge_vertices[:, ::-1]]).T
    edges = csc_array((np.ones(len(ends[0])), (ends[0], ends[1])), shape=(n, n))
    untyped: Any = csgraph.laplacian(edges)
    laplacian = csc_array(untyped)
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
    normals, areas = np.zeros_like(rest), np.transpose(fan_normals(mesh, rest))
    for corner in mesh.fan.vertex.T:
        np.add.at(normals, corner, areas)
    length = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    unit: Points = normals / np.where(length > 0.0, length, 1.0)
    return unit

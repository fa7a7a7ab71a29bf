"""Whether what a recording says can be: seals only say that it is what was written.

Whoever writes a file can seal anything.  A number that is used as an index, here or by
a kernel, is therefore held against what it counts.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim.body.hull_facets import KINDS, hull_of
from sim.contact import Numbers, PairState
from wingedge.build import Polygons, check_topology
from wingedge.check import check_links
from wingedge.positions import check_finite, check_magnitude, extent

if TYPE_CHECKING:
    from sim.story.file.header import Cast
    from wingedge import WingedEdgeMesh


def check_casts(casts: Iterable["Cast"]) -> None:
    """Refuse meshes that nobody could have built.

    Raises
    ------
    MeshError
        For the first invariant that is broken.
    """
    sound: set[int] = set()
    for cast in casts:
        several = bool(cast.pieces) and not cast.has_surface  # side by side in one mesh
        for mesh in (cast.mesh, *cast.pieces):
            if id(mesh) not in sound:
                _check_mesh(mesh, connected=mesh is not cast.mesh or not several)
                sound.add(id(mesh))


def _check_mesh(mesh: "WingedEdgeMesh", *, connected: bool) -> None:
    if not (mesh.n_vertices and mesh.n_edges and mesh.n_faces):
        raise ValueError("a mesh is empty")
    check_links(mesh)
    if connected:
        start, vertex = mesh.corners
        polygons = Polygons(mesh.n_vertices, start.astype(int), vertex.astype(int))
        check_topology(polygons)
    check_finite(mesh.points)
    check_magnitude(mesh.points, extent(mesh.points))
    if not 0.0 <= mesh.planar_tolerance < np.inf:
        raise ValueError(f"a mesh has planar_tolerance {mesh.planar_tolerance!r}")


def check_frames(rows: NDArray[np.void]) -> None:
    """Refuse frames that do not follow one another, or are at no time."""
    index = rows["index"]
    if len(rows) and (index[0] < 0 or (np.diff(index) != 1).any()):
        raise ValueError("its frames do not follow one another")
    if not np.isfinite(rows["time"]).all():
        raise ValueError("a frame is at no time")


def check_hull(faces: NDArray[np.int32], mesh: "WingedEdgeMesh") -> None:
    """Refuse triangles of a hull whose corners a body does not have."""
    if faces.shape[1:] != (3,) or (faces < 0).any() or (faces >= mesh.n_vertices).any():
        raise ValueError("a hull has corners that its body does not have")


def pair_of(row: NDArray[np.void], bodies: Sequence[Any]) -> Any:
    """Read the two bodies of a state by their places."""
    pair = row["pair"].tolist()
    if not 0 <= pair[0] < pair[1] < len(bodies):
        raise ValueError(f"it answers for bodies {pair} of {len(bodies)}")
    return pair


def check_state(state: PairState) -> None:
    """Refuse the names of features that the bodies do not have.

    Raises
    ------
    ValueError
        Naming the pair.
    """
    for numbers in (state.numbers, *(region.numbers for region in state.regions)):
        named = _named(numbers)
        for side in (0, 1):
            for dimension, number in named[side]:
                if not 0 <= number < _count(state, side, dimension, number):
                    body = (state.a, state.b)[side]
                    raise ValueError(
                        f"body '{body.name}' has no {KINDS[dimension]} {number}"
                    )
    counts = [(state.mesh_a.n_faces, state.mesh_b.n_faces)]
    for region in state.regions:
        faces = region.faces
        if (faces < 0).any() or (faces >= counts).any():
            raise ValueError("a region has faces that its bodies do not have")


def _named(numbers: Numbers) -> list[list[tuple[int, int]]]:
    """List dimension and number of every feature that is named on A, and on B."""
    n = numbers
    on_a = [(n.dimension_a, part) for part in n.parts_a]
    on_b = [(n.dimension_b, part) for part in n.parts_b]
    labels = n.labels
    on_a += zip(labels[0::4], labels[1::4], strict=True)
    on_b += zip(labels[2::4], labels[3::4], strict=True)
    if not (n.parts_a and n.parts_b) or 4 * len(n.corners) != 6 * len(labels):
        raise ValueError("an answer names no features, or corners without them")
    return [on_a, on_b]


def _count(state: PairState, side: int, dimension: int, number: int) -> int:
    """Count the features of a body, lids of its hull where such a one is named."""
    mesh = (state.mesh_a, state.mesh_b)[side]
    if not 0 <= dimension <= 2:
        raise ValueError(f"an answer names a feature of dimension {dimension}")
    own = (mesh.n_vertices, mesh.n_edges, mesh.n_faces)[dimension]
    if dimension == 0 or number < own:
        return own
    faces = hull_of(state, side)
    beyond = 0 if faces is None else len(faces)
    return own + (3 * beyond if dimension == 1 else beyond)

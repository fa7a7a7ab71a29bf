"""Split a body's frames into parts of one mesh, and build these meshes."""

from collections.abc import Sequence as Several
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.sequence.sample import Sample, first_unfinite
from wingedge import MeshError, WingedEdgeMesh
from wingedge.build import Polygons
from wingedge.io.reading import weld

FLAT = 1e-6  # as in `wingedge.read`; files hold single precision
PLANAR = "planar faces"  # the invariant that triangles keep


class MeshSpan(NamedTuple):
    """A body over frames in which its mesh stays what it is."""

    name: str
    mesh: WingedEdgeMesh
    kept: NDArray[np.integer] | slice  # which of the given points are its vertices
    samples: Several[Sample]  # one: at rest


def split_by_mesh(name: str, samples: list[Sample]) -> list[MeshSpan]:
    """Split a body's frames where its mesh becomes another one."""
    parts: list[MeshSpan] = []
    begin, first = 0, samples[0]
    mesh, kept, twins = _mesh(first)
    for k, sample in enumerate(samples):
        if trouble := first_unfinite(sample.points):
            raise ValueError(f"{sample.where}: {trouble}")
        if k > begin and not _goes_on(first, sample, twins):
            parts.append(MeshSpan(name, mesh, kept, samples[begin:k]))
            begin, first = k, sample
            mesh, kept, twins = _mesh(sample)
    return [*parts, MeshSpan(name, mesh, kept, samples[begin:])]


def _goes_on(first: Sample, sample: Sample, twins: NDArray[np.integer]) -> bool:
    """Tell whether a frame has the faces of another, and its welded vertices."""
    a, b = first.faces, sample.faces
    same = a is b or (
        np.array_equal(a.start, b.start) and np.array_equal(a.vertex, b.vertex)
    )
    if not same or len(first.points) != len(sample.points):
        return False
    return not len(twins) or np.array_equal(sample.points, sample.points[twins])


def _mesh(
    sample: Sample,
) -> tuple[WingedEdgeMesh, NDArray[np.integer] | slice, NDArray[np.integer]]:
    """Build a mesh; say which points are its vertices, and which are at one place."""
    points, faces = sample.points, sample.faces
    if trouble := first_unfinite(points):
        raise ValueError(f"{sample.where}: {trouble}")
    none = np.zeros(0, np.int64)
    try:
        try:
            return _flat(points, faces), slice(None), none
        except MeshError as error:
            mesh = _welded(points, faces, error)
    except (MeshError, TypeError, ValueError) as error:
        raise ValueError(f"{sample.where}: {error}") from None
    kept = np.asarray(mesh.source_vertices)
    _, number = np.unique(points, axis=0, return_inverse=True)
    first = np.zeros(number.max() + 1, np.int64)
    first[number.ravel()[kept]] = kept
    return mesh, kept, first[number.ravel()]


def _welded(
    points: NDArray[np.float64], faces: Polygons, error: MeshError
) -> WingedEdgeMesh:
    """Build a mesh with vertices at one place made one; else say what was wrong."""
    if len(np.unique(points, axis=0)) == len(points) and len(
        np.unique(faces.vertex)
    ) == len(points):
        raise error
    used = np.unique(faces.vertex)
    number = np.zeros(len(points), np.int64)
    number[used] = np.arange(len(used))
    tight = Polygons(len(used), faces.start, number[faces.vertex])
    try:
        return weld(
            points[used], tight, source=used, triangulate=False, planar_tolerance=FLAT
        )
    except MeshError as other:
        if other.invariant != PLANAR:
            raise
        return weld(
            points[used], tight, source=used, triangulate=True, planar_tolerance=FLAT
        )


def _flat(points: NDArray[np.float64], faces: Polygons) -> WingedEdgeMesh:
    """Build a mesh; of triangles where a polygon is warped."""
    try:
        return WingedEdgeMesh.from_faces(points, faces, planar_tolerance=FLAT)
    except MeshError as error:
        if error.invariant != PLANAR:
            raise
        return WingedEdgeMesh.from_faces(points, faces, True, planar_tolerance=FLAT)

"""The convex hull of a surface, as a surface of its own."""

import numpy as np

from sim.tracking.surface import Surface
from wingedge import MeshError, convex_hull, geometry


def hull_of(surface: Surface) -> Surface:
    """Return the hull with its vertices numbered among themselves.

    A collapsed body is its own: flat, it has no hull with an inside.
    """
    try:
        mesh = convex_hull(surface.points)
    except MeshError:
        return surface._replace(convex=True)
    triangles = mesh.fan.vertex.astype(np.int64)
    tail, tip = mesh.edge_vertices.astype(np.int64).T
    return Surface(
        np.asarray(mesh.points),
        triangles,
        geometry.face_normals(mesh)[mesh.fan.face],
        mesh.fan.face.astype(np.int64),
        np.stack([tail, tip], axis=1),
        np.full(len(tail), -1),
        mesh.edge_faces.astype(np.int64),
        True,
        0.0,
        False,
        False,
    )

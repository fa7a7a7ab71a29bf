"""Geoms and flexes of MuJoCo as closed meshes."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wingedge import MeshError, WingedEdgeMesh, convex_hull, convexity, shapes

Array = NDArray[np.float64]

FAR = 10.0  # a plane without an end is a slab so many times as wide as the model


def geom_mesh(model: Any, geom: int, *, surfaces: bool) -> WingedEdgeMesh:
    """Return the mesh of a geom in its own frame.

    Raises ValueError if a geom of this kind becomes none; MeshError if a surface that
    is wanted is no closed one.
    """
    import mujoco

    kind, size = mujoco.mjtGeom(model.geom_type[geom]), model.geom_size[geom]
    match kind:
        case mujoco.mjtGeom.mjGEOM_BOX:
            return shapes.box(2.0 * size)
        case mujoco.mjtGeom.mjGEOM_MESH:
            return _mesh(model, int(model.geom_dataid[geom]), surfaces=surfaces)
        case mujoco.mjtGeom.mjGEOM_PLANE:
            wide = np.where(size[:2] > 0.0, size[:2], FAR * model.stat.extent)
            deep = 0.1 * float(wide.min())
            slab = shapes.box((2.0 * wide[0], 2.0 * wide[1], deep))
            return replace(slab, points=slab.points - [0.0, 0.0, 0.5 * deep])
        case mujoco.mjtGeom.mjGEOM_SPHERE:
            return convex_hull(size[0] * _ball())
        case mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            return convex_hull(size * _ball())
        case mujoco.mjtGeom.mjGEOM_CAPSULE:
            end = np.array([0.0, 0.0, size[1]])
            return convex_hull(
                np.vstack([size[0] * _ball() + s * end for s in (-1, 1)])
            )
        case mujoco.mjtGeom.mjGEOM_CYLINDER:
            turn = 2.0 * np.pi * np.arange(32) / 32
            rim = np.stack([np.cos(turn), np.sin(turn)], axis=1) * size[0]
            sides = [np.insert(rim, 2, s * size[1], axis=1) for s in (-1.0, 1.0)]
            return convex_hull(np.vstack(sides), merge_coplanar=True)
    raise ValueError(f"a geom of type {kind.name[7:].lower()} becomes no body")


def flex_mesh(
    model: Any, data: Any, flex: int
) -> tuple[WingedEdgeMesh, NDArray[np.int64]]:
    """Return the skin of a flex, where it is now, and its vertices among all flexes'.

    Raises MeshError or ValueError if it has no closed skin.
    """
    if model.flex_dim[flex] == 3:
        start = model.flex_shelldataadr[flex]
        rows = model.flex_shell[start : start + 3 * model.flex_shellnum[flex]]
    elif model.flex_dim[flex] == 2:
        start = model.flex_elemdataadr[flex]
        rows = model.flex_elem[start : start + 3 * model.flex_elemnum[flex]]
    else:
        raise ValueError("a cable has no surface; it becomes no body")
    used, faces = np.unique(rows, return_inverse=True)
    used = used.astype(np.int64) + int(model.flex_vertadr[flex])
    return _closed(data.flexvert_xpos[used], faces.reshape(-1, 3)), used


def _mesh(model: Any, mesh: int, *, surfaces: bool) -> WingedEdgeMesh:
    first, start = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh]
    points = model.mesh_vert[first : first + model.mesh_vertnum[mesh]].astype(float)
    faces = model.mesh_face[start : start + model.mesh_facenum[mesh]]
    try:
        found = _closed(points, faces)
    except MeshError:
        if surfaces:
            raise
        return convex_hull(points)
    is_solid = surfaces or convexity(found).is_convex(tolerance=0.0)
    return found if is_solid else convex_hull(points)


def _closed(points: Array, faces: NDArray[Any]) -> WingedEdgeMesh:
    """Make a mesh whose faces look outward."""
    corners = points[faces]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    return WingedEdgeMesh.from_faces(points, faces[:, ::-1] if volume < 0.0 else faces)


def _ball() -> Array:
    return shapes.icosphere(2).points

"""Engines from PyPI: their shapes, and two meshes whose vertices were just rewritten.

``pip install coal python-fcl trimesh``; what is not installed is left out.  Each is
given world positions and asks for the distance of the two surfaces, through Python.
rapier3d (single precision) offers no distance of two shapes and is not asked.
"""

from typing import Any

import bench
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mesh = tuple[Array, NDArray[np.int64]]  # positions (V, 3), triangles (T, 3)


def coal_hull(points: Array, triangles: object = None) -> Any:
    """Build coal's hull of some points."""
    import coal

    listed = coal.StdVec_Vec3s()
    for p in points:
        listed.append(p)
    return coal.Convex.convexHull(listed, False, "Qt")


def coal_mesh(points: Array, triangles: Any) -> Any:
    """Build coal's tree of oriented boxes and spheres over triangles."""
    import coal

    model = coal.BVHModelOBBRSS()
    model.beginModel(len(triangles), len(points))
    model.addVertices(np.asfortranarray(points))
    model.addTriangles(np.asfortranarray(triangles, dtype=np.int32))
    model.endModel()
    return model


def fcl_hull(points: Array, triangles: Any) -> Any:
    """Build FCL's convex body of some triangles."""
    import fcl

    table = np.hstack([np.full((len(triangles), 1), 3), triangles]).ravel()
    return fcl.CollisionObject(fcl.Convex(points, len(triangles), table))


def fcl_mesh(points: Array, triangles: Any) -> Any:
    """Build FCL's tree of boxes over triangles."""
    import fcl

    model = fcl.BVHModel()
    model.beginModel(len(points), len(triangles))
    model.addSubModel(points, triangles)
    model.endModel()
    return model


class CoalConvex:
    """coal: a convex body whose vertices are overwritten in place, warm-started.

    What one does for speed: right for as long as the body stays convex.
    """

    name = "coal Convex, edited in place"
    package = "coal"

    def __init__(self, a: Mesh, b: Mesh) -> None:
        import coal

        self.engine = coal
        self.shapes = [self._made(*mesh) for mesh in (a, b)]
        self.views = [shape.points() for shape in self.shapes]
        self.here = coal.Transform3s.Identity()
        self.request, self.result = coal.DistanceRequest(), coal.DistanceResult()
        self.request.gjk_initial_guess = coal.GJKInitialGuess.CachedGuess

    def _made(self, x: Array, triangles: Any) -> Any:
        points, faces = self.engine.StdVec_Vec3s(), self.engine.StdVec_Triangle()
        for p in x:
            points.append(p)
        for i, j, k in triangles.tolist():
            faces.append(self.engine.Triangle(i, j, k))
        return self.engine.Convex(points, faces)

    def __call__(self, x: Array, y: Array) -> float:
        """Return the signed distance."""
        self.views[0][:], self.views[1][:] = x, y
        self.result.clear()
        one, other = self.shapes
        found = self.engine.distance(
            one, self.here, other, self.here, self.request, self.result
        )
        self.request.updateGuess(self.result)
        return float(found)


class CoalMesh:
    """coal: a tree of boxes over the triangles, refitted every frame."""

    name = "coal BVH, refitted"
    package = "coal"

    def __init__(self, a: Mesh, b: Mesh) -> None:
        import coal

        self.engine = coal
        self.shapes = [coal_mesh(*mesh) for mesh in (a, b)]
        self.here = coal.Transform3s.Identity()
        self.request, self.result = coal.DistanceRequest(), coal.DistanceResult()

    def __call__(self, x: Array, y: Array) -> float:
        """Return the distance, 0 or less where the surfaces cross."""
        for shape, points in zip(self.shapes, (x, y), strict=True):
            shape.beginReplaceModel()
            shape.replaceSubModel(self._listed(points))
            shape.endReplaceModel(True, True)
        self.result.clear()
        one, other = self.shapes
        return float(
            self.engine.distance(
                one, self.here, other, self.here, self.request, self.result
            )
        )

    def _listed(self, points: Array) -> Any:
        listed = self.engine.StdVec_Vec3s()
        for p in points:
            listed.append(p)
        return listed


class FclMesh:
    """FCL through python-fcl: a tree of boxes, built anew every frame."""

    name = "python-fcl BVH, rebuilt"
    package = "python-fcl"

    def __init__(self, a: Mesh, b: Mesh) -> None:
        import fcl

        self.engine = fcl
        self.triangles = a[1], b[1]
        self.request = fcl.DistanceRequest()

    def __call__(self, x: Array, y: Array) -> float:
        """Return the distance, less than 0 where the surfaces cross."""
        placed = []
        for points, triangles in zip((x, y), self.triangles, strict=True):
            placed.append(self.engine.CollisionObject(fcl_mesh(points, triangles)))
        found = self.engine.distance(
            *placed, self.request, self.engine.DistanceResult()
        )
        return float(found)


class Trimesh:
    """trimesh: its collision manager (FCL underneath), filled anew every frame."""

    name = "trimesh manager, rebuilt"
    package = "trimesh"

    def __init__(self, a: Mesh, b: Mesh) -> None:
        import trimesh.collision

        self.engine = trimesh
        self.triangles = a[1], b[1]

    def __call__(self, x: Array, y: Array) -> float:
        """Return the distance, less than 0 where the surfaces cross."""
        managers = []
        for points, triangles in zip((x, y), self.triangles, strict=True):
            manager = self.engine.collision.CollisionManager()
            mesh = self.engine.Trimesh(points, triangles, process=False)
            manager.add_object("body", mesh)
            managers.append(manager)
        return float(managers[0].min_distance_other(managers[1]))


PEERS = (CoalConvex, CoalMesh, FclMesh, Trimesh)


def installed() -> dict[str, str]:
    """Return the peers that can run here, by name, with their versions."""
    found = bench.installed(*{peer.package for peer in PEERS})
    if "python-fcl" not in found:
        found.pop("trimesh", None)  # its collision manager is FCL's
    return {p.name: found[p.package] for p in PEERS if p.package in found}

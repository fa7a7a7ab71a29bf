"""Our bodies as shapes of coal and FCL."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body

Array = NDArray[np.float64]
Make = Callable[[Array, Any], Any]  # positions (V, 3), triangles (T, 3) -> a shape

RIGID = 1e-14  # a map this near a rotation is one


def is_rigid(linear: Array) -> bool:
    """Tell whether a linear map turns, and does not stretch."""
    return bool(np.abs(linear @ linear.T - np.eye(3)).max() < RIGID)


def is_solid_hull(body: Body) -> bool:
    """Tell whether a body stands for the hull of its vertices, to rounding."""
    if body.convexity == "hull":
        return True
    trifle = 16.0 * float(np.finfo(np.float64).eps * np.abs(body.positions).max())
    report = body.audit()
    return report.is_convex() and report.worst_depth <= trifle


class Geometry:
    """What a peer was given for a body, made again only when it must be."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.key: tuple[bytes, bytes] | None = None
        self.shape: Any = None

    def place(self, body: Body) -> tuple[Any, Array, Array]:
        """Return the shape, a rotation and a translation.

        Of a body that is stretched or was given positions the shape is made anew,
        turned in float64, with the translation as transform.
        """
        linear = body.transform[:, :3]
        rigid = is_rigid(linear)
        turn = linear.copy() if rigid else np.eye(3)
        key = body.positions.tobytes(), b"" if rigid else linear.tobytes()
        if key != self.key:
            points = body.positions if rigid else body.positions @ linear.T
            self.shape = self.make(np.ascontiguousarray(points), body.mesh.fan.vertex)
            self.key = key
        return self.shape, turn, body.transform[:, 3].copy()


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

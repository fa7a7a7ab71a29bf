"""Other engines from PyPI, asked for the signed distance of the same two bodies.

``pip install coal python-fcl``; what is not installed is left out.  A peer places rigid
bodies by its own transform; of a body that is stretched or whose vertices were
rewritten it gets the hull anew, turned in float64, with the translation as transform.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import Body

Array = NDArray[np.float64]


class Geometry:
    """What a peer was given for a body, made again only when it must be."""

    def __init__(self, make: Any) -> None:
        self.make = make
        self.key: tuple[bytes, bytes] | None = None
        self.shape: Any = None

    def place(self, body: Body) -> tuple[Any, Array, Array]:
        """Return the shape, a rotation and a translation."""
        linear = body.transform[:, :3]
        rigid = bool(np.abs(linear @ linear.T - np.eye(3)).max() < 1e-14)
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


def fcl_hull(points: Array, triangles: Any) -> Any:
    """Build FCL's convex body of some triangles."""
    import fcl

    table = np.hstack([np.full((len(triangles), 1), 3), triangles]).ravel()
    return fcl.CollisionObject(fcl.Convex(points, len(triangles), table))


class Coal:
    """coal (formerly hpp-fcl): GJK and EPA, warm-started from its own guess."""

    name = "coal"

    def __init__(self) -> None:
        import coal

        self.engine = coal
        self.bodies = Geometry(coal_hull), Geometry(coal_hull)
        self.request, self.result = coal.DistanceRequest(), coal.DistanceResult()
        self.request.gjk_initial_guess = coal.GJKInitialGuess.CachedGuess

    def __call__(self, a: Body, b: Body) -> float:
        """Ask for the signed distance."""
        placed = []
        for body, geometry in zip((a, b), self.bodies, strict=True):
            shape, turn, shift = geometry.place(body)
            at = self.engine.Transform3s.Identity()
            at.setRotation(turn)
            at.setTranslation(shift)
            placed += [shape, at]
        self.result.clear()
        found = float(self.engine.distance(*placed, self.request, self.result))
        self.request.updateGuess(self.result)
        return found


class Fcl:
    """FCL through python-fcl: libccd, cold every frame."""

    name = "python-fcl"

    def __init__(self) -> None:
        import fcl

        self.engine = fcl
        self.bodies = Geometry(fcl_hull), Geometry(fcl_hull)
        self.request = fcl.DistanceRequest()
        self.contact = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)

    def __call__(self, a: Body, b: Body) -> float:
        """Ask for the distance, and for a contact's depth where there is none."""
        placed = []
        for body, geometry in zip((a, b), self.bodies, strict=True):
            shape, turn, shift = geometry.place(body)
            shape.setTransform(self.engine.Transform(turn, shift))
            placed.append(shape)
        found = self.engine.distance(
            *placed, self.request, self.engine.DistanceResult()
        )
        if found > 0.0:
            return float(found)
        result = self.engine.CollisionResult()
        self.engine.collide(*placed, self.contact, result)
        if not result.contacts:
            return float("nan")
        return -abs(float(result.contacts[0].penetration_depth))


PEERS = {"coal": Coal, "python-fcl": Fcl}  # start one anew by ``PEERS[name]()``

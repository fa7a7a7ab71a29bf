"""coal, FCL and MuJoCo, asked for the distance of two bodies; one object a pair.

Each runs with its default tolerances.  Two bodies that are convex to rounding, or stand
for their hulls, are given as convex ones; else both are given as their triangles.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from sim.body.body import Body
from sim.peers.shapes import (
    Geometry,
    coal_hull,
    coal_mesh,
    fcl_hull,
    fcl_mesh,
    is_rigid,
    is_solid_hull,
)


class PeerDistance(NamedTuple):
    """A distance that an engine gave, not a number where it gave none.

    ``solid``: it is signed, of solids; else of surfaces, and 0 where they cross.
    """

    distance: float
    solid: bool


class Peer(Protocol):
    """A pair of bodies as another engine has it."""

    name: str
    package: str  # on PyPI
    resolution: float  # per unit of size: what rounding of its own numbers may change

    def distance(self, a: Body, b: Body) -> PeerDistance:
        """Ask for the distance where the bodies are now."""


class Coal:
    """coal (formerly hpp-fcl): GJK and EPA, warm-started from its own guess."""

    name = package = "coal"
    resolution = 1e-13

    def __init__(self) -> None:
        import coal

        self._engine = coal
        self._hulls = Geometry(coal_hull), Geometry(coal_hull)
        self._meshes = Geometry(coal_mesh), Geometry(coal_mesh)
        self._request, self._result = coal.DistanceRequest(), coal.DistanceResult()
        self._request.gjk_initial_guess = coal.GJKInitialGuess.CachedGuess

    def distance(self, a: Body, b: Body) -> PeerDistance:
        """Ask for the signed distance, or that of two surfaces."""
        solid = is_solid_hull(a) and is_solid_hull(b)
        placed = []
        given = self._hulls if solid else self._meshes
        for body, geometry in zip((a, b), given, strict=True):
            shape, turn, shift = geometry.place(body)
            at = self._engine.Transform3s.Identity()
            at.setRotation(turn)
            at.setTranslation(shift)
            placed += [shape, at]
        self._result.clear()
        found = float(self._engine.distance(*placed, self._request, self._result))
        self._request.updateGuess(self._result)
        return PeerDistance(found if solid else max(found, 0.0), solid)


class Fcl:
    """FCL through python-fcl: libccd, cold every frame."""

    name, package = "fcl", "python-fcl"
    resolution = 1e-13

    def __init__(self) -> None:
        import fcl

        self._engine = fcl
        self._hulls = Geometry(fcl_hull), Geometry(fcl_hull)
        self._meshes = Geometry(_fcl_object), Geometry(_fcl_object)
        self._request = fcl.DistanceRequest()
        self._contact = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)

    def distance(self, a: Body, b: Body) -> PeerDistance:
        """Ask for the distance, and for a contact's depth where there is none."""
        solid = is_solid_hull(a) and is_solid_hull(b)
        placed = []
        given = self._hulls if solid else self._meshes
        for body, geometry in zip((a, b), given, strict=True):
            shape, turn, shift = geometry.place(body)
            shape.setTransform(self._engine.Transform(turn, shift))
            placed.append(shape)
        answer = self._engine.DistanceResult()
        found = float(self._engine.distance(*placed, self._request, answer))
        if found > 0.0:
            return PeerDistance(found, solid)
        if not solid:
            return PeerDistance(0.0, solid)
        result = self._engine.CollisionResult()
        self._engine.collide(*placed, self._contact, result)
        if not result.contacts:
            return PeerDistance(float("nan"), solid)
        return PeerDistance(-abs(float(result.contacts[0].penetration_depth)), solid)


def _fcl_object(points: Any, triangles: Any) -> Any:
    import fcl

    return fcl.CollisionObject(fcl_mesh(points, triangles))


class Mujoco:
    """MuJoCo's ``mj_geomDistance`` of two meshes, which are hulls of float32 points."""

    name = package = "mujoco"
    resolution = 1e-6  # its vertices have 24 bits, and its ccd_tolerance is 1e-6

    def __init__(self) -> None:
        self._key: tuple[bytes, ...] = ()
        self._model: Any = None
        self._data: Any = None

    def distance(self, a: Body, b: Body) -> PeerDistance:
        """Ask for the signed distance; of bodies that are no hulls there is none."""
        import mujoco

        if not (is_solid_hull(a) and is_solid_hull(b)):
            return PeerDistance(float("nan"), True)
        self._make(a, b)
        for k, body in enumerate((a, b)):
            linear = body.transform[:, :3]
            turn = linear if is_rigid(linear) else np.eye(3)
            mujoco.mju_mat2Quat(self._data.mocap_quat[k], turn.ravel())
            self._data.mocap_pos[k] = body.transform[:, 3]
        mujoco.mj_kinematics(self._model, self._data)
        far = 10.0 * float(np.abs(self._data.mocap_pos).max()) + 100.0
        found = mujoco.mj_geomDistance(self._model, self._data, 0, 1, far, None)
        return PeerDistance(float(found), True)

    def _make(self, a: Body, b: Body) -> None:
        """Compile a model of two meshes where their shapes are new."""
        import mujoco

        shapes = []
        for body in (a, b):
            linear = body.transform[:, :3]
            rigid = is_rigid(linear)
            shapes.append(body.positions if rigid else body.positions @ linear.T)
        key = tuple(points.tobytes() for points in shapes)
        if key == self._key:
            return
        spec = mujoco.MjSpec()
        for k, (points, body) in enumerate(zip(shapes, (a, b), strict=True)):
            faces = body.mesh.fan.vertex.ravel().tolist()
            spec.add_mesh(
                name=f"m{k}", uservert=points.ravel().tolist(), userface=faces
            )
            place = spec.worldbody.add_body(mocap=True)
            place.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"m{k}")
        self._model = spec.compile()
        self._data = mujoco.MjData(self._model)
        self._key = key

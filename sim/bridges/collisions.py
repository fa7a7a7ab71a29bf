"""A manager of collisions with the calls of ``trimesh.collision.CollisionManager``."""

from functools import lru_cache
from typing import Any

from numpy.typing import ArrayLike

from sim.body.body import Body
from sim.body.pose import Pose
from sim.bridges.contacts import colliding, given, nearest, told
from sim.result.state import PairState
from wingedge import WingedEdgeMesh
from wingedge.io.reading import mesh_of

EXTERNAL = "__external"  # what trimesh calls an object that is not in the manager


class CollisionManager:
    """Take the place of ``trimesh.collision.CollisionManager``, without python-fcl.

    The same calls with the same arguments and results; objects are solids with a closed
    surface.  Distances are signed and proven: below 0 the least depth that separates,
    also of surfaces; an object inside another one collides; touching is colliding.
    Places are kept in float64.  A contact has ``state``, the whole answer, beside what
    trimesh gives, and ``pair``: its normal goes from the first to the second.
    """

    def __init__(self) -> None:
        self._bodies: dict[str, Body] = {}

    def add_object(
        self, name: str, mesh: Any, transform: ArrayLike | None = None
    ) -> Body:
        """Add a ``trimesh.Trimesh``, in place of what had its name; return its body.

        Raises MeshError if its surface is not closed; ValueError if the transform is no
        (4, 4) that keeps orientation.
        """
        self._bodies[name] = body = _body(name, mesh, transform)
        return body

    def remove_object(self, name: str) -> None:
        """Remove an object; ValueError if there is none of this name."""
        self._known(name)
        del self._bodies[name]

    def set_transform(self, name: str, transform: ArrayLike) -> None:
        """Place an object; ValueError if there is none of this name."""
        self._known(name).pose = Pose.from_matrix(transform)

    def min_distance_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Return the least distance of an object to any here, its name, the data."""
        state = nearest(self._all(), [_body(EXTERNAL, mesh, transform)])
        return given(state, return_name, return_data, lambda s: s.a.name)

    def min_distance_internal(
        self,
        name: str | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Return the least distance of two objects here, one of them of this name."""
        if name is None:
            state = nearest(self._all())
        else:
            one = self._known(name)
            state = nearest([one], [b for b in self._all() if b is not one])
        return given(state, return_names, return_data, _sorted_names)

    def min_distance_other(
        self,
        other_manager: "CollisionManager",
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Return the least distance of an object here to one of another manager."""
        state = nearest(self._all(), other_manager._all())
        return given(state, return_names, return_data, _names)

    def in_collision_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Tell whether an object collides with any here; their names, the contacts."""
        hits = colliding(self._all(), [_body(EXTERNAL, mesh, transform)])
        return told(hits, return_names, return_data, lambda state: state.a.name)

    def in_collision_internal(
        self, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Tell whether any two objects here collide; their names, the contacts."""
        hits = colliding(self._all())
        return told(hits, return_names, return_data, _sorted_names)

    def in_collision_other(
        self,
        other_manager: "CollisionManager",
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Tell whether an object here collides with one of another manager."""
        hits = colliding(self._all(), other_manager._all())
        return told(hits, return_names, return_data, _names)

    def _known(self, name: str) -> Body:
        if name not in self._bodies:
            raise ValueError(f"{name} is not in this manager; it has {[*self._bodies]}")
        return self._bodies[name]

    def _all(self) -> list[Body]:
        return list(self._bodies.values())


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[str, Body]]:
    """Put every object of a ``trimesh.Scene`` into a manager, by the name of its node.

    Returns the manager and the bodies by name.  Raises as ``add_object`` does.
    """
    manager = CollisionManager()
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        manager.add_object(node, scene.geometry[geometry], transform)
    return manager, dict(manager._bodies)


def _body(name: str, mesh: Any, transform: ArrayLike | None) -> Body:
    pose = None if transform is None else Pose.from_matrix(transform)
    return Body(_mesh(mesh), name=name, pose=pose)


@lru_cache(maxsize=32)  # by its hash, which is that of what it holds now
def _mesh(mesh: Any) -> WingedEdgeMesh:
    return mesh_of(mesh)


def _names(state: PairState) -> tuple[str, str]:
    return state.a.name, state.b.name


def _sorted_names(state: PairState) -> tuple[str, ...]:
    return tuple(sorted(_names(state)))

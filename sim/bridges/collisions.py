"""A manager of collisions with the calls of ``trimesh.collision.CollisionManager``."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.pose import Pose
from sim.result.answer import Contact
from sim.result.state import PairState
from sim.tracking.pair import closest
from wingedge import Feature, WingedEdgeMesh
from wingedge.io.reading import mesh_of

Array = NDArray[np.float64]
_Row = tuple[Body, Sequence[Body], Array, Array]
Names = Callable[[PairState], Any]


def face_at(mesh: WingedEdgeMesh, feature: Feature) -> int:
    """Return the lowest face that a feature is of."""
    kind, index = feature
    if kind == "face":
        return int(index)
    if kind == "edge":
        return int(mesh.edge_faces[index].min())
    return int(min(mesh.vertex_faces(index)))


class _Answer:
    """What is common to both kinds of data: names, and something for each of them."""

    def __init__(self, state: PairState, at: PairState | Contact) -> None:
        self.state = state  # the whole answer
        self.pair = state.a.name, state.b.name  # the normal goes from first to second
        self.names = set(self.pair)
        here = face_at(state.mesh_a, at.feature_a), at.point_a
        there = face_at(state.mesh_b, at.feature_b), at.point_b
        # names of two managers may be the same: then of the second object
        self._sides = dict(zip(self.pair, (here, there), strict=True))

    def index(self, name: str) -> int:
        """Return a face of the named object at the place, the lowest that is there."""
        return self._sides[name][0]


class ContactData(_Answer):
    """A contact, as ``trimesh.collision.ContactData``."""

    def __init__(self, state: PairState, at: PairState | Contact) -> None:
        super().__init__(state, at)
        self.point = 0.5 * (at.point_a + at.point_b)
        self.normal = at.normal
        self.depth = -at.distance


class DistanceData(_Answer):
    """The nearest pair, as ``trimesh.collision.DistanceData``."""

    def __init__(self, state: PairState) -> None:
        super().__init__(state, state)
        self.distance = state.distance

    def point(self, name: str) -> Array:
        """Return the closest point of the named object."""
        return self._sides[name][1]


def _rows(bodies: Sequence[Body], others: Sequence[Body] | None) -> Iterator[_Row]:
    """Bound the distances of each body to the others, or to those after it: by boxes.

    Of each: the body, its partners, never nearer than this, never farther than this.
    """
    rest = bodies if others is None else others
    low, high = _boxes(rest)
    for k, (body, least, most) in enumerate(zip(bodies, *_boxes(bodies), strict=True)):
        first = k + 1 if others is None else 0
        ahead, behind = low[first:] - most, least - high[first:]
        gap = np.maximum(0.0, np.maximum(ahead, behind))
        reach = np.maximum(-ahead, -behind)
        near, far = (np.sqrt((x * x).sum(axis=1)) for x in (gap, reach))
        yield body, rest[first:], near, far


def _boxes(bodies: Sequence[Body]) -> tuple[Array, Array]:
    places = [body.world_points() for body in bodies]
    ends = [(points.min(axis=0), points.max(axis=0)) for points in places]
    boxes = np.array(ends).reshape(-1, 2, 3)
    pads = 1e-14 * np.abs(boxes).max(axis=(1, 2))[:, None]  # what is lost by rounding
    return boxes[:, 0] - pads, boxes[:, 1] + pads


def nearest(
    bodies: Sequence[Body], others: Sequence[Body] | None = None
) -> PairState | None:
    """Answer for the nearest pair; boxes that are farther are not asked."""
    enough, pairs = np.inf, []
    for body, rest, gaps, reaches in _rows(bodies, others):
        enough = min(enough, reaches.min(initial=np.inf))
        near = np.flatnonzero(gaps <= enough).tolist()
        pairs += [(float(gaps[k]), body, rest[k]) for k in near]
    best: PairState | None = None
    for gap, a, b in sorted(pairs, key=lambda pair: pair[0]):
        if best is not None and gap > max(best.distance, 0.0):
            break
        state = closest(a, b, exact=True)
        if best is None or state.distance < best.distance:
            best = state
    return best


def colliding(
    bodies: Sequence[Body], others: Sequence[Body] | None = None
) -> Iterator[PairState]:
    """Answer for every pair that touches or overlaps."""
    for body, rest, gaps, _ in _rows(bodies, others):
        for k in np.flatnonzero(gaps == 0.0).tolist():
            state = closest(body, rest[k], exact=True)
            if state.distance <= 0.0:
                yield state


def given(
    state: PairState | None, with_names: bool, with_data: bool, names: Names
) -> Any:
    """Return a distance and what else was asked for; without a pair it is far."""
    distance = float("inf") if state is None else state.distance
    found: list[Any] = [distance]
    if with_names:
        found.append(None if state is None else names(state))
    if with_data:
        found.append(None if state is None else DistanceData(state))
    return tuple(found) if len(found) > 1 else distance


def told(
    one_by_one: Iterator[PairState], with_names: bool, with_data: bool, names: Names
) -> Any:
    """Return whether there are collisions, and what else was asked for."""
    if not (with_names or with_data):
        return any(True for _ in one_by_one)  # the first is enough
    hits = list(one_by_one)
    found: list[Any] = [bool(hits)]
    if with_names:
        found.append({names(state) for state in hits})
    if with_data:
        found.append([ContactData(s, at) for s in hits for at in s.contacts or (s,)])
    return tuple(found)


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

"""Which of many objects collide, or are nearest: the calls of trimesh's manager."""

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
from wingedge.registry import attributes, export

Array = NDArray[np.float64]
Ids = NDArray[np.intp]
Pairs = tuple[list[Body], Ids, Ids]  # the places of both
__getattr__, __dir__ = export(__name__, (), {})
EXTERNAL = "__external"  # what trimesh calls an object that is not in the manager


class _Data:
    """What both kinds of data have: names, and a face at the place for each."""

    def __init__(self, state: PairState, at: PairState | Contact) -> None:
        self.state = state  # the whole answer
        self.pair = state.a.name, state.b.name  # the normal goes from first to second
        self.names = set(self.pair)
        self._faces = (state.mesh_a, at.feature_a), (state.mesh_b, at.feature_b)

    def index(self, name: str) -> int:
        """Return a face of the named object at the place, the lowest that is there."""
        return _face_at(*self._faces[self.pair.index(name)])


class ContactData(_Data):
    """A contact, as ``trimesh.collision.ContactData``."""

    def __init__(self, state: PairState, at: PairState | Contact) -> None:
        super().__init__(state, at)
        self.point = 0.5 * (at.point_a + at.point_b)
        self.normal = at.normal
        self.depth = -at.distance


class DistanceData(_Data):
    """The nearest pair, as ``trimesh.collision.DistanceData``."""

    def __init__(self, state: PairState) -> None:
        super().__init__(state, state)
        self.distance = state.distance

    def point(self, name: str) -> Array:
        """Return the closest point of the named object."""
        return (self.state.point_a, self.state.point_b)[self.pair.index(name)]


def _face_at(mesh: WingedEdgeMesh, feature: Feature) -> int:
    kind, index = feature
    if kind == "vertex":
        return int(min(mesh.vertex_faces(index)))
    return int(mesh.edge_faces[index].min() if kind == "edge" else index)


class CollisionManager:
    """Take the place of ``trimesh.collision.CollisionManager``, without python-fcl.

    The same calls with the same arguments and results; objects are solids with a closed
    surface.  Distances are signed and proven: below 0 the least depth that separates,
    also of surfaces; an object inside another one collides; touching is colliding.
    Places are kept in float64.  A contact has ``state``, the whole answer, beside what
    trimesh gives, and ``pair``: its normal goes from the first to the second.
    """

    __getattr__ = attributes("sim.bridges.collisions.CollisionManager")

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
        state = _nearest(self._pairs(_body(EXTERNAL, mesh, transform)))
        return _distance(state, return_name, return_data)

    def min_distance_internal(
        self,
        name: str | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Return the least distance of two objects here, one of them of this name."""
        state = _nearest(self._pairs(name=name))
        return _distance(state, return_names, return_data)

    def in_collision_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Tell whether an object collides with any here; their names, the contacts."""
        pairs = self._pairs(_body(EXTERNAL, mesh, transform))
        return _collisions(pairs, return_names, return_data)

    def in_collision_internal(
        self, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Tell whether any two objects here collide; their names, the contacts."""
        return _collisions(self._pairs(), return_names, return_data)

    def _known(self, name: str) -> Body:
        if name not in self._bodies:
            raise ValueError(f"{name} is not in this manager; it has {[*self._bodies]}")
        return self._bodies[name]

    def _pairs(self, other: Body | None = None, name: str | None = None) -> Pairs:
        """Pair all bodies with another one, or one of theirs, or among themselves."""
        bodies = [*self._bodies.values()]
        n = len(bodies)
        if other is not None:
            return [*bodies, other], np.arange(n), np.full(n, n)
        if name is not None:
            k = bodies.index(self._known(name))
            return bodies, np.full(n - 1, k), np.delete(np.arange(n), k)
        return bodies, *np.triu_indices(n, 1)


def _body(name: str, mesh: Any, transform: ArrayLike | None) -> Body:
    pose = None if transform is None else Pose.from_matrix(transform)
    return Body(_mesh(mesh), name=name, pose=pose)


@lru_cache(maxsize=32)  # by its hash, which is that of what it holds now
def _mesh(mesh: Any) -> WingedEdgeMesh:
    return mesh_of(mesh)


def _names(state: PairState) -> Any:
    """Return what trimesh names: what an object from outside met, or both, sorted."""
    a, b = state.a.name, state.b.name
    return a if b == EXTERNAL else tuple(sorted((a, b)))


def _distance(state: PairState | None, with_names: bool, with_data: bool) -> Any:
    """Return a distance and what else was asked for; without a pair it is far."""
    found: list[Any] = [float("inf") if state is None else state.distance]
    if with_names:
        found.append(state and _names(state))
    if with_data:
        found.append(state and DistanceData(state))
    return tuple(found) if len(found) > 1 else found[0]


def _collisions(pairs: Pairs, with_names: bool, with_data: bool) -> Any:
    """Return whether there are collisions, and what else was asked for."""
    near = np.flatnonzero(_gaps(*pairs) <= 0.0).tolist()
    states = (_answer(pairs, k) for k in near)
    hits = (state for state in states if state.distance <= 0.0)
    if not (with_names or with_data):
        return any(True for _ in hits)  # the first is enough
    kept = list(hits)
    found: list[Any] = [bool(kept)]
    if with_names:
        found.append({_names(state) for state in kept})
    if with_data:
        found.append([ContactData(s, at) for s in kept for at in s.contacts or (s,)])
    return tuple(found)


def _nearest(pairs: Pairs) -> PairState | None:
    """Answer for the nearest pair; boxes that are farther are not asked."""
    best: PairState | None = None
    gaps = _gaps(*pairs)
    for k in np.argsort(gaps, kind="stable").tolist():
        if best is not None and gaps[k] > max(best.distance, 0.0):
            break
        state = _answer(pairs, k)
        if best is None or state.distance < best.distance:
            best = state
    return best


def _answer(pairs: Pairs, k: int) -> PairState:
    bodies, i, j = pairs
    return closest(bodies[i[k]], bodies[j[k]], exact=True)


def _gaps(bodies: list[Body], i: Ids, j: Ids) -> Array:
    """Return how far the boxes of pairs are apart, (P,), less what rounding loses."""
    low, high = np.empty((2, len(bodies), 3))
    for k, body in enumerate(bodies):
        points = body.world_points()
        pad = 1e-14 * np.abs(points).max()
        low[k], high[k] = points.min(axis=0) - pad, points.max(axis=0) + pad
    apart = np.maximum(np.maximum(low[j] - high[i], low[i] - high[j]), 0.0)
    gaps: Array = np.sqrt((apart * apart).sum(axis=1))
    return gaps

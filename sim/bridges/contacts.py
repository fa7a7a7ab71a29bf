"""What a look-alike of trimesh's manager asks of pairs, and what it returns."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.answer import Contact
from sim.result.state import PairState
from sim.tracking.pair import closest
from wingedge import Feature, WingedEdgeMesh

Array = NDArray[np.float64]
Names = Callable[[PairState], Any]
Pairs = Iterable[tuple[Body, Body]]


class Witness(NamedTuple):
    """One of two objects where they are closest: a face there, and the point."""

    face: int
    place: Array


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
        here = Witness(face_at(state.mesh_a, at.feature_a), at.point_a)
        there = Witness(face_at(state.mesh_b, at.feature_b), at.point_b)
        # names of two managers may be the same: then of the second object
        self._sides = dict(zip(self.pair, (here, there), strict=True))

    def index(self, name: str) -> int:
        """Return a face of the named object at the place, the lowest that is there."""
        return self._sides[name].face


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
        return self._sides[name].place


def _with_gaps(pairs: Pairs) -> list[tuple[float, tuple[Body, Body]]]:
    """Return a lower bound of the distance of each pair, by their boxes."""
    boxes: dict[int, tuple[Array, Array]] = {}
    found = []
    for pair in pairs:
        for body in pair:
            if id(body) not in boxes:
                points = body.world_points()
                boxes[id(body)] = points.min(axis=0), points.max(axis=0)
        (low_a, high_a), (low_b, high_b) = (boxes[id(body)] for body in pair)
        gap = np.maximum(0.0, np.maximum(low_a - high_b, low_b - high_a))
        found.append((float(np.sqrt(gap @ gap)) * (1.0 - 1e-12), pair))
    return found


def nearest(pairs: Pairs) -> PairState | None:
    """Answer for the nearest pair; boxes that are farther are not asked."""
    best: PairState | None = None
    for gap, (a, b) in sorted(_with_gaps(pairs), key=lambda item: item[0]):
        if best is not None and gap > max(best.distance, 0.0):
            break
        state = closest(a, b, exact=True)
        if best is None or state.distance < best.distance:
            best = state
    return best


def colliding(pairs: Pairs) -> Iterator[PairState]:
    """Answer for every pair that touches or overlaps."""
    for gap, (a, b) in _with_gaps(pairs):
        if gap == 0.0 and (state := closest(a, b, exact=True)).distance <= 0.0:
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


def told(hits: list[PairState], with_names: bool, with_data: bool, names: Names) -> Any:
    """Return whether there are collisions, and what else was asked for."""
    found: list[Any] = [bool(hits)]
    if with_names:
        found.append({names(state) for state in hits})
    if with_data:
        found.append([ContactData(s, at) for s in hits for at in s.contacts or (s,)])
    return tuple(found) if len(found) > 1 else found[0]

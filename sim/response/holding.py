"""Name the features that hold a body, the same ones while nothing changes.

Where two surfaces that are not convex lie flat on each other, many pairs of features
are equally near, and rounding would choose another one in every frame.  A contact keeps
its features until others are nearer, and then gives way to neighbours.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import Vec
from sim.body.body import Body
from sim.body.pose import Pose
from sim.response.guard import ContactPlane
from sim.response.separating import SeparatingPlanes, TriangleDistance, height, vec
from wingedge import Feature, WingedEdgeMesh, neighbours
from wingedge.faces import has_feature, triangles_of
from wingedge.graph import corners_of

Float = np.float64

# The words for what became of a motion.
FREE = "free"  # the body is where the hand wants it
SLIDE = "slide"  # it went along what is in the way, as near to the hand as it can be
REST = "rest"  # it is as near to the hand as it can be, and did not move
PUSH = "push"  # an obstacle had come into the body: it was pushed out first
STOP = "stop"  # there is no room: the body stays, overlapping if ``reason`` says so
ESCAPE = "escape"  # too many iterations: the body stays where it had come to


class Held(NamedTuple):
    """One contact that constrains the body; world frame."""

    obstacle: Body
    kind: str  # "VF" "FV" "EE" ..., the body's letter first
    feature: Feature  # of the body
    on: Feature  # of the obstacle
    point: NDArray[Float]  # (3,) on the obstacle
    normal: NDArray[Float]  # (3,) unit, from the body to the obstacle
    distance: float


class Drag(NamedTuple):
    """What became of one motion of a hand; a value, world frame.

    ``pushed`` and ``moved`` are shifts of the pivot: first the body was pushed out of
    what had come into it, then it moved.  ``left`` and ``left_turn`` say what the hand
    still wants: a shift of the pivot, and a vector about which to turn, 2 tan(t/2)
    long (of small turns, radians).
    """

    response: str  # "free" "slide" "rest" "push" "stop" "escape"
    pose: Pose  # where the body is now
    iterations: int  # looks at the obstacles
    pushed: NDArray[Float]  # (3,)
    moved: NDArray[Float]  # (3,)
    left: NDArray[Float]  # (3,)
    left_turn: NDArray[Float]  # (3,)
    contacts: tuple[Held, ...]  # the closest of each obstacle first
    reason: str = ""  # why it stopped


Pair = tuple[Feature, Feature]

CONTACTS = ("VF", "FV", "EE")  # what the paper calls FV and EE contacts, either way

# Of the gap: what is no nearer than this is as near.
_EQUAL = 2.0**-6

# Normals that differ by less are listed once.
_PARALLEL = 2.0**-10


class Holding:
    """Name the contacts of a body from frame to frame; keeps their features only."""

    def __init__(self, gap: float) -> None:
        self._gap = gap
        self._last: dict[int, Held] = {}

    def contacts(
        self, views: list[SeparatingPlanes], cuts: tuple[ContactPlane, ...], origin: Vec
    ) -> tuple[Held, ...]:
        """List what holds the body: the closest pair of each obstacle within the gap.

        Of an obstacle that is not convex also the pairs of triangles that the last
        step would have brought together, after them.
        """
        found: list[Held] = []
        for k, view in enumerate(views):
            if view.state.distance > self._gap:
                self._last.pop(k, None)
                continue
            held = self._closest(k, view, origin)
            self._last[k] = held
            found.append(held)
        for cut in cuts:
            view = views[cut.view]
            if view.whole or cut.view not in self._last:
                continue
            b = view.state.b
            if any(h.obstacle is b and parallel(h, cut.normal) for h in found):
                continue
            for held in near_pairs(view, cut.normal, self._gap, origin):
                n = vec(held.normal)
                if not any(h.obstacle is b and parallel(h, n) for h in found):
                    found.append(held)
                break
        return tuple(found)

    def _closest(self, k: int, view: SeparatingPlanes, origin: Vec) -> Held:
        """Return the closest pair: last frame's while none is nearer."""
        s = view.state
        now = (s.feature_a, s.feature_b)
        held = Held(s.b, s.kind, *now, s.point_b, s.normal, s.distance)
        last = self._last.get(k)
        if s.proof == "ring" or view.overlaps or last is None:
            return held
        before = last.feature, last.on
        reach = s.distance + _EQUAL * self._gap
        if before != now and (
            last.kind in CONTACTS or parallel(last, vec(held.normal))
        ):
            near = distance_between(view, before)
            if near is not None and near.distance <= reach:
                return described(view, before, near, origin)
        if not all(
            beside(mesh, old, new)
            for mesh, old, new in zip((s.mesh_a, s.mesh_b), before, now, strict=True)
        ):
            return self._around(view, before, reach, origin) or held
        return held

    def _around(
        self, view: SeparatingPlanes, before: Pair, reach: float, origin: Vec
    ) -> Held | None:
        """Look around the last pair for one that is as near, as the paper does.

        Face-vertex and edge-edge contacts only; in the order of its search, nothing
        that is beside both features is left out.
        """
        s = view.state
        for pair in product(around(s.mesh_a, before[0]), around(s.mesh_b, before[1])):
            if pair[0].letter + pair[1].letter in CONTACTS:
                near = distance_between(view, pair)
                if near is not None and near.distance <= reach:
                    return described(view, pair, near, origin)
        return None


def near_pairs(
    view: SeparatingPlanes, normal: Vec, reach: float, origin: Vec
) -> Iterator[Held]:
    """Yield the nearest features of the pairs of triangles that are within reach.

    Only of pairs whose triangles are no farther apart along a normal; in order.
    """
    s = view.state
    first, second = view.near()
    over, under = height(normal, view.body), height(normal, view.obstacle)
    apart = under[second].min(axis=1) - over[first].max(axis=1)
    for p in np.flatnonzero(apart <= reach).tolist():
        a, b = first[p].tolist(), second[p].tolist()
        near = view.measure(a, b)
        if near.distance <= reach:
            one = named(s.mesh_a, [a[i] for i in near.corners_a], a)
            two = named(s.mesh_b, [b[i] for i in near.corners_b], b)
            yield described(view, (one, two), near, origin)


def parallel(held: Held, normal: Vec) -> bool:
    """Whether a contact holds the body back in the direction of a normal."""
    one = vec(held.normal)
    x, y, z = (a - b for a, b in zip(one, normal, strict=True))
    return x * x + y * y + z * z <= _PARALLEL * _PARALLEL


def described(
    view: SeparatingPlanes, pair: Pair, near: TriangleDistance, origin: Vec
) -> Held:
    """Describe the contact of two features."""
    kind = pair[0].letter + pair[1].letter
    point = np.array([p + o for p, o in zip(near.stop, origin, strict=True)])
    normal = np.array(near.normal or view.normal)
    return Held(view.state.b, kind, *pair, point, normal, near.distance)


def distance_between(view: SeparatingPlanes, pair: Pair) -> TriangleDistance | None:
    """Measure how far two features are apart; None if a mesh has them no longer."""
    s = view.state
    meshes = s.a.mesh, s.b.mesh
    if not all(map(has_feature, meshes, pair)):
        return None
    a, b = map(triangles_of, meshes, pair)
    found = (view.measure(i, j) for i in a for j in b)
    return min(found, key=lambda near: near.distance)


def beside(mesh: WingedEdgeMesh, old: Feature, new: Feature) -> bool:
    """Whether one feature is the other, a neighbour of it, or a corner of it."""
    return new in around(mesh, old) or old in around(mesh, new)


def around(mesh: WingedEdgeMesh, feature: Feature) -> list[Feature]:
    """List a feature, its neighbours and its corners, in the order of the search."""
    corners = corners_of(mesh, feature) if feature.kind != "vertex" else []
    vertices = (Feature("vertex", v) for v in corners)
    return [feature, *neighbours(mesh, feature), *vertices]


def named(mesh: WingedEdgeMesh, carriers: list[int], triangle: list[int]) -> Feature:
    """Name a vertex, a side or the whole of a triangle of a face.

    A side that is no edge of the mesh, but a diagonal of a polygon, is its face.
    """
    if len(carriers) == 1:
        return Feature("vertex", carriers[0])
    if len(carriers) == 2:
        for e in mesh.vertex_edges(carriers[0]).tolist():
            if carriers[1] in mesh.edge_vertices[e]:
                return Feature("edge", e)
    faces = [set(mesh.vertex_faces(v).tolist()) for v in triangle]
    return Feature("face", min(set.intersection(*faces)))

"""Collect what lies around a closest feature: neighbours, search path, charts."""

from typing import NamedTuple

import numpy as np

from sim import Frame, PairState
from viewer.arrays import Floats
from wingedge import Feature, neighbours
from wingedge.graph import corners_of


class Element(NamedTuple):
    """A vertex, an edge or a face near a closest feature."""

    body: str
    order: int  # 1 for the one that the paper's search looks at first
    total: int  # of elements around the same feature
    name: str  # "e7"
    kind: str  # "vertex" "edge" "face"
    corners: Floats  # (k, 3) in order around

    @property
    def triangles(self) -> Floats:
        """The fan of a face from its first corner, (t, 3, 3); else none."""
        c = self.corners
        fan = [(c[0], c[k], c[k + 1]) for k in range(1, len(c) - 1)]
        return np.array(fan).reshape(-1, 3, 3)


class SearchPath(NamedTuple):
    """The parts that a search tried in a frame, in order."""

    bodies: tuple[str, str]
    places_a: Floats  # (n, 3) the middle of A's part in each step
    places_b: Floats  # (n, 3)
    faces_a: tuple[Floats, ...]  # faces around A's parts, (k, 3) corners each
    faces_b: tuple[Floats, ...]
    said: tuple[str, ...]  # each step in words
    warm: bool  # whether it started from the frame before


class Chart(NamedTuple):
    """What lies around the closest feature of one body, to be laid flat."""

    body: str
    name: str  # of the closest feature
    core: Floats  # (k, 3) its corners
    origin: Floats  # (3,) the closest point
    outward: Floats  # (3,) unit, away from the body
    elements: tuple[Element, ...]
    faces: tuple[Floats, ...]  # around what the search tried
    places: Floats  # (n, 3) where the search was


def around(frame: Frame, state: PairState) -> tuple[Element, ...]:
    """List the neighbours of both closest features, A's first, in search order."""
    found: list[Element] = []
    for name, feature in (
        (state.a.name, state.feature_a),
        (state.b.name, state.feature_b),
    ):
        body = frame.body(name)
        near = neighbours(body.mesh, feature)
        points = body.world_points()
        for order, other in enumerate(near, 1):
            corners = points[corners_of(body.mesh, other)]
            found.append(
                Element(name, order, len(near), str(other), other.kind, corners)
            )
    return tuple(found)


def trail(before: Frame | None, frame: Frame, state: PairState) -> SearchPath | None:
    """Return what a search tried for a pair; None for a compound's."""
    from sim.explain.explain import retrace

    walk = retrace(before, frame, state)
    if walk is None:
        return None
    names = state.a.name, state.b.name
    steps = walk.told.steps
    tried = [s.feature_a for s in steps], [s.feature_b for s in steps]
    faces = []
    for body, name, features in zip((state.a, state.b), names, tried, strict=True):
        # a hull has other numbers than the mesh that is drawn
        faces.append(
            () if body.convexity == "hull" else _faces_at(frame, name, features)
        )
    return SearchPath(
        names,
        walk.places_a,
        walk.places_b,
        faces[0],
        faces[1],
        tuple(step.text for step in steps),
        walk.told.before is not None,
    )


def charts(
    frame: Frame,
    state: PairState,
    elements: tuple[Element, ...],
    walk: SearchPath | None,
) -> tuple[Chart, Chart]:
    """Return what lies around both closest features, A's first."""

    def one(
        side: int, name: str, feature: Feature, origin: Floats, way: Floats
    ) -> Chart:
        body = frame.body(name)
        core = body.world_points()[corners_of(body.mesh, feature)]
        own = tuple(e for e in elements if e.body == name)
        if walk is None:
            return Chart(
                name, str(feature), core, origin, way, own, (), np.empty((0, 3))
            )
        places = (walk.places_a, walk.places_b)[side]
        faces = (walk.faces_a, walk.faces_b)[side]
        return Chart(name, str(feature), core, origin, way, own, faces, places)

    return (
        one(0, state.a.name, state.feature_a, state.point_a, state.normal),
        one(1, state.b.name, state.feature_b, state.point_b, -state.normal),
    )


def _faces_at(frame: Frame, name: str, features: list[Feature]) -> tuple[Floats, ...]:
    """Return the faces that features of a body belong to, each once."""
    body = frame.body(name)
    mesh, points = body.mesh, body.world_points()
    faces: dict[int, None] = {}
    for feature in features:
        near: list[int] = []
        if feature.kind == "vertex":
            near = mesh.vertex_faces(feature.index).tolist()
        elif feature.kind == "edge":
            near = mesh.edge_faces[feature.index].tolist()
        elif feature.kind == "face":
            near = [feature.index]
        faces.update(dict.fromkeys(near))
    return tuple(points[mesh.face_vertices(f)] for f in faces)

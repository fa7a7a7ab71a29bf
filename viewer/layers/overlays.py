"""Collect what the layers show of a frame, as arrays.

Everything is in the world frame, and made of a frame alone: the path of a search needs
the frame before as well.  A layer that is off is not computed.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sim import Frame, PairState
from sim.frame import BodySnapshot
from viewer import theme
from viewer.arrays import Floats
from viewer.layers.switches import EXTRA, Layers
from wingedge import Feature, MeshError, WingedEdgeMesh, neighbours
from wingedge.cover import Cover
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
    """The parts that a search tried in a frame, in order; of A, of B."""

    bodies: tuple[str, str]
    places: tuple[Floats, Floats]  # (n, 3) the middle of the part in each step
    faces: tuple[tuple[Floats, ...], ...]  # faces around the parts, (k, 3) corners each
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


class Dimension(NamedTuple):
    """The closest points of a pair with what is between them."""

    ends: Floats  # (2, 3) on A, on B; where they overlap the deepest point of each
    normal: Floats  # (3,) unit, from A to B
    length: float  # above 0: the distance, or the depth
    regime: str
    bodies: tuple[str, str]


class ContactMark(NamedTuple):
    """One of the contacts that a patch is reduced to."""

    kind: str  # "VF" "FV" "EE" ..., A's letter first
    name: str  # "VF v12 f5"
    point: Floats  # (3,) between the two bodies


class Lids(NamedTuple):
    """What closes the dents of a body, and what lies below."""

    body: str
    lids: Floats  # (t, 3, 3) cover faces that are no true surface
    pockets: Floats  # (s, 3, 3) true faces below them, as fans
    deepest: Floats  # (p, 3) the deepest point of each pocket
    depths: tuple[float, ...]  # of these, below the lids


class Push(NamedTuple):
    """What two bodies do to each other where they touch, as a law says."""

    bodies: tuple[str, str]
    point: Floats  # (3,)
    force: Floats  # (3,) on the second body
    share: float  # of the greatest in the frame

    def ends(self, unit: float) -> Floats:
        """Return tip, tail, tip of its two arrows, (3, 3); ``unit``: of a pixel."""
        size = np.sqrt(self.force @ self.force) or 1.0
        way = theme.FORCE_LENGTH * unit * self.share / size * self.force
        return np.stack([self.point - way, self.point, self.point + way])

    @property
    def words(self) -> str:
        """How large it is."""
        return f"{float(f'{np.sqrt(self.force @ self.force):.3g}'):g}"


class Overlays(NamedTuple):
    """What the layers that are on show of one frame, in the order of the layers."""

    around: tuple[Element, ...] = ()
    apart: tuple[Dimension, ...] = ()
    spots: tuple[ContactMark, ...] = ()
    depths: tuple[Dimension, ...] = ()
    lids: tuple[Lids, ...] = ()
    trails: tuple[SearchPath, ...] = ()
    pushes: tuple[Push, ...] = ()
    empty: tuple[str, ...] = ()  # layers that are on and have nothing to show
    charts: tuple[Chart, ...] = ()  # of the first pair, where there are numbers


NOTHING = Overlays()


class OverlayCollector:
    """Collect what layers show; a body that only moves is covered once."""

    def __init__(self) -> None:
        self._lids: dict[str, tuple[Floats, WingedEdgeMesh, Lids | None]] = {}

    def collect(
        self,
        frame: Frame,
        states: Sequence["PairState"],
        layers: Layers,
        before: Frame | None = None,
    ) -> Overlays:
        """Collect what the layers that are on show; ``before`` is for the path.

        Cost: for ``cover`` a hull of every body with new positions, 40 us a vertex;
        for ``path`` two answers a pair, some 2 ms.
        """
        on = [name for name in EXTRA if getattr(layers, name)]
        if not on:
            return NOTHING
        trails = (trail(before, frame, state) for state in states)
        parts: dict[str, Iterator[Any]] = {  # made where they are asked for
            "neighbours": (e for s in states for e in around(frame, s)),
            "distance": (span(s) for s in states if s.distance > 0.0),
            "elements": (spot for s in states for spot in spots(s)),
            "depth": (span(s) for s in states if s.distance < 0.0),
            "cover": (b for b in map(self._covered, frame.bodies) if b is not None),
            "path": (walk for walk in trails if walk is not None),
            "forces": pushes(frame),
        }
        shown: list[Any] = [tuple(parts[n]) if n in on else () for n in EXTRA]
        pairs = zip(EXTRA, shown, strict=True)
        empty = tuple(name for name, found in pairs if name in on and not found)
        found = Overlays(*shown)._replace(empty=empty)
        if states and (found.around or found.trails):
            names = states[0].a.name, states[0].b.name
            walk = next((t for t in found.trails if t.bodies == names), None)
            near = around(frame, states[0]) if layers.neighbours else ()
            found = found._replace(charts=charts(frame, states[0], near, walk))
        return found

    def _covered(self, body: BodySnapshot) -> Lids | None:
        known = self._lids.get(body.name)
        if known is None or known[0] is not body.points or known[1] is not body.mesh:
            known = body.points, body.mesh, lids_of(body)
            self._lids[body.name] = known
        rest = known[2]
        if rest is None:
            return None
        place = body.pose.apply
        return rest._replace(
            lids=place(rest.lids.reshape(-1, 3)).reshape(-1, 3, 3),
            pockets=place(rest.pockets.reshape(-1, 3)).reshape(-1, 3, 3),
            deepest=place(rest.deepest),
        )


def around(frame: Frame, state: PairState) -> tuple[Element, ...]:
    """List the neighbours of both closest features, A's first, in search order."""
    found: list[Element] = []
    for actor, feature in ((state.a, state.feature_a), (state.b, state.feature_b)):
        body = frame.body(actor.name)
        near, points = neighbours(body.mesh, feature), body.world_points()
        for order, one in enumerate(near, 1):
            corners = points[corners_of(body.mesh, one)]
            told = body.name, order, len(near), str(one), one.kind
            found.append(Element(*told, corners))
    return tuple(found)


def trail(before: Frame | None, frame: Frame, state: PairState) -> SearchPath | None:
    """Return what a search tried for a pair; None for a compound's."""
    from sim.explain.explain import retrace

    walk = retrace(before, frame, state)
    if walk is None:
        return None
    steps, actors = walk.told.steps, (state.a, state.b)
    tried = [s.feature_a for s in steps], [s.feature_b for s in steps]
    faces = tuple(
        # a hull has other numbers than the mesh that is drawn
        () if body.convexity == "hull" else _faces_at(frame, body.name, features)
        for body, features in zip(actors, tried, strict=True)
    )
    return SearchPath(
        (state.a.name, state.b.name),
        (walk.places_a, walk.places_b),
        faces,
        tuple(step.text for step in steps),
        walk.told.before is not None,
    )


def charts(
    frame: Frame,
    state: PairState,
    elements: tuple[Element, ...],
    walk: SearchPath | None,
) -> tuple[Chart, ...]:
    """Return what lies around both closest features, A's first."""
    found = []
    for k, (name, feature, origin, outward) in enumerate(
        (
            (state.a.name, state.feature_a, state.point_a, state.normal),
            (state.b.name, state.feature_b, state.point_b, -state.normal),
        )
    ):
        body = frame.body(name)
        core = body.world_points()[corners_of(body.mesh, feature)]
        own = tuple(e for e in elements if e.body == name)
        tried = (
            ((), np.empty((0, 3))) if walk is None else (walk.faces[k], walk.places[k])
        )
        found.append(Chart(name, str(feature), core, origin, outward, own, *tried))
    return tuple(found)


def _faces_at(frame: Frame, name: str, features: list[Feature]) -> tuple[Floats, ...]:
    """Return the faces that features of a body belong to, each once."""
    body = frame.body(name)
    points, faces = body.world_points(), dict[int, None]()
    for feature in features:
        near = (feature,) if feature.kind == "face" else neighbours(body.mesh, feature)
        faces.update(dict.fromkeys(f.index for f in near if f.kind == "face"))
    return tuple(points[body.mesh.face_vertices(f)] for f in faces)


def span(state: PairState) -> Dimension:
    """Return what is between the closest points, or how deep the bodies overlap."""
    return Dimension(
        np.stack([state.point_a, state.point_b]),
        state.normal,
        abs(state.distance),
        state.regime,
        (state.a.name, state.b.name),
    )


def spots(state: PairState) -> tuple[ContactMark, ...]:
    """List the contacts that a patch is reduced to; none while separated."""
    return tuple(
        ContactMark(
            contact.kind,
            f"{contact.kind} {contact.feature_a} {contact.feature_b}",
            (contact.point_a + contact.point_b) / 2,
        )
        for contact in state.contacts
    )


def pushes(frame: Frame) -> Iterator[Push]:
    """Yield the forces that a law remembers, those of the greatest first.

    As `sim.laws.Affine` names them: ``contact_bodies`` (P, 2), places of bodies in the
    frame, ``contact_point`` and ``contact_force`` (P, 3), on the second of each.
    """
    names = "contact_bodies", "contact_point", "contact_force"
    if not all(name in frame.law for name in names):
        return
    kinds = np.intp, np.float64, np.float64
    try:
        places, points, forces = (
            np.asarray(frame.law[name]).astype(kind, casting="same_kind")
            for name, kind in zip(names, kinds, strict=True)
        )
    except TypeError:  # of another law, with a meaning of its own
        return
    count = len(frame.bodies)
    rows = forces.shape[:1]
    shapes = (*rows, 2), (*rows, 3), (*rows, 3)
    if (places.shape, points.shape, forces.shape) != shapes:
        return
    known = ((places >= 0) & (places < count)).all(axis=1)
    sizes = np.sqrt((forces * forces).sum(axis=1))
    known &= np.isfinite(sizes) & np.isfinite(points).all(axis=1) & (sizes > 0.0)
    bodies, there = [body.name for body in frame.bodies], np.flatnonzero(known)
    order = there[np.argsort(-sizes[there], kind="stable")].tolist()
    for k in order:
        a, b = (bodies[i] for i in places[k].tolist())
        yield Push((a, b), points[k], forces[k], float(sizes[k] / sizes[order[0]]))


def lids_of(body: BodySnapshot) -> Lids | None:
    """Cover a body, O(V log V); return its lids, None without a dent or if flat."""
    cover = cover_of(body)
    if cover is None or not len(cover.pockets):
        return None
    fan = body.mesh.fan
    below = [f for pocket in cover.pockets for f in pocket.faces]
    lids = sorted({k for pocket in cover.pockets for k in pocket.lids})
    return Lids(
        body.name,
        body.points[cover.faces[lids]],
        body.points[fan.vertex[np.isin(fan.face, below)]],
        np.array([pocket.point for pocket in cover.pockets]).reshape(-1, 3),
        tuple(pocket.depth for pocket in cover.pockets),
    )


def cover_of(body: BodySnapshot) -> Cover | None:
    """Return the convex cover of a body as it was in a frame; None if it is flat."""
    from sim.hulls import solid

    try:
        return solid.cover_of(body.mesh, body.points, body.name)
    except MeshError:
        return None

"""Choose pairs of a crowd, and turn them into plain arrays to be drawn."""

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame, PairState
from sim.events.touch import whole_name
from viewer.drawing.words import short
from wingedge import Feature, WingedEdgeMesh
from wingedge.tables import Floats

FULL = 8  # pairs that are drawn with all that belongs to them: more are a heap
NEAR = 2  # partners of what is looked at that are drawn though they do not meet it

Mask = NDArray[np.bool_]
Names = tuple[str, ...]  # what is looked at: a body, two bodies of a pair, or nothing


def names_of(frame: Frame) -> Names:
    """Return the names of all bodies, in their order; no snapshot is made for that."""
    places = getattr(frame.bodies, "places", None)
    return tuple(body.name for body in frame.bodies) if places is None else (*places,)


def drawn_pairs(
    frame: Frame, looked_at: Names = (), most: int | None = None
) -> tuple[PairState, ...]:
    """Choose the pairs worth drawing, the most telling first; O(P log P).

    Every pair that is not separated, and for every body its nearest partner, by
    distance: those of what is looked at, of which two at least.
    """
    pairs = frame.pairs
    if not len(pairs):
        return ()
    order = np.argsort(pairs.distance, kind="stable")
    own, drawn = pairs_of(frame, looked_at)[order], pairs.meets[order]
    _, first = np.unique(pairs.ends[order], return_index=True)
    drawn[first // 2] = True  # of each body the nearest
    drawn[np.flatnonzero(own)[: NEAR if looked_at else 0]] = True
    return tuple(pairs[k] for k in order[own & drawn][:most].tolist())


def concerns(event: Event, looked_at: Names) -> bool:
    """Tell whether an event is one of the body, or of the pair, that is looked at."""
    if len(looked_at) == 2 and not event.b:
        return event.a in looked_at
    return {event.a, event.b}.issuperset(looked_at)


def nearest_pairs(frame: Frame, looked_at: Names = ()) -> list[tuple[str, str]]:
    """Name the pairs, or those of a body, the nearest first."""
    names, order = names_of(frame), np.argsort(frame.pairs.distance, kind="stable")
    ends = frame.pairs.ends[order[pairs_of(frame, looked_at)[order]]]
    return [(names[i], names[j]) for i, j in ends.tolist()]


def pairs_of(frame: Frame, looked_at: Names) -> Mask:
    """Say which pairs a body has, or which one is that of two bodies, (P,)."""
    hit = np.array([name in looked_at for name in names_of(frame)], bool)
    return np.asarray(hit[frame.pairs.ends].sum(axis=1) == len(looked_at))


_ANCHORS = 12  # more places to choose from make no better picture
_ALONG = (np.arange(5)[:, None] + 0.5) / 5  # places along an edge
_WIDE = 1e-3  # of a depth: bounds farther apart are shown as an interval


class LitFeature(NamedTuple):
    """The closest features of one body of a pair: all parts, lit together."""

    body: str
    name: str  # as printed, "f3"; "f3 +7" when the level part has eight faces
    kind: str  # "vertex" "edge" "face"
    points: Floats  # (n, 3) lit vertices
    segments: Floats  # (m, 2, 3) lit edges, or the rim of the lit faces
    triangles: Floats  # (t, 3, 3) lit faces, as the fans that answers refer to
    fan: NDArray[np.intp]  # (t,) their rows in ``mesh.fan``
    part: str = ""  # of the body, that it is named by

    @property
    def anchors(self) -> Floats:
        """Places on the feature where its name may point to, (k, 3)."""
        tail, tip = self.segments[:, None, 0], self.segments[:, None, 1]
        places = ((1 - _ALONG) * tail + _ALONG * tip).reshape(-1, 3)
        if self.kind == "vertex":
            places = self.points
        elif self.kind == "face":
            middle = self.triangles.mean(axis=1)
            # a little inside the rim, where it points at the face and not at an edge
            inside = 0.7 * places + 0.3 * middle.mean(axis=0)
            places = np.concatenate([middle, inside])
        chosen = np.linspace(0, len(places) - 1, _ANCHORS).astype(np.intp)
        return np.asarray(places[np.unique(chosen)])


class PairGlyphs(NamedTuple):
    """What is drawn of one pair."""

    a: LitFeature
    b: LitFeature
    witness: Floats  # (2, 3) closest points, A's first
    normal: Floats  # (3,) unit, from A to B
    contacts: Floats  # (k, 3) middle of each contact; empty while separated
    patch: Floats  # (k, 3) corners of the area where the distance is the same
    state: PairState  # what all of it was made of

    @property
    def middle(self) -> Floats:
        """The point halfway between the closest points, (3,)."""
        return np.asarray(self.witness[0] + self.witness[1]) / 2.0


def pair_glyphs(
    frame: Frame, state: PairState, points: Mapping[str, Floats] | None = None
) -> PairGlyphs:
    """Collect what is drawn of one pair of a frame, O(V + E).

    The frame gives the positions: the state's own bodies may have moved on.
    """
    a, b = frame.body(state.a.name), frame.body(state.b.name)
    points = points or {each.name: each.world_points() for each in (a, b)}
    n, apart = state.numbers, state.regime == "separated"
    return PairGlyphs(
        a=lit(a.name, a.mesh, points[a.name], state.parts_a),
        b=lit(b.name, b.mesh, points[b.name], state.parts_b),
        witness=witness_of(state),
        normal=np.array(n.normal),
        contacts=np.empty((0, 3)) if apart else corners_of(state).mean(axis=1),
        patch=np.empty((0, 3)) if n.unique else state.patch,
        state=state,
    )


def lit(
    body: str, mesh: WingedEdgeMesh, points: Floats, parts: tuple[Feature, ...]
) -> LitFeature:
    """Turn the parts of a closest feature into arrays; lids are no parts of the mesh.

    Faces are the fans that answers refer to, with the rim of all of them together.
    """
    of: dict[str, list[int]] = {"vertex": [], "edge": [], "face": []}
    lids = [[*part.vertices] for part in parts if part.kind == "lid"]
    for part in parts:
        if part.kind != "lid":
            of[part.kind].append(part.index)
    among = np.zeros(mesh.n_faces + 1, bool)  # the last is no face
    among[of["face"]] = True
    fan, inside = np.flatnonzero(among[mesh.fan.face]), among[mesh.edge_faces]
    rim = mesh.edge_vertices[inside[:, 0] != inside[:, 1]]
    sides = [s for r in lids for s in pairwise(r + r[:1] if len(r) > 2 else r)]
    fans = [[r[0], *side] for r in lids for side in pairwise(r[1:])]
    lines = [mesh.edge_vertices[of["edge"]], rim, np.reshape(sides, (-1, 2))]
    drawn = np.concatenate([np.reshape(fans, (-1, 3)), mesh.fan.vertex[fan]])
    return LitFeature(
        body,
        str(parts[0]) if len(parts) == 1 else f"{parts[0]} +{len(parts) - 1}",
        "vertex" if of["vertex"] else "face" if len(drawn) else "edge",
        points[of["vertex"]],
        points[np.concatenate(lines).astype(np.intp)],
        points[drawn.astype(np.intp)],
        fan,
        mesh.part_of(parts[0]),
    )


def corners_of(state: PairState) -> Floats:
    """Return the points of all contacts, (k, 2, 3), A's first: at least one."""
    n = state.numbers
    corners = n.corners if n.labels else (*n.point_a, *n.point_b)
    return np.array(corners, np.float64).reshape(-1, 2, 3)


def witness_of(state: PairState) -> Floats:
    """Return the closest points, (2, 3); of an overlap where the surfaces cross.

    Where an overlap is an interval its ends are those of two hulls, in free air.
    """
    n = state.numbers
    crossing: Floats = corners_of(state)[0]
    return crossing if overlap_text(state) else np.array((n.point_a, n.point_b))


def overlap_text(state: PairState) -> str:
    """Say how deep two bodies overlap, from and to, where that is an interval."""
    least, most = max(0.0, -state.upper), -state.lower
    wide = state.distance < 0.0 and np.isfinite(most) and most - least > _WIDE * most
    return f"overlap {least:.3g} to {most:.3g}" if wide else ""


def distance_text(state: PairState) -> str:
    """Say a signed distance in words, as in "contact, distance 0.00123"."""
    words = "depth" if state.distance < 0.0 else "distance"
    length = f"{words} {abs(state.distance):.3g}" if state.distance else "touching"
    return f"{state.regime}, {overlap_text(state) or length}"


def headline(state: PairState) -> str:
    """Say a whole answer in one line, the names as in the event syntax."""
    trust = f"certified by {state.proof}" if state.certified else "not certified"
    count = f", {len(state.regions)} regions" if len(state.regions) > 1 else ""
    parts = state.mesh_a.part_of(state.feature_a), state.mesh_b.part_of(state.feature_b)
    names = zip((state.a.name, state.b.name), parts, strict=True)
    who = "/".join(whole_name(short(name), short(part)) for name, part in names)
    return (
        f"{who}  {state.kind} {state.feature_a} "
        f"{state.feature_b}  {distance_text(state)}, {trust}{count}"
    )

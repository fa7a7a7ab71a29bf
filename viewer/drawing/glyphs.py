"""Choose the pairs of a crowd, and turn a frame into plain arrays to be drawn."""

from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame, PairState
from sim.frame import BodySnapshot
from wingedge import Feature, WingedEdgeMesh
from wingedge.tables import Floats

FULL = 8  # pairs that are drawn with all that belongs to them: more are a heap

Mask = NDArray[np.bool_]
Names = tuple[str, ...]  # what is looked at: a body, two bodies of a pair, or nothing


class Hint(NamedTuple):
    """A pair of which only the line between its closest points is drawn."""

    bodies: tuple[str, str]
    regime: str
    witness: Floats  # (2, 3) closest points, A's first
    normal: Floats  # (3,) unit, from A to B


class DrawnPairs(NamedTuple):
    """The pairs of a frame that are drawn, the most telling first."""

    states: tuple[PairState, ...]  # told in full
    hints: tuple[Hint, ...] = ()


class Movers:
    """Remember which bodies were ever seen to move: others are scenery."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._last: dict[str, BodySnapshot] = {}

    def see(self, bodies: Iterable[BodySnapshot]) -> None:
        """Compare the bodies of a frame with those that were seen last."""
        last, self._last = self._last, {body.name: body for body in bodies}
        for name, now in self._last.items():
            then = last.get(name, now)
            if name in self.names or then is now:
                continue
            same = now.points is then.points
            same = same or np.array_equal(now.points, then.points)
            if not same or now.pose != then.pose:
                self.names.add(name)


def names_of(frame: Frame) -> Names:
    """Return the names of all bodies, in their order; no snapshot is made for that."""
    places = getattr(frame.bodies, "places", None)
    return tuple(body.name for body in frame.bodies) if places is None else (*places,)


def chosen_pairs(
    frame: Frame,
    looked_at: Names = (),
    movers: Collection[str] = (),
    most: int | None = FULL,
) -> DrawnPairs:
    """Choose the pairs worth drawing, O(P log P).

    Every pair that is not separated, and for every body its nearest partner. Those of
    what is looked at come first, and alone are told in full; then those in which
    something moves, then scenery; each by distance.
    """
    pairs, names = frame.pairs, names_of(frame)
    if not len(pairs):
        return DrawnPairs(())
    own, still = np.zeros((2, len(pairs)), bool)
    if looked_at:
        own = pairs_of(frame, looked_at)
    if movers:
        still = ~pairs_with(frame, movers)
    order = np.lexsort((pairs.distance, still))
    meets, mine, others = pairs.meets, order[own[order]], order[~own[order]]
    # of what is looked at the nearest partner is drawn, of all others theirs
    mine = mine[(np.arange(len(mine)) == 0) | meets[mine]]
    bodies, first = np.unique(pairs.ends[others], return_index=True)
    new = np.zeros(len(others), bool)
    served = np.zeros(len(names), bool)
    served[pairs.ends[mine]] = True
    new[first[~served[bodies]] // 2] = True
    drawn = np.concatenate([mine, others[new | meets[others]]])
    full = len(mine) if looked_at else len(drawn)
    full = full if most is None else min(full, most)
    rest = drawn[full:]
    hints = zip(
        [(names[i], names[j]) for i, j in pairs.ends[rest].tolist()],
        pairs.regime[rest].tolist(),
        np.stack([pairs.point_a[rest], pairs.point_b[rest]], axis=1),
        pairs.normal[rest],
        strict=True,
    )
    states = tuple(pairs[row] for row in drawn[:full].tolist())
    return DrawnPairs(states, tuple(map(Hint._make, hints)))


def concerns(event: Event, looked_at: Names) -> bool:
    """Tell whether an event is one of the body, or of the pair, that is looked at."""
    if len(looked_at) == 2 and not event.b:
        return event.a in looked_at
    return {event.a, event.b}.issuperset(looked_at)


def tour(
    frame: Frame, name: str | None, movers: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Name the pairs to look at one after the other: those drawn, or all of a body."""
    if name is None:
        states = chosen_pairs(frame, (), movers, most=None).states
    else:
        rows = np.flatnonzero(pairs_with(frame, (name,))).tolist()
        own = (frame.pairs[row] for row in rows)
        states = tuple(sorted(own, key=lambda state: state.distance))
    return [(state.a.name, state.b.name) for state in states]


def pairs_of(frame: Frame, looked_at: Names) -> Mask:
    """Say which pairs a body has, or which one is that of two bodies, (P,)."""
    return np.asarray(_hits(frame, looked_at).sum(axis=1) == len(looked_at))


def pairs_with(frame: Frame, names: Collection[str]) -> Mask:
    """Say which pairs have one of these bodies at least, (P,)."""
    return np.asarray(_hits(frame, names).any(axis=1))


def _hits(frame: Frame, names: Collection[str]) -> Mask:
    hit = np.array([name in names for name in names_of(frame)])
    return np.asarray(hit[frame.pairs.ends])


_SPOTS = 4
_ANCHORS = 12  # more places to choose from make no better picture


_WIDE = 1e-3  # of a depth: bounds farther apart are shown as an interval
_NO_ROWS = np.empty(0, np.intp)


class LitFeature(NamedTuple):
    """The closest features of one body of a pair: all parts, lit together."""

    body: str
    name: str  # as printed, "f3"; "f3 +7" when the level part has eight faces
    kind: str  # "vertex" "edge" "face"
    points: Floats  # (n, 3) lit vertices
    segments: Floats  # (m, 2, 3) lit edges, or the rim of the lit faces
    triangles: Floats  # (t, 3, 3) lit faces, as the fans that answers refer to
    fan: NDArray[np.intp]  # (t,) their rows in ``mesh.fan``

    @property
    def anchors(self) -> Floats:
        """Places on the feature where its name may point to, (k, 3)."""
        if self.kind == "vertex":
            return self.points[:_ANCHORS]
        places = along(self.segments)
        if self.kind == "face":
            middle = self.triangles.mean(axis=1)
            # a little inside the rim, where it points at the face and not at an edge
            inside = 0.7 * places + 0.3 * middle.mean(axis=0)
            places = np.concatenate([middle, inside])
        if len(places) > _ANCHORS:
            chosen = np.linspace(0, len(places) - 1, _ANCHORS)
            places = places[chosen.astype(np.intp)]
        return places


class RegionGlyph(NamedTuple):
    """What is drawn of one of all contacts of a pair."""

    name: str  # "#3", its identity
    witness: Floats  # (2, 3) its closest points, A's first
    patch: Floats  # (k, 3) corners of the area where the distance is the same


class PairGlyphs(NamedTuple):
    """What is drawn of one pair."""

    a: LitFeature
    b: LitFeature
    regime: str
    witness: Floats  # (2, 3) closest points, A's first
    normal: Floats  # (3,) unit, from A to B
    contacts: Floats  # (k, 3) middle of each contact; empty while separated
    patch: Floats  # (k, 3) corners of the area where the distance is the same
    state: PairState  # what all of it was made of
    regions: tuple[RegionGlyph, ...] = ()  # all contacts, where they were asked for

    @property
    def bodies(self) -> tuple[str, str]:
        """The names of A and B."""
        return self.a.body, self.b.body

    @property
    def middle(self) -> Floats:
        """The point halfway between the closest points, (3,)."""
        return np.asarray(self.witness[0] + self.witness[1]) / 2.0

    @property
    def spots(self) -> Floats:
        """Where it is looked for, (k, 3): its contacts, or halfway between, few."""
        return self.contacts[:_SPOTS] if len(self.contacts) else self.middle[None]

    @property
    def text(self) -> str:
        """Regime and distance in words."""
        return distance_text(self.state)

    @property
    def headline(self) -> str:
        """The whole answer in one line."""
        return headline(self.state)


def pair_glyphs(
    frame: Frame, state: PairState, points: Mapping[str, Floats] | None = None
) -> PairGlyphs:
    """Collect what is drawn of one pair of a frame, O(V + E).

    The frame gives the positions: the state's own bodies may have moved on.
    """
    a, b = frame.body(state.a.name), frame.body(state.b.name)
    points = points or {each.name: each.world_points() for each in (a, b)}
    n = state.numbers
    contacts = np.empty((0, 3))
    if state.regime != "separated":  # at the corners of the patch, or where it is
        contacts = corners_of(state).mean(axis=1)
    return PairGlyphs(
        a=lit(a.name, a.mesh, points[a.name], state.parts_a),
        b=lit(b.name, b.mesh, points[b.name], state.parts_b),
        regime=state.regime,
        witness=witness_of(state),
        normal=np.array(n.normal),
        contacts=contacts,
        patch=np.empty((0, 3)) if n.unique else state.patch,
        state=state,
        regions=tuple(
            RegionGlyph(f"#{r.identity}", np.stack([r.point_a, r.point_b]), r.patch)
            for r in state.regions
        ),
    )


def lit(
    body: str, mesh: WingedEdgeMesh, points: Floats, parts: tuple[Feature, ...]
) -> LitFeature:
    """Turn the parts of a closest feature into arrays; lids are no parts of the mesh.

    Faces are the fans that answers refer to, with the rim of all of them together.
    """
    of: dict[str, list[int]] = {"vertex": [], "edge": [], "face": []}
    lids = [list(part.vertices) for part in parts if part.kind == "lid"]
    for part in parts:
        if part.kind != "lid":
            of[part.kind].append(part.index)
    among = np.zeros(mesh.n_faces + 1, bool)  # the last is no face
    among[of["face"]] = True
    fan = np.flatnonzero(among[mesh.fan.face]) if of["face"] else _NO_ROWS
    inside = among[mesh.edge_faces]
    rim = mesh.edge_vertices[inside[:, 0] != inside[:, 1]]
    closed = [r + r[:1] if len(r) > 2 else r for r in lids]
    sides = [list(side) for r in closed for side in pairwise(r)]
    fans = [[r[0], r[k], r[k + 1]] for r in lids for k in range(1, len(r) - 1)]
    lines = [mesh.edge_vertices[of["edge"]], rim, np.array(sides).reshape(-1, 2)]
    drawn = np.concatenate([np.array(fans).reshape(-1, 3), mesh.fan.vertex[fan]])
    return LitFeature(
        body,
        str(parts[0]) if len(parts) == 1 else f"{parts[0]} +{len(parts) - 1}",
        "vertex" if of["vertex"] else "face" if len(drawn) else "edge",
        points[of["vertex"]],
        points[np.concatenate(lines).astype(np.intp)],
        points[drawn.astype(np.intp)],
        fan,
    )


def along(segments: Floats, count: int = 5) -> Floats:
    """Return points along each of (m, 2, 3) segments, ends left out, (m count, 3)."""
    t = ((np.arange(count) + 0.5) / count)[None, :, None]
    tail, tip = segments[:, None, 0], segments[:, None, 1]
    places: Floats = ((1 - t) * tail + t * tip).reshape(-1, 3)
    return places


def corners_of(state: PairState) -> Floats:
    """Return the points of all contacts, (k, 2, 3), A's first: at least one."""
    n = state.numbers
    found = n.corners if n.labels else (*n.point_a, *n.point_b)
    return np.array(found, np.float64).reshape(-1, 2, 3)


def witness_of(state: PairState) -> Floats:
    """Return the closest points, (2, 3); of an overlap where the surfaces cross.

    Where an overlap is an interval its ends are those of two hulls, in free air.
    """
    n = state.numbers
    crossing: Floats = corners_of(state)[0]
    is_wide = overlap_of(state) is not None
    return crossing if is_wide else np.array((n.point_a, n.point_b))


def overlap_of(state: PairState) -> tuple[float, float] | None:
    """Return how deep two bodies overlap, from and to, where that is an interval."""
    least, most = max(0.0, -state.upper), -state.lower
    wide = state.distance < 0.0 and np.isfinite(most)
    return (least, most) if wide and most - least > _WIDE * most else None


def distance_text(state: PairState) -> str:
    """Say a signed distance in words, as in "contact, distance 0.00123"."""
    overlap, distance = overlap_of(state), state.distance
    if overlap is not None:
        return f"{state.regime}, overlap {overlap[0]:.3g} to {overlap[1]:.3g}"
    if distance == 0.0:
        return f"{state.regime}, touching"
    words = "depth" if distance < 0.0 else "distance"
    return f"{state.regime}, {words} {abs(distance):.3g}"


def headline(state: PairState) -> str:
    """Say a whole answer in one line, the names as in the event syntax."""
    trust = f"certified by {state.proof}" if state.certified else "not certified"
    count = f", {len(state.regions)} regions" if len(state.regions) > 1 else ""
    return (
        f"{state.a.name}/{state.b.name}  {state.kind} {state.feature_a} "
        f"{state.feature_b}  {distance_text(state)}, "
        f"{trust}{count}"
    )


def drawn_pairs(frame: Frame) -> tuple[PairState, ...]:
    """Choose the pairs worth drawing, the most telling first; see `chosen_pairs`."""
    return chosen_pairs(frame, most=None).states

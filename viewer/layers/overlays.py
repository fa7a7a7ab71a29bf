"""Collect what the layers show of a frame, as arrays.

Everything is in the world frame, and made of a frame alone: the path of a search needs
the frame before as well.  A layer that is off is not computed.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sim import Frame, PairState
from sim.frame import BodySnapshot
from viewer.arrays import Floats
from viewer.layers.around import Chart, Element, SearchPath, around, charts, trail
from viewer.layers.switches import EXTRA, Layers
from wingedge import MeshError, WingedEdgeMesh
from wingedge.cover import Cover


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


class Overlays(NamedTuple):
    """What the layers that are on show of one frame, in the order of the layers."""

    around: tuple[Element, ...] = ()
    apart: tuple[Dimension, ...] = ()
    spots: tuple[ContactMark, ...] = ()
    depths: tuple[Dimension, ...] = ()
    lids: tuple[Lids, ...] = ()
    trails: tuple[SearchPath, ...] = ()
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
    from sim.hulls.solid import LiveCover

    try:
        return LiveCover(np.array(body.points, order="C"), body.name).of(body.mesh)
    except MeshError:
        return None

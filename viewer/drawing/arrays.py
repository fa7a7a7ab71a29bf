"""Turn a frame into plain arrays: what a window, a page, a plugin and a file draw.

Everything is in the world frame and made of the frame alone; nothing here draws. A
`Pen` adds colours and how long a pixel is, so that markers keep their size.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Frame, PairState
from viewer import theme
from viewer.drawing.glyphs import (
    FULL,
    LitFeature,
    Names,
    PairGlyphs,
    SearchPath,
    drawn_pairs,
    overlap_text,
    pair_glyphs,
    trail,
    witness_of,
)
from viewer.drawing.markers import (
    Pen,
    add_dimension,
    add_markers,
    add_rims,
    add_trails,
    arrow_ends,
)
from viewer.drawing.overlays import EXTRA, Layers
from viewer.drawing.solids import SolidBuilder
from viewer.drawing.words import short
from viewer.theme import Rgb
from wingedge.tables import Floats

_NAMED_PAIRS = 2  # more names than these are a heap of letters
_NAMED_REGIONS = 8
_NEAR = 240.0  # pixels from the closest point in which a face is named


class Label(NamedTuple):
    """A text beside what it names."""

    words: str
    anchors: Floats  # (k, 3) places on what it names
    place: Floats  # (3,) in free air beside it
    ink: Rgb


class Shown(NamedTuple):
    """What a frame shows."""

    frame: Frame
    points: Mapping[str, Floats]  # (V, 3) by body
    pairs: list[PairGlyphs]  # that are drawn, the most telling first
    layers: Layers
    trails: tuple[SearchPath, ...]  # of the layer path

    @property
    def lit(self) -> dict[str, list[NDArray[np.intp]]]:
        """The rows of ``mesh.fan`` that are lit, of every body of a drawn pair."""
        found: dict[str, list[NDArray[np.intp]]] = {}
        for part in (part for pair in self.pairs for part in (pair.a, pair.b)):
            found.setdefault(part.body, []).append(part.fan)
        return found

    @property
    def spans(self) -> list[PairState]:
        """The pairs whose distance or depth the layer of that name measures."""
        on = self.layers.distance
        return [p.state for p in self.pairs if on and p.state.distance]

    @property
    def empty(self) -> list[str]:
        """The layers that are on and have nothing to show."""
        found = zip(EXTRA, (self.spans, self.trails), strict=True)
        return [n for n, some in found if getattr(self.layers, n) and not some]

    def markers(self, pen: Pen) -> SolidBuilder:
        """Return closest points and features, normals, contacts, and layers."""
        pieces, layers = SolidBuilder(), self.layers
        if layers.contacts:
            add_markers(pieces, self.pairs, pen, normals=layers.normals)
        for state in self.spans:
            add_dimension(pieces, state, pen)
        add_trails(pieces, self.trails, pen)
        return pieces

    def lines(self, pen: Pen) -> SolidBuilder:
        """Return the rims of lit faces."""
        pieces = SolidBuilder()
        add_rims(pieces, self.pairs if self.layers.contacts else (), pen)
        return pieces

    def labels(self, pen: Pen) -> list[Label]:
        """Return all texts, those at dimension lines first; none below the help."""
        layers, found = self.layers, [_of_span(state, pen) for state in self.spans]
        if layers.help:
            return []
        if layers.contacts and layers.names:
            for pair in self.pairs[:_NAMED_PAIRS]:
                is_measured = layers.distance and pair.state.distance != 0.0
                found += _of_pair(pair, pen, is_measured=is_measured)
        return found


def collect(
    frame: Frame, layers: Layers, *, before: Frame | None = None, looked_at: Names = ()
) -> Shown:
    """Collect what a frame shows of what is ``looked_at``, of eight pairs at most.

    ``before`` it there was this one, for the path; a layer that is off is not computed.
    """
    points = {body.name: body.world_points() for body in frame.bodies}
    states = drawn_pairs(frame, looked_at, FULL)
    pairs = [pair_glyphs(frame, state, points) for state in states]
    trails = tuple(trail(before, frame, s) for s in states) if layers.path else ()
    return Shown(frame, points, pairs, layers, trails)


def _of_span(state: PairState, pen: Pen) -> Label:
    """Say how long a dimension line is, beside it."""
    kind = "distance" if state.distance > 0.0 else "depth"
    words = overlap_text(state) or f"{kind} {abs(state.distance):.6g}"
    middle = witness_of(state).mean(axis=0)
    off = theme.DIMENSION_OFFSET * pen.unit(middle) * pen.across(state.normal)
    ink = pen.look.regime(state.regime)
    return Label(words, (middle + off)[None], middle + 2.0 * off, ink)


def _of_pair(pair: PairGlyphs, pen: Pen, *, is_measured: bool) -> list[Label]:
    """Name the closest features of a pair, its distance unless told, its regions."""
    unit, ink = float(pen.unit(pair.middle)), pen.look.regime(pair.regime)
    (start, tip), found = arrow_ends(pair, unit), []
    ends = pair.witness[0] - 0.7 * (tip - start), tip + 0.25 * (tip - start)
    for part, at, place in zip((pair.a, pair.b), pair.witness, ends, strict=True):
        words, tone = f"{short(part.body)} {part.name}", pen.body(part.body).feature
        found.append(Label(words, _near(part, at, _NEAR * unit), place, tone))
    if not is_measured:  # else at its dimension line
        beside = pair.middle + theme.ARROW_LENGTH * unit * pen.across(pair.normal)
        found.append(Label(pair.text, pair.middle[None], beside, ink))
    for region in pair.state.regions[:_NAMED_REGIONS]:
        area = region.patch if len(region.patch) else (region.point_a, region.point_b)
        middle = np.mean(area, axis=0)
        found.append(Label(f"#{region.identity}", middle[None], middle, ink))
    return found


def _near(part: LitFeature, point: Floats, reach: float) -> Floats:
    """Return the anchors of a feature, those of a huge face near the closest point."""
    if part.kind != "face":
        return part.anchors
    away = part.anchors - point
    far = np.sqrt((away * away).sum(axis=1, keepdims=True))
    return np.asarray(point + away * np.minimum(1.0, reach / np.maximum(far, reach)))

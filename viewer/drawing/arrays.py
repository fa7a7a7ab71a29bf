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
    chosen_pairs,
    overlap_text,
    pair_glyphs,
    witness_of,
)
from viewer.drawing.markers import (
    Pen,
    add_flat,
    add_lines,
    add_markers,
    add_rims,
    arrow_ends,
)
from viewer.drawing.overlays import Layers, Overlays, overlays_of
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
    pairs: list[PairGlyphs]  # told in full, the most telling first
    others: tuple[PairState, ...]  # pairs of which only a line is drawn
    overlays: Overlays  # what layers add
    layers: Layers

    @property
    def lit(self) -> dict[str, list[NDArray[np.intp]]]:
        """The rows of ``mesh.fan`` that are lit, of every body of a drawn pair."""
        found: dict[str, list[NDArray[np.intp]]] = {}
        for part in (part for pair in self.pairs for part in (pair.a, pair.b)):
            found.setdefault(part.body, []).append(part.fan)
        return found

    def markers(self, pen: Pen) -> SolidBuilder:
        """Return closest points and features, normals, contacts, lines, and layers."""
        pieces, layers = SolidBuilder(), self.layers
        if layers.contacts:
            add_markers(pieces, self.pairs, pen, normals=layers.normals)
            add_lines(pieces, self.others, pen)
        add_flat(pieces, self.overlays, pen)
        return pieces

    def lines(self, pen: Pen) -> SolidBuilder:
        """Return the rims of lit faces."""
        pieces = SolidBuilder()
        add_rims(pieces, self.pairs if self.layers.contacts else (), pen)
        return pieces

    def labels(self, pen: Pen) -> list[Label]:
        """Return all texts, those at dimension lines first."""
        layers, spans = self.layers, self.overlays.spans
        found = [_of_span(state, pen) for state in spans]
        if not (layers.contacts and layers.names) or layers.help:
            return found
        told = {(state.a.name, state.b.name) for state in spans}
        for pair in self.pairs[:_NAMED_PAIRS]:
            found += _of_pair(pair, pen, is_measured=pair.bodies in told)
        return found


def collect(
    frame: Frame,
    layers: Layers,
    *,
    before: Frame | None = None,
    looked_at: Names = (),
    most: int | None = FULL,
    points: Mapping[str, Floats] | None = None,
) -> Shown:
    """Collect what a frame shows; ``before`` it there was this one, for the path.

    ``most`` pairs are told in full, of what is ``looked_at``. ``points`` are positions
    by body, if known.
    """
    states, others = chosen_pairs(frame, looked_at, most)
    pairs = [pair_glyphs(frame, state, points) for state in states]
    overlays = overlays_of(frame, states, layers, before)
    return Shown(frame, pairs, others, overlays, layers)


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

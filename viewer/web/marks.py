"""Draw lines, dots, arrow heads and layers for a browser.

A browser draws a line of viser as many pixels wide as it is told, whatever the camera
does, with round ends: so a line of next to no length is a dot.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer import theme
from viewer.arrays import Floats
from viewer.drawing.glyphs import LitFeature, PairGlyphs, RegionGlyph
from viewer.layers.around import SearchPath
from viewer.layers.overlays import Dimension, Lids, Overlays
from viewer.layout.markers import (
    arrow_ends,
    circle,
    creases,
    element_colour,
    lifted,
    ring,
    sideways,
)
from viewer.layout.solids import Solid, arrow, tubes
from viewer.theme import Rgb, Theme, blended, fading
from viewer.web.float32 import Float32Frame

_HEAD = 0.28  # of an arrow's length
_HEAD_RADIUS = 2.6  # shaft radii
_DOT = 0.05  # pixels of the first view: the length of a line that is a dot
_CROSS = _DOT * np.array([[[-1.0, 0, 0], [1, 0, 0]], [[0, -1, 0.5], [0, 1, -0.5]]]) / 2


class Strokes(NamedTuple):
    """Lines of one width."""

    points: NDArray[np.float32]  # (n, 2, 3)
    colours: NDArray[np.uint8]  # (n, 2, 3) linear, as viser takes those of vertices


class Heads(NamedTuple):
    """Arrow heads: where, how turned, how large, which colour."""

    positions: NDArray[np.float32]  # (n, 3)
    wxyzs: NDArray[np.float32]  # (n, 4) unit quaternions, real part first
    scales: NDArray[np.float32]  # (n, 3)
    colours: NDArray[np.uint8]  # (n, 3) linear, as viser takes those of instances


class WebMarks:
    """Collect the markers of a frame, in units of the browser.

    Parameters: ``unit``: the length of a pixel in the first view.
    """

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self._lines: dict[float, list[tuple[Floats, Rgb]]] = {}
        self._heads: list[tuple[Floats, float, Rgb]] = []

    def dots(self, centres: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add a dot at each of (k, 3) centres; radius in pixels."""
        middle = np.asarray(centres, dtype=np.float64).reshape(-1, 1, 1, 3)
        # two that cross: seen along one of them that one has no direction
        self.lines(middle + self.unit * _CROSS, radius, colour)

    def lines(self, segments: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add lines, (..., 2, 3); radius in pixels."""
        ends = np.asarray(segments, dtype=np.float64).reshape(-1, 2, 3)
        if len(ends):
            self._lines.setdefault(2 * radius, []).append((ends, colour))

    def arrow(self, start: Floats, end: Floats, radius: float, colour: Rgb) -> None:
        """Add an arrow; its head is seen in perspective."""
        neck = end + _HEAD * (start - end)
        self.lines([start, neck], radius, colour)
        ends = np.stack([neck, end])
        self._heads.append((ends, _HEAD_RADIUS * radius * self.unit, colour))

    def strokes(self) -> dict[float, Strokes]:
        """Return the lines by their width in pixels."""
        found = {}
        for width, items in self._lines.items():
            points = np.concatenate([ends for ends, _ in items])
            counts = [len(ends) for ends, _ in items]
            inks = np.repeat(linear([colour for _, colour in items]), counts, axis=0)
            both = np.repeat(inks[:, None], 2, axis=1)
            found[width] = Strokes(points.astype(np.float32), both)
        return found

    def heads(self) -> Heads:
        """Return the arrow heads."""
        ends = np.array([ends for ends, _, _ in self._heads]).reshape(-1, 2, 3)
        axis = ends[:, 1] - ends[:, 0]
        length = np.sqrt((axis * axis).sum(axis=1))
        radius = np.array([radius for _, radius, _ in self._heads])
        scales = np.stack([radius, radius, length], axis=1)
        inks = np.array([colour for _, _, colour in self._heads]).reshape(-1, 3)
        return Heads(
            ends[:, 0].astype(np.float32),
            turns(axis).astype(np.float32),
            scales.astype(np.float32),
            linear(inks),
        )


def cone() -> Solid:
    """Return the shape of a head: a cone from 0 to 1 along z, of radius 1."""
    up = [0.0, 0.0, 1.0]
    made = arrow([0.0, 0.0, 1.0 - 1.0 / _HEAD], up, 1.0 / _HEAD_RADIUS, (0, 0, 0))
    # the shaft's triangles come first: 2 for each corner of its two rings
    skip = len(tubes([[[0.0, 0.0, 0.0], up]], 1.0, (0, 0, 0)).triangles)
    return made._replace(triangles=made.triangles[skip:])


def marks(
    pairs: Sequence[PairGlyphs],
    order: Sequence[str],
    unit: float,
    look: Theme,
    *,
    normals: bool = True,
) -> WebMarks:
    """Collect everything that marks the pairs of a frame.

    Parameters: ``pairs``: in units of the browser; ``order``: names of the bodies;
    their place decides the colour; ``unit``: the length of a pixel in the first view;
    ``normals``: draw the arrows too.
    """
    made = WebMarks(unit)
    for pair in pairs:
        for part in (pair.a, pair.b):
            _lit(made, part, look.body(order.index(part.body)).feature)
        colour = look.regime(pair.regime)
        _spots(made, pair, colour)
        if normals:
            made.arrow(*arrow_ends(pair, unit), theme.ARROW_RADIUS, colour)
        for region in pair.regions:
            _spots(made, region, look.region)
    return made


def _lit(made: WebMarks, part: LitFeature, colour: Rgb) -> None:
    radius = theme.OUTLINE_RADIUS if part.kind == "face" else theme.TUBE_RADIUS
    made.lines(part.segments, radius, colour)
    made.dots(part.points, 1.35 * theme.POINT_RADIUS, colour)


def _spots(made: WebMarks, found: PairGlyphs | RegionGlyph, colour: Rgb) -> None:
    made.lines(found.witness, theme.TUBE_RADIUS, colour)
    made.dots(found.witness, theme.POINT_RADIUS, colour)
    made.dots(found.patch, theme.CORNER_RADIUS, colour)
    made.lines(ring(found.patch), theme.TUBE_RADIUS, colour)


def linear(colours: ArrayLike) -> NDArray[np.uint8]:
    """Turn sRGB colours, 0 to 255, into linear ones.

    viser 1.1 takes the colours of instances and of lines' ends as linear, all others
    as sRGB: orange would be yellow.
    """
    c = np.asarray(colours, dtype=np.float64) / 255
    curved = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    found: NDArray[np.uint8] = np.rint(255 * curved).astype(np.uint8)
    return found


def turns(axes: Floats) -> Floats:
    """Return unit quaternions (n, 4), real part first, that turn z into (n, 3) axes.

    An axis of no length, or along -z, is a half turn about x or none: any will do.
    """
    length = np.sqrt((axes * axes).sum(axis=1))
    safe = np.where(length > 0, length, 1.0)
    x, y, z = np.where(length > 0, axes.T / safe, np.array([[0.0], [0.0], [1.0]]))
    found = np.stack([1.0 + z, -y, x, np.zeros_like(z)], axis=1)
    found[z < -1.0 + 1e-12] = [0.0, 1.0, 0.0, 0.0]
    unit: Floats = found / np.sqrt((found * found).sum(axis=1, keepdims=True))
    return unit


_OPACITY = 0.55  # of a face among the neighbours
_APART = 26.0  # pixels between two numbers
_LIFT = 0.8  # pixels that a sheet lies above the surface that it tints


class Sheet(NamedTuple):
    """Translucent triangles of one colour."""

    triangles: Floats  # (t, 3, 3) units of the browser
    colour: Rgb
    opacity: float


class Extras:
    """What layers show of a frame: lines and dots go to ``made``, the rest is here.

    Parameters: ``order``: names of the bodies; their place decides the colour.

    Attributes: ``labels`` list of (str, (3,) float64): words, and where they stand;
    units of the browser.
    """

    def __init__(
        self, made: WebMarks, local: Float32Frame, order: Sequence[str], look: Theme
    ) -> None:
        self.sheets: list[Sheet] = []
        self.labels: list[tuple[str, Floats]] = []
        self._made, self._local, self._order, self._look = made, local, order, look

    def add(self, overlays: Overlays) -> None:
        """Draw what the layers that are on show; world frame."""
        self._neighbours(overlays)
        for apart in overlays.apart:
            self._measure(f"distance {apart.length:.6g}", apart)
        for spot in overlays.spots:
            at = self._place(spot.point)
            colour = self._look.regime("contact")
            self._made.dots(at, theme.SPOT_RADIUS, colour)
            self._made.dots(at, theme.CORNER_RADIUS, self._look.paper)
            self._write(spot.name, spot.point, 1.0)
        for deep in overlays.depths:
            self._depth(deep)
        for body in overlays.lids:
            self._lids(body)
        for trail in overlays.trails:
            self._trail(trail)

    def _place(self, points: Floats) -> Floats:
        return self._local.place(points).astype(np.float64)

    def _write(self, words: str, point: Floats, rows: float) -> None:
        """Write words, so many rows above a point of the world."""
        up = np.array([0.0, 0.0, 2.0 * theme.LABEL_SIZE * rows * self._made.unit])
        self.labels.append((words, self._place(point) + up))

    def _measure(self, words: str, span: Dimension) -> None:
        """Write a length beside what it is of, away from the answer for the pair."""
        away = theme.ARROW_LENGTH * self._made.unit * sideways(span.normal)
        self.labels.append((words, self._place(span.ends.mean(axis=0)) - away))

    def _neighbours(self, overlays: Overlays) -> None:
        """Draw what is around, with numbers that do not cover each other."""
        numbered = np.empty((0, 3))
        for element in overlays.around:
            corners = self._place(element.corners)
            colour = element_colour(element, self._order, self._look)
            if element.kind == "vertex":
                self._made.dots(corners, theme.POINT_RADIUS, colour)
            elif element.kind == "edge":
                self._made.lines(corners, theme.TUBE_RADIUS, colour)
            else:
                self._sheet(element.triangles, colour, _OPACITY)
            at = corners.mean(axis=0)
            if (np.abs(numbered - at).max(axis=1) > _APART * self._made.unit).all():
                numbered = np.concatenate([numbered, at[None]])
                self.labels.append((str(element.order), at))

    def _depth(self, deep: Dimension) -> None:
        """Ring the deepest points, and draw how B has to move to touch only."""
        unit, ends = self._made.unit, self._place(deep.ends)
        for name, end in zip(deep.bodies, ends, strict=True):
            colour = self._look.body(self._order.index(name)).feature
            sides = circle(end, deep.normal, theme.RING_RADIUS * unit)
            self._made.lines(sides, theme.OUTLINE_RADIUS, colour)
        colour = self._look.regime(deep.regime)
        self._made.lines(ends, theme.ARROW_RADIUS, colour)
        self._measure(f"depth {deep.length:.6g}", deep)

    def _lids(self, body: Lids) -> None:
        look = self._look
        self._sheet(body.pockets, look.pocket, theme.OPACITY_POCKET)
        self._sheet(body.lids, look.lid, theme.OPACITY_LID)
        rims = self._place(creases(body.lids))
        self._made.lines(rims, theme.OUTLINE_RADIUS, look.lid)
        self._made.dots(self._place(body.deepest), theme.CORNER_RADIUS, look.pocket)
        for point, depth in zip(body.deepest, body.depths, strict=True):
            self._write(f"{depth:.4g} deep", point, 0.5)

    def _trail(self, trail: SearchPath) -> None:
        """Dot what was tried; older steps are fainter."""
        count = len(trail.places_a)
        for k, places in enumerate(zip(trail.places_a, trail.places_b, strict=True)):
            share = fading(count - k, count)
            colour = blended(self._look.trail, self._look.background, share)
            self._made.dots(self._place(np.array(places)), theme.STOP_RADIUS, colour)

    def _sheet(self, triangles: Floats, colour: Rgb, opacity: float) -> None:
        if not len(triangles):
            return
        corners = self._place(triangles)
        raised = lifted(corners, _LIFT * self._made.unit)
        self.sheets.append(Sheet(raised, colour, opacity))

"""The layers beside bodies and closest features, in a browser."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.layers.around import Trail
from viewer.layers.overlays import Lids, Overlays, Span
from viewer.layout.extras import creases, element_colour
from viewer.layout.markers import ring
from viewer.theme import Rgb, Theme, blended, fading
from viewer.web.room import Room
from viewer.web.strokes import Marks

Floats = NDArray[np.float64]

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

    Parameters
    ----------
    made : Marks
    room : Room
    order : sequence of str
        Names of the bodies; their place decides the colour.
    look : Theme

    Attributes
    ----------
    sheets : list of Sheet
    labels : list of (str, (3,) float64)
        Words, and where they stand; units of the browser.
    """

    def __init__(
        self, made: Marks, room: Room, order: Sequence[str], look: Theme
    ) -> None:
        self.sheets: list[Sheet] = []
        self.labels: list[tuple[str, Floats]] = []
        self._made, self._room, self._order, self._look = made, room, order, look

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
        return self._room.place(points).astype(np.float64)

    def _write(self, words: str, point: Floats, rows: float) -> None:
        """Write words, so many rows above a point of the world."""
        up = np.array([0.0, 0.0, 2.0 * theme.LABEL_SIZE * rows * self._made.unit])
        self.labels.append((words, self._place(point) + up))

    def _measure(self, words: str, span: Span) -> None:
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

    def _depth(self, deep: Span) -> None:
        """Ring the deepest points, and draw how B has to move to touch only."""
        unit, ends = self._made.unit, self._place(deep.ends)
        turn = np.arange(40)[:, None] * (2 * np.pi / 40)
        u = sideways(deep.normal)
        circle = np.cos(turn) * u + np.sin(turn) * np.cross(deep.normal, u)
        for name, end in zip(deep.bodies, ends, strict=True):
            colour = self._look.body(self._order.index(name)).feature
            sides = ring(end + theme.RING_RADIUS * unit * circle)
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

    def _trail(self, trail: Trail) -> None:
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
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.sqrt((normal * normal).sum(axis=1, keepdims=True))
        lift = _LIFT * self._made.unit * normal / np.where(length > 0, length, 1.0)
        self.sheets.append(Sheet(corners + lift[:, None], colour, opacity))


def sideways(normal: Floats) -> Floats:
    """Return a unit vector across a normal."""
    found: Floats = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    return found / np.sqrt(found @ found)

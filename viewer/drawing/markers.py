"""Turn glyphs, and what layers show, into solids and sheets sized in pixels."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from viewer import theme
from viewer.drawing.camera import View, cross, pixel, unit_normals
from viewer.drawing.glyphs import Hint, PairGlyphs
from viewer.drawing.overlays import Dimension, Overlays
from viewer.drawing.solids import SolidBuilder
from viewer.theme import BodyColours, Rgb, Theme, blended, fading
from wingedge.tables import Floats


class Pen(NamedTuple):
    """Which colour is whose, and how long a pixel of the finished picture is."""

    order: Sequence[str]  # names of the bodies: their place decides the colour
    look: Theme
    unit: Callable[[Floats], Any]  # the length of a pixel at a point, or (n, 3) points
    axes: Floats | None = None  # of the camera: right, up, back; None: from anywhere

    @classmethod
    def seen(
        cls, order: Sequence[str], look: Theme, view: View, height: float
    ) -> "Pen":
        """Draw for a camera, in a picture of this height in pixels."""
        axes = view.axes()
        return cls(order, look, lambda points: pixel(points, view, height), axes)

    @classmethod
    def fixed(cls, order: Sequence[str], look: Theme, unit: float) -> "Pen":
        """Draw everything at one scale."""
        return cls(order, look, lambda points: np.full(points.shape[:-1], unit))

    def body(self, name: str) -> BodyColours:
        """Return the colours of a body."""
        return self.look.body(self.order.index(name))

    def across(self, normal: Floats) -> Floats:
        """Return a direction across a normal, to the right as it is seen."""
        if self.axes is None:
            return sideways(normal)
        way = cross(normal, self.axes[2])
        size = float(np.copysign(np.sqrt(way @ way), way @ self.axes[0]))
        return way / size if abs(size) > _FLAT else sideways(normal)


def add_markers(
    pieces: SolidBuilder, pairs: Sequence[PairGlyphs], pen: Pen, *, normals: bool = True
) -> None:
    """Add every marker of a frame but the rims of lit faces; arrows if ``normals``."""
    if not pairs:
        return
    unit, look = _units(pen, pairs), pen.look
    ends = np.array([pair.witness for pair in pairs])
    inks = [look.regime(pair.regime) for pair in pairs]
    pieces.tubes(ends, (theme.TUBE_RADIUS * unit).tolist(), inks)
    points = np.concatenate([ends[:, 0], ends[:, 1]])
    pieces.spheres(points, 2 * (theme.POINT_RADIUS * unit).tolist(), 2 * inks)
    if normals:
        along = np.array([pair.normal for pair in pairs])
        tips = ends[:, 1] + theme.ARROW_LENGTH * unit[:, None] * along
        arrows = np.stack([ends[:, 1], tips], axis=1)
        pieces.arrows(arrows, (theme.ARROW_RADIUS * unit).tolist(), inks)
    for pair, length in zip(pairs, unit.tolist(), strict=True):
        for part in (pair.a, pair.b):
            colour = pen.body(part.body).feature
            if part.kind == "edge":
                pieces.rods(part.segments, theme.TUBE_RADIUS * length, colour)
            else:
                radius = 1.35 * theme.POINT_RADIUS * length
                pieces.spheres(part.points, radius, colour)
        if len(pair.contacts) or len(pair.patch):
            _contacts(pieces, pair, length, look.regime(pair.regime))
        for region in pair.regions:
            ends, thick = region.witness, theme.TUBE_RADIUS * length
            pieces.tubes(ends[None], thick, look.region)
            pieces.spheres(ends, theme.POINT_RADIUS * length, look.region)
            pieces.spheres(region.patch, theme.CORNER_RADIUS * length, look.region)
            pieces.tubes(ring(region.patch), thick, look.region)


def add_hints(pieces: SolidBuilder, hints: Sequence[Hint], pen: Pen) -> None:
    """Add the lines of pairs that are not told of, faint."""
    if not hints:
        return
    ends = np.array([hint.witness for hint in hints])
    unit = pen.unit(ends.mean(axis=1))
    inks = [blended(pen.look.regime(h.regime), pen.look.paper, _FAINT) for h in hints]
    pieces.tubes(ends, (theme.OUTLINE_RADIUS * unit).tolist(), inks)


def add_rims(pieces: SolidBuilder, pairs: Sequence[PairGlyphs], pen: Pen) -> None:
    """Add the rims of all lit faces."""
    for pair, unit in zip(pairs, _units(pen, pairs).tolist(), strict=True):
        for part in (pair.a, pair.b):
            if part.kind == "face":
                colour = pen.body(part.body).feature
                pieces.rods(part.segments, theme.OUTLINE_RADIUS * unit, colour)


def _units(pen: Pen, pairs: Sequence[PairGlyphs]) -> Floats:
    """Return the length of a pixel halfway between the points of each pair."""
    ends = np.array([pair.witness for pair in pairs]).reshape(-1, 2, 3)
    found: Floats = pen.unit(ends.mean(axis=1))
    return found


def arrow_ends(pair: PairGlyphs, unit: float) -> tuple[Floats, Floats]:
    """Return where the normal's arrow starts and ends: from B's closest point on."""
    start = pair.witness[1]
    return start, start + theme.ARROW_LENGTH * unit * pair.normal


def _contacts(pieces: SolidBuilder, pair: PairGlyphs, unit: float, colour: Rgb) -> None:
    """Draw the area that two bodies share or face, or a ring around their contact."""
    pieces.spheres(pair.patch, theme.CORNER_RADIUS * unit, colour)
    pieces.spheres(pair.contacts, theme.CORNER_RADIUS * unit, colour)
    if len(pair.patch):
        pieces.tubes(ring(pair.patch), theme.OUTLINE_RADIUS * unit, colour)
    else:
        # a lit vertex there would swallow a ball
        wide, middle = theme.HALO_RADIUS * unit, pair.contacts.mean(axis=0)
        sides = circle(middle, pair.normal, wide)
        pieces.tubes(sides, theme.TUBE_RADIUS * unit, colour)


def ring(corners: Floats) -> Floats:
    """Return the sides of a polygon of (k, 3) corners, (k, 2, 3); none below two."""
    if len(corners) < 2:
        return np.empty((0, 2, 3))
    following = np.concatenate([corners[1:], corners[:1]])
    return np.stack([corners, following], axis=1)


_FAINT = 0.45  # how far the line of a pair that is not told of goes towards paper
_LIFT = 0.8  # pixels that a sheet lies above the surface that it tints
_FLAT = 1e-6
_SHORT = 40.0  # pixels: a dimension line below has its arrows outside
_HEAD = 34.0  # of its arrows
_BEFORE = 20.0  # pixels to the eye, of the path of a search


class Sheet(NamedTuple):
    """Translucent triangles of one colour, on a surface that they tint."""

    triangles: Floats  # (t, 3, 3) world
    colour: Rgb
    opacity: float

    def raised(self, unit: float) -> Floats:
        """Return them a little above the surface, (t, 3, 3); a pixel is so long."""
        return lifted(self.triangles, _LIFT * unit)


def add_outlines(pieces: SolidBuilder, overlays: Overlays, pen: Pen) -> None:
    """Add rings around deepest points, and the rims of lids."""
    for deep in overlays.depths:  # rings around the deepest points, across the normal
        unit = pen.unit(deep.ends.mean(axis=0))
        for name, end in zip(deep.bodies, deep.ends, strict=True):
            sides = circle(end, deep.normal, theme.RING_RADIUS * unit)
            pieces.tubes(sides, theme.OUTLINE_RADIUS * unit, pen.body(name).feature)
    for body in overlays.lids:
        unit = pen.unit(body.lids.mean(axis=(0, 1)))
        radius = 0.6 * theme.OUTLINE_RADIUS * unit
        pieces.tubes(creases(body.lids), radius, pen.look.lid)
        pieces.spheres(body.deepest, theme.CORNER_RADIUS * unit, pen.look.pocket)


def add_flat(pieces: SolidBuilder, overlays: Overlays, pen: Pen) -> None:
    """Add dimension lines, forces, and the paths of searches, older steps fainter."""
    for span in overlays.spans:
        _add_dimension(pieces, span, pen)
    for push in overlays.pushes:
        unit = pen.unit(push.point)
        to_first, middle, to_second = push.ends(unit)
        inks = [pen.body(name).feature for name in push.bodies]
        arrows = np.array([[middle, to_first], [middle, to_second]])
        pieces.arrows(arrows, 1.4 * theme.ARROW_RADIUS * unit, inks)
    for places in (p for walk in overlays.trails for p in walk.places):
        count, unit = len(places), pen.unit(places)
        inks = [
            blended(pen.look.trail, pen.look.paper, fading(count - k, count))
            for k in range(count)
        ]
        if pen.axes is not None:  # before all other markers
            places = places + _BEFORE * unit[:, None] * pen.axes[2]
        ways = np.stack([places[:-1], places[1:]], axis=1)
        pieces.tubes(ways, (theme.OUTLINE_RADIUS * unit[1:]).tolist(), inks[1:])
        pieces.spheres(places, (theme.STOP_RADIUS * unit).tolist(), inks)


def _add_dimension(pieces: SolidBuilder, span: Dimension, pen: Pen) -> None:
    """Add a dimension line beside what it measures.

    At what is too short to see arrows point from outside; a depth has one: B's way; an
    overlap that is an interval is a band.
    """
    unit, ink = float(pen.unit(span.ends.mean(axis=0))), pen.look.regime(span.regime)
    side, is_gap = unit * pen.across(span.normal), span.words.startswith("distance")
    ends = span.ends if is_gap else span.ends[::-1]
    out = theme.DIMENSION_OFFSET * side
    rims = np.stack([ends + 9.0 * side, ends + out + 7.0 * side], axis=1)
    pieces.tubes(rims, 0.6 * unit, ink)
    first, last = line = ends + out
    if span.words.startswith("overlap"):
        pieces.tubes(line[None], 3.5 * unit, ink)
        return
    pieces.tubes(line[None], unit, ink)
    is_long = span.length >= _SHORT * unit
    head = (_HEAD if is_long else -_HEAD) * unit * span.normal
    to_first, to_last = (first + head, first), (last - head, last)
    # of a depth the one that points B's way
    tips = [to_first, to_last] if is_gap else [to_last if is_long else to_first]
    pieces.arrows(np.array(tips), 1.2 * unit, ink)


def sheets(overlays: Overlays, pen: Pen) -> list[Sheet]:
    """List what is translucent: lids, pockets."""
    found = []
    for body in overlays.lids:
        found.append(Sheet(body.pockets, pen.look.pocket, theme.OPACITY_POCKET))
        found.append(Sheet(body.lids, pen.look.lid, theme.OPACITY_LID))
    return [sheet for sheet in found if len(sheet.triangles)]


def circle(centre: Floats, normal: Floats, radius: float) -> Floats:
    """Return the sides of a circle across a normal, (40, 2, 3)."""
    turn = np.arange(40)[:, None] * (2 * np.pi / 40)
    u = sideways(normal)
    rim = np.cos(turn) * u + np.sin(turn) * np.cross(normal, u)
    return ring(centre + radius * rim)


def sideways(normal: Floats) -> Floats:
    """Return a unit vector across a normal."""
    found: Floats = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    return found / np.sqrt(found @ found)


def creases(triangles: Floats) -> Floats:
    """Return sides of triangles, (m, 2, 3), without those in parts flat to 1e-6."""
    normal = unit_normals(triangles)
    owners: dict[tuple[tuple[float, ...], ...], list[int]] = {}
    for k, corners in enumerate(triangles.tolist()):
        for i in range(3):
            ends = sorted((tuple(corners[i]), tuple(corners[(i + 1) % 3])))
            owners.setdefault(tuple(ends), []).append(k)
    kept = [
        ends
        for ends, own in owners.items()
        if len(own) != 2 or normal[own[0]] @ normal[own[1]] < 1.0 - _FLAT
    ]
    return np.array(kept).reshape(-1, 2, 3)


def lifted(triangles: Floats, height: float) -> Floats:
    """Move triangles along their normals; those of no area stay."""
    out: Floats = triangles + height * unit_normals(triangles)[:, None]
    return out

"""Turn glyphs, and what layers show, into solids and sheets sized in pixels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.arrays import Floats
from viewer.drawing.glyphs import LitFeature, PairGlyphs, RegionGlyph
from viewer.layers.around import Element
from viewer.layers.overlays import Overlays
from viewer.layout.camera import View, pixel, unit_normals
from viewer.layout.solids import FINE, Detail, Solid, SolidBuilder
from viewer.theme import Rgb, Theme, blended, fading


def markers(
    pairs: Sequence[PairGlyphs],
    order: Sequence[str],
    view: View,
    height: float,
    look: Theme,
    *,
    normals: bool = True,
    detail: Detail = FINE,
) -> Solid:
    """Build every marker of a frame but the rims of lit faces.

    Parameters: ``order``: names of the bodies; their place decides the colour;
    ``view``: gives the length of a pixel at each pair; ``height``: of the finished
    picture, in pixels; ``normals``: draw the arrows too; ``detail``: how round balls
    and tubes are.
    """
    pieces = SolidBuilder()
    if not pairs:
        return pieces.solid()
    unit = units(pairs, view, height)
    _witnesses(pieces, pairs, unit, look, normals=normals)
    tones = {name: look.body(k).feature for k, name in enumerate(order)}
    for pair, length in zip(pairs, unit.tolist(), strict=True):
        for part in (pair.a, pair.b):
            _lit(pieces, part, length, tones[part.body])
        if len(pair.contacts) or len(pair.patch):
            _contacts(pieces, pair, length, look.regime(pair.regime))
        for region in pair.regions:
            _region(pieces, region, length, look.region)
    return pieces.solid(detail)


def rims(
    pairs: Sequence[PairGlyphs],
    order: Sequence[str],
    view: View,
    height: float,
    look: Theme,
    *,
    detail: Detail = FINE,
) -> Solid:
    """Build the rims of all lit faces; arguments as for `markers`."""
    pairs = [p for p in pairs if "face" in (p.a.kind, p.b.kind)]
    pieces = SolidBuilder()
    for pair, unit in zip(pairs, units(pairs, view, height).tolist(), strict=True):
        radius = theme.OUTLINE_RADIUS * unit
        for part in (pair.a, pair.b):
            if part.kind == "face":
                colour = look.body(order.index(part.body)).feature
                pieces.rods(part.segments, radius, colour)
    return pieces.solid(detail)


def units(pairs: Sequence[PairGlyphs], view: View, height: float) -> Floats:
    """Return the length of a pixel halfway between the points of each pair, (n,)."""
    if not pairs:
        return np.empty(0)
    ends = np.array([pair.witness for pair in pairs])
    found: Floats = pixel((ends[:, 0] + ends[:, 1]) / 2.0, view, height)
    return found


def arrow_ends(pair: PairGlyphs, unit: float) -> tuple[Floats, Floats]:
    """Return where the normal's arrow starts and ends: from B's closest point on."""
    start = pair.witness[1]
    return start, start + theme.ARROW_LENGTH * unit * pair.normal


def _lit(pieces: SolidBuilder, part: LitFeature, unit: float, colour: Rgb) -> None:
    if part.kind == "edge":
        pieces.rods(part.segments, theme.TUBE_RADIUS * unit, colour)
    else:
        pieces.spheres(part.points, 1.35 * theme.POINT_RADIUS * unit, colour)


def _witnesses(
    pieces: SolidBuilder,
    pairs: Sequence[PairGlyphs],
    unit: Floats,
    look: Theme,
    *,
    normals: bool,
) -> None:
    """Draw what every pair has: its closest points, and its normal from B's on."""
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


def _contacts(pieces: SolidBuilder, pair: PairGlyphs, unit: float, colour: Rgb) -> None:
    """Draw the area that two bodies share or face, or a ring around their contact."""
    pieces.spheres(pair.patch, theme.CORNER_RADIUS * unit, colour)
    pieces.spheres(pair.contacts, theme.CORNER_RADIUS * unit, colour)
    if len(pair.patch):
        pieces.tubes(ring(pair.patch), theme.OUTLINE_RADIUS * unit, colour)
    else:
        # a lit vertex there would swallow a ball
        wide, middle = theme.HALO_RADIUS * unit, pair.contacts.mean(axis=0)
        axis = np.array([[middle, middle + wide * pair.normal]])
        pieces.rings(axis, wide, colour)


def _region(
    pieces: SolidBuilder, region: RegionGlyph, unit: float, colour: Rgb
) -> None:
    """Draw one of all contacts: its closest points, and its area where it is flat."""
    pieces.tubes(region.witness[None], theme.TUBE_RADIUS * unit, colour)
    pieces.spheres(region.witness, theme.POINT_RADIUS * unit, colour)
    pieces.spheres(region.patch, theme.CORNER_RADIUS * unit, colour)
    pieces.tubes(ring(region.patch), theme.TUBE_RADIUS * unit, colour)


def ring(corners: Floats) -> Floats:
    """Return the sides of a polygon of (k, 3) corners, (k, 2, 3); none below two."""
    if len(corners) < 2:
        return np.empty((0, 2, 3))
    following = np.concatenate([corners[1:], corners[:1]])
    return np.stack([corners, following], axis=1)


_LIFT = 0.8  # pixels that a sheet lies above the surface that it tints
_OPACITY = 0.55  # of a face among the neighbours
_FLAT = 1e-6


class Sheets(NamedTuple):
    """Translucent triangles, each of one colour."""

    triangles: Floats  # (t, 3, 3) world
    colours: NDArray[np.uint8]  # (t, 4) with opacity


def element_colour(element: Element, order: Sequence[str], look: Theme) -> Rgb:
    """Return the colour of a neighbour: that of its body, fading with the order."""
    tones = look.body(order.index(element.body))
    return blended(tones.feature, tones.surface, fading(element.order, element.total))


def outlines(
    overlays: Overlays, order: Sequence[str], view: View, height: float, look: Theme
) -> Solid:
    """Build what is solid: edges and vertices around features, rings, lids' rims.

    Parameters: ``order``: names of the bodies; their place decides the colour;
    ``view``: gives the length of a pixel; ``height``: of the finished picture, in
    pixels.
    """
    pieces = SolidBuilder()
    for element in overlays.around:
        unit = pixel(element.corners.mean(axis=0), view, height)
        colour = element_colour(element, order, look)
        if element.kind == "vertex":
            pieces.spheres(element.corners, theme.POINT_RADIUS * unit, colour)
        elif element.kind == "edge":
            pieces.rods(element.corners[None], theme.TUBE_RADIUS * unit, colour)
    for deep in overlays.depths:  # rings around the deepest points, across the normal
        unit = pixel(deep.ends.mean(axis=0), view, height)
        for name, end in zip(deep.bodies, deep.ends, strict=True):
            sides = circle(end, deep.normal, theme.RING_RADIUS * unit)
            colour = look.body(order.index(name)).feature
            pieces.tubes(sides, theme.OUTLINE_RADIUS * unit, colour)
    for body in overlays.lids:
        unit = pixel(body.lids.mean(axis=(0, 1)), view, height)
        radius = 0.6 * theme.OUTLINE_RADIUS * unit
        pieces.tubes(creases(body.lids), radius, look.lid)
        pieces.spheres(body.deepest, theme.CORNER_RADIUS * unit, look.pocket)
    return pieces.solid()


def sheets(
    overlays: Overlays, order: Sequence[str], view: View, height: float, look: Theme
) -> Sheets:
    """Build what is translucent: faces around features, lids, pockets.

    Arguments as for `outlines`.
    """
    triangles: list[Floats] = []
    colours: list[NDArray[np.uint8]] = []

    def add(corners: Floats, colour: Rgb, opacity: float) -> None:
        if not len(corners):
            return
        unit = pixel(corners.mean(axis=(0, 1)), view, height)
        triangles.append(lifted(corners, _LIFT * unit))
        tone = np.array([*colour, round(255 * opacity)], np.uint8)
        colours.append(np.tile(tone, (len(corners), 1)))

    for element in overlays.around:
        if element.kind == "face":
            colour = element_colour(element, order, look)
            add(element.triangles, colour, _OPACITY)
    for body in overlays.lids:
        add(body.pockets, look.pocket, theme.OPACITY_POCKET)
        add(body.lids, look.lid, theme.OPACITY_LID)
    if not triangles:
        return Sheets(np.empty((0, 3, 3)), np.empty((0, 4), np.uint8))
    return Sheets(np.concatenate(triangles), np.concatenate(colours))


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
    """Return the sides of triangles, (m, 2, 3), without those inside flat parts.

    Sides that two of them share are left out where both lie in one plane to within
    1e-6: lids of a flat part are a fan, whose spokes say nothing.
    """
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

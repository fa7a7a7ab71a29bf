"""Turn the glyphs of a frame into one coloured solid, sized in pixels."""

from collections.abc import Sequence

import numpy as np

from viewer import theme
from viewer.arrays import Floats
from viewer.drawing.glyphs import LitFeature, PairGlyphs, RegionGlyph
from viewer.layout.camera import View, pixel
from viewer.layout.solids import FINE, Detail, Solid, SolidBuilder
from viewer.theme import Rgb, Theme


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

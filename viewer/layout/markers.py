"""From the glyphs of a frame to one coloured solid, its sizes in pixels."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.glyphs import Lit, PairGlyphs, RegionGlyph
from viewer.layout.camera import View, pixel
from viewer.layout.solids import Solid, arrow, joined, spheres, tubes
from viewer.theme import Rgb, Theme

Floats = NDArray[np.float64]


def markers(
    pairs: Sequence[PairGlyphs],
    order: Sequence[str],
    view: View,
    height: float,
    look: Theme,
    *,
    normals: bool = True,
) -> Solid:
    """Build every marker of a frame but the rims of lit faces.

    Parameters
    ----------
    pairs : sequence of PairGlyphs
    order : sequence of str
        Names of the bodies; their place decides the colour.
    view : View
        Gives the length of a pixel at each pair.
    height : float
        Of the finished picture, in pixels.
    look : Theme
    normals : bool
        Draw the arrows too.
    """
    solids: list[Solid] = []
    for pair in pairs:
        unit = pixel(pair.witness.mean(axis=0), view, height)
        for part in (pair.a, pair.b):
            colour = look.body(order.index(part.body)).feature
            solids.append(_lit(part, unit, colour))
        solids.append(_witness(pair, unit, look, normals))
        solids += [_region(region, unit, look.region) for region in pair.regions]
    return joined(solids)


def rims(
    pairs: Sequence[PairGlyphs],
    order: Sequence[str],
    view: View,
    height: float,
    look: Theme,
) -> Solid:
    """Build the rims of all lit faces; arguments as for `markers`."""
    solids = []
    for pair in pairs:
        radius = theme.OUTLINE_RADIUS * pixel(pair.witness.mean(axis=0), view, height)
        for part in (pair.a, pair.b):
            if part.kind == "face":
                colour = look.body(order.index(part.body)).feature
                solids.append(_rounded(part, radius, colour))
    return joined(solids)


def arrow_ends(pair: PairGlyphs, unit: float) -> tuple[Floats, Floats]:
    """Return where the normal's arrow starts and ends: from B's closest point on."""
    start = pair.witness[1]
    return start, start + theme.ARROW_LENGTH * unit * pair.normal


def _lit(part: Lit, unit: float, colour: Rgb) -> Solid:
    if part.kind == "edge":
        return _rounded(part, theme.TUBE_RADIUS * unit, colour)
    return spheres(part.points, 1.35 * theme.POINT_RADIUS * unit, colour)


def _rounded(part: Lit, radius: float, colour: Rgb) -> Solid:
    ends = part.segments.reshape(-1, 3)
    return joined([tubes(part.segments, radius, colour), spheres(ends, radius, colour)])


def _witness(pair: PairGlyphs, unit: float, look: Theme, normals: bool) -> Solid:
    colour = look.regime(pair.regime)
    arrows = [(*arrow_ends(pair, unit), theme.ARROW_RADIUS * unit)] if normals else []
    return joined(
        [
            tubes(pair.witness[None], theme.TUBE_RADIUS * unit, colour),
            spheres(pair.witness, theme.POINT_RADIUS * unit, colour),
            spheres(pair.patch, theme.CORNER_RADIUS * unit, colour),
            spheres(pair.contacts, theme.CORNER_RADIUS * unit, colour),
            tubes(ring(pair.patch), theme.OUTLINE_RADIUS * unit, colour),
            *(arrow(start, end, radius, colour) for start, end, radius in arrows),
            *_halos(pair, unit, colour),
        ]
    )


def _region(region: RegionGlyph, unit: float, colour: Rgb) -> Solid:
    """Draw one of all contacts: its closest points, and its area where it is flat."""
    return joined(
        [
            tubes(region.witness[None], theme.TUBE_RADIUS * unit, colour),
            spheres(region.witness, theme.POINT_RADIUS * unit, colour),
            spheres(region.patch, theme.CORNER_RADIUS * unit, colour),
            tubes(ring(region.patch), theme.TUBE_RADIUS * unit, colour),
        ]
    )


def _halos(pair: PairGlyphs, unit: float, colour: Rgb) -> list[Solid]:
    """Ring a contact that is one point: a lit vertex there would swallow a ball."""
    if len(pair.patch) or not len(pair.contacts):
        return []
    u = np.cross(pair.normal, np.eye(3)[np.argmin(np.abs(pair.normal))])
    u /= np.sqrt(u @ u)
    turn = np.arange(32)[:, None] * (2 * np.pi / 32)
    circle = np.cos(turn) * u + np.sin(turn) * np.cross(pair.normal, u)
    centre = pair.contacts.mean(axis=0)
    around = ring(centre + theme.HALO_RADIUS * unit * circle)
    return [tubes(around, theme.TUBE_RADIUS * unit, colour)]


def ring(corners: Floats) -> Floats:
    """Return the sides of a polygon of (k, 3) corners, (k, 2, 3); none below two."""
    if len(corners) < 2:
        return np.empty((0, 2, 3))
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)

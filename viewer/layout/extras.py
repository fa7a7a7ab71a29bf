"""Turn what layers show into solids and translucent sheets, sized in pixels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.arrays import Floats
from viewer.layers.around import Element
from viewer.layers.overlays import Overlays
from viewer.layout.camera import View, pixel, unit_normals
from viewer.layout.markers import ring
from viewer.layout.solids import Solid, SolidBuilder
from viewer.theme import Rgb, Theme, blended, fading

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

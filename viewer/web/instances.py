"""Balls, tubes and arrow heads of a frame, as instances of three shapes.

A frame then costs a few numbers per marker instead of its triangles.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer import theme
from viewer.drawing.glyphs import Lit, PairGlyphs, RegionGlyph
from viewer.layout.markers import arrow_ends, ring
from viewer.layout.solids import Solid, arrow, spheres, tubes
from viewer.theme import Rgb, Theme

Floats = NDArray[np.float64]

_HEAD = 0.28  # of an arrow's length
_HEAD_RADIUS = 2.6  # shaft radii


class Batch(NamedTuple):
    """Instances of one shape: where, how turned, how large, which colour."""

    positions: NDArray[np.float32]  # (n, 3)
    wxyzs: NDArray[np.float32]  # (n, 4) unit quaternions, real part first
    scales: NDArray[np.float32]  # (n, 3)
    colours: NDArray[np.uint8]  # (n, 3) linear, as viser takes those of instances


class Marks:
    """Collect the markers of a frame, in units of the browser."""

    def __init__(self) -> None:
        self._balls: list[tuple[Floats, float, Rgb]] = []
        self._tubes: list[tuple[Floats, float, Rgb]] = []
        self._heads: list[tuple[Floats, float, Rgb]] = []

    def balls(self, centres: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add a ball around each of (k, 3) centres."""
        middle = np.asarray(centres, dtype=np.float64).reshape(-1, 3)
        self._balls.append((np.stack([middle, middle], axis=1), radius, colour))

    def tubes(self, segments: ArrayLike, radius: float, colour: Rgb) -> None:
        """Add a tube along each of (m, 2, 3) segments."""
        ends = np.asarray(segments, dtype=np.float64).reshape(-1, 2, 3)
        self._tubes.append((ends, radius, colour))

    def arrow(self, start: Floats, end: Floats, radius: float, colour: Rgb) -> None:
        """Add an arrow."""
        neck = end + _HEAD * (start - end)
        self.tubes([[start, neck]], radius, colour)
        ends = np.stack([neck, end])[None]
        self._heads.append((ends, _HEAD_RADIUS * radius, colour))

    def batches(self) -> dict[str, Batch]:
        """Return the instances of every shape."""
        return {
            "balls": _batch(self._balls, ball=True),
            "tubes": _batch(self._tubes),
            "heads": _batch(self._heads),
        }


def shapes() -> dict[str, Solid]:
    """Return the three shapes: unit ball; tube and cone from 0 to 1 along z."""
    up = [0.0, 0.0, 1.0]
    cone = arrow([0.0, 0.0, 1.0 - 1.0 / _HEAD], up, 1.0 / _HEAD_RADIUS, (0, 0, 0))
    # the shaft's triangles come first: 2 for each corner of its two rings
    shaft = tubes([[[0.0, 0.0, 0.0], up]], 1.0, (0, 0, 0))
    skip = len(shaft.triangles)
    cone = cone._replace(triangles=cone.triangles[skip:])
    return {
        "balls": spheres([[0.0] * 3], 1.0, (0, 0, 0)),
        "tubes": shaft,
        "heads": cone,
    }


def marks(
    pairs: Sequence[PairGlyphs],
    order: Sequence[str],
    unit: float,
    look: Theme,
    *,
    normals: bool = True,
) -> Marks:
    """Collect everything that marks the pairs of a frame.

    Parameters
    ----------
    pairs : sequence of PairGlyphs
        In units of the browser.
    order : sequence of str
        Names of the bodies; their place decides the colour.
    unit : float
        The length of a pixel.
    look : Theme
    normals : bool
        Draw the arrows too.
    """
    made = Marks()
    for pair in pairs:
        for part in (pair.a, pair.b):
            _lit(made, part, unit, look.body(order.index(part.body)).feature)
        colour = look.regime(pair.regime)
        _spots(made, pair, unit, colour)
        if normals:
            start, end = arrow_ends(pair, unit)
            made.arrow(start, end, theme.ARROW_RADIUS * unit, colour)
        for region in pair.regions:
            _spots(made, region, unit, look.region)
    return made


def _lit(made: Marks, part: Lit, unit: float, colour: Rgb) -> None:
    radius = theme.OUTLINE_RADIUS if part.kind == "face" else theme.TUBE_RADIUS
    made.tubes(part.segments, radius * unit, colour)
    made.balls(part.segments, radius * unit, colour)
    made.balls(part.points, 1.35 * theme.POINT_RADIUS * unit, colour)


def _spots(
    made: Marks, found: PairGlyphs | RegionGlyph, unit: float, colour: Rgb
) -> None:
    made.tubes(found.witness[None], theme.TUBE_RADIUS * unit, colour)
    made.balls(found.witness, theme.POINT_RADIUS * unit, colour)
    made.balls(found.patch, theme.CORNER_RADIUS * unit, colour)
    made.tubes(ring(found.patch), theme.TUBE_RADIUS * unit, colour)


def _batch(items: list[tuple[Floats, float, Rgb]], *, ball: bool = False) -> Batch:
    counts = [len(ends) for ends, _, _ in items]
    if not sum(counts):
        return _NOTHING
    ends = np.concatenate([ends for ends, _, _ in items])
    radius = np.repeat([radius for _, radius, _ in items], counts)
    colours = np.repeat([colour for _, _, colour in items], counts, axis=0)
    axis = ends[:, 1] - ends[:, 0]
    length = radius if ball else np.sqrt((axis * axis).sum(axis=1))
    scales = np.stack([radius, radius, length], axis=1)
    return Batch(
        ends[:, 0].astype(np.float32),
        turns(axis).astype(np.float32),
        scales.astype(np.float32),
        linear(colours),
    )


def linear(colours: ArrayLike) -> NDArray[np.uint8]:
    """Turn sRGB colours, 0 to 255, into linear ones.

    viser 1.1 takes the colours of instances as linear, all others as sRGB: orange
    would be yellow.
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


_NOTHING = Batch(
    np.zeros((0, 3), np.float32),
    np.zeros((0, 4), np.float32),
    np.zeros((0, 3), np.float32),
    np.zeros((0, 3), np.uint8),
)

"""Turn places, lines, dots, arrow heads and layers into what a browser draws.

A browser draws in float32 between fixed clipping planes, so a scene far from the origin
would tremble and a tiny one would be cut away: a room is chosen once per run.

It draws a line of viser as many pixels wide as it is told, whatever the camera does,
with round ends: so a line of next to no length is a dot.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim import Frame
from sim.errors import RecordingError
from viewer import theme
from viewer.drawing.camera import Border, View, best_direction, fit
from viewer.drawing.glyphs import drawn_pairs
from viewer.drawing.markers import Pen, ring, sideways
from viewer.drawing.overlays import Dimension, Overlays
from viewer.drawing.solids import HEAD_LENGTH, HEAD_RADIUS, SolidBuilder
from viewer.sources import FrameSource
from viewer.theme import blended, fading
from wingedge.tables import Floats

SIZE = 4.0  # what is worth seeing, in units of the browser
PIXELS = 600.0  # that it takes on a screen, about
_REACH = 2.5  # sizes of the smaller body around the contact that are worth seeing


class Float32Frame(NamedTuple):
    """From the world to what the browser draws: ``(point - origin) * scale``."""

    origin: Floats  # (3,) world
    scale: float  # browser units per length unit; 1 where nothing has an extent

    def place(self, points: Floats) -> NDArray[np.float32]:
        """Return (..., 3) world points where the browser draws them."""
        placed: NDArray[np.float32] = ((points - self.origin) * self.scale).astype(
            np.float32
        )
        return placed

    @property
    def pixel(self) -> float:
        """About one pixel of a screen, in units of the browser."""
        return SIZE / PIXELS


def worth_seeing(frame: Frame) -> Floats:
    """Return points (n, 3) to be seen; of a giant what is near the contact."""
    points = [body.world_points() for body in frame.bodies]
    pairs = drawn_pairs(frame)
    if not points or not pairs:
        return np.concatenate(points) if points else np.zeros((1, 3))
    extents = [float(np.ptp(p, axis=0).max()) for p in points]
    spots = np.array([p for state in pairs for p in (state.point_a, state.point_b)])
    # a body that collapsed to a point has no size to show
    reach = _REACH * min((e for e in extents if e > 0.0), default=1.0)
    low, high = spots.min(axis=0) - reach, spots.max(axis=0) + reach
    return np.concatenate([np.clip(p, low, high) for p in points])


def float32_frame(points: Floats) -> Float32Frame:
    """Choose a room in which these points fill the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    # below the least normal number the quotient overflows
    scale = SIZE / extent if extent > 1e-300 else 1.0
    return Float32Frame(low + (high - low) / 2, scale)


def camera(points: Floats, normal: Floats, local: Float32Frame, panel: float) -> View:
    """Choose where to look from, across the normal; ``panel`` pixels are covered."""
    placed = np.asarray(local.place(points), dtype=np.float64)
    direction = best_direction(normal, np.empty((0, 3)))
    return fit(placed, direction, (1280, 800), Border(30.0, panel + 30.0, 90.0, 60.0))


def first_normal(frame: Frame) -> Floats:
    """Return the normal of the most telling pair of a frame, (3,) unit."""
    pairs = drawn_pairs(frame)
    return pairs[0].normal if pairs else np.array([1.0, 0.0, 0.0])


def seen_in(source: FrameSource) -> Floats:
    """Return points (n, 3) to follow a run: of 32 stored frames, or a world's first."""
    first, count = source.first, len(source)
    last = count - 1 if source.ended else first
    places = sorted({first + round(k * (last - first) / 31) for k in range(32)})
    found = []
    for k in places:
        with suppress(RecordingError):  # damaged: said when it is to be shown
            found.append(worth_seeing(source[k]))
    points = np.concatenate(found)
    low, high = points.min(axis=0), points.max(axis=0)
    pick = np.stack(np.meshgrid(*[[0, 1]] * 3), axis=-1).reshape(-1, 3)
    corners: Floats = np.where(pick == 1, high, low)
    return corners if len(places) > 1 else points


_DOT = 0.05  # pixels of the first view: the length of a line that is a dot
_CROSS = _DOT * np.array([[[-1.0, 0, 0], [1, 0, 0]], [[0, -1, 0.5], [0, 1, -0.5]]]) / 2
_TURN = np.arange(32)[:, None] * (2 * np.pi / 32)


class Strokes(NamedTuple):
    """Lines of one width."""

    points: NDArray[np.float32]  # (n, 2, 3)
    colours: NDArray[np.uint8]  # (n, 2, 3) linear, as viser takes those of vertices


class Heads(NamedTuple):
    """Arrow heads: where, how turned, how large, which colour."""

    positions: NDArray[np.float32]  # (n, 3)
    wxyzs: NDArray[np.float32]  # (n, 4) unit quaternions, real part first
    scales: NDArray[np.float32]  # (n, 3)
    colors: NDArray[np.uint8]  # (n, 3) linear, as viser takes those of instances


class Drawn(NamedTuple):
    """What a browser draws of balls, tubes, arrows and rings."""

    strokes: dict[float, Strokes]  # by their width in pixels
    heads: Heads


def drawn(pieces: SolidBuilder, local: Float32Frame) -> Drawn:
    """Turn what was collected for triangles into lines and arrow heads."""
    unit, lines, inks, radii = local.pixel, [], [], []

    def place(points: Floats) -> Floats:
        return local.place(points).astype(np.float64)

    def add(segments: Floats, radius: Floats, tones: NDArray[np.uint8]) -> None:
        """Add (n, k, 2, 3) lines, k of each piece."""
        each = segments.shape[1]
        lines.append(segments.reshape(-1, 2, 3))
        inks.append(np.repeat(tones, each, axis=0))
        radii.append(np.repeat(radius, each))

    ends, radius, tones = pieces.straight.arrays(2, 3)
    add(place(ends)[:, None], radius, tones)
    at, radius, tones = pieces.balls.arrays(3)
    # two that cross: seen along one of them that one has no direction
    add(place(at)[:, None, None] + unit * _CROSS, radius, tones)
    ends, radius, tones = pieces.ringed.arrays(2, 3)
    for (start, tip), r, tone in zip(place(ends), radius, tones, strict=True):
        axis = tip - start
        wide = float(np.sqrt(axis @ axis))
        u = sideways(axis / wide)
        rim = np.cos(_TURN) * u + np.sin(_TURN) * np.cross(axis / wide, u)
        thick = np.array([theme.TUBE_RADIUS / theme.HALO_RADIUS * r])
        add(ring(start + wide * rim)[None], thick, tone[None])
    ends, radius, tones = pieces.arrowed.arrays(2, 3)
    placed = place(ends)
    start, tip = placed[:, 0], placed[:, 1]
    neck = tip + HEAD_LENGTH * (start - tip)
    add(np.stack([start, neck], axis=1)[:, None], radius, tones)
    along, across = tip - neck, HEAD_RADIUS * radius * local.scale
    scales = np.stack([across, across, np.sqrt((along**2).sum(axis=1))], axis=1)
    heads = Heads(
        neck.astype(np.float32),
        turns(along).astype(np.float32),
        scales.astype(np.float32),
        linear(tones),
    )
    points, colours = np.concatenate(lines), linear(np.concatenate(inks))
    width = np.round(2 * np.concatenate(radii) * local.scale / unit, 6)
    strokes = {}
    for each in np.unique(width).tolist():
        own = width == each
        both = np.repeat(colours[own, None], 2, axis=1)
        strokes[each] = Strokes(points[own].astype(np.float32), both)
    return Drawn(strokes, heads)


def linear(colours: ArrayLike) -> NDArray[np.uint8]:
    """Turn sRGB into linear colours, as viser wants them of instances and lines."""
    c = np.asarray(colours, dtype=np.float64) / 255
    curved = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    found: NDArray[np.uint8] = np.rint(255 * curved).astype(np.uint8)
    return found


def turns(axes: Floats) -> Floats:
    """Return unit quaternions (n, 4), real part first, that turn z into (n, 3) axes."""
    length = np.sqrt((axes * axes).sum(axis=1))
    safe = np.where(length > 0, length, 1.0)
    x, y, z = np.where(length > 0, axes.T / safe, np.array([[0.0], [0.0], [1.0]]))
    found = np.stack([1.0 + z, -y, x, np.zeros_like(z)], axis=1)
    found[z < -1.0 + 1e-12] = [0.0, 1.0, 0.0, 0.0]
    unit: Floats = found / np.sqrt((found * found).sum(axis=1, keepdims=True))
    return unit


def words_of(overlays: Overlays, pen: Pen) -> list[tuple[str, Floats]]:
    """List what is written of layers, and where in the world."""
    found: list[tuple[str, Floats]] = []
    unit = float(pen.unit(np.zeros(3)))

    def write(words: str, point: Floats, rows: float) -> None:
        """Write words, so many rows above a point."""
        up = np.array([0.0, 0.0, 2.0 * theme.LABEL_SIZE * rows * unit])
        found.append((words, point + up))

    def measure(words: str, span: Dimension) -> None:
        """Write a length beside what it is of, away from the answer for the pair."""
        away = theme.ARROW_LENGTH * unit * sideways(span.normal)
        found.append((f"{words} {span.length:.6g}", span.ends.mean(axis=0) - away))

    for apart in overlays.apart:
        measure("distance", apart)
    for spot in overlays.spots:
        write(spot.name, spot.point, 1.0)
    for deep in overlays.depths:
        measure("depth", deep)
    for body in overlays.lids:
        for point, depth in zip(body.deepest, body.depths, strict=True):
            write(f"{depth:.4g} deep", point, 0.5)
    for push in overlays.pushes:
        write(push.words, push.point, 0.5)
    return found


def add_flat(pieces: SolidBuilder, overlays: Overlays, pen: Pen) -> None:
    """Add what a window draws in pixels: marks, depths, paths, older steps fainter."""
    look, unit = pen.look, float(pen.unit(np.zeros(3)))
    for spot in overlays.spots:
        colour, paper = look.regime("contact"), look.paper
        pieces.spheres(spot.point[None], theme.SPOT_RADIUS * unit, colour)
        pieces.spheres(spot.point[None], theme.CORNER_RADIUS * unit, paper)
    for deep in overlays.depths:
        colour = look.regime(deep.regime)
        pieces.tubes(deep.ends[None], theme.ARROW_RADIUS * unit, colour)
    for push in overlays.pushes:
        to_first, middle, to_second = push.ends(unit)
        inks = [pen.body(name).feature for name in push.bodies]
        arrows = np.array([[middle, to_first], [middle, to_second]])
        pieces.arrows(arrows, [theme.ARROW_RADIUS * unit] * 2, inks)
    for trail in overlays.trails:
        count, radius = len(trail.places[0]), theme.STOP_RADIUS * unit
        for k, places in enumerate(zip(*trail.places, strict=True)):
            share = fading(count - k, count)
            colour = blended(look.trail, look.background, share)
            pieces.spheres(np.array(places), radius, colour)

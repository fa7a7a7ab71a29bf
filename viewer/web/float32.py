"""Move and scale the world so that a browser draws it in float32 without loss.

A browser draws in float32 between fixed clipping planes, so a scene far from the origin
would tremble and a tiny one would be cut away.  A room is chosen once per run.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Frame
from sim.errors import RecordingError
from viewer.arrays import Floats
from viewer.drawing.glyphs import drawn_pairs
from viewer.layout.camera import Border, View, best_direction, fit
from viewer.playing.sources import FrameSource

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

"""Turn places and colours into what a browser draws.

A browser draws in float32 between fixed clipping planes, so a scene far from the origin
would tremble and a tiny one would be cut away: a room is chosen once per run.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.errors import RecordingError
from viewer.drawing.camera import worth_seeing
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.sources import FrameSource
from wingedge.tables import Floats

SIZE = 4.0  # what is worth seeing, in units of the browser
PIXEL = SIZE / 600.0  # of a screen, about


class Float32Frame(NamedTuple):
    """From the world to what the browser draws: ``(point - origin) * scale``."""

    origin: Floats  # (3,) world
    scale: float  # browser units per length unit; 1 where nothing has an extent

    def place(self, points: Floats) -> NDArray[np.float32]:
        """Return (..., 3) world points where the browser draws them."""
        return ((points - self.origin) * self.scale).astype(np.float32)


def float32_frame(points: Floats) -> Float32Frame:
    """Choose a room in which these points fill the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    # below the least normal number the quotient overflows
    scale = SIZE / extent if extent > 1e-300 else 1.0
    return Float32Frame(low + (high - low) / 2, scale)


def seen_in(source: FrameSource) -> tuple[Floats, Floats]:
    """Return points to follow a run, of 32 stored frames, or a world's first; a normal.

    The normal is that of the first frame.
    """
    first, count = source.first, len(source)
    last = count - 1 if source.ended else first
    each = []
    for k in sorted({first + round(k * (last - first) / 31) for k in range(32)}):
        with suppress(RecordingError):  # damaged: said when it is to be shown
            frame = source[k]
            at = {body.name: body.world_points() for body in frame.bodies}
            pairs = [pair_glyphs(frame, state, at) for state in drawn_pairs(frame)]
            each.append(worth_seeing(at or {"": np.zeros((1, 3))}, pairs))
    points = np.concatenate([seen for seen, *_ in each])
    if len(each) > 1:
        ends = points.min(axis=0), points.max(axis=0)
        points = np.stack(np.meshgrid(*np.transpose(ends)), axis=-1).reshape(-1, 3)
    return points, each[0][1]


# how light is mixed before and after the curve of ACES (S. Hill's fit, in three.js)
_BEFORE = [[0.59719, 0.35458, 0.04823], [0.076, 0.90834, 0.01566]]
_BEFORE += [[0.0284, 0.13383, 0.83777]]
_AFTER = [[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605]]
_AFTER += [[-0.00327, -0.07276, 1.07602]]


def light_of(colours: ArrayLike) -> Floats:
    """Return the light, (..., 3), that a browser shows as sRGB colours, below white.

    Sent as they are, they come out pale and grey: this is the inverse of its curve.
    """
    c = np.clip(np.asarray(colours, dtype=np.float64), 0, 250) / 255
    shown = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    y = shown @ np.linalg.inv(_AFTER).T
    # y = (v v + 0.0245786 v - 9.0537e-5) / (0.983729 v v + 0.432951 v + 0.238081)
    a, b, d = 1 - 0.983729 * y, 0.0245786 - 0.432951 * y, 9.0537e-5 + 0.238081 * y
    v = (np.sqrt(b * b + 4 * a * d) - b) / (2 * a)
    return np.asarray(np.maximum(0.0, 0.6 * v @ np.linalg.inv(_BEFORE).T))


def sent(light: Floats, *, curved: bool = False) -> NDArray[np.uint8]:
    """Write light as viser wants it, ``curved`` where it is the colour of all."""
    c = np.minimum(1.0, light)
    if curved:
        c = np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * c), np.uint8)

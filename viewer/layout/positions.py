"""Where the bodies of a frame are, in the world; no pyvista here."""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sim import Frame
    from sim.frame import BodySnapshot

Floats = NDArray[np.float64]

_NO_POSE = np.eye(3, 4).tobytes()


class Positions(NamedTuple):
    """Where everything is."""

    frame: "Frame | None"  # of which
    points: dict[str, Floats]  # (V, 3) by body
    middles: dict[str, Floats]  # (3,) the mean of each body's vertices


NOWHERE = Positions(None, {}, {})


def positions(frame: "Frame") -> Positions:
    """Place all bodies of a frame; those without a pose are not copied."""
    points = {body.name: _world(body) for body in frame.bodies}
    return Positions(frame, points, {name: _middle(p) for name, p in points.items()})


def _world(body: "BodySnapshot") -> Floats:
    if body.pose.matrix.tobytes() == _NO_POSE:
        return body.points
    return body.world_points()


def _middle(points: Floats) -> Floats:
    # a product is a tenth of a sum down columns
    middle: Floats = _shares(len(points)) @ points
    return middle


@lru_cache
def _shares(count: int) -> Floats:
    return np.full(count, 1.0 / max(1, count))

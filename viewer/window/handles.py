"""Arrows and rings around a body: pyvista's widget, on a box that nobody sees."""

from typing import Any

import numpy as np

from sim import Pose
from viewer.arrays import Floats
from viewer.gl import require_pyvista
from viewer.theme import Theme

_SCALE = 0.42  # of the diagonal of the box: the arrows stand out of it
_LINE = 0.015
_DENSE = 8  # places along an arrow or a ring
_LESS, _MORE = 0.8, 1.25  # times as large a body: the same arrows will do


def reach(points: Floats) -> Floats:
    """Return places along the arrows and rings around (V, 3) points, (n, 3)."""
    low, high = points.min(axis=0), points.max(axis=0)
    long = _SCALE * np.sqrt(3.0) * float(np.max(high - low))
    turn = np.linspace(0.0, np.pi / 2, _DENSE)[1:-1, None]
    axes = np.eye(3)
    rings = [
        np.cos(turn) * axes[k] + np.sin(turn) * axes[(k + 1) % 3] for k in range(3)
    ]
    arrows = np.linspace(0.2, 1.2, _DENSE)[:, None, None] * axes
    way = np.concatenate([*rings, arrows.reshape(-1, 3)])
    out: Floats = (low + high) / 2 + long * way
    return out


class Handles:
    """Arrows that move and rings that turn, about the middle of a box.

    Parameters: ``plotter``: shown already: it has an interactor.
    """

    def __init__(self, plotter: Any, look: Theme) -> None:
        self._plotter = plotter
        self._colours = [tuple(c / 255 for c in colour) for colour in look.axes]
        self._pyvista = require_pyvista()
        self._widget: Any = None
        self._box: Any = None
        self._start = Pose.identity()
        self._base = self._told = np.eye(4)
        self._size = 1.0

    @property
    def shown(self) -> bool:
        """Whether they are there."""
        return self._widget is not None

    def place(self, pose: Pose, points: Floats) -> None:
        """Put them around (V, 3) points of the world, which stand for this pose."""
        low, high = points.min(axis=0), points.max(axis=0)
        size, middle = float(np.max(high - low)) or 1.0, (low + high) / 2
        if self._widget is None or not _LESS < size / self._size < _MORE:
            self._make(middle, size)
        self._widget.origin = middle
        self._start = pose
        self._base = self._told = self._matrix()

    def wanted(self) -> Pose | None:
        """Return the pose that they were dragged to since they were asked last."""
        if self._widget is None:
            return None
        matrix = self._matrix()
        if np.array_equal(matrix, self._told) or not np.isfinite(matrix).all():
            return None
        self._told = matrix
        turn = matrix[:3, :3] @ self._base[:3, :3].T
        shift = matrix[:3, 3] - turn @ self._base[:3, 3]
        return Pose(_rotation(turn), shift) @ self._start

    def hide(self) -> None:
        """Take them away."""
        if self._widget is None:
            return
        before = self._plotter.suppress_rendering
        self._plotter.suppress_rendering = True  # else once for each arrow
        self._widget.remove()
        self._plotter.remove_actor(self._box, reset_camera=False, render=False)
        self._plotter.suppress_rendering = before
        self._widget = self._box = None

    def _make(self, middle: Floats, size: float) -> None:
        self.hide()
        bounds = np.stack([middle - size / 2, middle + size / 2], axis=1)
        self._box = self._plotter.add_mesh(
            self._pyvista.Box(bounds=bounds.ravel()),
            pickable=False,
            reset_camera=False,
            render=False,
            show_scalar_bar=False,
        )
        self._box.visibility = False
        self._widget = self._plotter.add_affine_transform_widget(
            self._box,
            origin=tuple(middle.tolist()),
            scale=_SCALE,
            line_radius=_LINE,
            axes_colors=self._colours,
        )
        self._size = size

    def _matrix(self) -> Floats:
        return np.array(self._box.user_matrix, np.float64)


def _rotation(matrix: Floats) -> Floats:
    """Return the rotation that a matrix is but for what rounding added."""
    x = matrix[0] / np.sqrt((matrix[0] ** 2).sum())
    y = matrix[1] - (matrix[1] * x).sum() * x
    y /= np.sqrt((y**2).sum())
    return np.stack([x, y, np.cross(x, y)])

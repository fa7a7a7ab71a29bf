"""The derivatives of one answer: of its distance, its normal and its two points.

What there is to differentiate stands in ``sim.kernels.gradients``, what happens where a
derivative does not exist in ``sim.gradients.slopes``.
"""

import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.engine.bound import Bound, floats, ints
from sim.gradients.carriers import Array, Carriers, Ids
from sim.gradients.slopes import Slopes
from sim.kernels.gradients import ROWS, Carried, differentiate
from sim.result.state import PairState

NOWHERE = float("nan")
PARTS: dict[str, int | slice] = {  # rows of the kernel's derivatives
    "distance": 0,
    "normal": slice(1, 4),
    "point_a": slice(4, 7),
    "point_b": slice(7, None),
}


class Gradient(NamedTuple):
    """The derivatives of one number, or of a vector: then with a leading axis of 3.

    Attributes: ``points_a``: the vertices that carry the point of A and the derivatives
    by their positions in the body's frame, ``(ids, (k, 3))``; ``pose_a``: by the pose,
    (3, 4); ``twist_a``: by the velocity of the body's origin and its angular velocity,
    world frame, (6,).  Not a number where there is no derivative.
    """

    points_a: tuple[Ids, Array]
    points_b: tuple[Ids, Array]
    pose_a: Array
    pose_b: Array
    twist_a: Array
    twist_b: Array


def gradient(a: Carriers, b: Carriers, by_a: Array, by_b: Array) -> Gradient:
    """Name derivatives by what moves the carriers, in the order of their motions."""
    found: list[Any] = []
    for side, by in ((a, by_a), (b, by_b)):
        points, pose, twist = np.split(by, [3 * len(side.cell), -6], axis=-1)
        found += [
            (np.array(side.cell), points.reshape(*by.shape[:-1], -1, 3)),
            pose.reshape(*by.shape[:-1], 3, 4),
            twist.copy(),
        ]
    return Gradient(*found[::3], *found[1::3], *found[2::3])


class Scratch(threading.local):
    """The buffers of the kernel, of each thread its own."""

    def __init__(self) -> None:
        self._counts = np.zeros(2, np.int32)
        self._points, self._way = np.zeros((6, 3)), np.zeros(4)
        self._weights, self._rows = np.zeros(6), np.zeros(3 * 6 * ROWS)
        buffers = self._points, self._way, self._weights, np.zeros(12), self._rows
        self._tables = (Carried(ints(self._counts), *map(floats, buffers)),)
        self._run = Bound(differentiate)

    def differentiate(self, at: Slopes) -> Array | None:
        """Set the weights of both points; return all derivatives, (ROWS, k, 3)."""
        a, b = at.a, at.b
        first = len(a.cell)
        total = first + len(b.cell)
        self._counts[:] = first, total - first
        self._points[:first] = a.placed(a.cell)
        self._points[first:total] = b.placed(b.cell)
        self._way[:] = at.distance, *at.normal
        if self._run.on(self._tables) == 0:
            return None
        a.weights = self._weights[:first].copy()
        b.weights = self._weights[first:total].copy()
        rows = self._rows[: 3 * total * ROWS].reshape(ROWS, total, 3).copy()
        if total < 4 and at.distance == 0.0:
            rows[1:4] = NOWHERE
        return rows


_scratch = Scratch()


class Derivatives:
    """What ``sim.derivatives`` returns.

    Attributes: ``distance``, ``normal``, ``point_a``, ``point_b``: ``Gradient``.
    Where the distance has no single one, as at flat contacts, ``distance`` is one of
    the slopes, as if the reported points were fixed to the bodies; ``normal`` and the
    points then have none: not a number.  ``along`` gives the one-sided slopes.
    """

    distance: Gradient
    normal: Gradient
    point_a: Gradient
    point_b: Gradient

    def __init__(self, state: PairState) -> None:
        self.state = state
        origin = state.a.transform[:, 3].copy()
        a = Carriers(state.a, state.mesh_a, state.parts_a, origin)
        b = Carriers(state.b, state.mesh_b, state.parts_b, origin)
        self._sides = a, b
        self._slopes = Slopes(state, a, b, origin)
        rows = _scratch.differentiate(self._slopes)
        self._regular = rows is not None
        self._share = np.concatenate([-a.weights, b.weights])
        if rows is None or self._slopes.ranges:
            rows = np.full((ROWS, len(self._share), 3), NOWHERE)
            if not self._slopes.ranges:
                rows[0] = self._share[:, None] * state.normal
        first = len(a.cell)
        self._by = [
            by.reshape(ROWS, -1) @ side.motions()
            for side, by in ((a, rows[:, :first]), (b, rows[:, first:]))
        ]

    def __getattr__(self, name: str) -> Gradient:
        """Take the rows of one of the four."""
        if name not in PARTS:
            raise AttributeError(f"'Derivatives' object has no attribute {name!r}")
        return gradient(*self._sides, *(by[PARTS[name]] for by in self._by))

    @property
    def smooth(self) -> bool:
        """Whether all derivatives exist."""
        return not self.reason

    @property
    def reason(self) -> str:
        """Why a derivative does not exist; else empty."""
        return self._slopes.reason(self._regular)

    def along(
        self, velocity_a: ArrayLike | None = None, velocity_b: ArrayLike | None = None
    ) -> tuple[float, float]:
        """Return the slopes of the distance before and after now, ``(left, right)``.

        Parameters
        ----------
        velocity_a, velocity_b : (6,) or (V, 3), optional
            How a body moves: a twist in the world, velocity of its origin and angular
            velocity; or the velocity of every vertex in its own frame; None: not.
        """
        a, b = self._sides
        by_a, by_b = a.velocity(velocity_a), b.velocity(velocity_b)
        if not self.reason:
            cells = by_a[list(a.cell)], by_b[list(b.cell)]
            slope = float(self._share @ np.concatenate(cells) @ self.state.normal)
            return slope, slope
        return -self._slopes.right(-by_a, -by_b), self._slopes.right(by_a, by_b)


def derivatives(state: PairState) -> Derivatives:
    """Differentiate an answer by positions, poses and twists, before its bodies move.

    Parameters
    ----------
    state : PairState
        An answer of any of the nine kinds, apart, touching or overlapping.

    Raises
    ------
    TypeError
        For what is no answer.
    ValueError
        If the bodies have moved since, or have another mesh.

    Notes
    -----
    Cost: O(size of the level parts); in an overlap whose axis is not unique ``along``
    compares every axis, O(F V + E_a E_b).  See docs/derivatives.md.
    """
    if not isinstance(state, PairState):
        raise TypeError(
            f"derivatives takes a PairState, what closest() and update() return, not "
            f"{state!r}"
        )
    return Derivatives(state)

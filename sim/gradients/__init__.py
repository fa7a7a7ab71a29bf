"""The derivatives of one answer: of its distance, its normal and its two points.

The closest points stand on two cells, a vertex, a segment or a triangle each.  With the
columns of E the sides of both cells (those of B negative) their way ``r = d n`` obeys
``E' r = 0``; differentiating it gives how weights and normal change (implicit
differentiation; Krantz and Parks 2002), and of the distance that it changes as the
points do that are fixed to the bodies where the closest points are (Danskin 1967).
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.body.body import Body
from sim.gradients.carriers import Array, Carriers, Ids
from sim.gradients.slopes import Slopes
from sim.kernels.segments import NEARLY_PARALLEL
from sim.result.state import PairState

NOWHERE = float("nan")


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


def gradient(a: Carriers, b: Carriers, by: Array) -> Gradient:
    """Take derivatives by the world positions of the carriers, (..., k, 3), along."""
    found: list[Any] = []
    for side, world in ((a, by[..., : len(a.cell), :]), (b, by[..., len(a.cell) :, :])):
        arms = side.placed(side.cell) - side.at
        local = np.insert(side.local[list(side.cell)], 3, 1.0, axis=1)
        turned = np.cross(arms, world).sum(axis=-2)
        found += [
            (np.array(side.cell), world @ side.linear),
            np.swapaxes(world, -1, -2) @ local,
            np.concatenate([world.sum(axis=-2), turned], axis=-1),
        ]
    return Gradient(*found[::3], *found[1::3], *found[2::3])


class Derivatives:
    """What ``sim.derivatives`` returns.

    Attributes: ``distance``, ``normal``, ``point_a``, ``point_b``: ``Gradient``.
    Where the distance has no single one, as at flat contacts, ``distance`` is one of
    the slopes, as if the reported points were fixed to the bodies; ``normal`` and the
    points then have none: not a number.  ``along`` gives the one-sided slopes.
    """

    def __init__(self, state: PairState) -> None:
        self.state = state
        origin = state.a.transform[:, 3].copy()
        a = Carriers(state.a, state.mesh_a, state.parts_a, origin)
        b = Carriers(state.b, state.mesh_b, state.parts_b, origin)
        self._sides = a, b
        self._slopes = Slopes(state, a, b, origin)
        x, y = a.placed(a.cell), b.placed(b.cell)
        # The sides of the cells, and how each vertex moves them.
        self._sides_at: Array = np.concatenate([x[1:] - x[0], y[0] - y[1:]]).T
        self._regular = _crossing(self._sides_at)
        if self._regular:
            a.weights, b.weights = _feet(y[0] - x[0], self._sides_at, len(x))
        self._share = np.concatenate([-a.weights, b.weights])

    @cached_property
    def distance(self) -> Gradient:
        """The derivatives of the distance."""
        return gradient(*self._sides, self._share[:, None] * self.state.normal)

    @cached_property
    def normal(self) -> Gradient:
        """The derivatives of the normal."""
        return gradient(*self._sides, self._implicit[0])

    @cached_property
    def point_a(self) -> Gradient:
        """The derivatives of the closest point of A."""
        return gradient(*self._sides, self._implicit[1])

    @cached_property
    def point_b(self) -> Gradient:
        """The derivatives of the closest point of B."""
        return gradient(*self._sides, self._implicit[2])

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

    @cached_property
    def _implicit(self) -> tuple[Array, Array, Array]:
        """Differentiate normal and points by all vertices, (3, k, 3) each."""
        a, b = self._sides
        i, j = len(a.cell), len(b.cell)
        n, d, sides = self.state.normal, self.state.distance, self._sides_at
        if not self._regular or self._slopes.beside:
            return (np.full((3, i + j, 3), NOWHERE),) * 3
        moves = np.zeros((i + j, i + j - 2))  # by each vertex, of each side
        moves[0, : i - 1], moves[i, i - 1 :] = -1.0, 1.0
        moves[1:i, : i - 1], moves[i + 1 :, i - 1 :] = np.eye(i - 1), -np.eye(j - 1)
        q, r = np.linalg.qr(sides)
        inverse = np.linalg.inv(r)
        dual = q @ inverse.T  # sides, orthonormal to them
        turned = moves @ dual.T  # (k, 3)
        normal = -turned.T[:, :, None] * n
        if i + j < 4:
            across = np.eye(3) - np.outer(n, n) - q @ q.T
            by = self._share / d if d != 0.0 else np.full(i + j, NOWHERE)
            normal = normal + by[:, None] * across[:, None, :]
        weights = d * (moves @ inverse @ inverse.T).T[:, :, None] * n
        weights = weights + self._share[:, None] * dual.T[:, None, :]
        slid_a = np.einsum("xm,mkv->xkv", sides[:, : i - 1], weights[: i - 1])
        slid_b = np.einsum("xm,mkv->xkv", -sides[:, i - 1 :], weights[i - 1 :])
        slid_a[:, :i] += a.weights[:, None] * np.eye(3)[:, None, :]
        slid_b[:, i:] += b.weights[:, None] * np.eye(3)[:, None, :]
        return normal, slid_a, slid_b


def _crossing(sides: Array) -> bool:
    """Say whether the sides of two cells leave a single way between them."""
    if sides.shape[1] < 2:
        return True
    if sides.shape[1] > 2:
        return False
    u, v = sides.T / (np.linalg.norm(sides, axis=0)[:, None] + 1e-300)
    return float(np.sum(np.cross(u, v) ** 2)) > NEARLY_PARALLEL


def _feet(way: Array, sides: Array, count: int) -> tuple[Array, Array]:
    """Return the weights of the closest points on two cells."""
    t = np.linalg.lstsq(sides, way, rcond=None)[0]
    on_a, on_b = t[: count - 1], t[count - 1 :]
    return (
        np.concatenate([[1.0 - on_a.sum()], on_a]),
        np.concatenate([[1.0 - on_b.sum()], on_b]),
    )


def derivatives(state: PairState) -> Derivatives:
    """Differentiate an answer by positions, poses and twists, before its bodies move.

    Parameters
    ----------
    state : PairState
        An answer of any of the nine kinds, apart, touching or overlapping.

    Raises
    ------
    TypeError
        For a compound: its answer is that of its pieces, ``state.nearest.state``.
    ValueError
        If the bodies have moved since, or have another mesh.

    Notes
    -----
    Cost: O(size of the level parts); in an overlap whose axis is not unique ``along``
    compares every axis, O(F V + E_a E_b).  See docs/derivatives.md.
    """
    for body in (state.a, state.b):
        if not isinstance(body, Body):
            raise TypeError(
                f"derivatives takes an answer for two sim.Body, not for a "
                f"{type(body).__name__}; take those of its pieces, state.nearest.state"
            )
    return Derivatives(state)

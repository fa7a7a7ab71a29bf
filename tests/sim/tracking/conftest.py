"""Pairs of zoo bodies on coherent ways past each other, from a fixed seed."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from sim import Body, PairState, Pose
from wingedge import WingedEdgeMesh

Poses = Callable[[str, str, int, bool], tuple[Body, Body, Iterator[Pose]]]


def within_oracle(state: PairState, truth: PairState) -> bool:
    """Compare with the oracle to the digits that are promised."""
    size = max(state.size, truth.size)
    allowed = 1e-9 * abs(truth.distance) + 1e-13 * size
    return abs(state.distance - truth.distance) <= allowed


def passing(
    mesh_a: WingedEdgeMesh,
    mesh_b: WingedEdgeMesh,
    frames: int,
    *,
    affine: bool = False,
    seed: int = 0,
) -> tuple[Body, Body, Iterator[Pose]]:
    """Let B tumble past A, near it in the middle and never far inside.

    Returns the bodies and the poses of B; ``affine`` squashes and shears it as well.
    """
    rng = np.random.default_rng([seed, mesh_a.n_vertices, mesh_b.n_vertices])
    a, b = Body(mesh_a, name="a"), Body(mesh_b, name="b")
    reach = sum(np.ptp(m.points, axis=0).max() for m in (mesh_a, mesh_b))
    middle_a, middle_b = (
        0.5 * (m.points.max(axis=0) + m.points.min(axis=0)) for m in (mesh_a, mesh_b)
    )
    turn, spin = rng.normal(size=4), 0.02 * rng.normal(size=4)
    start = rng.normal(size=3)
    start *= 0.8 * reach / np.linalg.norm(start)
    across = rng.normal(size=3)
    across *= 0.4 * reach / np.linalg.norm(across)

    def poses() -> Iterator[Pose]:
        for k in range(frames):
            t = k / frames
            linear = Pose.rigid(turn + k * spin).linear
            if affine:
                s = 1.0 - 0.3 * t
                linear = linear @ np.array(
                    [[1 / s, 0.2 * t, 0], [0, 1 / s, 0], [0.1 * t, 0, s]]
                )
            at = start * (1.0 - 1.1 * t) + across * t
            yield Pose(linear, middle_a + at - linear @ middle_b)

    return a, b, poses()


@pytest.fixture(name="passing")
def _passing() -> Callable[..., tuple[Body, Body, Iterator[Pose]]]:
    return passing


@pytest.fixture(name="within_oracle")
def _within_oracle() -> Callable[[PairState, PairState], bool]:
    return within_oracle

import numpy as np
import pytest

from sim import Body, Pose, closest
from wingedge import WingedEdgeMesh


def test_edges_far_apart_know_the_normal_by_their_points():
    """Nearly parallel and 1000 apart: the cross product has half of the digits."""
    a = WingedEdgeMesh.from_faces(
        [[-1, 0, 0], [1, 0, 0], [0, 1, -1], [0, -1, -1]],
        [[0, 1, 2], [1, 0, 3], [0, 2, 3], [2, 1, 3]],
    )
    tilt = 2.0**-12
    turn = np.array([[1.0, -tilt, 0.0], [tilt, 1.0, 0.0], [0.0, 0.0, 1.0]])
    flip = np.diag([1.0, -1.0, -1.0])
    state = closest(Body(a), Body(a, pose=Pose(turn @ flip, (0.0, 0.0, 1000.0))))
    assert (state.kind, state.distance) == ("EE", 1000.0)
    assert state.normal.tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("k", [4, 5, 6, 7, 8])
def test_edges_nearer_than_their_angle_know_the_normal_themselves(k):
    """Level to the bit; the way between their points has digits of its own."""
    turn, gap = 2.0**-k, 2.0 ** (-3 * k // 2)

    def roof(x, y, z, up):
        points = [[-x, -y, z], [x, y, z], [-y, x, z - up], [y, -x, z - up]]
        faces = [[0, 1, 2], [1, 0, 3], [0, 2, 3], [2, 1, 3]]
        return Body(WingedEdgeMesh.from_faces(points, [f[::up] for f in faces]))

    low, high = (
        roof(0.9, 0.7, 0.0, 1),
        roof(0.9 - 0.7 * turn, 0.7 + 0.9 * turn, gap, -1),
    )
    state = closest(low, high)
    assert (state.kind, state.distance) == ("EE", gap)
    assert state.normal.tolist() == [0.0, 0.0, 1.0]

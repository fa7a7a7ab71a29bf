import numpy as np  # of sim.kernels.closest.measure, sim.kernels.closest.vertex_face
import pytest

from sim import Body, Pose, closest
from sim.kernels import layout
from sim.kernels.closest.measure import between_lines
from sim.kernels.workspace import name_part
from sim.tracking.buffers import Buffers
from wingedge import WingedEdgeMesh, shapes

UNIT = shapes.box((1.0, 1.0, 1.0))


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


def lines(first, second, origin, guide):
    """Measure two parts, (body, vertices), as level to 1e-6."""
    buffers = Buffers(first[0], second[0], 1e-6)
    result = buffers.result
    parts = (buffers.first, result.part_a), (buffers.second, result.part_b)
    for (side, part), (_, vertices) in zip(parts, (first, second), strict=True):
        for k, v in enumerate(vertices):
            side.members[k], side.mark[v] = v, 1
        side.mark[side.size] = len(vertices)
        name_part(side, part, 1, 0)
    result.parallel = result.by_points = 0
    between_lines(buffers.first, buffers.second, origin, guide, buffers.workspace)
    return result


@pytest.mark.parametrize("edges", [2, 4])
def test_a_line_of_several_edges_is_bounded_by_all_its_vertices(edges):
    mesh = shapes.grid_box((edges, 1, 1), (1.0, 1.0, 1.0))
    _, y, z = mesh.points.T
    line = np.nonzero((y == 0.5) & (z == 0.5))[0].tolist()
    body = Body(mesh)
    # bent by a little, as a level line may be
    body._points[line[edges // 2], 2] += 2.0**-30
    other = Body(UNIT)
    ends = np.nonzero((UNIT.points[:, ::2] == -0.5).all(axis=1))[0].tolist()
    one, two = (body, line), (other, ends)
    told = lines(one, two, (0.75, 0.75, 3.0), (0.0, 0.0, 1.0))
    assert (told.distance, told.lower) == (2.0, 2.0 - 2.0**-30)
    # The segment of its ends is not the surface: bent inwards, that is farther.
    assert told.upper == 2.0 + 2.0**-30
    told = lines(two, one, (-0.75, -0.75, -3.0), (0.0, 0.0, -1.0))
    assert (told.lower, told.upper) == (2.0 - 2.0**-30, 2.0 + 2.0**-30)


TOP, BELOW, ACROSS = [4, 5], [0, 1], [0, 2]  # of a box, two edges along x, one along y
TURNED = {  # angle of B, parts, where B is; what turns a normal, over what: of the size
    "points": (0.0, [7], [0], (1.0, 1.0, 4.0), layout.BLUR, 0.0),
    "across": (0.0, TOP, ACROSS, (0.25, -0.25, 4.0), 1e-6, 1.0),
    "across, far": (2.0**-10, TOP, BELOW, (0.0, 0.0, 4.0), 1e-6, 2.0**-10),
    "across, near": (2.0**-10, TOP, BELOW, (0.0, 0.0, 1.0 + 2.0**-12), 1e-6, 2.0**-10),
    "along": (0.0, TOP, BELOW, (0.0, 0.25, 4.0), 1e-6, 0.0),
    "all but along": (2.0**-24, TOP, BELOW, (0.0, 0.25, 4.0), 1e-6 + 2.0**-24, 0.0),
}


@pytest.mark.parametrize("case", TURNED)
def test_a_normal_may_turn_by_what_points_blur_and_what_is_level(case):
    angle, one, other, origin, off, lean = TURNED[case]
    a, b = Body(UNIT), Body(UNIT)
    b.points = UNIT.points @ np.array(
        [[1.0, angle, 0.0], [-angle, 1.0, 0.0], [0, 0, 1]]
    )
    told = lines((a, one), (b, other), origin, (0.0, 0.0, 1.0))
    far = max(told.distance, lean * told.size)
    assert told.turned == pytest.approx(off * told.size / far, rel=1e-5, abs=0.0)

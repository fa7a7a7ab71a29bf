import numpy as np
import pytest

from sim import Body, Pose, closest
from sim.kernels.closest.measure import between_lines
from sim.kernels.closest.vertex_face import vertex_and_face
from sim.kernels.workspace import name_part
from sim.tracking.buffers import Buffers
from wingedge import WingedEdgeMesh, geometry, shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
UP = (0.0, 0.0, 1.0)


def name(side, part, vertices, dimension, index, faces=()):
    """Put a named part in place as ``naming`` leaves it."""
    for k in range(side.size + 1):
        side.mark[k] = 0
    for k, v in enumerate(vertices):
        side.members[k] = v
        side.mark[v] = 1
    side.mark[side.size] = len(vertices)
    for k, f in enumerate(faces):
        side.faces[k] = f
    name_part(part, dimension, index, len(vertices), 0, len(faces))


def row_of(buffers):
    names = ("distance", "lower", "upper", "size", "point_a", "point_b")
    return {name: getattr(buffers.result, name) for name in names}


def at_vertex(x, y, z):
    return int(np.nonzero((UNIT.points == (x, y, z)).all(axis=1))[0][0])


def lines(part_a, part_b, origin, guide=UP, a=None, b=None, tolerance=1e-12):
    buffers = Buffers(a or Body(UNIT), b or Body(UNIT), tolerance)
    name(buffers.first, buffers.result.part_a, part_a, len(part_a) > 1, 0)
    name(buffers.second, buffers.result.part_b, part_b, len(part_b) > 1, 0)
    buffers.result.parallel = buffers.result.by_points = 0
    n = between_lines(buffers.first, buffers.second, origin, guide, buffers.workspace)
    told = row_of(buffers)
    told["flags"] = buffers.result.parallel, buffers.result.by_points
    return n, told


ALONG_Y = [at_vertex(-0.5, -0.5, -0.5), at_vertex(-0.5, 0.5, -0.5)]


def test_edges_far_apart_know_the_normal_by_their_points():
    """Nearly parallel and 1000 apart: the cross product has half of the digits."""
    a = WingedEdgeMesh.from_faces(
        [[-1, 0, 0], [1, 0, 0], [0, 1, -1], [0, -1, -1]],
        [[0, 1, 2], [1, 0, 3], [0, 2, 3], [2, 1, 3]],
    )
    tilt = 2.0**-12
    turn = np.array([[1.0, -tilt, 0.0], [tilt, 1.0, 0.0], [0.0, 0.0, 1.0]])
    b, far = Body(a, pose=Pose(turn, (0.0, 0.0, 1000.0))), (0.0, 0.0, 1000.0)
    n, told = lines([0, 1], [0, 1], far, (0.1, 0.1, 1.0), Body(a), b)
    assert n == UP
    assert (told["distance"], told["flags"][0]) == (1000.0, 0)


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


@pytest.mark.parametrize("edges", [2, 4])
def test_a_line_of_several_edges_is_bounded_by_all_its_vertices(edges):
    mesh = shapes.grid_box((edges, 1, 1), (1.0, 1.0, 1.0))
    _, y, z = mesh.points.T
    line = np.nonzero((y == 0.5) & (z == 0.5))[0].tolist()
    body = Body(mesh)
    # bent by a little, as a level line may be
    body._points[line[edges // 2], 2] += 2.0**-30
    other = Body(UNIT)
    n, told = lines(line, ALONG_Y, (0.75, 0.75, 3.0), UP, body, other, 1e-6)
    assert n == UP
    assert told["distance"] == 2.0
    assert told["lower"] == 2.0 - 2.0**-30
    # The segment of its ends is not the surface: bent inwards, that is farther.
    assert told["upper"] == 2.0 + 2.0**-30
    at, down = (-0.75, -0.75, -3.0), (0.0, 0.0, -1.0)
    _, told = lines(ALONG_Y, line, at, down, other, body, 1e-6)
    assert (told["lower"], told["upper"]) == (2.0 - 2.0**-30, 2.0 + 2.0**-30)


def test_the_roughness_of_a_face_widens_the_bounds_only():
    body = Body(UNIT)
    top = int(geometry.face_normals(UNIT)[:, 2].argmax())
    body._points[UNIT.face_vertices(top)[1], 2] = 0.75
    buffers = Buffers(body, Body(UNIT), 1e-12)
    name(buffers.first, buffers.result.part_a, [0], 2, top, [top])
    name(buffers.second, buffers.result.part_b, [0], 0, 0)
    sides = buffers.second, buffers.first, (0.5, 0.5, 3.0)
    vertex_and_face(*sides, UP, 1.0, buffers.workspace)
    told = row_of(buffers)
    assert (told["distance"], told["lower"], told["upper"]) == (1.75, 1.75, 2.0)

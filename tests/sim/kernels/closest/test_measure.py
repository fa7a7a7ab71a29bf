"""Two parts that face each other: normals, heights, distances, patches, names."""

import numpy as np
import pytest

from sim import Body, Pose, closest
from sim.kernels import layout
from sim.kernels.closest.measure import between_lines, face_normal
from sim.kernels.workspace import name_part
from sim.tracking.buffers import Buffers, make_view
from wingedge import WingedEdgeMesh, geometry, shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
UP = (0.0, 0.0, 1.0)
SQUASH = Pose(np.diag([2.0, 1.0, 0.5]), (7.0, 8.0, 9.0))


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


@pytest.mark.parametrize("f", range(6))
def test_the_normal_of_a_face_is_its_worlds_normal(f):
    body = Body(UNIT, pose=SQUASH)
    side = make_view(body)
    side.faces[0] = f
    n = geometry.face_normals(UNIT, body.world_points())[f]
    assert face_normal(side, 1) == tuple(n.tolist())


def lines(part_a, part_b, origin, guide=UP, mesh=UNIT):
    """Measure two parts given by their vertices."""
    buffers = Buffers(Body(mesh), Body(mesh), 1e-12)
    name(buffers.first, buffers.result.part_a, part_a, len(part_a) - 1, 0)
    name(buffers.second, buffers.result.part_b, part_b, len(part_b) - 1, 0)
    buffers.result.parallel = buffers.result.by_points = 0
    n = between_lines(buffers.first, buffers.second, origin, guide, buffers.workspace)
    told = row_of(buffers)
    told["hints"] = [
        tuple(buffers.workspace.hint[at : at + 2])
        for at in (layout.HINT_A, layout.HINT_B)
    ]
    told["flags"] = buffers.result.parallel, buffers.result.by_points
    return n, told


TOP = at_vertex(0.5, 0.5, 0.5)
LOW = at_vertex(-0.5, -0.5, -0.5)
ALONG_X = [at_vertex(-0.5, 0.5, 0.5), at_vertex(0.5, 0.5, 0.5)]
ALONG_Y = [at_vertex(-0.5, -0.5, -0.5), at_vertex(-0.5, 0.5, -0.5)]


def test_two_vertices():
    n, told = lines([TOP], [LOW], (3.0, 3.0, 2.0))
    assert n == pytest.approx((2 / 3, 2 / 3, 1 / 3))
    assert told["distance"] == pytest.approx(3.0)
    assert told["lower"] == told["upper"] == told["distance"]
    assert told["point_a"] == (0.5, 0.5, 0.5)
    assert told["point_b"] == pytest.approx((2.5, 2.5, 1.5))
    assert told["flags"] == (0, 1)
    assert told["size"] == 3.0


def test_a_vertex_and_an_edge_either_way():
    # The edge runs along x at y = z = 0.5, the vertex hangs 3 off in y, 4 in z.
    n, told = lines(ALONG_X, [LOW], (0.75, 4.0, 5.0))
    assert n == (0.0, 0.6, 0.8)
    assert (told["distance"], told["flags"]) == (5.0, (0, 1))
    assert told["point_a"] == (0.25, 0.5, 0.5)
    assert told["point_b"] == (0.25, 3.5, 4.5)
    n, told = lines([TOP], ALONG_Y, (4.0, 0.25, 5.0))
    assert n == (0.6, 0.0, 0.8)
    assert (told["distance"], told["flags"]) == (5.0, (0, 1))
    assert told["point_a"] == (0.5, 0.5, 0.5)
    assert told["point_b"] == (3.5, 0.5, 4.5)


@pytest.mark.parametrize("guide", [UP, (0.0, 0.1, 1.0)])
def test_two_edges_that_cross_know_the_normal_themselves(guide):
    n, told = lines(ALONG_X, ALONG_Y, (0.75, 0.75, 3.0), guide)
    assert n == UP
    assert (told["distance"], told["flags"]) == (2.0, (0, 0))
    assert told["lower"] == told["upper"] == 2.0
    assert told["point_a"] == (0.25, 0.5, 0.5)
    assert told["point_b"] == (0.25, 0.5, 2.5)


def test_an_end_that_is_as_near_as_the_inside_is_the_hint():
    none = (0, 0)
    tail, tip = sorted(ALONG_X)
    far = (4.0 if UNIT.points[tip, 0] > 0.0 else -4.0, 4.0, 5.0)
    assert lines(ALONG_X, [LOW], (0.75, 4.0, 5.0))[1]["hints"] == [none, none]
    assert lines(ALONG_X, [LOW], far)[1]["hints"] == [(1, tip), none]
    far = (-far[0], *far[1:])
    assert lines(ALONG_X, [LOW], far)[1]["hints"] == [(1, tail), none]
    near, far_end = sorted(ALONG_Y, key=lambda v: UNIT.points[v, 1])
    assert lines([TOP], ALONG_Y, (4.0, 0.25, 5.0))[1]["hints"] == [none, none]
    assert lines([TOP], ALONG_Y, (4.0, 6.0, 5.0))[1]["hints"] == [none, (1, near)]
    assert lines([TOP], ALONG_Y, (4.0, -6.0, 5.0))[1]["hints"] == [none, (1, far_end)]
    assert lines(ALONG_X, ALONG_Y, (0.75, 0.75, 3.0))[1]["hints"] == [none, none]
    told = lines(ALONG_X, ALONG_Y, (4.0, 0.75, 5.0))[1]
    assert told["hints"] == [(1, TOP), none]


def test_parallel_edges_are_not_unique():
    other = [at_vertex(-0.5, -0.5, -0.5), at_vertex(0.5, -0.5, -0.5)]
    n, told = lines(ALONG_X, other, (0.25, 4.0, 5.0))
    assert n == (0.0, 0.6, 0.8)
    assert (told["distance"], told["flags"]) == (5.0, (1, 1))


def test_edges_far_apart_know_the_normal_by_their_points():
    """Nearly parallel and 1000 apart: the cross product has half of the digits."""
    a = WingedEdgeMesh.from_faces(
        [[-1, 0, 0], [1, 0, 0], [0, 1, -1], [0, -1, -1]],
        [[0, 1, 2], [1, 0, 3], [0, 2, 3], [2, 1, 3]],
    )
    tilt = 2.0**-12
    turn = np.array([[1.0, -tilt, 0.0], [tilt, 1.0, 0.0], [0.0, 0.0, 1.0]])
    buffers = Buffers(Body(a), Body(a, pose=Pose(turn, (0.0, 0.0, 1000.0))), 1e-12)
    name(buffers.first, buffers.result.part_a, [0, 1], 1, 0)
    name(buffers.second, buffers.result.part_b, [0, 1], 1, 0)
    buffers.result.parallel = buffers.result.by_points = 0
    n = between_lines(
        buffers.first,
        buffers.second,
        buffers.origin(),
        (0.1, 0.1, 1.0),
        buffers.workspace,
    )
    assert n == UP
    assert row_of(buffers)["distance"] == 1000.0
    assert buffers.result.parallel == 0


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
    body._points[line[edges // 2], 2] += (
        2.0**-30
    )  # bent by a little, as a level line may be
    other = Body(UNIT)
    buffers = Buffers(body, other, 1e-6)
    name(buffers.first, buffers.result.part_a, line, 1, 0)
    name(buffers.second, buffers.result.part_b, ALONG_Y, 1, 0)
    n = between_lines(
        buffers.first, buffers.second, (0.75, 0.75, 3.0), UP, buffers.workspace
    )
    told = row_of(buffers)
    assert n == UP
    assert told["distance"] == 2.0
    assert told["lower"] == 2.0 - 2.0**-30
    # The segment of its ends is not the surface: bent inwards, that is farther.
    assert told["upper"] == 2.0 + 2.0**-30
    name(buffers.first, buffers.result.part_a, [TOP], 0, 0)
    buffers = Buffers(other, body, 1e-6)
    name(buffers.first, buffers.result.part_a, ALONG_Y, 1, 0)
    name(buffers.second, buffers.result.part_b, line, 1, 0)
    between_lines(
        buffers.first,
        buffers.second,
        (-0.75, -0.75, -3.0),
        (0.0, 0.0, -1.0),
        buffers.workspace,
    )
    assert row_of(buffers)["lower"] == 2.0 - 2.0**-30
    assert row_of(buffers)["upper"] == 2.0 + 2.0**-30

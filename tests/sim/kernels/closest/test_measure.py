from math import sqrt

import numpy as np
import pytest

from sim import Body, Pose, closest
from sim.kernels import layout
from sim.kernels.closest.measure import between_lines, face_normal
from sim.kernels.closest.vertex_face import apart, beside, vertex_and_face
from sim.kernels.vector import HERE
from sim.kernels.workspace import name_part
from sim.tracking.buffers import Buffers
from sim.tracking.views import make_view
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


def test_faces_and_crossing_edges_know_the_normal_themselves():
    for f in range(6):
        body = Body(UNIT, pose=SQUASH)
        side = make_view(body)
        side.faces[0] = f
        n = geometry.face_normals(UNIT, body.world_points())[f]
        assert face_normal(side, 1) == tuple(n.tolist())
    for guide in [UP, (0.0, 0.1, 1.0)]:
        n, told = lines(ALONG_X, ALONG_Y, (0.75, 0.75, 3.0), guide)
        assert n == UP
        assert (told["distance"], told["flags"]) == (2.0, (0, 0))
        assert told["lower"] == told["upper"] == 2.0
        assert told["point_a"] == (0.25, 0.5, 0.5)
        assert told["point_b"] == (0.25, 0.5, 2.5)


def lines(part_a, part_b, origin, guide=UP, a=None, b=None, tolerance=1e-12):
    buffers = Buffers(a or Body(UNIT), b or Body(UNIT), tolerance)
    name(buffers.first, buffers.result.part_a, part_a, len(part_a) > 1, 0)
    name(buffers.second, buffers.result.part_b, part_b, len(part_b) > 1, 0)
    buffers.result.parallel = buffers.result.by_points = 0
    n = between_lines(buffers.first, buffers.second, origin, guide, buffers.workspace)
    told = row_of(buffers)
    told["flags"] = buffers.result.parallel, buffers.result.by_points
    return n, told


TOP = at_vertex(0.5, 0.5, 0.5)
LOW = at_vertex(-0.5, -0.5, -0.5)
ALONG_X = [at_vertex(-0.5, 0.5, 0.5), at_vertex(0.5, 0.5, 0.5)]
ALONG_Y = [at_vertex(-0.5, -0.5, -0.5), at_vertex(-0.5, 0.5, -0.5)]


def test_two_vertices_and_parallel_edges_have_a_defined_normal():
    n, told = lines([TOP], [LOW], (3.0, 3.0, 2.0))
    assert n == pytest.approx((2 / 3, 2 / 3, 1 / 3))
    assert told["distance"] == pytest.approx(3.0)
    assert told["lower"] == told["upper"] == told["distance"]
    assert told["point_a"] == (0.5, 0.5, 0.5)
    assert told["point_b"] == pytest.approx((2.5, 2.5, 1.5))
    assert told["flags"] == (0, 1)
    assert told["size"] == 3.0
    other = [at_vertex(-0.5, -0.5, -0.5), at_vertex(0.5, -0.5, -0.5)]
    n, told = lines(ALONG_X, other, (0.25, 4.0, 5.0))
    assert n == (0.0, 0.6, 0.8)
    assert (told["distance"], told["flags"]) == (5.0, (1, 1))


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


@pytest.fixture
def workspace():
    return Buffers(Body(UNIT), Body(UNIT), 1e-12).workspace


@pytest.mark.parametrize(
    ("x", "miss"),
    [
        ((0.0, 0.0, 3.0), 0.0),
        ((0.5, 0.5, 3.0), 0.0),
        ((0.75, 0.0, 3.0), 0.25),
        ((0.0, -1.5, 3.0), 1.0),
        ((1.0, 2.0, 3.0), 1.5),
    ],
)
@pytest.mark.parametrize("flip", [1.0, -1.0])
def test_how_far_a_point_lies_beside_a_face(x, miss, flip, workspace):
    side = make_view(Body(UNIT))
    normals = geometry.face_normals(UNIT)
    side.faces[0] = int((flip * normals[:, 2]).argmax())
    told = beside(side, (0.0, 0.0, 2.0), UP, x, flip, workspace)
    high = 2.0 + 0.5 * flip
    reach = max(high, 2.0)  # of the body's own origin, too
    assert told == (miss, high, high, reach)
    hint = list(workspace.hint)
    own, other = (hint[:4], hint[4:])[:: int(flip)]
    assert other == [0, 0, 0, 0]
    if miss == 0.0:
        assert own[0] == 0
    else:
        # Beyond one side of the face: the one that it misses by the most.
        assert own[0] == 2
        ends = UNIT.points[own[1:3]]
        axis = int(np.argmax(np.abs(x[:2])))
        assert (ends[:, axis] == 0.5 * np.sign(x[axis])).all()
        assert (ends[:, 2] == 0.5 * flip).all()


def test_beside_a_side_without_length_nothing_is_missed(workspace):
    body = Body(UNIT)
    body._points[...] = (0.25, 0.5, 0.75)
    side = make_view(body)
    told = beside(side, HERE, UP, (3.0, 3.0, 3.0), 1.0, workspace)
    assert told == (0.0, 0.75, 0.75, 0.75)
    assert workspace.hint[layout.HINT_A] == 0


@pytest.mark.parametrize("flip", [1.0, -1.0])
@pytest.mark.parametrize("across", [0.0, 1.5])
def test_a_vertex_against_a_face(flip, across):
    """The face is A's (flip 1) or B's; the vertex hangs 2 off it, or beside it."""
    buffers = Buffers(Body(UNIT), Body(UNIT), 1e-12)
    vertex, face = buffers.second, buffers.first
    name(vertex, buffers.result.part_b, [at_vertex(-0.5, -0.5, -0.5 * flip)], 0, 0)
    top = int((flip * geometry.face_normals(UNIT)[:, 2]).argmax())
    name(face, buffers.result.part_a, UNIT.face_vertices(top).tolist(), 2, top, [top])
    origin = (flip * (0.5 + across), flip * 0.5, 3.0)
    vertex_and_face(vertex, face, origin, UP, flip, buffers.workspace)
    told = row_of(buffers)
    miss = max(0.0, across - 0.5)
    assert told["distance"] == told["lower"] == 2.0
    assert told["upper"] == sqrt(4.0 + miss * miss)
    assert told["size"] == 3.0  # its origin cancels against its own coordinates
    assert buffers.result.miss == miss
    at = layout.HINT_A if flip > 0.0 else layout.HINT_B
    assert buffers.workspace.hint[at] == (2 if miss else 0)
    low, high = (across, 0.0, 0.5), (across, 0.0, 2.5)
    if flip < 0.0:  # the vertex is A's, below
        low, high = (-0.5, -0.5, 0.5), (-0.5, -0.5, 2.5)
    assert (told["point_a"], told["point_b"]) == (low, high)


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


def test_a_corner_that_is_not_finite_is_told_by_the_sink(workspace):
    body = Body(UNIT)
    top = int(geometry.face_normals(UNIT)[:, 2].argmax())
    side = make_view(body)
    side.faces[0] = top
    for v in UNIT.face_vertices(top).tolist():
        for bad in (np.nan, np.inf, -np.inf):
            workspace.result.nan_sum = 0.0
            body._points[v, 1] = bad
            beside(side, HERE, UP, UP, 1.0, workspace)
            assert not np.isfinite(workspace.result.nan_sum)
        body._points[v] = UNIT.points[v]


@pytest.mark.parametrize(
    ("distance", "upper", "yes"),
    [
        (1.0, 1.0, True),
        (1.0, 1.0 + 9e-10, True),
        (1.0, 1.0 + 2e-9, False),
        (1.0, 2.0, False),
        (0.0, 0.0, False),
        (-1.0, -1.0, False),
        (3e-15, 3e-15, False),
        (5e-15, 5e-15, True),
        (np.nan, 1.0, False),
    ],
)
def test_parts_are_apart_only_if_neither_past_nor_beside_each_other(
    distance, upper, yes, workspace
):
    result = workspace.result
    result.size = 1.0
    result.distance = distance
    result.upper = upper
    assert apart(workspace) is yes
    result.miss = 1e-12
    assert not apart(workspace)

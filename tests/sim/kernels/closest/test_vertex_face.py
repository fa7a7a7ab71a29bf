"""A vertex over one face: how far beside it, how far off, and whether both hold."""

from math import sqrt

import numpy as np
import pytest

from sim import Body, Pose
from sim.kernels import layout
from sim.kernels.closest.answer import direction, measure
from sim.kernels.closest.naming import holds
from sim.kernels.closest.vertex_face import apart, beside, over_face, vertex_and_face
from sim.kernels.vector import HERE, back, pull
from sim.kernels.workspace import name_part
from sim.tracking.buffers import Buffers, make_view
from wingedge import geometry, shapes

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
    out = (0.0, 0.0, flip)
    told = beside(side, (0.0, 0.0, 2.0), UP, out, x, flip, workspace)
    high = 2.0 + 0.5 * flip
    reach = max(high, 2.0)  # of the body's own origin, too
    assert told == (miss, high, high, reach, 0.5, 0.5)
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
    told = beside(side, HERE, UP, UP, (3.0, 3.0, 3.0), 1.0, workspace)
    assert told == (0.0, 0.75, 0.75, 0.75, 0.75, 0.75)
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
    out = (0.0, 0.0, flip)
    levels = vertex_and_face(vertex, face, origin, UP, out, flip, buffers.workspace)
    assert levels == (0.5, 0.5)
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
    assert vertex_and_face(*sides, UP, UP, 1.0, buffers.workspace) == (0.75, 0.5)
    told = row_of(buffers)
    assert (told["distance"], told["lower"], told["upper"]) == (1.75, 1.75, 2.0)


def test_a_corner_that_is_not_finite_is_told_by_the_sink(workspace):
    body = Body(UNIT)
    top = int(geometry.face_normals(UNIT)[:, 2].argmax())
    side = make_view(body)
    side.faces[0] = top
    for v in UNIT.face_vertices(top).tolist():
        for bad in (np.nan, np.inf, -np.inf):
            workspace.result.sink = 0.0
            body._points[v, 1] = bad
            beside(side, HERE, UP, (0.0, 0.5, 1.0), UP, 1.0, workspace)
            assert not np.isfinite(workspace.result.sink)
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


def each_step(a, b, origin, guide, workspace):
    """Do what ``over_face`` does by the steps that parts of any kind go through."""
    facing, n = direction(a, b, origin, guide, workspace)
    if not facing or not measure(a, b, origin, n, workspace) or not apart(workspace):
        return False
    result = workspace.result
    drop = workspace.tolerance * result.size
    return holds(
        a, result.part_a.faces, pull(a.pose, n), drop, workspace, layout.HINT_A
    ) and holds(
        b, result.part_b.faces, pull(b.pose, back(n)), drop, workspace, layout.HINT_B
    )


MESHES = [UNIT, shapes.prism(5), shapes.random_hull(4, 20), shapes.grid_box(2)]


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("flip", [1.0, -1.0])
def test_one_pass_gives_the_bits_of_the_separate_steps(mesh, flip):
    rng = np.random.default_rng(5)
    answers = set()
    for _ in range(60):
        q = rng.normal(size=4)
        poses = Pose.rigid(q, (0.1, 0.2, 0.3)), Pose.rigid(q[::-1])
        bodies = [Body(mesh, pose=pose) for pose in poses]
        f = int(rng.integers(mesh.n_faces))
        face = bodies[0].world_points()[mesh.face_vertices(f)]
        n = geometry.face_normals(mesh, bodies[0].world_points())[f]
        height = bodies[1].world_points() @ n
        v = int((height.argmin(), rng.integers(mesh.n_vertices))[rng.integers(2)])
        foot = face.mean(axis=0) * rng.uniform(0.5, 1.5) + rng.uniform(-0.1, 1.0) * n
        move = foot - bodies[1].world_points()[v]
        bodies[1].pose = Pose(poses[1].linear, move)
        told = []
        for way in (over_face, each_step):
            pair = Buffers(*(bodies if flip > 0.0 else bodies[::-1]), 1e-12)
            pair.set_scanned(False, False)
            a, b, workspace = pair.first, pair.second, pair.workspace
            result = pair.result
            sides = [(a, result.part_a), (b, result.part_b)]
            (one, face), (other, vertex) = sides if flip > 0.0 else sides[::-1]
            name(one, face, mesh.face_vertices(f).tolist(), 2, f, [f])
            name(other, vertex, [v], 0, v)
            guide = tuple((flip * n).tolist())
            origin = pair.origin()
            if way is each_step:
                yes = way(a, b, origin, guide, workspace)
            elif flip > 0.0:
                yes = way(b, a, origin, guide, flip, workspace)
            else:
                yes = way(a, b, origin, guide, flip, workspace)
            result.sink = 0.0  # added up in another order
            told.append((yes, bytes(result), *workspace.hint))
        assert told[0] == told[1]
        answers.add(told[0][0])
    assert answers == ({True, False} if mesh is not MESHES[3] else {False})

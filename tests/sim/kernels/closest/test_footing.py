"""A vertex over one face: how far beside it, how far off, and whether both hold."""

from math import sqrt

import numpy as np
import pytest

from sim import Body, Pose
from sim.kernels import layout
from sim.kernels.closest.answer import direction, measured
from sim.kernels.closest.footing import apart, beside, over_face, vertex_and_face
from sim.kernels.closest.naming import holds, write_part
from sim.kernels.vector import HERE, back, pull
from sim.tracking.buffers import Buffers, make_side
from wingedge import geometry, shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
UP = (0.0, 0.0, 1.0)


def name(side, out, at, vertices, dimension, index, faces=()):
    """Put a named part in place as ``naming`` leaves it."""
    for k in range(side.size + 1):
        side.mark[k] = 0
    for k, v in enumerate(vertices):
        side.members[k] = v
        side.mark[v] = 1
    side.mark[side.size] = len(vertices)
    for k, f in enumerate(faces):
        side.faces[k] = f
    write_part(out, at, dimension, index, len(vertices), 0, len(faces))


def row_of(buffers):
    r = buffers.row.tolist()
    return {
        "distance": r[layout.DISTANCE],
        "lower": r[layout.LOWER],
        "upper": r[layout.UPPER],
        "size": r[layout.SIZE],
        "point_a": tuple(r[layout.POINT_A : layout.POINT_A + 3]),
        "point_b": tuple(r[layout.POINT_B : layout.POINT_B + 3]),
    }


def at_vertex(x, y, z):
    return int(np.nonzero((UNIT.points == (x, y, z)).all(axis=1))[0][0])


@pytest.fixture
def slate():
    return Buffers(Body(UNIT), Body(UNIT), 1e-12).slate


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
def test_how_far_a_point_lies_beside_a_face(x, miss, flip, slate):
    side = make_side(Body(UNIT))
    normals = geometry.face_normals(UNIT)
    side.faces[0] = int((flip * normals[:, 2]).argmax())
    out = (0.0, 0.0, flip)
    told = beside(side, (0.0, 0.0, 2.0), UP, out, x, flip, slate, layout.HINT_B)
    high = 2.0 + 0.5 * flip
    reach = max(high, 2.0)  # of the body's own origin, too
    assert told == (miss, high, high, reach, 0.5, 0.5)
    hint = slate.hint
    assert list(hint[:4]) == [0, 0, 0, 0], "the other side's"
    if miss == 0.0:
        assert hint[layout.HINT_B] == 0
    else:
        # Beyond one side of the face: the one that it misses by the most.
        assert hint[layout.HINT_B] == 2
        ends = UNIT.points[list(hint[layout.HINT_B + 1 : layout.HINT_B + 3])]
        axis = int(np.argmax(np.abs(x[:2])))
        assert (ends[:, axis] == 0.5 * np.sign(x[axis])).all()
        assert (ends[:, 2] == 0.5 * flip).all()


def test_the_heights_of_a_face_are_those_of_its_highest_and_lowest_corner(slate):
    body = Body(UNIT)
    top = int(geometry.face_normals(UNIT)[:, 2].argmax())
    for k, v in enumerate(UNIT.face_vertices(top).tolist()):
        body._points[v, 2] = 0.5 + 0.125 * k
    side = make_side(body)
    side.faces[0] = top
    for way, levels in ((2.0, (1.75, 1.0)), (-2.0, (-1.0, -1.75))):
        d = (0.0, 0.0, way)  # heights in the body frame are along this
        told = beside(side, HERE, UP, d, (0.0, 0.0, 9.0), 1.0, slate, layout.HINT_A)
        assert told == (0.0, 0.875, 0.5, 0.875, *levels)


def test_beside_a_side_without_length_nothing_is_missed(slate):
    body = Body(UNIT)
    body._points[...] = (0.25, 0.5, 0.75)
    side = make_side(body)
    told = beside(side, HERE, UP, UP, (3.0, 3.0, 3.0), 1.0, slate, layout.HINT_A)
    assert told == (0.0, 0.75, 0.75, 0.75, 0.75, 0.75)
    assert slate.hint[layout.HINT_A] == 0


@pytest.mark.parametrize("flip", [1.0, -1.0])
@pytest.mark.parametrize("across", [0.0, 1.5])
def test_a_vertex_against_a_face(flip, across):
    """The face is A's (flip 1) or B's; the vertex hangs 2 off it, or beside it."""
    buffers = Buffers(Body(UNIT), Body(UNIT), 1e-12)
    vertex, face = buffers.second, buffers.first
    name(vertex, buffers.out, 5, [at_vertex(-0.5, -0.5, -0.5 * flip)], 0, 0)
    top = int((flip * geometry.face_normals(UNIT)[:, 2]).argmax())
    name(face, buffers.out, 0, UNIT.face_vertices(top).tolist(), 2, top, [top])
    origin = (0.5 + across, 0.5, 3.0 * flip)
    out = (0.0, 0.0, flip)
    levels = vertex_and_face(vertex, origin, face, HERE, UP, out, flip, buffers.slate)
    assert levels == (0.5, 0.5)
    told = row_of(buffers)
    miss = max(0.0, across - 0.5)
    assert told["distance"] == told["lower"] == 2.0
    assert told["upper"] == sqrt(4.0 + miss * miss)
    assert told["size"] == 3.0  # its origin cancels against its own coordinates
    assert buffers.row[layout.MISS] == miss
    at = layout.HINT_A if flip > 0.0 else layout.HINT_B
    assert buffers.slate.hint[at] == (2 if miss else 0)
    low, high = (across, 0.0, 0.5), (across, 0.0, 2.5)
    if flip < 0.0:  # the vertex is A's, below
        low, high = (across, 0.0, -2.5), (across, 0.0, -0.5)
    assert (told["point_a"], told["point_b"]) == (low, high)


def test_the_roughness_of_a_face_widens_the_bounds_only():
    body = Body(UNIT)
    top = int(geometry.face_normals(UNIT)[:, 2].argmax())
    body._points[UNIT.face_vertices(top)[1], 2] = 0.75
    buffers = Buffers(body, Body(UNIT), 1e-12)
    name(buffers.first, buffers.out, 0, [0], 2, top, [top])
    name(buffers.second, buffers.out, 5, [0], 0, 0)
    sides = buffers.second, (0.5, 0.5, 3.0), buffers.first, HERE
    assert vertex_and_face(*sides, UP, UP, 1.0, buffers.slate) == (0.75, 0.5)
    told = row_of(buffers)
    assert (told["distance"], told["lower"], told["upper"]) == (1.75, 1.75, 2.0)


def test_a_corner_that_is_not_finite_is_told_by_the_sink(slate):
    body = Body(UNIT)
    top = int(geometry.face_normals(UNIT)[:, 2].argmax())
    side = make_side(body)
    side.faces[0] = top
    for v in UNIT.face_vertices(top).tolist():
        for bad in (np.nan, np.inf, -np.inf):
            slate.sink[0] = 0.0
            body._points[v, 1] = bad
            beside(side, HERE, UP, (0.0, 0.5, 1.0), UP, 1.0, slate, layout.HINT_A)
            assert not np.isfinite(slate.sink[0])
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
    distance, upper, yes, slate
):
    row = slate.row
    row[layout.SIZE] = 1.0
    row[layout.DISTANCE] = distance
    row[layout.UPPER] = upper
    assert apart(slate) is yes
    row[layout.MISS] = 1e-12
    assert not apart(slate)


def each_step(a, b, origin, guide, slate):
    """Do what ``over_face`` does by the steps that parts of any kind go through."""
    facing, n = direction(a, b, origin, guide, slate)
    if not facing or not measured(a, b, origin, n, slate) or not apart(slate):
        return False
    drop = slate.tolerance * slate.row[layout.SIZE]
    out = slate.out
    return holds(
        a, out[layout.FACES_A], pull(a.pose, n), drop, slate, layout.HINT_A
    ) and holds(
        b, out[layout.FACES_B], pull(b.pose, back(n)), drop, slate, layout.HINT_B
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
            pair.set_whole(False, False)
            a, b, slate = pair.first, pair.second, pair.slate
            sides = [(a, layout.SIDE_A), (b, layout.SIDE_B)]
            (one, at), (other, at_other) = sides if flip > 0.0 else sides[::-1]
            name(one, pair.out, at, mesh.face_vertices(f).tolist(), 2, f, [f])
            name(other, pair.out, at_other, [v], 0, v)
            guide = tuple((flip * n).tolist())
            origin = pair.origin()
            if way is each_step:
                yes = way(a, b, origin, guide, slate)
            elif flip > 0.0:
                yes = way(b, origin, a, HERE, guide, flip, slate)
            else:
                yes = way(a, HERE, b, origin, guide, flip, slate)
            told.append((yes, *pair.row.tolist(), *slate.hint, *pair.out, *pair.work))
        assert told[0] == told[1]
        answers.add(told[0][0])
    assert answers == ({True, False} if mesh is not MESHES[3] else {False})

import numpy as np
import pytest

from wingedge import WingedEdgeMesh, shapes
from wingedge.primitives.segment_body import ray, segment

BOX = shapes.box(2.0)  # faces -z +z -y +y -x +x
SAME = "hit t point normal face entering last_t last_point last_normal last_face"


def agree(one, two):
    return all(
        np.array_equal(getattr(one, name), getattr(two, name), equal_nan=True)
        if getattr(one, name).dtype.kind == "f"
        else np.array_equal(getattr(one, name), getattr(two, name))
        for name in SAME.split()
    )


def cloud(mesh, n, seed=0):
    """Lines about a body, half of them from inside of its box."""
    rng = np.random.default_rng(seed)
    middle = mesh.points.mean(axis=0)
    size = np.abs(mesh.points - middle).max(axis=0)
    start = middle + size * rng.normal(size=(n, 3)) * rng.choice([0.3, 2.0], (n, 1))
    return start, middle + size * rng.normal(size=(n, 3))


def test_a_ray_enters_by_one_face_and_leaves_by_another():
    found = ray(BOX, (-3, 0.2, 0.1), (2, 0, 0))
    assert (found.hit, found.face, found.last_face) == (True, 4, 5)
    assert found.entering
    assert (found.t, found.last_t) == (1, 2)
    assert found.point.tolist() == [-1, 0.2, 0.1]
    assert found.last_point.tolist() == [1, 0.2, 0.1]
    assert found.normal.tolist() == [-1, 0, 0]
    assert found.last_normal.tolist() == [1, 0, 0]


def test_from_inside_the_first_face_is_the_one_it_leaves_by():
    found = ray(BOX, (0.1, 0.2, 0.3), (0, 0, -1))
    assert (found.face, found.last_face, found.t, found.entering) == (0, 0, 1.3, False)
    found = segment(BOX, (-3, 0.2, 0.1), (0, 0.2, 0.1))
    assert (found.face, found.last_face, found.entering) == (4, 4, True)
    assert found.t == found.last_t == pytest.approx(2 / 3)


def test_a_miss_says_so_in_every_field_also_one_bit_beside():
    for found in (
        segment(BOX, (0.1, 0, 0), (0.2, 0, 0)),
        ray(BOX, (3, 0, 0), (1, 0, 0)),
        ray(BOX, (3, 1.5, 0), (-1, 0, 0)),
    ):
        assert not found.hit
        assert (found.face, found.last_face, found.t) == (-1, -1, np.inf)
        assert np.isnan([found.point, found.normal, found.last_normal]).all()
    for up in [0.0, 2.0**-52]:
        for convex in (None, False):
            start, end = (-3, 1 + up, 0.3), (3, 1 + up, 0.3)
            assert segment(BOX, start, end, convex=convex).hit == (up == 0)
            assert ray(BOX, start, (1, 0, 0), convex=convex).hit == (up == 0)


GRAZES = {
    "along a face": ((-3, 1, 0.3), (3, 1, 0.3), (1 / 3, 2 / 3), (4, 5)),
    "along an edge": ((-3, 1, 1), (3, 1, 1), (1 / 3, 2 / 3), (4, 5)),
    "over an edge": ((0.3, 0, 2), (0.3, 2, 0), (0.5, 0.5), (1, 3)),
    "over a corner": ((0, 1, 2), (2, 1, 0), (0.5, 0.5), (1, 5)),
    "to a corner": ((3, 3, 3), (1, 1, 1), (1, 1), (1, 1)),
    "to an edge": ((3, 3, 0), (1, 1, 0), (1, 1), (3, 3)),
    "from a corner, outward": ((1, 1, 1), (3, 3, 3), (0, 0), (1, 1)),
    "from a corner, inward": ((1, 1, 1), (0, 0, 0), (0, 0), (1, 1)),
    "from a face, inward": ((1, 0.2, 0.1), (0, 0.2, 0.1), (0, 0), (5, 5)),
    "within a face": ((1, 0.2, 0.1), (1, 0.5, 0.5), (0, 1), (5, 5)),
    "within a face, out of it": ((1, 0.2, 0), (1, 2.2, 0), (0, 0.4), (5, 3)),
    "through two edges": ((-2, -2, 0), (2, 2, 0), (0.25, 0.75), (2, 3)),
    "through two corners": ((-2, -2, -2), (2, 2, 2), (0.25, 0.75), (0, 1)),
    "through the middles": ((0, 0, 3), (0, 0, -3), (1 / 3, 2 / 3), (1, 0)),
    "a point on a face": ((1, 0, 0), (1, 0, 0), (0, 0), (5, 5)),
}


@pytest.mark.parametrize("convex", [None, True, False])
@pytest.mark.parametrize("name", GRAZES)
def test_touching_is_a_hit(name, convex):
    start, end, t, faces = GRAZES[name]
    found = segment(BOX, start, end, convex=convex)
    assert found.hit
    assert (found.t, found.last_t) == pytest.approx(t, abs=1e-15)
    assert (found.face, found.last_face) == faces


@pytest.mark.parametrize("name", [n for n, _ in shapes.zoo()])
def test_walking_and_looking_at_all_faces_agree_to_the_bit(name):
    mesh = dict(shapes.zoo())[name]
    start, end = cloud(mesh, 60)
    for form in (ray, segment):
        walked = form(mesh, start, end, convex=True)
        assert agree(walked, form(mesh, start, end, convex=False))
        assert walked.hit.any()


def test_a_hint_saves_looking_and_changes_nothing_else():
    mesh = shapes.icosphere(3)
    start, end = cloud(mesh, 80)
    cold = ray(mesh, start, end - start)
    warm = ray(mesh, start, end - start, hint=cold.hint)
    assert agree(cold, warm)
    assert warm.visited.max() <= 4
    assert cold.visited.mean() > 2 * warm.visited.mean()
    rng = np.random.default_rng(1)
    for _ in range(3):
        wild = rng.integers(0, mesh.n_faces, (80, 2))
        assert agree(cold, ray(mesh, start, end - start, hint=wild))


def test_a_walk_looks_at_few_faces_of_many():
    mesh = shapes.icosphere(4)
    start, end = cloud(mesh, 100)
    visited = ray(mesh, start, end - start, convex=True).visited
    assert visited.max() < mesh.n_faces / 10


def test_a_hint_of_last_frame_serves_a_body_that_deforms():
    mesh = shapes.icosphere(3)
    start, end = cloud(mesh, 20, seed=4)
    hint = None
    for k in range(6):
        points = mesh.points * (1.0 + 0.05 * k, 1.0, 1.0 - 0.05 * k)
        warm = ray(mesh, start, end - start, points=points, hint=hint)
        assert agree(warm, ray(mesh, start, end - start, points=points, convex=False))
        hint = warm.hint
    assert warm.visited.mean() < 8


def test_a_dent_and_a_hollow_are_seen_without_being_told():
    mesh = shapes.u_block()
    start, end = cloud(mesh, 200)
    found = segment(mesh, start, end)
    assert (found.visited == len(mesh.fan.face)).all()
    inner = found.hit & (found.t < found.last_t)
    before = start + 0.999 * found.t[:, None] * (end - start)
    assert not segment(mesh, start[inner], before[inner]).hit.any()
    assert inner.sum() > 20
    mesh = shapes.icosphere(2)
    points = mesh.points.copy()
    points[0] *= 0.2
    aim = -mesh.points[0]
    found = ray(mesh, 3 * mesh.points[0] + 0.01, aim, points=points)
    true = ray(mesh, 3 * mesh.points[0] + 0.01, aim, points=points, convex=False)
    assert agree(found, true)


def test_an_inside_out_body_is_the_same_surface():
    start, end = cloud(BOX, 50)
    turned = BOX.points * (-1, 1, 1)
    found = segment(BOX, start, end, points=turned)
    wanted = segment(BOX, start * (-1, 1, 1), end * (-1, 1, 1), convex=False)
    assert found.hit.tolist() == wanted.hit.tolist()
    assert np.array_equal(found.t, wanted.t)
    assert (found.entering[found.hit] != wanted.entering[found.hit]).all()
    sworn = segment(BOX, start, end, points=turned, convex=True)
    assert np.array_equal(sworn.t, found.t)


def test_bodies_without_volume_or_area_hide_no_face():
    flat = BOX.points * (1, 0, 0)
    found = segment(BOX, (0.5, -1, 0), (0.5, 1, 0), points=flat)
    assert (found.hit, found.t) == (True, 0.5)
    assert found.normal.tolist() == [0, 0, 0]
    assert not segment(BOX, (0.5, -1, 0.1), (0.5, 1, 0.1), points=flat).hit
    # corners 0, 1 and 4 lie on one line: the triangle 0 1 4 is flat
    points = [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 0, 0)]
    faces = [(0, 2, 4), (4, 2, 1), (0, 4, 3), (4, 1, 3), (0, 3, 2), (1, 2, 3)]
    mesh = WingedEdgeMesh.from_faces(points, faces)
    points = np.array(points, dtype=float)
    points[4] = (1.0, 0.0, 2.0**-60)
    start = np.array([(0.3, 0.3, -1), (1.2, 0.3, -1), (0.9, 0.9, -1), (1.2, 1.2, -1)])
    found = ray(mesh, start, (0, 0, 1), points=points, convex=True)
    assert agree(found, ray(mesh, start, (0, 0, 1), points=points, convex=False))
    assert found.hit.tolist() == [True, True, True, False]


def test_a_polygon_off_its_plane_is_its_fan():
    points = BOX.points.copy()
    points[BOX.face_vertices(1)[2], 2] += 0.25
    start = np.array([(0.5, 0.5, 3), (-0.5, -0.5, 3), (0.5, -0.5, 3), (-0.5, 0.5, 3)])
    found = ray(BOX, start, (0, 0, -1), points=points)
    assert agree(found, ray(BOX, start, (0, 0, -1), points=points, convex=False))
    assert (found.face == 1).all()
    assert np.ptp(found.t) > 0.05


def test_lines_broadcast_and_one_without_direction_is_its_start():
    found = ray(BOX, np.zeros((2, 5, 3)), (1, 0, 0))
    assert found.hit.shape == found.t.shape == found.visited.shape == (2, 5)
    assert found.normal.shape == (2, 5, 3)
    assert found.hint.shape == (2, 5, 2)
    assert ray(BOX, (0, 0, 0), (1, 0, 0)).face.shape == ()
    assert ray(BOX, np.zeros((0, 3)), (1, 0, 0)).hit.shape == (0,)
    start = [(1, 0, 0), (0, 0, 0), (2, 0, 0)]
    found = ray(BOX, start, (0, 0, 0))
    assert found.hit.tolist() == [True, False, False]
    assert found.t[0] == 0


def test_bad_arguments_are_refused_by_name():
    with pytest.raises(ValueError, match=r"direction\[1\] is nan"):
        ray(BOX, (0, 0, 0), (0, np.nan, 0))
    with pytest.raises(ValueError, match=r"end: expected an array of shape"):
        segment(BOX, (0, 0, 0), (0, 0))
    with pytest.raises(ValueError, match=r"points have shape \(2, 3\)"):
        segment(BOX, (0, 0, 0), (0, 0, 1), points=np.zeros((2, 3)))
    with pytest.raises(IndexError, match="hint 6 is no face; there are 6"):
        ray(BOX, (0, 0, 0), (0, 0, 1), hint=(0, 6))
    with pytest.raises(IndexError, match="hint -1 is no face"):
        ray(BOX, (0, 0, 0), (0, 0, 1), hint=(-1, 0))
    with pytest.raises(ValueError, match="two face numbers"):
        ray(BOX, (0, 0, 0), (0, 0, 1), hint=3)
    with pytest.raises(ValueError, match=r"does not fit lines of shape \(2,\)"):
        ray(BOX, np.zeros((2, 3)), (0, 0, 1), hint=np.zeros((3, 2), int))

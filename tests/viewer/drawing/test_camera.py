from types import SimpleNamespace  # of viewer.drawing.camera, viewer.drawing.glyphs

import numpy as np
import pytest

from sim import Body, Pose, World
from viewer.drawing.camera import (
    Border,
    View,
    best_direction,
    far_to_near,
    fit,
    pixel,
    project,
    surfaces_before,
)
from viewer.drawing.glyphs import drawn_pairs
from wingedge import shapes

SIZE, BORDER = (1280, 720), Border(60, 40, 70, 120)
NO_FACES, UP = np.empty((0, 3)), np.array([0.0, 0.0, 1.0])


def unit(*xyz):
    return np.array(xyz) / np.linalg.norm(xyz)


@pytest.mark.parametrize("direction", [unit(1, -2, 1), unit(0, 0, 1), unit(-1, 0, 0)])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_all_points_fit_inside_the_border_and_touch_it(direction, scale):
    points = scale * np.random.default_rng(3).normal(size=(200, 3)) + 7 * scale
    x, y = project(points, fit(points, direction, SIZE, BORDER), SIZE).T
    slack = 1e-6 * SIZE[0]
    assert BORDER.left - slack <= x.min() <= x.max() <= SIZE[0] - BORDER.right + slack
    assert BORDER.bottom - slack <= y.min() <= y.max() <= SIZE[1] - BORDER.top + slack
    assert min(abs(y.min() - BORDER.bottom), abs(x.min() - BORDER.left)) < 1


def test_up_is_up_right_is_right_and_bodies_keep_some_room():
    view = View(np.array([0.0, -5.0, 0.0]), np.zeros(3), UP)
    x, y = project(np.array([[1.0, 0.0, 0.5]]), view, SIZE)[0]
    assert x > 640
    assert y > 360
    length = pixel(np.zeros(3), view, SIZE[1])
    ends = project(np.array([[0.0, 0, 0], [100 * length, 0, 0]]), view, SIZE)
    assert ends[1, 0] - ends[0, 0] == pytest.approx(100)
    points, size = np.array(shapes.box(1.0).points), (640, 400)
    view = fit(points, np.array([0.6, 0.0, 0.8]), size, Border(400, 400, 300, 300))
    seen = project(points, view, size)
    assert ((seen >= 0) & (seen <= size)).all()
    assert np.ptp(seen, axis=0).max() > 100


def test_the_witness_is_seen_from_the_side_and_lit_faces_from_the_front():
    for normal in [unit(0, 0, -1), unit(1, 0, 0), unit(1, 2, -1)]:
        assert abs(best_direction(normal, NO_FACES) @ normal) < 0.4
    assert best_direction(-UP, UP[None]) @ UP > 0.12


@pytest.mark.parametrize("azimuth", [-60, 0, 100, 190])
def test_a_contact_is_seen_past_a_wall(azimuth):
    """Once a wall stood where the eye goes by habit, and nothing else was seen."""
    turn = np.radians(azimuth)
    toward = np.array([np.cos(turn), np.sin(turn), 0.0])
    x, z, wall = 4.0 * np.cross(UP, toward), 6.0 * UP, 1.5 * toward
    square = np.array([wall - x - z, wall + x - z, wall + x + z, wall - x + z])
    triangles, spots = square[[[0, 1, 2], [0, 2, 3]]], np.zeros((1, 3))
    eye = best_direction(UP, NO_FACES, spots, triangles)
    assert surfaces_before(spots[0], eye[None], triangles).tolist() == [0]
    if azimuth == -60:
        habit = best_direction(UP, NO_FACES)
        assert surfaces_before(spots[0], habit[None], triangles).tolist() == [1]


@pytest.mark.parametrize(
    ("spot", "way", "count"),
    [
        ((0.0, 0.0, 0.0), (1.0, 0.2, 0.1), 1),  # inside
        ((-3.0, 0.1, 0.2), (1.0, 0.0, 0.0), 2),  # behind
        ((3.0, 0.1, 0.2), (1.0, 0.0, 0.0), 0),  # before
        ((1.0, 0.1, 0.2), (1.0, 0.0, 0.0), 0),  # on its near side
        ((1.0, 0.1, 0.2), (-1.0, 0.0, 0.0), 1),  # on its far side
    ],
)
def test_surfaces_between_a_place_and_an_eye_are_counted(spot, way, count):
    mesh = shapes.box(2.0)
    triangles = np.array(mesh.points)[mesh.fan.vertex]
    found = surfaces_before(np.array(spot), np.array([way]), triangles)
    assert found.tolist() == [count]


def middles_of(frame):
    return {body.name: body.world_points().mean(axis=0) for body in frame.bodies}


def ordered(frame, eye):
    pairs = drawn_pairs(frame)
    return far_to_near(middles_of(frame), pairs, np.asarray(eye, dtype=np.float64))


def test_what_hides_another_comes_after_it_and_others_by_distance(heap):
    box = Body(shapes.box(1.0), name="box", pose=Pose.rigid(None, (0, 40.0, 0.6)))
    below = Pose.rigid(None, (0.0, 0.0, -0.5))
    floor = Body(shapes.box((4.0, 100.0, 1.0)), name="floor", pose=below)
    frame = World([box, floor]).step()  # a small box at the far end of a long floor
    assert ordered(frame, (0.0, -60.0, 5.0)) == ["floor", "box"]
    assert ordered(frame, (0.0, -60.0, -5.0)) == ["box", "floor"]
    names = [f"box{k}" for k in range(6)]
    assert ordered(heap, (-9.0, 0.1, 0.2)) == names[::-1]
    assert ordered(heap, (19.0, 0.1, 0.2)) == names
    middles = {"near": np.zeros(3), "far": np.full(3, 9.0)}
    assert far_to_near(middles, [], np.array([-1.0, 0.0, 0.0])) == ["far", "near"]
    assert far_to_near({}, [], np.zeros(3)) == []


def test_bodies_that_hide_each_other_in_a_ring_are_all_drawn(heap):
    ring, along = [("box0", "box1"), ("box1", "box2"), ("box2", "box0")], np.eye(3)[0]
    turned = [
        SimpleNamespace(
            **{k: getattr(state, k) for k in ("numbers", "distance", "lower", "upper")},
            **{"a": heap.body(a), "b": heap.body(b), "normal": along},
        )
        for state, (a, b) in zip(drawn_pairs(heap), ring, strict=False)
    ]
    order = far_to_near(middles_of(heap), turned, np.array([99.0, 0.0, 0.0]))
    assert sorted(order) == sorted(middles_of(heap))

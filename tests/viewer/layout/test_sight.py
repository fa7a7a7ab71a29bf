"""What hides a place from an eye, and from where it is looked for."""

import numpy as np
import pytest

from sim import Body, Pose
from viewer.drawing.camera import best_direction, boxes_between, surfaces_before
from wingedge import shapes

UP = np.array([0.0, 0.0, 1.0])


def corners(extents, at=(0.0, 0.0, 0.0)):
    mesh = shapes.box(extents)
    body = Body(mesh, pose=Pose.rigid(None, at))
    points = body.pose.apply(body.positions)
    return points, points[mesh.fan.vertex]


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
    _, triangles = corners(2.0)
    found = surfaces_before(np.array(spot), np.array([way]), triangles)
    assert found.tolist() == [count]


@pytest.mark.parametrize("azimuth", [-60, 0, 100, 190])
def test_a_contact_is_seen_past_a_wall(azimuth):
    """Once a wall stood where the eye goes by habit, and nothing else was seen."""
    turn = np.radians(azimuth)
    toward = np.array([np.cos(turn), np.sin(turn), 0.0])
    across = np.array([-toward[1], toward[0], 0.0])
    x, z = 4.0 * across, 6.0 * UP
    wall = 1.5 * toward
    square = np.array([wall - x - z, wall + x - z, wall + x + z, wall - x + z])
    triangles = square[[[0, 1, 2], [0, 2, 3]]]
    spots = np.array([[0.0, 0.0, 0.0]])
    eye = best_direction(UP, np.empty((0, 3)), spots, triangles)
    assert surfaces_before(spots[0], eye[None], triangles).tolist() == [0]
    if azimuth == -60:
        habit = best_direction(UP, np.empty((0, 3)))
        assert surfaces_before(spots[0], habit[None], triangles).tolist() == [1]


def test_boxes_that_a_line_meets_lie_between_its_ends():
    draw = np.random.default_rng(3)
    low, high = np.array([[-0.5, -1.0, -0.25]]), np.array([[0.5, 1.0, 0.25]])
    spots, eyes = draw.uniform(-3.0, 3.0, (2, 400, 3))
    along = np.linspace(0.0, 1.0, 2000)[:, None, None]
    inside = (np.abs(spots + along * (eyes - spots)) < high).all(axis=2).any(axis=0)
    between = boxes_between(spots, eyes, low, high)[:, 0]
    assert between[inside].all()
    assert 10 < inside.sum() <= between.sum() < inside.sum() + 5
    level = np.array([[-3.0, 0.0, 0.0]])  # along an axis
    assert boxes_between(level, np.array([9.0, 0.0, 0.0]), low, high).all()
    assert not boxes_between(level, np.array([-3.0, 9.0, 0.0]), low, high).any()

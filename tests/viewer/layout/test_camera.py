import numpy as np
import pytest

from viewer.drawing.camera import Border, View, best_direction, fit, pixel, project

SIZE = (1280, 720)
BORDER = Border(60, 40, 70, 120)


def unit(*xyz):
    return np.array(xyz) / np.linalg.norm(xyz)


@pytest.mark.parametrize("direction", [unit(1, -2, 1), unit(0, 0, 1), unit(-1, 0, 0)])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_all_points_fit_inside_the_border_and_touch_it(direction, scale):
    points = scale * np.random.default_rng(3).normal(size=(200, 3)) + 7 * scale
    view = fit(points, direction, SIZE, BORDER)
    x, y = project(points, view, SIZE).T
    slack = 1e-6 * SIZE[0]
    assert x.min() >= BORDER.left - slack
    assert x.max() <= SIZE[0] - BORDER.right + slack
    assert y.min() >= BORDER.bottom - slack
    assert y.max() <= SIZE[1] - BORDER.top + slack
    touched = min(abs(y.min() - BORDER.bottom), abs(x.min() - BORDER.left))
    assert touched < 1


def test_up_is_up_right_is_right_and_the_witness_seen_from_the_side():
    view = View(np.array([0.0, -5.0, 0.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    x, y = project(np.array([[1.0, 0.0, 0.5]]), view, SIZE)[0]
    assert x > 640
    assert y > 360
    length = pixel(np.zeros(3), view, SIZE[1])
    ends = project(np.array([[0.0, 0, 0], [100 * length, 0, 0]]), view, SIZE)
    assert ends[1, 0] - ends[0, 0] == pytest.approx(100)
    for normal in [unit(0, 0, -1), unit(1, 0, 0), unit(1, 2, -1)]:
        direction = best_direction(normal, np.empty((0, 3)))
        assert abs(direction @ normal) < 0.4


def test_lit_faces_are_seen_from_the_front_and_bodies_keep_some_room():
    up = unit(0, 0, 1)
    direction = best_direction(-up, np.array([up]))
    assert direction @ up > 0.12
    points = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    size = (640, 400)
    view = fit(points, np.array([0.6, 0.0, 0.8]), size, Border(400, 400, 300, 300))
    seen = project(points, view, size)
    assert ((seen >= 0) & (seen <= size)).all()
    assert np.ptp(seen, axis=0).max() > 100

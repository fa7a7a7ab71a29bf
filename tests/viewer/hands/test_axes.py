import numpy as np

from viewer.layout.camera import View
from viewer.window.controls import seen_axes


def test_three_axes_point_as_they_are_seen_x_from_the_front_right():
    for seed in range(20):
        draw = np.random.default_rng(seed)
        view = View(draw.normal(size=3), draw.normal(size=3), np.array([0.0, 0.0, 1.0]))
        found = np.array(seen_axes(view))
        assert (np.abs(found).sum(axis=0) == 1.0).all()
        assert (np.abs(found).sum(axis=1) == 1.0).all()
        for axis, seen in zip(found, view.axes(), strict=True):
            assert axis @ seen >= 0.0
    view = View(np.array([0.5, -9.0, 2.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    right, up, near = seen_axes(view)
    assert right.tolist() == [1.0, 0.0, 0.0]
    assert up.tolist() == [0.0, 0.0, 1.0]
    assert near.tolist() == [0.0, -1.0, 0.0]

import numpy as np

from sim import deform
from wingedge import shapes

AFFINE = deform.affine(lambda t: [[1, t, 0, 5], [0, 1, 0, t], [t / 4, 0, 1, 0]])


def test_squash_shear_and_scale_do_what_they_say():
    box = shapes.box((1.0, 1.0, 2.0))
    points = deform.squash(0.75, about=(0.0, 0.0, -1.0))(box.points, 0.0)
    assert points[:, 2].min() == -1.0
    assert points[:, 2].max() == -0.5
    assert points[:, 0].max() == 1.0
    points = deform.shear(0.5, about=(0.0, 0.0, -0.5))(shapes.box().points, 0.0)
    assert sorted(set(points[:, 0].tolist())) == [-0.5, 0.0, 0.5, 1.0]
    assert np.array_equal(points[:, 1:], shapes.box().points[:, 1:])
    rest = shapes.box().points
    assert np.array_equal(deform.scale(2.0)(rest, 0.0), 2.0 * rest)
    assert np.array_equal(
        deform.scale(2.0, 3.0, 4.0)(rest, 0.0), rest * np.array([2.0, 3.0, 4.0])
    )
    points = AFFINE(np.array([[1.0, 2.0, 3.0]]), 2.0)
    assert points.tolist() == [[1 + 4 + 5, 2 + 2, 0.5 + 3]]

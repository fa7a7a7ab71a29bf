import numpy as np
import pytest

from sim import deform, motion
from wingedge import convexity, shapes

ZOO = dict(shapes.zoo())
SQUASH = deform.squash(motion.ramp((0.0, 1.0), (0.0, 0.6)))
SHEAR = deform.shear(motion.ramp((0.0, 1.0), (0.0, 1.5)), axis=1, along=0)
SCALE = deform.scale(1.2, 0.4, motion.ramp((0.0, 1.0), (1.0, 3.0)))
AFFINE = deform.affine(lambda t: [[1, t, 0, 5], [0, 1, 0, t], [t / 4, 0, 1, 0]])
DEFORMERS = {
    "squash": SQUASH,
    "shear": SHEAR,
    "scale": SCALE,
    "affine": AFFINE,
    "stack": deform.stack(SQUASH, SHEAR, SCALE),
}


@pytest.mark.parametrize("deformer", DEFORMERS.values(), ids=DEFORMERS)
@pytest.mark.parametrize("mesh", ZOO.values(), ids=ZOO)
def test_a_convex_body_stays_convex(mesh, deformer):
    for t in (0.0, 0.3, 1.0):
        assert convexity(mesh, deformer(mesh.points, t)).is_convex()


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

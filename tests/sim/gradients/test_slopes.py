import numpy as np
import pytest
from stories import derived

from sim import Body, Pose, closest, derivatives
from wingedge import shapes

CUBE = shapes.box((2.0, 2.0, 2.0))
SPIN = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])  # about the body's own x axis


@pytest.mark.parametrize("twist", [True, False], ids=["twist", "vertices"])
@pytest.mark.parametrize("seed", range(3))
def test_one_sided_slopes_are_those_of_small_steps_wherever_bodies_meet(seed, twist):
    """Faces, edges and vertices on a lattice: a third apart, touching, overlapping."""
    rng = np.random.default_rng(seed)
    flat = 0
    for _ in range(20):
        state = closest(*derived.on_lattice(rng))
        flat += not derivatives(state).smooth
        given = derived.velocities(rng, state, twist)
        assert derived.one_sided_miss(state, given) < 1e-6, state
    assert flat > 10


@pytest.mark.parametrize("gap", [0.5, 0.0, -0.5])
def test_a_face_that_tips_on_a_face_comes_nearer_either_way(gap):
    a, b = Body(CUBE), Body(CUBE, pose=Pose(translation=(0.0, 0.0, 2.0 + gap)))
    found = derivatives(closest(a, b))
    assert found.along(None, SPIN) == pytest.approx((1.0, -1.0))
    assert found.along(SPIN, None) == pytest.approx((1.0, -1.0))
    assert found.along(None, np.eye(6)[2]) == pytest.approx((1.0, 1.0))
    assert not found.smooth
    assert "lie flat on each other: the closest points are not unique" in found.reason
    assert found.distance.twist_b[:3] == pytest.approx([0.0, 0.0, 1.0])
    assert np.isnan(found.normal.twist_a).all()
    assert np.isnan(found.point_b.points_a[1]).all()


def test_a_corner_that_rises_bends_its_face_along_the_first_diagonal():
    """Polygons are fans from their first corner: half of the face stays where it was.

    The patch reaches 0.1 of a half diagonal beyond that diagonal; its corners alone,
    each on the plane of all four, would tell another slope.
    """
    (top,) = (f for f in range(6) if (CUBE.points[CUBE.face_vertices(f), 2] > 0).all())
    a = Body(CUBE)
    b = Body(shapes.box((0.2, 0.2, 0.2)), pose=Pose(translation=(0.0, 0.0, 1.5)))
    rising = np.zeros((8, 3))
    rising[CUBE.face_vertices(top)[1], 2] = 1.0
    slopes = derivatives(closest(a, b)).along(rising, None)
    assert slopes == pytest.approx((0.0, -0.1))

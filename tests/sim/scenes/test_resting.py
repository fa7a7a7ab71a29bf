import numpy as np
import pytest

from sim import Body, Pose, closest
from sim.scenes.figures import fall
from wingedge import shapes


def moved(points, x, y, z):
    return points + np.array([x, y, z])


MESHES = {
    "box": shapes.box(),
    "ball": shapes.icosphere(1),
    "prism": shapes.prism(5),
    "hull": shapes.random_hull(3, 20),
    "l_block": shapes.l_block(),
}


@pytest.mark.parametrize("lower", MESHES)
@pytest.mark.parametrize("upper", ["box", "ball", "hull"])
def test_a_body_that_has_fallen_touches_and_a_little_higher_does_not(upper, lower):
    draw = np.random.default_rng(5)
    above, below = MESHES[upper], MESHES[lower]
    for _ in range(6):
        turn = Pose.rigid(draw.normal(size=4)).linear
        at = np.append(draw.uniform(-0.4, 0.4, 2), 6.0)
        placed = Pose(turn, at).apply(above.points)
        way = fall(above, placed, below, below.points)
        assert 0.0 < way < 6.0
        a, b = Body(above), Body(below)
        for more in (0.0, 1e-3):
            a.pose = Pose(turn, at - (0.0, 0.0, way - more))
            found = closest(a, b).distance
            assert found == pytest.approx(0.0, abs=1e-13) if more == 0.0 else found > 0
            assert found <= more + 1e-13, "the way along z is no shorter"


def test_what_falls_past_falls_for_ever():
    box = shapes.box()
    assert fall(box, moved(box.points, 3.0, 0.0, 4.0), box, box.points) == np.inf


def test_edges_seen_as_one_line_do_not_cross():
    """One frame of `fig4` began a contact anew: the noise of two edges in one line.

    Seen from above, an edge of the tip lay in the line of a lower edge of the hill, far
    from it.  The signs of their areas were those of rounding, and of crossing edges.
    """
    box = shapes.box()
    turn = Pose.rigid((0.0, 0.0, 0.3, 1.0))
    one = turn.apply(moved(box.points, 0.0, 0.0, 5.0))
    other = turn.apply(moved(box.points, 1.2, 0.0, 0.0))
    assert fall(box, one, box, other) == np.inf
    other = turn.apply(moved(box.points * (1.0, 1.0, 0.5), 0.4, 0.0, 0.0))
    assert fall(box, one, box, other) == pytest.approx(4.25)

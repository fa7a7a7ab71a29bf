"""sim.tracking.brute.exhaustive, sim.tracking.brute.nearest: every feature, axis."""

import numpy as np
import pytest
from stories import rational

from sim import Body, Pose, closest, exhaustive
from wingedge import shapes

UNIT = shapes.box((1.0, 1.0, 1.0))
SMALL = [
    ("box", shapes.box()),
    ("tetrahedron", shapes.tetrahedron()),
    ("prism", shapes.prism(5)),
    ("needle", shapes.needle()),
    ("plate", shapes.plate()),
    ("hull", shapes.random_hull(3, 20)),
]


def test_boxes_have_textbook_distances():
    for at, distance, kind in [
        ((3.0, 0.0, 0.0), 2.0, "FF"),
        ((3.0, 4.0, 0.0), np.sqrt(4.0 + 9.0), "EE"),
        ((2.0, 3.0, 3.0), 3.0, "VV"),
        ((0.25, 0.0, 0.0), -0.75, "FF"),
        ((1.0, 0.0, 0.0), 0.0, "FF"),
    ]:
        s = exhaustive(Body(UNIT), Body(UNIT, pose=Pose(translation=at)))
        assert s.distance == pytest.approx(distance, abs=1e-15)
        assert s.kind == kind
        assert s.certified


@pytest.mark.parametrize(("name_a", "mesh_a"), SMALL)
@pytest.mark.parametrize(("name_b", "mesh_b"), SMALL)
def test_floats_and_rationals_agree_and_the_bounds_enclose_the_truth(
    name_a, mesh_a, name_b, mesh_b
):
    rng = np.random.default_rng([len(name_a), len(name_b)])
    reach = np.ptp(mesh_a.points, axis=0).max() + np.ptp(mesh_b.points, axis=0).max()
    for nearness in (0.7, 0.45, 0.2):
        at = rng.normal(size=3)
        at *= nearness * reach / np.linalg.norm(at)
        a, b = Body(mesh_a), Body(mesh_b, pose=Pose.rigid(rng.normal(size=4), at))
        plain, exact = exhaustive(a, b), rational.truth(a, b)
        assert exact.upper - exact.lower <= 4e-16 * abs(exact.distance)
        assert plain.lower <= exact.lower
        assert exact.upper <= plain.upper
        assert abs(plain.distance - exact.distance) <= 1e-13 * plain.size


def test_all_edges_in_a_line_that_another_one_crosses_are_named():
    half = np.pi / 4
    ridge = Pose.rigid((0.0, np.sin(half / 2), 0.0, np.cos(half / 2)))
    keel = Pose.rigid((np.sin(half / 2), 0.0, 0.0, np.cos(half / 2)), (0.1, 0.0, 1.4))
    a, b = Body(shapes.grid_box((3, 3, 3)), pose=ridge), Body(shapes.box(), pose=keel)
    for state in (exhaustive(a, b), closest(a, b)):
        assert (state.regime, state.kind) == ("penetrating", "EE")
        assert len(state.parts_a) == 3


def test_what_is_not_finite_is_refused_by_name():
    a, b = Body(UNIT, name="crate"), Body(UNIT)
    a.points[5, 0] = np.inf
    with pytest.raises(ValueError, match="'crate', frame 0: vertex v5"):
        exhaustive(a, b)

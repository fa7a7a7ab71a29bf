import numpy as np
import pytest

from sim import Body, Pose, exhaustive
from wingedge import WingedEdgeMesh, shapes

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


def test_crossed_edges_have_the_textbook_distance():
    turn = Pose.rigid((0.0, 0.0, 1.0, 1.0)).linear  # a quarter turn, exactly
    ridge = WingedEdgeMesh.from_faces(
        [[-1, 0, 0], [1, 0, 0], [0, -1, -1], [0, 1, -1]],
        [[0, 1, 3], [1, 0, 2], [0, 3, 2], [1, 2, 3]],
    )
    flip = np.diag([1.0, -1.0, -1.0])
    s = exhaustive(Body(ridge), Body(ridge, pose=Pose(flip @ turn, (0.0, 0.0, 0.5))))
    assert (s.kind, s.distance) == ("EE", 0.5)
    assert s.normal.tolist() == [0.0, 0.0, 1.0]


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
        plain, exact = exhaustive(a, b), exhaustive(a, b, rational=True)
        assert exact.upper - exact.lower <= 4e-16 * abs(exact.distance)
        assert plain.lower <= exact.lower
        assert exact.upper <= plain.upper
        assert abs(plain.distance - exact.distance) <= 1e-13 * plain.size


def test_rationals_and_what_is_not_finite_are_refused_by_name():
    large = Body(shapes.icosphere(2), name="large")
    with pytest.raises(ValueError, match=r"'large' has 162 vertices.*at most 60"):
        exhaustive(large, Body(UNIT), rational=True)
    bent = Body(dict(shapes.zoo(non_convex=True))["l_block"], name="bent")
    with pytest.raises(ValueError, match="'bent' is not convex"):
        exhaustive(Body(UNIT), bent, rational=True)
    a, b = Body(UNIT, name="crate"), Body(UNIT)
    a.points[5, 0] = np.inf
    with pytest.raises(ValueError, match="'crate', frame 0: vertex v5"):
        exhaustive(a, b)

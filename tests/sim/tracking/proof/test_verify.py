import numpy as np
import pytest

from sim import Body, PairState, Pose, closest, verify
from sim.tracking.brute.nearest import nearest_pair
from sim.tracking.brute.surface import surface_of
from sim.tracking.proof import verify as checker
from sim.tracking.proof.solid import exactly_off
from sim.tracking.proof.verdict import UnprovenAnswer
from wingedge import Feature, geometry, shapes


@pytest.fixture
def answered():
    a = Body(shapes.random_hull(1, 30), name="a")
    b = Body(shapes.icosphere(1), name="b", pose=Pose(translation=(2.5, 0.3, 0.2)))
    return closest(a, b), a, b


def tampered(state: PairState, **changes) -> PairState:
    numbers = state.numbers._replace(**changes)
    if numbers.distance >= 0.0:
        return PairState.of(numbers, "separated", state.frame, state.a, state.b)
    return PairState.of(numbers, state.regime, state.frame, state.a, state.b)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda n: {"distance": n.distance * 1.001}, "outside its own bounds"),
        (lambda n: {"upper": n.lower * 0.9}, "crossed"),
        (lambda n: {"normal": (0.0, 0.0, 1.0)}, "from distance times normal"),
        (lambda n: {"normal": (2.0, 0.0, 0.0)}, "has length"),
        (lambda n: {"distance": float("nan")}, "not finite"),
        (lambda n: {"parts_b": ((n.parts_b[0] + 9) % 20,)}, "off its feature"),
        (
            lambda n: {
                "distance": n.distance * 1.1,
                "lower": n.lower * 1.1,
                "upper": n.upper * 1.1,
                "point_b": tuple(
                    p + 1.1 * n.distance * m
                    for p, m in zip(n.point_a, n.normal, strict=True)
                ),
            },
            "off its feature",
        ),
    ],
)
def test_a_tampered_answer_is_refused_with_the_reason(answered, change, reason):
    state, a, b = answered
    verdict = verify(tampered(state, **change(state.numbers)), a, b)
    assert not verdict
    assert reason in verdict.reason


def test_a_lower_bound_that_does_not_hold_is_refused(claimed):
    """Two vertices that are not the closest ones, reported as if they were."""
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    b = Body(a.mesh, pose=Pose(translation=(2.0, 0.0, 0.0)))
    true, pa = closest(a, b), a.mesh.points[0]
    way = b.world_points()[7] - pa
    d = float(np.linalg.norm(way))
    false = claimed(true, d, pa.tolist(), ((0, 0), (0, 7)), way / d, true.proof)
    verdict = verify(false, a, b)
    assert not verdict
    assert "below the bound" in verdict.reason


def test_penetration_and_bodies_that_are_not_convex_are_re_proved():
    block = dict(shapes.zoo(non_convex=True))["l_block"]
    a = Body(block)
    b = Body(shapes.icosphere(0, radius=0.1))
    low, high = block.points.min(axis=0), block.points.max(axis=0)
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(25):
        b.pose = Pose(translation=rng.uniform(low - 0.2, high + 0.2))
        state = closest(a, b)
        assert verify(state, a, b).reason == ""
        held += state.proof == "search"
    assert held > 0


def test_a_feature_that_is_nearer_than_the_bound_is_found(claimed, part_at):
    """The box reports the wall to its left, but the wall below is nearer."""
    a = Body(shapes.l_block())
    b = Body(shapes.box(0.25), pose=Pose(translation=(0.25, 0.1875, 0.1)))
    right = closest(a, b)
    assert right.distance == 0.0625
    faces = part_at(a, (0, 0.0)), part_at(b, (0, 0.125))
    false = claimed(right, 0.125, (0.0, 0.1875, 0.1), faces, (1.0, 0.0, 0.0))
    verdict = verify(false, a, b)
    assert not verdict
    assert "two features are 0.0625 apart, below the bound" in verdict.reason


def test_a_depth_of_large_bodies_is_proved_by_few_of_their_differences():
    """It was refused, right as it was: a million differences were too many."""
    ball = shapes.icosphere(3)
    a = Body(ball)
    b = Body(ball, pose=Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.9, 0.05, 0.02)))
    state = closest(a, b, exact=True)
    assert state.certified
    assert state.depth > 0.09
    assert verify(state, a, b)
    step = 1e-6
    deeper = state.replace(
        distance=state.distance - step,
        lower=state.lower - step,
        upper=state.upper - step,
        point_b=state.point_b - step * state.normal,
    )
    assert verify(deeper, a, b).answer == "no"


def test_what_is_beyond_the_means_of_the_checker_is_not_called_false(monkeypatch):
    a = Body(shapes.icosphere(2))
    b = Body(a.mesh, pose=Pose.rigid((0.1, 0.2, 0.3, 1.0), (1.8, 0.1, 0.05)))
    state = closest(a, b)
    assert verify(state, a, b).answer == "yes"
    monkeypatch.setattr(checker, "POINTS", 8)
    verdict = verify(state, a, b)
    assert verdict.answer == "cannot say"
    assert not verdict
    assert "too large to re-prove a depth" in verdict.reason


def test_a_difference_of_no_extent_is_beyond_the_means_of_the_checker():
    """Qhull refused it with an error of its own."""
    one = np.zeros((4, 3))
    with pytest.raises(UnprovenAnswer, match="no hull of the difference"):
        checker.check_depth(one, one + 1.0, 2.0, 0.0, "the distance")


def test_a_verdict_lists_what_it_judges_and_says_nothing_of_the_rest(answered):
    state, a, b = answered
    judged = ("distance", "bounds", "points", "normal", "membership")
    verdict = verify(state, a, b)
    assert (verdict.answer, verdict.reason, verdict.judged) == ("yes", "", judged)
    for other in (
        {"kind": "FF"},
        {"regime": "penetrating"},
        {"unique": not state.unique},
        {"patch": np.zeros((3, 3)), "contacts": None},
        {"parts_a": (*state.parts_a, *state.parts_a)},
        {"size": 2.0 * state.size, "certified": None, "proof": "by word"},
    ):
        assert verify(state.replace(**other), a, b)
    assert verify(state.replace(distance=0.0), a, b).judged == judged


def resting(at):
    a = Body(shapes.l_block())
    b = Body(shapes.box(0.25), pose=Pose(translation=at))
    return closest(a, b)


@pytest.mark.parametrize("off", [0.0, 2.0**-40, 2.0**-10])
def test_a_normal_of_faces_is_upright_on_both_and_leads_out(off):
    """In a notch no plane parts the bodies: the faces themselves tell."""
    state = resting((0.125 + off, 0.3, 0.1))
    assert (state.kind, state.distance) == ("FF", off)
    assert verify(state, state.a, state.b)
    for turned in ((1.0, 1e-9, 0.0), (1.0, 0.0, 0.5)):
        n = np.array(turned) / np.linalg.norm(turned)
        leaning = state.replace(normal=n, point_b=state.point_a + off * n)
        verdict = verify(leaning, state.a, state.b)
        assert verdict.answer == "no"
        assert "not upright" in verdict.reason or "point B is" in verdict.reason
    if off == 0.0:
        inward = state.replace(normal=-state.normal)
        verdict = verify(inward, state.a, state.b)
        assert verdict.answer == "no"
        assert "runs into the faces" in verdict.reason


def test_a_face_whose_rim_is_nearest_is_no_face_of_the_normal(part_at):
    """Its points do lie on it; which way they look its edge says."""
    off = 2.0**-28
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    state = closest(a, Body(a.mesh, pose=Pose(None, (1.0 + off, 1.0 + off, 0.125))))
    assert state.kind == "EE"
    face = Feature("face", part_at(a, (0, 0.5))[1])
    named = state.replace(feature_a=face, parts_a=(face,))
    assert verify(named, state.a, state.b)
    n = state.normal + 1e-4 * np.cross(state.normal, (0.0, 0.0, 1.0))
    n /= np.linalg.norm(n)
    turned = named.replace(normal=n, point_b=state.point_a + state.distance * n)
    verdict = verify(turned, state.a, state.b)
    assert verdict.answer == "no"
    assert "turned by" in verdict.reason


def test_of_a_body_that_is_a_point_beside_the_other_any_part_may_be_named():
    a, b = Body(shapes.u_block()), Body(shapes.random_hull(3, 20))
    b.points = 5e20 * b.positions
    assert verify(closest(a, b), a, b)


def test_a_body_inside_another_is_not_apart(claimed):
    """The surfaces are 1.2 apart, the solids are not."""
    outer = Body(shapes.l_block())
    corner = outer.mesh.points[outer.mesh.face_vertices(0)].mean(axis=0)
    inner = Body(shapes.icosphere(0, radius=1e-3))
    inward = -geometry.face_normals(outer.mesh)[0]
    inner.pose = Pose(translation=corner + 0.05 * inward)
    state = closest(inner, outer)
    assert state.regime == "penetrating"
    pair = nearest_pair(
        surface_of(inner, tuple(inner.pose.translation.tolist())),
        surface_of(outer, (0.0, 0.0, 0.0)),
    )
    way = np.subtract(pair.point_b, pair.point_a) / pair.distance
    parts = (0, pair.index_a), (2, int(outer.mesh.fan.face[pair.index_b]))
    forged = claimed(state, pair.distance, pair.point_a, parts, way.tolist())
    verdict = verify(forged, inner, outer)
    assert verdict.reason == "a vertex of a body lies inside the other"


def test_a_narrow_face_is_measured_exactly():
    """In floats its plane is lost: points 1e-15 off it seemed to be 3e-12 off."""
    plain = np.array([[0.0, 0.0, 0.0], [1.0, 1e-7, 0.0], [1e-7, 1.0, 0.0]])
    turn = Pose.rigid((0.3, -0.2, 0.5, 0.8)).linear
    for narrow in (1.0, 1e-3, 1e-6):
        a, b, c = (plain * [1.0, narrow, 1.0]) @ turn.T
        over = a + 0.25 * (b - a) + 0.5 * (c - a)
        corners = np.array([a, b, c])
        assert exactly_off(over, corners) <= 1e-15
        assert exactly_off(over + turn[:, 2], corners) == pytest.approx(1.0)
    beyond = np.linalg.norm(b - a)
    assert exactly_off(a - (b - a), corners) == pytest.approx(beyond)
    assert exactly_off(b, np.array([a, a, a])) == pytest.approx(beyond)


@pytest.mark.parametrize("seed", [89, 112])
def test_a_hull_has_its_inside_where_a_surface_is_beside_it(seed):
    """Qhull orients no triangle: half of them were counted the wrong way round."""
    rng = np.random.default_rng(seed)
    for k in range(4):
        a = Body(shapes.random_hull(seed + k, 13), convexity="hull")
        b = Body(shapes.star(), pose=Pose.rigid(rng.normal(size=4), rng.normal(size=3)))
        assert verify(closest(a, b), a, b)


@pytest.mark.parametrize("ahead", [-1e-12, -1e-10, -1e-9, 1e-9])
def test_along_parallel_edges_a_little_ahead_is_as_near(ahead):
    """The checker took the nearest ends for the way between them, which is turned."""
    at = Pose(None, (ahead, -1.0, -2.0))
    a, b = Body(shapes.box()), Body(shapes.box((1.0, 0.5, 2.0)), pose=at)
    state = closest(a, b)
    assert (state.kind, verify(state, a, b).answer) == ("EE", "yes")


@pytest.mark.parametrize(
    ("one", "other", "convexity", "axis", "at"),
    [  # level faces look both ways; a star on edge is as deep as its hull
        ("ring", "l_block", "surface", 2, (-0.75, -0.5, -1.25)),
        ("prism", "star", "hull", 1, (0.25, -0.75, -0.25)),
    ],
)
def test_of_a_body_that_is_all_but_flat_no_truth_is_denied(
    one, other, convexity, axis, at
):
    meshes = dict(shapes.zoo(non_convex=True))
    a, b = Body(meshes[one]), Body(meshes[other], convexity=convexity)
    thin = b.positions.copy()
    thin[:, axis] *= 1e-13
    b.points = thin + np.array(at)
    for bodies in ((a, b), (b, a)):
        state = closest(*bodies)
        assert verify(state, *bodies).answer != "no", verify(state, *bodies).reason

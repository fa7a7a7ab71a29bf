"""sim.tracking.proof.verify, sim.tracking.proof.claim: what is claimed, re-proved."""

from types import SimpleNamespace

import numpy as np
import pytest

from sim import Body, Pose, closest, verify
from sim.tracking.proof import verify as checker
from sim.tracking.proof.normal import LevelSide, _leads_out, _rises
from sim.tracking.proof.solid import exactly_off
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge import Feature, edits, geometry, shapes


@pytest.fixture
def answered():
    a = Body(shapes.random_hull(1, 30), name="a")
    b = Body(shapes.icosphere(1), name="b", pose=Pose(translation=(2.5, 0.3, 0.2)))
    return closest(a, b), a, b


def farther(s):
    far = {k: 1.1 * getattr(s, k) for k in ("distance", "lower", "upper")}
    return far | {"point_b": s.point_a + far["distance"] * s.normal}


NINE = Feature("face", 9)
TAMPERED = {
    "outside its own bounds": lambda s: {"distance": 1.001 * s.distance},
    "crossed": lambda s: {"upper": 0.9 * s.lower},
    "from distance times normal": lambda s: {"normal": np.array([0.0, 0.0, 1.0])},
    "has length": lambda s: {"normal": np.array([2.0, 0.0, 0.0])},
    "not finite": lambda s: {"distance": np.nan},
    "point B is": farther,
    "off its feature": lambda s: {"feature_b": NINE, "parts_b": (NINE,)},
}


@pytest.mark.parametrize("reason", TAMPERED)
def test_a_tampered_answer_is_refused_with_the_reason(answered, reason):
    state, a, b = answered
    verdict = verify(state.replace(**TAMPERED[reason](state)), a, b)
    assert not verdict
    assert reason in verdict.reason


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


def test_hulls_that_overlap_so_far_do_not_prove_it_of_what_is_dented():
    a, b = Body(shapes.box((4.0, 1.0, 1.0))), Body(shapes.box((1.0, 4.0, 1.0)))
    a.replace(*edits.poke_face(a.mesh, 1))
    a.points[-1] *= 1.0 - 1e-9
    b.pose = Pose(translation=(0.1, 0.2, 0.7))
    state = closest(a, b)
    assert verify(state, a, b)
    verdict = verify(state.replace(upper=state.distance), a, b)
    assert "the bodies are dented by" in verdict.reason


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


def test_a_face_whose_rim_is_nearest_is_no_face_of_the_normal():
    """Its points do lie on it; which way they look its edge says."""
    off = 2.0**-28
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    state = closest(a, Body(a.mesh, pose=Pose(None, (1.0 + off, 1.0 + off, 0.125))))
    assert state.kind == "EE"
    right = geometry.face_normals(a.mesh)[:, 0].argmax()
    face = Feature("face", int(right))
    named = state.replace(feature_a=face, parts_a=(face,))
    assert verify(named, state.a, state.b)
    n = state.normal + 1e-4 * np.cross(state.normal, (0.0, 0.0, 1.0))
    n /= np.linalg.norm(n)
    turned = named.replace(normal=n, point_b=state.point_a + state.distance * n)
    verdict = verify(turned, state.a, state.b)
    assert verdict.answer == "no"
    assert "turned by" in verdict.reason


def test_a_normal_on_the_ridge_of_a_folded_face_need_not_lead_out_of_its_triangles():
    body = Body(shapes.box((2.0, 0.2, 1.0)))
    body.points = [
        *([-1.0, -0.1, -0.5], [1.4, -0.14, -0.7], [-0.4, 0.04, -0.2]),
        *([1.5, 0.15, -0.75], [-0.8, -0.08, 0.4], [1.6, -0.16, 0.8]),
        *([-1.15, 0.11, 0.57], [1.5, 0.15, 0.74]),
    ]
    ball = Body(shapes.icosphere(0), pose=Pose(None, (-2.325, -2.145, 0.285)))
    state = closest(ball, body)
    assert (state.kind, str(state.feature_b)) == ("VF", "f4")
    assert state.certified
    assert verify(state, ball, body)


def test_of_a_body_that_is_a_point_beside_the_other_any_part_may_be_named():
    a, b = Body(shapes.u_block()), Body(shapes.random_hull(3, 20))
    b.points = 5e20 * b.positions
    assert verify(closest(a, b), a, b)


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


def test_no_normal_is_proven_where_no_plane_parts_what_touches():
    """A corner in the edge of a notch: the walls rise on both sides of it."""
    a, mesh = Body(shapes.l_block()), shapes.box(0.25)
    b = Body(mesh, pose=Pose(None, 0.1 * np.eye(3)[2] - mesh.points[0]))
    ends = a.mesh.points[a.mesh.edge_vertices]
    (notch,) = np.flatnonzero((ends[:, :, :2] == 0.0).all(axis=(1, 2)))
    edge, corner = Feature("edge", int(notch)), Feature("vertex", 0)
    false = closest(a, b).replace(
        **{"distance": 0.0, "lower": 0.0, "upper": 0.0, "proof": "search"},
        normal=np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0),
        **dict.fromkeys(("point_a", "point_b"), np.array([0.0, 0.0, 0.1])),
        **{"feature_a": edge, "parts_a": (edge,)},
        **{"feature_b": corner, "parts_b": (corner,)},
    )
    verdict = verify(false, a, b)
    assert verdict.answer == "cannot say"
    assert "no plane parts the bodies around" in verdict.reason


@pytest.mark.parametrize("wide", [3e-10, 1e-5])
def test_the_normal_of_a_needle_does_not_lean_along_it(wide):
    """It was 4e-8 off at a width of 3e-10: true bounds under poses were refused."""
    needle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.6, wide, 0.0]])
    rng = np.random.default_rng(0)
    turns = [Pose.rigid(rng.normal(size=4)).linear for _ in range(50)]
    points = np.array([turn @ (0.5, 0.3 * wide, 1e-3) for turn in turns])
    found = from_triangles(points, np.array([needle @ turn.T for turn in turns]))
    assert found == pytest.approx(1e-3, abs=1e-15)


@pytest.mark.parametrize("turned", [0.0, 1e-6])
def test_what_rises_by_no_more_than_is_level_is_level(turned):
    """By two and a half times, and by what the normal may turn at the arm."""
    solid = SimpleNamespace(hulled=True, x=np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    for level, rises in ((2.4, False), (2.6, True)):
        heights = np.array([0.0, level * 1e-9 + 2.0 * turned])
        rest = np.eye(3)[2], np.zeros(3), heights, 1e-9, turned
        side = LevelSide(solid, "V", np.array([0]), *rest)
        assert _rises(side) == rises
        if rises or turned:
            with pytest.raises(FalseAnswer, match="runs into the faces"):
                _leads_out(side)
        else:
            assert _leads_out(side)


def test_an_overlap_too_shallow_for_a_plane_is_not_called_false():
    """True ones of 3e-15 were (``touch:47:6`` of the fuzzer)."""
    a, b = (
        Body(shapes.l_block()),
        Body(shapes.box(0.1), pose=Pose(None, (0.3, 0.05, 0))),
    )
    state = closest(a, b)
    deep = {"distance": -2e-15, "depth": 2e-15, "lower": -3e-15, "upper": -1e-15}
    verdict = verify(state.replace(**deep), a, b)
    assert (state.distance, verdict.answer) == (0.0, "cannot say")

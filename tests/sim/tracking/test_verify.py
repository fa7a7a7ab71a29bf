"""The checker must refuse every answer that was tampered with."""

import numpy as np
import pytest

from sim import Body, PairState, Pose, closest, verify
from wingedge import shapes


@pytest.fixture
def answered():
    a = Body(shapes.random_hull(1, 30), name="a")
    b = Body(shapes.icosphere(1), name="b", pose=Pose(translation=(2.5, 0.3, 0.2)))
    return closest(a, b), a, b


def tampered(state: PairState, **changes) -> PairState:
    numbers = state.numbers._replace(**changes)
    return PairState(numbers, state.regime, state.frame, state.a, state.b)


def test_a_true_answer_holds(answered):
    verdict = verify(*answered)
    assert verdict
    assert verdict.reason == ""


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


def test_a_lower_bound_that_does_not_hold_is_refused():
    """Two vertices that are not the closest ones, reported as if they were."""
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    b = Body(a.mesh, pose=Pose(translation=(2.0, 0.0, 0.0)))
    pa, pb = a.mesh.points[0], b.world_points()[7]
    way = pb - pa
    d = float(np.linalg.norm(way))
    true = closest(a, b)
    false = tampered(
        true,
        distance=d,
        lower=d - 1e-15,
        upper=d + 1e-15,
        normal=tuple((way / d).tolist()),
        point_a=tuple(pa.tolist()),
        point_b=tuple(pb.tolist()),
        dimension_a=0,
        parts_a=(0,),
        dimension_b=0,
        parts_b=(7,),
    )
    verdict = verify(false, a, b)
    assert not verdict
    assert "below the bound" in verdict.reason


def test_a_depth_that_is_not_the_least_is_refused():
    a = Body(shapes.box((1.0, 1.0, 1.0)))
    b = Body(a.mesh, pose=Pose(translation=(0.75, 0.125, 0.0)))
    state = closest(a, b)
    assert verify(state, a, b)
    deep = -0.875
    false = tampered(
        state,
        distance=deep,
        lower=deep - 1e-15,
        upper=deep + 1e-15,
        normal=(0.0, 1.0, 0.0),
        point_b=tuple(
            p + deep * m for p, m in zip(state.numbers.point_a, (0, 1, 0), strict=True)
        ),
    )
    assert not verify(false, a, b)


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

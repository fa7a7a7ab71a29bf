"""The oracles agree, know what is known, and catch every kind of lie."""

from copy import copy
from fractions import Fraction

import numpy as np
import pytest
from rooms import judge, walks
from stories import brute, lattice, story, unrounded
from stories.brute import solid
from stories.hulls import counts_as_convex, hull_depth, sag
from stories.judge import bounds_that_fail, compare, weigh, wrong_depth
from stories.level import fault_of_parts, fault_of_patch
from stories.nearly import block, shaken, turned
from stories.sweeping import faults, word
from stories.sweeps import drawn

from sim import Body, Pose, closest, scenes
from sim.between.passage import Instant
from sim.response import Outcome
from wingedge import Feature, neighbours, shapes

ZOO = dict(shapes.zoo())
BENT = {n: m for n, m in shapes.zoo(non_convex=True) if n not in ZOO}
BOX, CUP = shapes.box(2.0), BENT["cup"]
BALL = shapes.icosphere(1)
# what brute force must say: gap, pierced, contained, inside
KNOWN = [
    (solid(BOX, (2.25, 0.0, 0.0)), (0.25, 0.0, False, 0.0)),
    (solid(BOX, (2.0, 0.0, 0.0)), (0.0, 0.0, False, 0.0)),
    (solid(BOX, scale=0.5), (0.5, 0.0, True, 0.5)),
    (solid(BOX, (1.5, 1.25, 1.0)), (None, np.sqrt(0.125), False, 0.5)),  # a diagonal
    (solid(BOX, (0.25, 0.5, 2.5)), (0.5, 0.0, False, 0.0)),
]


@pytest.mark.parametrize("oracle", [brute, unrounded])
def test_both_oracles_know_apart_touching_crossing_and_inside(oracle):
    for other, known in KNOWN:
        found = oracle.truth(solid(BOX), other)
        for value, truth in zip((*found[:3], found.inside), known, strict=True):
            assert truth is None or value == pytest.approx(truth, abs=1e-15)
    for x, scale in [(0.0, 0.1), (0.44, 0.1), (0.5, 0.1), (0.44, 0.01)]:
        pair = solid(CUP), solid(BALL, (x, 0.1 * (x == 0.5), 0.0), scale)
        found, expected = oracle.truth(*pair), brute.truth(*pair)
        assert found[:5] == pytest.approx(expected[:5], abs=1e-14)
        assert found.contained == (scale == 0.01)  # a hollow is not the inside
    for shift, shared in [((0.0, 0.0, 0.0), True), ((2.0, 0.0, 0.0), False)]:
        assert oracle.share_interior(solid(BOX), solid(BOX, shift), 2.0) == shared
    assert hull_depth(solid(BOX), KNOWN[3][0]) == pytest.approx(0.5)


def test_a_ray_that_meets_edges_and_corners_is_cast_again():
    mesh = shapes.box(62.0)
    (at,), _ = lattice.in_common(
        [[Fraction(c) for c in p] for p in mesh.points.tolist()]
    )
    triangles = [(at[i], at[j], at[k]) for i, j, k in brute.parts(mesh)[0].tolist()]
    assert lattice.winds((0, 0, 0), triangles) == 1
    assert lattice.winds((20, 24, 36), triangles) == 0  # (31, 31, 31) lies on its way
    for ray in lattice.RAYS:  # a corner right ahead
        p = tuple((31 if r > 0 else -31) - r for r in ray)
        assert lattice.winds(p, triangles) == 1


def test_the_sag_of_a_body_says_whether_it_is_one_of_its_hull():
    box = shapes.grid_box((2, 2, 2))
    assert sag(solid(box)) <= 1e-15
    k = int(np.flatnonzero((np.abs(box.points) < 1e-9).sum(axis=1) == 2)[0])
    for depth, expected in ((1e-13, True), (1e-9, None), (1e-3, False)):
        moved = box.points.copy()
        moved[k] *= 1.0 - depth / np.abs(moved[k]).max()
        dented = brute.Solid(moved, *brute.parts(box))
        assert sag(dented) == pytest.approx(depth, rel=1e-2)
        assert counts_as_convex(dented) is expected
    assert counts_as_convex(solid(CUP)) is False


MISJUDGED_ONCE = {
    "small/dent:1786": ("feet on a strip fell beside it", 2, 18, 19),
    "small/jitter:1545": ("a vertex 2e-17 away lay 9e-7 under a strip", 47),
    "medium/jitter:95": ("bounds of convex doubles weighed as of dented ones", 3),
    "medium/taper:151": ("the same, out of room at once", 11),
}


@pytest.mark.parametrize("case", MISJUDGED_ONCE)
def test_a_frame_that_was_misjudged_once_is_right_and_a_lie_there_is_not(case):
    family, seed = case.split(":")
    tale = story(family, int(seed))
    a, b = tale.bodies()
    for frame in tale.play(a, b):
        if frame in MISJUDGED_ONCE[case][1:]:
            at, state = brute.solids(a, b, {}), closest(a, b)
            assert weigh(state, *at).faults == ()
            off = 2e-9 * state.size + 0.01 * abs(state.distance)
            moved = {k: getattr(state, k) + off for k in ("distance", "lower", "upper")}
            assert weigh(state.replace(**moved), *at).faults


LIES = [
    ((0.0, 0.0, 1.5), {"distance": 0.6}, "wrong distance, certified"),
    ((0.0, 0.0, 1.5), {"distance": -0.1, "lower": -0.2}, "false overlap, not"),
    ((0.0, 0.0, 1.5), {"lower": 0.1, "reason": "so"}, "uncertified: so"),
    ((0.0, 0.0, 0.0), {"distance": 0.2, "upper": 0.3}, "wrong distance"),
    ((0.4, 0.0, 0.0), {"distance": 0.1, "upper": 0.2}, "missed overlap: crossing"),
    ((0.4, 0.0, 0.0), {"lower": -1e-3, "distance": -1e-3}, "lower bound above"),
    ((0.44, 0.0, 0.0), {"distance": 0.05, "lower": 0.05, "upper": 0.05}, "missed over"),
]


@pytest.mark.parametrize(("shift", "changed", "fault"), LIES)
def test_the_judge_catches_a_lie(shift, changed, fault):
    radius = 0.12 if shift[0] != 0.44 else 0.01
    a, b = Body(CUP), Body(shapes.icosphere(1, radius), pose=Pose(None, shift))
    at, state = brute.solids(a, b, {}), closest(a, b)
    assert weigh(state, *at).faults == ()
    found = weigh(state.replace(**changed), *at).faults
    assert any(told.startswith(fault) for told in found), found


@pytest.mark.parametrize("gap", [0.7, 1e-3, 0.0625, -0.125])
def test_bounds_that_do_not_hold_another_depth_or_history_are_noticed(gap):
    a, b = Body(shapes.box(), name="a"), Body(shapes.box(0.5), name="b")
    b.pose = Pose(translation=(0.125, 0.0625, 0.75 + gap))
    state, at = closest(a, b), brute.solids(a, b, {})
    assert bounds_that_fail(state, *at) == []
    assert compare(state, closest(a, b), "cold") == wrong_depth(state, a, b) == []
    wide = 100.0 * (state.upper - state.lower)
    for off in (wide, -wide) if gap > 0.0 else (wide,):
        lies = {"lower": state.lower + off, "upper": state.upper + off}
        assert bounds_that_fail(state.replace(**lies), *at)
    assert compare(state.replace(distance=gap + 1e-9), state, "cold")
    assert gap > 0.0 or wrong_depth(state.replace(distance=-0.12), a, b)


def test_other_parts_are_found_out():
    for frame in scenes.load("face_on_face").run(30):
        state = frame.pairs[0]
    assert len(state.parts_a) > 1
    beside = neighbours(state.mesh_a, Feature("face", state.parts_a[0].index))
    face = next(f for f in beside if f.kind == "face" and f not in state.parts_a)
    for parts in (state.parts_a[:1], (*state.parts_a, face)):
        assert fault_of_parts(state.replace(parts_a=parts)) != ""
    middle = state.patch.mean(axis=0)
    for stretch in (0.9, 1.1):
        patch = middle + stretch * (state.patch - middle)
        assert fault_of_patch(state.replace(patch=patch)) != ""


def retold(passage, **changed):
    """Tell something else of a passage, in a copy."""
    told = {n: getattr(passage, n) for n in ("touch", "parting", "reason")}
    other = copy(passage)
    vars(other).update(told | changed)
    return other


@pytest.mark.parametrize("family", ["bend", "turn", "fast"])
def test_the_judge_knows_what_is_missed_invented_late_and_wide(family):
    met = missed = 0
    for k in range(20000, 20012):
        sweep = drawn(family, k)
        passage, _ = sweep.passage()
        touch = passage.touch
        if word(passage) == "touches and parts":
            met += 1
            for lie in (
                {"touch": None, "parting": None},
                {"touch": Instant(passage, touch.lower, 1.0)},
                {"parting": None},
                {"touch": Instant(passage, 0.0, touch.lower * 0.9)},
                {"touch": Instant(passage, touch.upper + 1e-6, 1.0)},
            ):
                assert faults(sweep, retold(passage, **lie))
        elif word(passage) == "misses":
            missed += 1
            lie = {"touch": Instant(passage, 0.5, 0.5 + 1e-10)}
            assert faults(sweep, retold(passage, **lie))
    assert met > 1
    assert missed > 0


def test_the_judge_knows_a_step_through_a_wall_and_one_too_near():
    wall = np.array([[[-9.0, -9, 0], [9, -9, 0], [0, 9, 0]]])
    start, end = np.array([0.0, 0, 1]), np.array([0.5, 0, -1])
    assert judge.nearness(start, end, wall).tolist() == [0.0]
    assert judge.crosses(start, end, wall[0])
    assert not judge.crosses(start, start, wall[0])
    assert float(judge.nearness(start, start + 1, wall)[0]) == 1.0
    near, away = np.array([0.5, 0, 0.05]), start + np.array([0, 0, 1])
    for how, there, aim, fault in (
        ("free", end, end, "goes through triangle 0"),
        ("free", end, end, "nearer than promised"),
        ("stop", near, end, "nearer than promised"),
        ("stop", near, end, "nearer than epsilon"),
        ("stop", start, away, "stopped by nothing"),
    ):
        path = np.array([start, there])
        outcome = Outcome(there, how, 1, aim - there, (), path)
        wrong = walks.amiss(outcome, start, aim, 0.0, 0.1, wall)
        assert any(fault in what for what in wrong)


def dish(_):
    x = np.linspace(-1.0, 1.0, 42)
    z = 0.5 * 0.9e-9 * (x / (x[1] - x[0])) ** 2
    return (block(x, z - z.min(), 1.0, -0.5, triangles=False),)


@pytest.mark.parametrize("make", [turned, shaken, dish])
def test_the_hull_shrunk_by_the_sag_lies_in_the_body(make):
    """By its corners and by middles between them, in whole numbers."""
    mesh = make(rng := np.random.default_rng(0))[0]
    body, points = Body(mesh), mesh.points
    eye = points.sum(axis=0) / len(points)
    share = float((body.sag() / np.abs(points - eye).max(axis=0)).max())
    assert share < 1e-6
    assert (share == 0.0) == bool(body.proof())
    if make is dish:  # and it is not much more than the hollow is deep
        deep = float(np.ptp(points[points[:, 2] > -0.4][:, 2]))
        assert deep < body.sag()[2] < 1.01 * deep
    share = max(share, 1e-25)  # of what is convex exactly: off the surface itself
    exact = [[Fraction(x) for x in p] for p in [*points.tolist(), eye.tolist()]]
    middle, kept, spots = exact.pop(), 1 - Fraction(share) * Fraction(1001, 1000), []
    some = range(42, 84) if make is dish else range(len(points))  # of its hollow
    for _ in range(20):
        i, j = rng.choice(some, 2)
        t = Fraction(int(rng.integers(0, 3)), 2)
        at = [t * x + (1 - t) * y for x, y in zip(exact[i], exact[j], strict=True)]
        spots.append([m + kept * (x - m) for x, m in zip(at, middle, strict=True)])
    (whole, inside), _ = lattice.in_common(exact, spots)
    triangles = [tuple(whole[v] for v in t) for t in mesh.fan.vertex.tolist()]
    assert all(lattice.winds(p, triangles) == 1 for p in inside)

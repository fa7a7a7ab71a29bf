"""sim.kernels.intake: how large and small a body may be placed, and beyond that.

Squares of coordinates above 1e154 are infinite: no maximum was found, -1 was used as an
index, and the compiled engine spoilt the heap; above 1e79 and below 1e-79 signs were
wrong, and certified.
"""

import numpy as np
import pytest
from stories.checked import checked_kernels
from stories.magnitudes import (
    BOX,
    FIRST,
    HOSTILE,
    HULL,
    LARGE,
    MAGNITUDES,
    drawn,
    hostile,
)

from sim import (
    Body,
    PairTracker,
    Pose,
    World,
    closest,
    exhaustive,
    scenes,
    set_engine,
    verify,
)
from sim.kernels import layout
from sim.kernels.surface.inside import INFINITE, nearest_to
from sim.kernels.surface.search import true_frame
from sim.tracking.brute.solid import deepest_vertices
from wingedge import MeshError, WingedEdgeMesh, convex_hull, convexity, geometry
from wingedge.signs import sign, volume

BEYOND = (
    r"body 'b', frame 1: vertex \d+ is (placed at|scaled to) \(.*the limit 1e[+-]60"
)


pytestmark = pytest.mark.usefixtures("engine_kept")


@pytest.mark.parametrize("opened", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("what", ["translation", "linear"])
@pytest.mark.parametrize("first", FIRST)
def test_a_body_placed_beyond_the_limits_is_refused_by_name(first, what, opened):
    a, b = FIRST[first](), Body(HULL, name="b")
    if opened:
        _ = b.points  # handed out
    tracker = PairTracker(a, b)
    b.pose = apart = Pose(translation=(5.0, 0.0, 0.0))
    before = tracker.update()
    for m in LARGE if what == "translation" else MAGNITUDES:
        if 1e-60 < m < 1e60:
            continue
        if what == "translation":
            b.transform[1, 3] = m
        else:
            b.transform[:, :3] = m * np.eye(3)
        with pytest.raises(MeshError, match=BEYOND):
            tracker.update()
        b.pose = apart
    after = tracker.update()
    assert after.frame == 1
    assert after.distance == before.distance


@pytest.mark.parametrize("m", [1e59, 1e49, 1e-49, 1e-59])
def test_within_the_limits_every_scale_is_answered(m):
    a, b = Body(BOX, name="a"), Body(BOX, name="b")
    tracker = PairTracker(a, b)
    a.transform[:, :3] *= m
    b.transform[:, :3] *= m
    for gap in (0.5, 0.0, -0.25):
        b.transform[0, 3] = (1.0 + gap) * m
        state = tracker.update()
        assert state.certified
        assert state.distance == pytest.approx(gap * m, rel=1e-12, abs=0.0)


def by_the_paper(a, b):
    return PairTracker(a, b, strategy="paper").update()


def by_a_world(a, b):
    return World([a, b], margin=1.0).step()


@pytest.mark.parametrize("ask", [closest, exhaustive, by_the_paper, by_a_world])
def test_cold_questions_refuse_what_is_placed_beyond_the_limits(ask):
    for m in (1e61, 1e160, 1e-61, 1e-160):
        a, b = Body(BOX, name="a"), Body(BOX, name="b")
        b.transform[:, :3] *= m
        with pytest.raises(MeshError, match=r"body 'b', frame 0: vertex 0 is placed"):
            ask(a, b)


def test_a_body_that_collapsed_into_the_origin_has_no_magnitude():
    """All its points are 0, which is exact; what is smaller than the limit is not."""
    a, b = Body(BOX, name="a"), Body(BOX, name="b", pose=Pose(translation=(3, 0, 0)))
    a.points = 0.0 * BOX.points
    assert closest(a, b).distance == 2.5
    a.points = 0.0 * BOX.points + 0.25
    assert closest(a, b).distance == 2.25
    a.transform[:, :3] *= 1e-70
    with pytest.raises(MeshError, match=r"body 'a', frame 0: vertex 0 is placed"):
        closest(a, b)


def scaled(state, k):

    def length(x):
        return float(np.ldexp(x, k))

    n = state.numbers
    return (
        n._replace(
            distance=length(n.distance),
            lower=length(n.lower),
            upper=length(n.upper),
            size=length(n.size),
            point_a=tuple(map(length, n.point_a)),
            point_b=tuple(map(length, n.point_b)),
            corners=tuple(map(length, n.corners)),
        ),
        state.regime,
        [(r.identity, length(r.distance), r.faces.tolist()) for r in state.regions],
    )


def passing(first, k, by_points, frames=14):
    """Let a hull tumble through the other body in a world 2^k times as large."""
    a, b = FIRST[first](), Body(HULL, name="b")
    if by_points:
        a.points = np.ldexp(a.positions, k)
        b.points = np.ldexp(b.positions, k)
    else:
        a.transform[...] = np.ldexp(a.transform, k)
    found = first != "hull"
    tracker = PairTracker(a, b, contact_distance=2.0 ** (k - 4), regions=found)
    tracker.saw = a.version, b.version  # as if positions had lasted a frame
    rng = np.random.default_rng(3)
    turn, spin = rng.normal(size=4), 0.1 * rng.normal(size=4)
    for t in range(frames):
        way = np.array([0.3, 0.2, 2.5 * (1.0 - 2.0 * t / frames)])
        linear = Pose.rigid(turn + t * spin).linear
        b.transform[:, :3] = linear if by_points else np.ldexp(linear, k)
        b.transform[:, 3] = np.ldexp(way, k)
        yield scaled(tracker.update(), -k)


@pytest.mark.parametrize("first", FIRST)
def test_near_the_limits_a_scene_scaled_by_a_power_of_two_gives_the_same_bits(first):
    """By poses to 1e59 and 1e-59, by positions as far as a mesh goes."""
    plain = list(passing(first, 0, False))
    assert min(numbers.distance for numbers, *_ in plain) < 0.0
    for k in (195, 170, -170, -195):
        assert list(passing(first, k, False)) == plain
    for k in (160, -160):
        assert list(passing(first, k, True)) == plain


@pytest.mark.compiled
@pytest.mark.filterwarnings("error")
def test_hostile_magnitudes_leave_no_buffer_and_give_both_engines_the_same_words():
    cases = HOSTILE + [drawn(seed) for seed in range(40)]
    with checked_kernels():
        interpreted = [hostile(*case) for case in cases]
    set_engine("compiled")
    for case, said in zip(cases, interpreted, strict=True):
        assert hostile(*case) == said, case


def test_no_number_makes_a_search_use_what_it_did_not_find(checked_buffers):
    """What is not a number compares with nothing; the best of nothing was -1."""
    for bad in (np.nan, np.inf, 1e160, 1e300):
        a, b = FIRST["dented"](), Body(HULL, name="b", pose=Pose(None, (0.5, 0, 0)))
        buffers = PairTracker(a, b)._buffers
        b._points[:, 1] *= bad
        one, two, search = buffers.trees
        assert buffers.call(true_frame, *buffers.tables) in range(layout.REFUSED)
        a._points[...] = bad
        assert len(deepest_vertices(buffers)) == 2
        for v in range(one.size):
            _, t, _ = nearest_to(one, v, two, 0.0, INFINITE, 0.0, search.stack)
            assert 0 <= t < len(two.number)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("how", ["linear", "translation", "both", "points"])
def test_no_magnitude_makes_the_checker_believe_or_warn(how):
    """An answer is no longer true once a body was moved or scaled out of the world."""
    for first in ("box", "U"):
        for m in (1e61, 1e80, 1e154, 1e160, 1e300, 1e-61, 1e-160, 1e-300, np.nan):
            a = FIRST[first]()
            b = Body(BOX, name="b", pose=Pose(None, (3.0, 0.1, 0.2)))
            state = PairTracker(a, b).update()
            assert verify(state, a, b)
            if how in ("linear", "both"):
                b.transform[:, :3] *= m
            if how in ("translation", "both"):
                b.transform[:, 3] = m
            if how == "points":
                b.points[...] = m * BOX.points
            try:
                said = verify(state, a, b).answer
            except ValueError as error:
                said = str(error)
            assert said in ("no", "cannot say") or "body 'b'" in said, (first, m)


@pytest.mark.parametrize("name", scenes.names())
def test_no_kernel_leaves_its_buffers_in_any_scene(name, checked_buffers):
    count = min(12, scenes.length(name))
    assert len(list(scenes.load(name).run(count))) == count


def masked(array):
    found = np.ma.masked_array(array, np.zeros(np.shape(array), np.bool_))
    found[(0,) * found.ndim] = np.ma.masked
    return found


def test_what_is_masked_is_refused_and_a_mask_of_nothing_is_none():
    """A masked array became a plain one, and what was masked a number again."""
    body, other = Body(BOX, name="a"), Body(BOX, name="b", pose=Pose(None, (3, 0, 0)))
    faces = [BOX.face_vertices(f) for f in range(BOX.n_faces)]
    tracker = PairTracker(body, other)
    for ask in (
        lambda points: setattr(body, "points", points),
        lambda points: WingedEdgeMesh.from_faces(points, faces),
        lambda points: convexity(BOX, points),
        lambda points: convex_hull(points),
        lambda points: tracker.track(points_a=points[None]),
    ):
        ask(np.ma.masked_array(BOX.points))
        with pytest.raises(ValueError, match="1 numbers are masked, the first at"):
            ask(masked(BOX.points))
    for ask, given in (
        (Pose, np.eye(3)),
        (Pose.rigid, np.eye(3)),
        (Pose.from_matrix, np.eye(3, 4)),
        (lambda poses: tracker.track(poses_b=poses), other.transform[None]),
    ):
        ask(np.ma.masked_array(given))
        with pytest.raises(ValueError, match="1 numbers are masked, the first at"):
            ask(masked(given))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("m", [1e160, 1e300])
def test_numbers_that_overflow_are_refused_in_words_without_a_warning(m):
    body = Body(BOX, name="a")
    body.points[...] = m * BOX.points
    for ask in (
        body.audit,
        body.cover,
        lambda: convexity(BOX, m * BOX.points),
        lambda: geometry.volume(BOX, m * BOX.points),
        lambda: Pose.rigid(m * np.eye(3)),
        lambda: Pose(1e90 * np.eye(3), (m, m, -m)) @ Pose(1e90 * np.eye(3)),
        lambda: World([body, Body(BOX, name="b")]).step(),
    ):
        with pytest.raises(ValueError, match=r"too large|no rotation|determinant"):
            ask()
    assert not np.isfinite(Pose(1e50 * np.eye(3)).apply(BOX.points * 1e300)).any()


@pytest.mark.parametrize("thin", [1e8, 1e9, 1e10, 1e11, 1e12])
def test_the_hull_of_a_needle_is_what_exact_signs_say_it_is(thin):
    """It was called inside-out: cross products of long edges are rounding."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        points = rng.normal(size=(12, 3)) * (1.0, 1.0, thin)
        if seed % 2:
            points = points @ Pose.rigid(rng.normal(size=4)).linear
        hull = convex_hull(points)
        corners = points[hull.source_vertices][hull.fan.vertex]
        for a, b, c in corners:
            assert sign(volume, *a, *b, *c, *points.T).max() <= 0

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest, exhaustive, verify
from wingedge import shapes

CONVEX = dict(shapes.zoo())
NOTCHED = {k: m for k, m in shapes.zoo(non_convex=True) if k not in CONVEX}
TURN = Pose.rigid((0.3, 0.7, -0.2, 0.4))


def dropped(a, b, way, gap):
    for _ in range(200):
        state = closest(a, b)
        if state.distance <= gap * state.size:
            break
        step = state.distance - 0.5 * gap * state.size
        b.pose = Pose(b.pose.linear, b.pose.translation - step * way)
    return a, b


@pytest.mark.parametrize("name", NOTCHED)
@pytest.mark.parametrize("gap", [1e-13, 1e-14, 2e-15])
def test_bodies_that_are_not_convex_touch_without_a_search_over_everything(name, gap):
    """Beside no plane that parts them all pairs were compared, in up to 626 ms.

    The trees ask what the search over everything asks: whether an edge runs inside the
    other body, or what lies just under a triangle.
    """
    rng = np.random.default_rng(7)
    for other in (NOTCHED["star"], CONVEX["random_hull"]):
        a, b = Body(NOTCHED[name]), Body(other)
        for _ in range(3):
            way = rng.normal(size=3)
            way /= np.sqrt(way @ way)
            turn = 0.4 * Pose.rigid(rng.normal(size=4)).linear
            b.pose = Pose(turn, 5.0 * way + 0.3 * rng.normal(size=3))
            tracker = PairTracker(*dropped(a, b, way, gap))
            state = tracker.update()
            truth = exhaustive(a, b)
            assert (state.work.fallbacks, state.certified) == (0, True)
            assert state.distance == pytest.approx(truth.distance, abs=1e-14)


@pytest.mark.parametrize("name", NOTCHED)
def test_a_body_touches_itself_shifted_along_a_face_only_where_it_shares_nothing(name):
    """What runs exactly along the other surface pierces nothing beyond doubt."""
    a, b = Body(NOTCHED[name]), Body(NOTCHED[name])
    height = float(np.ptp(a.points[:, 2]))
    for turn in (Pose.identity(), TURN):
        a.pose = turn
        for share in (0.0, 0.5, 1.0):
            b.pose = turn @ Pose(np.eye(3), (0.0, 0.0, share * height))
            state = closest(a, b)
            if share < 1.0:
                assert state.upper <= 1e-14
                assert state.distance < -1e-3
            else:
                assert abs(state.distance) <= 1e-14
                assert (state.work.fallbacks, state.certified) == (0, True)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", NOTCHED)
def test_a_body_that_lies_on_its_own_copy_rim_on_rim_is_told_by_the_faces_between(
    name, axis
):
    """All that touches there is edges, and those in the plane are parallel.

    Two frames (``small/rigid:501:15`` of the deforming fuzz) were answered with the
    face beside a rim and a normal along the plane: the first two edges that crossed.
    """
    a, b = Body(NOTCHED[name]), Body(NOTCHED[name])
    way = np.eye(3)[axis]
    tracker = PairTracker(a, b)
    for height in (2.0, 1.0):
        b.pose = Pose(np.eye(3), height * float(np.ptp(a.points[:, axis])) * way)
        state = tracker.update()
    truth = exhaustive(a, b)
    if truth.kind == "FF":
        assert abs(state.normal[axis]) == 1.0
        assert (state.parts_a, state.parts_b) == (truth.parts_a, truth.parts_b)
    assert state.certified
    assert verify(state, a, b)

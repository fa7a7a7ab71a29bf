"""None"""

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, World
from sim.compound import Compound, CompoundTracker
from sim.compound.pairing import Group, WayOut, box_gaps, rest_hull, way_out
from wingedge import shapes

REACH = 0.05


def arch(in_pieces, **options) -> Compound:
    """A U of pieces that stands on its two legs."""
    pieces, surface = in_pieces("U")
    turned = Pose.rigid((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.02))  # y up
    return Compound(pieces, surface, name="arch", pose=turned, **options)


def table() -> Body:
    return Body(
        shapes.box((9.0, 9.0, 1.0)), name="table", pose=Pose(None, (0, 0, -0.5))
    )


def said(regions):
    return [
        (r.identity, r.faces.tolist(), r.numbers._replace(work=None)) for r in regions
    ]


def test_a_compound_has_the_regions_of_its_surface(in_pieces):
    a, b = arch(in_pieces), table()
    one = CompoundTracker(a, b, contact_distance=REACH, regions=True)
    two = PairTracker(a.surface, b, contact_distance=REACH, regions=True)
    counts = []
    for tilt, height in ((0, 0.02), (0.02, 0.02), (0, 0.2), (-0.05, 0), (0, 0.02)):
        a.pose = Pose.rigid((1.0, tilt, 0.0, 1.0), (0.0, 0.0, height))
        state, expected = one.update(), two.update()
        assert said(state.regions) == said(expected.regions)
        assert said(state.swapped().regions) == said(expected.swapped().regions)
        counts.append(len(state.regions))
    assert max(counts) == 2
    assert one.next_region == two.next_region > 2
    faces = {f for region in state.regions for f in region.faces[:, 0].tolist()}
    assert faces <= set(range(a.mesh.n_faces))


def test_a_dent_in_the_surface_shows_in_its_regions(in_pieces):
    a, b = arch(in_pieces), table()
    tracker = CompoundTracker(b, a, contact_distance=REACH, regions=True)
    assert len(tracker.update().regions) == 2
    points = a.mesh.points.copy()
    leg = (points[:, 1] < 0.5) & (points[:, 0] < 1.5)
    points[leg, 1] += 0.5  # one leg shorter
    a.points = points
    assert len(tracker.update().regions) == 1


def test_without_a_surface_every_piece_has_its_own(in_pieces):
    pieces, _ = in_pieces("L")
    a = Compound(pieces, name="a")
    slab = Body(
        shapes.box((9.0, 9.0, 1.0)), name="slab", pose=Pose(None, (0, 0, -0.52))
    )
    tracker = CompoundTracker(a, slab, contact_distance=REACH, regions=True)
    state = tracker.update()
    assert len(state.regions) == len(pieces) == 3
    owners = [
        np.unique(np.searchsorted(a.start.face, r.faces[:, 0], "right") - 1)
        for r in state.regions
    ]
    assert [owner.tolist() for owner in owners] == [[0], [1], [2]]


def test_a_tracker_that_resumes_keeps_the_identities(in_pieces):
    a, b = arch(in_pieces), table()
    one = CompoundTracker(a, b, contact_distance=REACH, regions=True)
    one.update()
    a.pose = Pose.rigid((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.2))
    one.update()
    a.pose = Pose.rigid((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.02))
    before = one.update()
    two = CompoundTracker(a, b, contact_distance=REACH, regions=True)
    two.resume(before, one.next_region)
    after = two.update()
    assert [r.identity for r in after.regions] == [r.identity for r in before.regions]
    assert two.next_region == one.next_region
    assert max(r.identity for r in after.regions) > 1
    two.reset()
    assert [r.identity for r in two.update().regions] == [
        two.next_region - 2,
        two.next_region - 1,
    ]


def test_a_world_tells_what_happens_to_the_regions_of_a_compound(in_pieces):
    def hopping(t):
        return Pose.rigid((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.2 if t == 2.0 else 0.02))

    stories = []
    for pieces in (True, False):
        a, b = arch(in_pieces), table()
        body = a if pieces else Body(a.mesh, name="arch", pose=a.pose)
        world = World(
            [body, b],
            motion={"arch": hopping},
            dt=1.0,
            contact_distance=REACH,
            regions=True,
        )
        kinds = ("birth", "death", "split", "merge")
        stories.append(
            [str(e) for frame in world.run(4) for e in frame.events if e.kind in kinds]
        )
    assert stories[0] == stories[1]
    assert [line.split()[1] for line in stories[0]] == [
        *["birth"] * 2,
        *["death"] * 2,
        *["birth"] * 2,
    ]


def test_a_hull_has_no_regions_and_says_what_to_do(in_pieces):
    ball = Body(shapes.icosphere(1), name="ball", convexity="hull")
    wanted = "'ball' stands for its convex hull.*leave out regions=True"
    with pytest.raises(ValueError, match=wanted):
        CompoundTracker(arch(in_pieces), ball, regions=True)
    with pytest.raises(ValueError, match=wanted):
        World([arch(in_pieces), table(), ball], regions=True)
    ignored = [("arch", "ball"), ("ball", "table")]
    World([arch(in_pieces), table(), ball], regions=True, ignore=ignored).step()


def group(*boxes):
    """Bound boxes given as (low, high), as pieces of their corners."""
    corners = [[low, high] for low, high in boxes]
    return Group.of(
        np.array(corners, float).reshape(-1, 3), np.arange(0, 2 * len(boxes), 2)
    )


def test_the_gap_of_boxes_is_a_lower_bound_and_not_finite_is_near():
    a = group(((0, 0, 0), (1, 1, 1)), ((5, 0, 0), (6, 1, 1)))
    b = group(((4, 5, 0), (4.5, 6, 1)))
    gaps = box_gaps(a, b)
    assert gaps.shape == (2, 1)
    truths = [5.0, np.hypot(0.5, 4.0)]
    assert (gaps[:, 0] <= truths).all()
    assert gaps[:, 0] == pytest.approx(truths, rel=1e-14)
    assert (box_gaps(b, a) == gaps.T).all()
    a = group(((0, 0, 0), (1, 1, 1)), ((np.nan, 0, 0), (6, 1, 1)))
    gaps = box_gaps(a, group(((9, 9, 9), (10, 10, 10))))
    assert gaps[0, 0] > 0.0
    assert gaps[1, 0] == 0.0


class Flat:
    """Tools of bodies that have no hull."""

    def __init__(self):
        rest = np.array([[x, y, 0.0] for x in (0, 1) for y in (0, 1)])
        self.hulls = rest_hull(rest), rest_hull(rest)


def test_a_way_out_that_leads_into_another_piece_is_lengthened():
    a = group(((0, 0, 0), (1, 3, 1)), ((1, 0, 0), (2, 3, 1)))  # a seam at x = 1
    b = group(((0.75, 1, 0), (0.95, 2, 1)))
    into = WayOut(0.25, (1.0, 0.0, 0.0), 0, 0)
    way = way_out(a, b, [into], 3.0, Flat())
    assert way == WayOut(1.25, (1.0, 0.0, 0.0), 1, 0)
    back = WayOut(0.95, (-1.0, 0.0, 0.0), 0, 0)
    assert way_out(a, b, [back, into], 3.0, None) == back


@pytest.mark.parametrize("depth", [2.0**-24, 2.0**-10, 0.25])
def test_a_shallow_overlap_is_certified_where_a_surface_gives_an_interval(
    in_pieces, depth
):
    cup = Compound(*in_pieces("U"), name="cup")
    box = Body(shapes.box((0.5, 0.5, 0.5)), name="box")
    box.pose = Pose.rigid(None, (1.5, 1.75 + depth, 0.5))  # stands in the cup
    state = CompoundTracker(cup, box).update()
    truth = PairTracker(cup.surface, box).update()
    assert state.distance == -depth
    assert state.certified
    assert state.reason == ""
    assert state.regime == "penetrating"
    assert not truth.certified
    assert truth.lower < -0.5  # out of the hull of the cup, whose notch is closed
    assert np.abs(state.normal - [0.0, -1.0, 0.0]).max() == 0.0


def test_moving_out_by_the_depth_makes_them_touch(flat):
    box = Body(shapes.box((0.9, 0.8, 0.7)), name="box")
    rng = np.random.default_rng(7)
    deep = 0
    for _ in range(3):
        turn = np.append(rng.integers(-9, 10, 3), 0.5)
        box.pose = Pose.rigid(turn, rng.uniform(0.0, 3.0, 3) * [1.0, 1.0, 0.4])
        state = CompoundTracker(flat, box).update()
        if state.distance >= 0.0:
            continue
        deep += 1
        assert (
            np.abs(state.point_b - state.point_a - state.distance * state.normal).max()
            <= 1e-14 * state.size
        )
        pose = box.pose
        box.pose = Pose(pose.linear, pose.translation - state.distance * state.normal)
        apart = CompoundTracker(flat, box).update()
        assert abs(apart.distance) <= 1e-13 * state.size
        # and by less than the upper bound it does not, whatever the direction
        for n in (*np.eye(3), -state.normal):
            step = 0.99 * -state.upper * n
            box.pose = Pose(pose.linear, pose.translation + step)
            assert CompoundTracker(flat, box).update().distance < 0.0
        box.pose = pose
    assert deep > 0


def test_the_way_out_along_a_seam_is_not_taken_for_the_depth(in_pieces):
    pieces, surface = in_pieces("plus")
    plus = Compound(pieces, surface, name="plus")
    ball = Body(shapes.box((0.5, 0.5, 0.5)), name="ball")
    ball.pose = Pose.rigid(
        None, (1.5, 1.125, 0.5)
    )  # 0.375 into row 1, 0.125 into row 0
    state = CompoundTracker(plus, ball).update()
    truth = PairTracker(plus.surface, ball).update()
    assert state.distance == -0.75  # out along z; the seam is no way out
    assert state.lower >= truth.lower - 1e-12
    assert state.upper == pytest.approx(-0.375, abs=1e-13)
    assert not state.certified
    assert "deepest pair of pieces" in state.reason

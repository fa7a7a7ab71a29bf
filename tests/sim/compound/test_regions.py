import numpy as np
import pytest

from sim import Body, PairTracker, Pose, World
from sim.compound import Compound, CompoundTracker
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

"""sim.between.times, sim.kernels.between.chain: nearing slowly by turns."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose, World, motion, scenes, verify_passage
from wingedge import convex_hull, shapes


def passage_of(name, a, b, frame):
    """Go from one frame of a scene to the next."""
    world = scenes.load(name)
    before = list(world.run(frame))[-1]
    bodies = [Body(world.body(n).mesh, name=n) for n in (a, b)]
    for body in bodies:
        body.points = before.body(body.name).points
        body.pose = before.body(body.name).pose
    tracker = PairTracker(*bodies, contact_distance=0.01)
    tracker.update()
    after = world.step()
    ends = {}
    for side, n in (("a", a), ("b", b)):
        ends[f"pose_{side}"] = after.body(n).pose
        ends[f"points_{side}"] = after.body(n).points
    return tracker.advance(**ends), bodies


@pytest.mark.parametrize("frame", [18, 33, 34, 66, 81])
def test_an_edge_that_dips_by_a_hair_into_the_ground_is_seen(frame):
    """In ``fig4`` the edge turns 50 times as fast as it sinks, 1.7e-5 deep.

    Each plane lost what the edges turn, a fiftieth of the way was gained, and the chain
    gave up after 1000: no touch was told.
    """
    passage, bodies = passage_of("fig4", "tip", "ground", frame)
    touch, parting = passage.touch, passage.parting
    assert touch.upper - touch.lower <= 1e-9
    assert parting.upper - parting.lower <= 1e-9
    assert passage.at(touch.lower).distance > 0 >= touch.state.distance
    assert passage.at(parting.upper).distance > 0 >= parting.state.distance
    assert passage.at((touch.upper + parting.lower) / 2).distance < -1e-7
    assert passage.reason == ""
    assert len(passage.proof) < 150
    assert verify_passage(passage, *bodies)


@pytest.mark.parametrize(("name", "frame"), [("thread", 15), ("thread", 94)])
def test_hulls_that_touch_as_the_frame_ends_are_not_surfaces_that_do(name, frame):
    """The peg is off, inside the ring; of their hulls it was not known."""
    passage, _ = passage_of(name, "peg", "ring", frame)
    assert passage.at(0.5).distance > 0.005
    ended = passage._there if frame == 15 else passage._back
    assert ended.ended == 0


def near_misses(seed, count):
    """Random bodies that turn, much faster than they come near, 1e-7 to 1e-3 off."""
    rng = np.random.default_rng(seed)
    meshes = [shapes.box(), shapes.prism(5), convex_hull(rng.normal(size=(12, 3)))]
    for _ in range(count):
        a = Body(meshes[rng.integers(3)], name="a")
        place = Pose(Rotation.random(rng=rng).as_matrix(), rng.normal(size=3) * 3)
        b = Body(meshes[rng.integers(3)], name="b", pose=place)
        tracker = PairTracker(a, b)
        state = tracker.update()
        if state.distance <= 0.0:
            continue
        gap = 10.0 ** rng.uniform(-7, -3)
        back = (state.distance - gap) * state.normal
        b.pose = Pose(place.linear, place.translation - back)
        tracker.update()
        turn = Rotation.from_rotvec(rng.normal(size=3) * 0.1).as_matrix()
        shift = rng.normal(size=3) * 10.0 ** rng.uniform(-7, -2)
        yield tracker, Pose(turn @ place.linear, b.pose.translation + shift)


def test_bodies_that_turn_near_each_other_are_decided_and_proven():
    """In ``near_misses(1, 30)`` chains gave up, or took 1e-6 for a graze."""
    turned = 0
    for tracker, end in near_misses(1, 30):
        passage = tracker.advance(pose_b=end)
        assert passage.reason in ("", "already within 0 at the start")
        assert verify_passage(passage, tracker.a, tracker.b)
        turned += sum((plane.normal != plane.last).any() for plane in passage.proof)
        for t in np.linspace(0, 1, 11):
            early = passage.touch is None or t < passage.touch.lower
            assert passage.at(t).distance > 0 or not early
    assert turned > 3


def test_a_frame_says_where_a_gap_was_left_undecided():
    """A box that slides level along another at the very distance of contact."""
    told = {}
    for name, y in (("level", 1.0 + 2**-10), ("aside", 1.1)):
        box, other = Body(shapes.box(), name="box"), Body(shapes.box(), name="other")
        way = motion.linear((-360.0, 0.0, 0.0), start=(9.0, y, 0.0))
        options = {"contact_distance": 2**-10, "between": True}
        world = World([box, other], motion={"other": way}, **options)
        told[name] = [gap for frame in world.run(6) for gap in frame.undecided]
    assert not told["aside"]
    (gap, *_) = told["level"]
    assert (gap.a, gap.b) == ("box", "other")
    assert 0 <= gap.when[0] <= gap.when[1] <= 1
    assert "graze" in gap.reason

"""Bodies that tumble past each other within a step of the reference law."""

import numpy as np
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose, World, laws
from wingedge import shapes


def tumbling(seed):
    """Let two cubes meet that spin some 14 radians a second."""
    rng = np.random.default_rng(seed)
    turns = [Rotation.random(rng=rng).as_matrix() for _ in range(2)]
    aside = rng.uniform(-0.4, 0.4, 2)
    places = (-0.95, 0.0, 0.0), (0.95, *aside)
    bodies = [
        Body(shapes.box(1.0), name=name, pose=Pose(turn, place))
        for name, turn, place in zip("ab", turns, places, strict=True)
    ]
    law = laws.Affine(
        gravity=(0.0, 0.0, 0.0),
        kappa=1e7,
        friction=0.4,
        velocity={"a": (3, 0, 0), "b": (-3, 0, 0)},
        spin={name: rng.normal(size=3) * 8 for name in "ab"},
    )
    return World(bodies, law=law, dt=1 / 120, between=True)


def test_a_way_that_is_blocked_in_the_middle_of_a_step_ends_there():
    """At the end of the step they are apart: nothing pushed, and it was refused."""
    world = tumbling(10)
    before = world.step()
    for frame in world.run(11):
        assert not [event for event in frame.events if event.kind == "penetrate"]
        assert not frame.undecided
        ghosts = [Body(b.mesh, name=b.name, pose=b.pose) for b in before.bodies]
        tracker = PairTracker(*ghosts)
        tracker.update()
        passage = tracker.advance(*(body.pose for body in frame.bodies))
        assert passage.touch is None
        before = frame

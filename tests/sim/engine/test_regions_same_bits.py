"""All contacts have the same bits interpreted and compiled."""

import itertools

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, closest, set_engine
from wingedge import shapes

pytestmark = pytest.mark.compiled

ZOO = dict(shapes.zoo(non_convex=True))
NAMES = ["ring", "l_block", "grid_box", "needle", "icosphere"]


def pairs():
    """Bodies as they are and crumpled, apart by little, touching, overlapping."""
    rng = np.random.default_rng(5)
    for one, two in itertools.combinations_with_replacement(NAMES, 2):
        a, b = Body(ZOO[one], name="a"), Body(ZOO[two], name="b")
        noise = 0.05 * float(rng.integers(2))
        for body in (a, b):
            rest = body.mesh.points
            size = noise * np.ptp(rest, axis=0).min()
            body.points = rest + size * rng.normal(size=rest.shape)
        turn = rng.normal(size=4) if noise else np.array([0.0, 0.0, 0.0, 1.0])
        b.pose = Pose.rigid(turn, (0.1, 0.2, 4.0))
        state = closest(a, b)
        for gap in (0.02, 0.0, -0.1):
            way = (gap - state.distance) * state.normal
            yield a, b, Pose(b.pose.linear, b.pose.translation + way)


def answers(engine):
    set_engine(engine)
    told = []
    for a, b, pose in pairs():
        b.pose = pose
        tracker = PairTracker(a, b, contact_distance=0.05, regions=True)
        told += [
            (region.identity, region.numbers, region.faces.tobytes())
            for region in tracker.update().regions
        ]
    return told


def test_regions_have_the_same_bits_in_both_engines():
    interpreted, compiled = answers("python"), answers("compiled")
    assert len(interpreted) > 20
    assert repr(interpreted) == repr(compiled)

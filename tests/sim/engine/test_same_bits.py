"""sim.engine, sim.kernels: the same bits in both engines, and no index outside."""

from collections import Counter
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest
from stories import FAMILIES, bits, story

from sim import Body, PairTracker, Pose, set_engine
from wingedge import shapes


@pytest.mark.compiled
@pytest.mark.parametrize("family", FAMILIES)
def test_both_engines_tell_the_same_story(family):
    """Interpreted, compiled, and changed in the middle: parallel, level, far, tiny."""
    assert list(bits.switched(family, 1, Counter(), every=8)) == []


class Table(NamedTuple):
    """A table of one buffer."""

    numbers: memoryview


def test_a_checked_buffer_refuses_what_is_outside(checked_buffers):
    buffer = checked_buffers(Table(memoryview(np.zeros(3)))).numbers
    buffer[2] = 1.0
    for i in (-1, 3):
        with pytest.raises(IndexError):
            buffer[i]
        with pytest.raises(IndexError):
            buffer[i] = 0.0


@pytest.mark.parametrize("family", FAMILIES)
def test_no_kernel_touches_what_is_not_its_own(family, checked_buffers):
    told = story(family, 3)
    tracker = PairTracker(*(bodies := told.bodies()))
    poses = []
    for _ in islice(told.play(*bodies), 0, 48, 8):
        tracker.update()
        poses.append(bodies[1].pose)
    tracker.reset()
    assert len(tracker.track(poses_b=poses)) == len(poses)


@pytest.mark.compiled
def test_a_regime_that_one_engine_reached_is_where_the_other_goes_on(engine_kept):
    # Between contact and release distance the frame before decides.
    a, b = Body(shapes.box()), Body(shapes.box())
    tracker = PairTracker(a, b, contact_distance=0.1, release_distance=0.2)
    b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.05, 0.02, 9.0))
    touching = 9.0 - tracker.update().distance
    for engines in (("python", "compiled"), ("compiled", "python")):
        regimes = ""
        for k, gap in enumerate((0.5, 0.15, 0.05, 0.15, 0.25, 0.15)):
            set_engine(engines[k % 2])
            b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.05, 0.02, touching + gap))
            regimes += tracker.update().regime[0]
        assert regimes == "ssccss"

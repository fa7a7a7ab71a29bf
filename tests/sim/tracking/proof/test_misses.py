"""Counting where the paper's search is wrong."""

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, scenes
from sim.tracking.proof.misses import compare_with_certificate
from wingedge import shapes


def rolled(a, b, frames, degrees):
    """Turn B about two axes, pushed along its normal to a distance of 0.001."""
    truth = PairTracker(a, b)
    for k in range(frames):
        s = np.tan(np.radians(degrees) * k / 4)
        turn = Pose.rigid((s, 0.5 * s, 0.2, 1.0)).linear
        at = np.array([2.0, 0.02, 0.1 + 0.005 * k])
        for _ in range(50):
            b.pose = Pose(turn, at)
            state = truth.update()
            at = at - (state.distance - 0.001) * state.normal
        yield k


def compared(mesh_a, mesh_b, frames=40, degrees=2.0, **options):
    a, b = Body(mesh_a), Body(mesh_b)
    tracker = PairTracker(a, b, strategy="paper", contact_distance=0.002, **options)
    return compare_with_certificate(tracker, rolled(a, b, frames, degrees))


def test_needles_are_missed_and_counted():
    found = compared(shapes.needle(ratio=100.0), shapes.plate())
    assert found.frames + len(found.unproven) == 40
    assert 0.0 < found.rate < 0.6
    assert found.rate == len(found.missed) / found.frames
    assert found.overlapping == ()
    assert 0.0 < found.worst < 0.01
    assert found.algorithms[1] > 30
    assert str(found).startswith(f"{len(found.missed)} of {found.frames} frames wrong")


def test_a_tracker_that_is_right_misses_nothing():
    a, b = Body(shapes.box()), Body(shapes.icosphere(1))
    found = compare_with_certificate(
        PairTracker(a, b), [Pose(None, (2.0 - 0.02 * k, 0.1, 0.2)) for k in range(30)]
    )
    assert found[:4] == (30, (), (), ())
    assert (found.worst, found.rate) == (0.0, 0.0)


def test_one_step_is_too_short_for_a_teleport():
    """Apart, the pair beside the last is nearer, but not the nearest."""
    poses = [Pose(None, (x, 0.1, 0.9)) for x in (-0.4, 0.4)]
    missed = []
    for options in ({}, {"repeat": True}):
        a, b = Body(shapes.grid_box(8)), Body(shapes.icosphere(0, 0.2))
        tracker = PairTracker(a, b, strategy="paper", **options)
        missed.append(compare_with_certificate(tracker, poses).missed)
    assert missed == [(1,), ()]


def test_a_world_moves_its_own_bodies():
    world = scenes.load("pass_through")
    tracker = PairTracker(
        *world.bodies, strategy="paper", contact_distance=0.01, release_distance=0.02
    )
    found = compare_with_certificate(tracker, world.run(60))
    assert found.frames == 60
    inside = [k for k in found.missed if k in found.overlapping]
    assert len(inside) > 5
    assert tracker.next_frame == 60


def test_nothing_moved_is_nothing_missed():
    tracker = PairTracker(Body(shapes.box()), Body(shapes.box()), strategy="paper")
    assert compare_with_certificate(tracker, []).rate == 0.0


@pytest.mark.parametrize("ratio", [10.0, 100.0])
def test_whatever_the_range_the_first_that_passes_may_be_wrong(ratio):
    found = compared(
        shapes.needle(ratio=ratio), shapes.needle(ratio=ratio), search_range=3
    )
    assert found.frames > 30
    assert len(found.missed) > 0


def test_frames_that_the_tracker_cannot_prove_are_left_out():
    a, b = Body(shapes.l_block()), Body(shapes.box())
    tracker = PairTracker(a, b, strategy="paper")
    deep = [Pose(None, (2.0, 0.0, 0.0)), Pose(None, (0.1, 0.2, 0.1))]
    found = compare_with_certificate(tracker, deep)
    assert (found.frames, found.unproven) == (1, (1,))

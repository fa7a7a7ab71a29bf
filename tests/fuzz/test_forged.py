"""States that are forged in one field, or in all that belong together."""

import numpy as np
import pytest
from stories import story
from stories.forged import forgeries

from sim import Body, PairTracker, Pose, closest, scenes, verify
from wingedge import shapes

TURN = Pose.rigid((0.1, 0.2, 0.3, 1.0)).linear
HULLS = shapes.random_hull(1, 30), shapes.random_hull(2, 30)
NOTCHED = shapes.l_block()
# apart, touching and overlapping; of every kind; convex, not, standing for the hull
PAIRS = {
    "faces apart": (shapes.box(), shapes.box(), Pose(None, (2.0, 0.3, 0.2))),
    "faces touching": (shapes.box(), shapes.box(), Pose(None, (1.0, 0.3, 0.2))),
    "faces overlapping": (shapes.box(), shapes.box(), Pose(None, (0.75, 0.3, 0.2))),
    "gridded faces": (shapes.grid_box(3), shapes.box(), Pose(None, (0.0, 0.3, 1.5))),
    "corner over a face": (shapes.box(3.0), shapes.box(), Pose(TURN, (0.1, 0.2, 3.0))),
    "corner in a face": (shapes.box(3.0), shapes.box(), Pose(TURN, (0.1, 0.2, 2.0))),
    "corners": (shapes.box(), shapes.box(), Pose(None, (2.0, 2.0, 2.0))),
    "edges": (shapes.box(), shapes.box(), Pose(None, (2.0, 2.0, 0.2))),
    "hulls": (*HULLS, Pose(TURN, (2, 0, 1))),
    "hulls deep": (*HULLS, Pose(TURN, (0.5, 0.1, 0.2))),
    "in a notch": (NOTCHED, shapes.box(0.25), Pose(None, (0.25, 0.3, 0.1))),
    "notch touching": (NOTCHED, shapes.box(0.5), Pose(None, (0.25, 0.25, 0.1))),
    "notch overlapping": (NOTCHED, shapes.box(0.25), Pose(None, (-0.05, 0.3, 0.1))),
}


def believed(state):
    found = []
    for what, false in forgeries(state):
        if verify(false, state.a, state.b).answer == "yes":
            found.append(what)
    return found


def state_at(family, seed, at):
    told = story(family, seed)
    tracker = PairTracker(*told.bodies())
    for frame in told.play(tracker.a, tracker.b):
        state = tracker.update()
        if frame == at:
            return state


@pytest.mark.parametrize("pair", PAIRS)
def test_no_forged_state_is_believed(pair):
    mesh, other, pose = PAIRS[pair]
    state = closest(Body(mesh), Body(other, pose=pose))
    assert verify(state, state.a, state.b), verify(state, state.a, state.b)
    assert len(list(forgeries(state))) >= 40
    assert believed(state) == []


@pytest.mark.parametrize("scale", [2.0**-160, 2.0**150])
def test_no_forged_state_is_believed_at_the_limits_of_magnitude(scale):
    mesh = shapes.box()
    for at in ((2.0, 0.3, 0.2), (0.75, 0.3, 0.2)):
        a = Body(mesh, pose=Pose(scale * np.eye(3)))
        b = Body(mesh, pose=Pose(scale * TURN, scale * np.array(at)))
        state = closest(a, b)
        assert verify(state, a, b)
        assert believed(state) == []


def test_no_forged_state_of_a_body_that_stands_for_its_hull_is_believed():
    a = Body(shapes.u_block(), convexity="hull")
    b = Body(shapes.box(0.25), pose=Pose(None, (0.05, 1.5, 0.1)))
    state = closest(a, b)
    assert state.feature_a.kind == "lid"
    assert verify(state, a, b)
    assert believed(state) == []


@pytest.mark.parametrize(
    ("family", "seed", "at"),
    [
        ("spinning", 1, 0),  # edges 1e-10 apart: the normal turned, or the point
        ("crumpled", 50, 0),  # over a notch: the face beside the nearest edge
        ("crumpled", 1, 40),  # over a notch: a face beside the nearest one
        ("touch", 200, 40),  # edges that cross 1e-11 apart know which way is out
        ("unequal", 201, 0),  # the point is on the edge of a face that is level
        ("far_away", 616, 20),  # a gap below the rounding of points in the world
        ("prongs", 615, 0),  # where hulls alone overlap other features were believed
        ("off_centre", 521, 2),  # a vertex beyond the end of an edge within the blur
        ("prongs", 210, 6),  # the tracker had no pair to name: an index error
        ("coincident", 626, 20),  # a foot within rounding of an end: its normal leans
        ("far_away", 625, 0),  # the normal of a line of several edges
        ("plates", 627, 20),  # a touch may lie below zero by rounding
        ("needles", 5011, 0),  # a foot on an edge of 1e-6 moves along it
        ("unequal", 5005, 20),  # sides along each other cross nowhere
        ("rings", 9103, 40),  # hulls meet along a line, bodies over a hole nowhere
        ("rings", 5006, 0),  # a search may end in a scan
        ("prongs", 4006, 20),  # a corner in a notch: the faces beside it rise
        ("touching", 13000, 10),  # an area too rough to certify: its edge is named
        ("spinning", 13002, 0),  # the same, of the first body
        ("prongs", 13004, 10),  # the parted pair was named around a corner of its face
        ("shallow", 16004, 20),  # points off a facet of a hull by 5e-14
        ("shallow", 14003, 20),  # three corners all but on one line know no normal
        ("rewritten", 12601, 40),  # edges that cross at an end, to rounding
        ("touch", 625, 40),  # the faces beside edges that touch tell which way is out
        # a normal turns what is far from the point, not near
        ("off_centre", 20003, 20),
        ("plates", 40000, 10),  # nor is a short edge level whose end is the nearest
        ("plates", 20009, 20),  # edges that cross at an end know their own normal
        ("touch", 21004, 20),  # a normal of points that are 6e-13 apart is held by them
        ("shallow", 24007, 0),  # a rough area holds what lies between its own heights
        ("touching", 25004, 20),  # placed far off, bodies were 115 eps deeper
    ],
)
def test_what_once_was_believed_or_refused_is_told_apart(family, seed, at):
    state = state_at(family, seed, at)
    assert verify(state, state.a, state.b), verify(state, state.a, state.b)
    assert believed(state) == []


def test_of_a_body_that_crosses_itself_the_checker_cannot_say():
    """It has no inside, so how deep a vertex lies in it is not told."""
    state = state_at("crumpled", 501, 19)
    deep = state.replace(upper=state.distance)
    verdict = verify(deep, state.a, state.b)
    assert verdict.answer == "cannot say"
    assert verdict.reason == "body 'a' crosses itself"


@pytest.mark.parametrize("name", scenes.names())
def test_no_forged_state_of_a_scene_is_believed(name):
    for frame in scenes.load(name).run(scenes.length(name)):
        if frame.index % 40 == 7:
            for state in frame.pairs[:1]:
                assert believed(state) == []

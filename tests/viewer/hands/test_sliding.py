import numpy as np
import pytest

from sim import Body, Compound, Pose, World
from viewer.hands.hands import Hands
from viewer.hands.moulding import Sliding
from viewer.playing.sources import RunningWorld
from viewer.playing.timeline import Timeline
from wingedge import shapes


def above(z, x=0.0):
    return Pose(None, (x, 0.0, z))


@pytest.fixture
def box():
    return Body(shapes.box(), name="box", pose=above(2.0))


@pytest.fixture
def floor():
    return Body(shapes.box((4.0, 4.0, 1.0)), name="floor")


@pytest.fixture
def step():
    """A step of two pieces, 1 and 2 high, as one body at the left of the origin."""
    low = shapes.box((1.0, 2.0, 1.0))
    high = shapes.box((1.0, 2.0, 2.0))
    apart = high.points + np.array([1.0, 0.0, 0.5])
    return Compound([low, type(high).from_faces(apart, faces_of(high))], name="step")


def faces_of(mesh):
    return [mesh.face_vertices(f).tolist() for f in range(mesh.n_faces)]


def hands_of(world, tmp_path):
    timeline = Timeline(RunningWorld(world))
    timeline.pause()
    return Hands(timeline, tmp_path)


def test_a_body_rests_on_what_is_below_unless_the_world_ignores_it(box, floor):
    said = Sliding(box, World([box, floor])).move_to(above(0.5))
    assert said.startswith("slide: floor F")
    assert 0.99 < box.pose.translation[2] < 1.02
    # It stood in the way of the hand, while no contact of it was ever told.
    world = World([box, floor], ignore=[("floor", "box")])
    assert Sliding(box, world).move_to(above(0.5)) == "free"
    assert box.pose.translation[2] == 0.5


def test_a_body_of_pieces_is_in_the_way_and_named_as_one(box, step):
    """A compound was passed through, and nothing said so."""
    world = World([box, step])
    box.pose = above(3.0, x=0.9)
    said = Sliding(box, world).move_to(above(0.5, x=0.9))
    assert said.startswith("slide: step ")
    assert 1.99 < box.pose.translation[2] < 2.02  # on the high piece


def test_pieces_are_where_their_body_is_now(box, step):
    sliding = Sliding(box, World([box, step]))
    box.pose = above(3.0)
    step.pose = above(-3.0)
    assert sliding.move_to(above(1.0)) == "free"
    step.pose = above(-1.0)
    assert "step" in sliding.move_to(above(-1.5))
    assert box.pose.translation[2] > -0.02


def test_a_body_of_pieces_that_is_held_says_at_once_that_it_cannot_slide(
    box, step, tmp_path
):
    hands = hands_of(World([box, step]), tmp_path)
    hands.choose("step")
    hands.flip_slides()
    assert hands.said == "not step: it is made of pieces and cannot slide"
    hands.choose("box")
    hands.flip_slides()
    hands.flip_slides()
    assert hands.said == "others are in the way"

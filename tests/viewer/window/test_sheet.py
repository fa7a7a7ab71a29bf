import pytest  # of viewer.window.hands, viewer.window.panel

from sim import Body, Pose, World
from viewer.window.hands import sliding
from viewer.window.panel import sheet
from wingedge import Feature, shapes


def words(hands):
    return [line.words for line in sheet(hands, hands.timeline.frame)]


def test_of_a_chosen_body_it_is_said_where_it_is_and_what_is_beside_its_feature(hands):
    assert words(hands) == []
    hands.move_to(Pose())
    assert hands.said == "choose a body first: Tab"
    hands.choose("box")
    assert words(hands) == ["box, chosen", "at -1  0  1.1"]
    hands.move_to(above(1.1, -0.5))
    hands.work()
    assert words(hands) == ["box, held", "at -0.5  0  1.1"]
    hands.choose("box", Feature("vertex", 0))
    named, beside, place = words(hands)[2:]
    assert (named, beside[:11]) == ("vertex v0", "beside it e")
    assert place == "  -1  -0.5  0.6"
    hands.choose("box", Feature("vertex", 99))
    assert words(hands)[2:] == ["v99 is gone"]


def above(z, x=0.0):
    return Pose(None, (x, 0.0, z))


@pytest.fixture
def box():
    return Body(shapes.box(), name="box", pose=above(2.0))


@pytest.fixture
def floor():
    return Body(shapes.box((4.0, 4.0, 1.0)), name="floor")


def test_a_body_rests_on_what_is_below_unless_the_world_ignores_it(box, floor):
    drag = sliding(box, World([box, floor])).move_to(above(0.5))
    assert drag.response == "slide"
    assert 0.99 < box.pose.translation[2] < 1.02
    # It stood in the way of the hand, while no contact of it was ever told.
    world = World([box, floor], ignore=[("floor", "box")])
    assert sliding(box, world).move_to(above(0.5)).response == "free"
    assert box.pose.translation[2] == 0.5

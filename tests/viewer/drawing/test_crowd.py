"""viewer.drawing.scene: of many pairs some are drawn, the one looked at first."""

import pytest

from sim import Body, Pose, World
from viewer.drawing.glyphs import concerns, drawn_pairs, nearest_pairs
from wingedge import shapes


def row(count, **options):
    """Boxes in a row, of which the first two overlap, and the last one moves."""
    at = [Pose.rigid(None, (1.2 * k - 0.25 * (k == 1), 0, 0)) for k in range(count)]
    boxes = [Body(shapes.box(), name=f"box{k}", pose=p) for k, p in enumerate(at)]
    last = 1.2 * (count - 1)

    def moving(t):
        return Pose.rigid(None, (last + 0.5 * t, 0.0, 0.0))

    return World(boxes, motion={boxes[-1].name: moving}, dt=0.1, **options)


def named(states):
    return [(state.a.name, state.b.name) for state in states]


@pytest.fixture(scope="module")
def crowd():
    return list(row(20).run(2))


def test_what_is_looked_at_is_drawn_alone(crowd):
    states = drawn_pairs(crowd[1], ("box9",))
    assert named(states) == [("box8", "box9"), ("box9", "box10")]
    pair = "box3", "box12"
    assert named(drawn_pairs(crowd[1], pair)) == [pair]
    assert named(drawn_pairs(crowd[1], pair[::-1])) == [pair]
    assert drawn_pairs(row(20, margin=0.5).step(), pair) == ()


def test_all_pairs_of_a_body_are_met_one_after_the_other(crowd):
    ways = nearest_pairs(crowd[1], ("box9",))
    assert len(ways) == len(set(ways)) == 19
    assert {name for pair in ways[:2] for name in pair} == {"box8", "box9", "box10"}
    assert nearest_pairs(crowd[1])[0] == ("box0", "box1")
    assert len(nearest_pairs(crowd[1])) == len(crowd[1].pairs)
    assert nearest_pairs(crowd[1], ("nobody",)) == []


def test_events_are_those_of_the_pair_or_of_the_body(crowd):
    (event,) = (e for e in crowd[0].events if e.kind == "begin")
    assert (event.a, event.b) == ("box0", "box1")
    for looked_at in ((), ("box0",), ("box1",), ("box1", "box0")):
        assert concerns(event, looked_at)
    assert not concerns(event, ("box2",))
    assert not concerns(event, ("box0", "box2"))

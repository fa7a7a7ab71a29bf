import pytest  # of sim.events.event, sim.events.changes, sim.events.touch

from sim import Body, Event, PairState, PairTracker, scenes
from sim.events.changes import events_between
from wingedge import shapes

LINES = [
    "47 change jelly/table VF v12 f5 -> EE e7(3-9) e9(1-4)",
    "0 begin a/b VV v0 v1",
    "12 penetrate left finger/soap FF f3 f0",
    "13 separate left finger/soap EF e1(0-2) f0",
    "99 end body0/body1 VE v4 e11(12-7)",
    "47 convexity_lost left jelly e12(3-9) 0.0123",
    "48 convexity_lost jelly f1 0.25",
    "49 convexity_lost jelly winding 0",
    "52 convexity_restored jelly",
    "53 inverted left jelly",
    "54 upright jelly",
    "55 collapsed jelly",
    "56 expanded jelly",
]


def state_of(regime, *, a="vertex", index=0, frame=5):
    """Answer for two boxes, then say something else of A's feature and the regime."""
    pair = BOXES.update()
    dimension = ("vertex", "edge", "face").index(a)
    numbers = pair.numbers._replace(dimension_a=dimension, parts_a=(index,))
    return PairState.of(numbers, regime, frame, pair.a, pair.b)


@pytest.fixture(autouse=True, scope="module")
def _boxes():
    global BOXES
    a, b = Body(shapes.box(), name="a"), Body(shapes.box(), name="b")
    b.transform[:, 3] = (3.0, 0.1, 0.2)
    BOXES = PairTracker(a, b)


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_back_as_the_event_that_prints_it(line):
    event = Event.parse(line)
    assert str(event) == line
    assert str(Event.parse(line + "\n")) == line
    assert event.contact == -1
    assert event.state is None


def test_a_contact_begins_changes_by_chains_and_ends_as_what_it_was():
    (event,) = events_between(None, state_of("contact"), 3)
    assert (event.kind, event.contact, event.before) == ("begin", 3, None)
    assert events_between(None, state_of("separated"), 3) == ()
    (event,) = events_between(
        state_of("contact", a="edge", index=2), state_of("separated"), 0
    )
    assert str(event).startswith("5 end a/b EF e2(3-1) ")
    assert event.state.regime == "separated"
    (event,) = events_between(state_of("contact"), state_of("contact", index=1), 0)
    a, b = event.path
    assert " ".join(map(str, a)) == "v0 e3 v1"
    assert len(b) == 1


@pytest.mark.parametrize("name", ["tip", "pass_through", "hail", "press"])
def test_a_frame_that_nobody_read_is_written_as_its_events_print(name):
    """A recorder takes lines from the rows; features, names and order are the same."""
    worlds = [scenes.load(name) for _ in range(2)]
    for _ in range(min(scenes.length(name), 150)):
        read, bare = (world.step().events for world in worlds)
        assert list(bare.bare()) == list(read) == list(read.bare())

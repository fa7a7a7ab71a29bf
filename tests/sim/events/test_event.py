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


def state_of(regime, *, a=0, index=0, frame=5):
    """Answer for two boxes, then say something else of A's feature and the regime."""
    pair = BOXES.update()
    numbers = pair.numbers._replace(dimension_a=a, parts_a=(index,))
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
    before = state_of("contact", a=1, index=2)
    (event,) = events_between(before, state_of("separated"), 0)
    assert str(event).startswith("5 end a/b EF e2(3-1) ")
    assert event.state.regime == "separated"
    (event,) = events_between(state_of("contact"), state_of("contact", index=1), 0)
    a, b = event.path
    assert " ".join(map(str, a)) == "v0 e3 v1"
    assert len(b) == 1


@pytest.mark.parametrize("name", ["tip", "pass_through", "hail", "press"])
def test_what_rows_tell_is_what_their_states_tell(name):
    now = {}
    for frame in scenes.load(name).run(min(scenes.length(name), 150)):
        last, now = now, {(s.a.name, s.b.name): s for s in frame.pairs}
        told = [e for x in now for e in events_between(last.get(x), now[x], 0)]
        for both in zip(told, [e for e in frame.events if e.b], strict=True):
            assert len({(str(e), e.path, e.state.numbers) for e in both}) == 1

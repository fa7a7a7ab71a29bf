"""Stories of real runs, changed on purpose, and what is said of the change."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import Body, Event, Pose, Story, World, compare, scenes
from wingedge import shapes

TOUCHES = ["VF v1 f1", "VF v2 f1", "EE e7(3-9) e1(4-5)", "FF f0 f1", "FV f2 v3"]


@pytest.fixture(scope="module")
def demo():
    return Story.of(scenes.load("demo").run(160))


def balls(heights, *, late=0, without=(), order=None):
    """Balls that come down on a table one after the other, each in its own frame."""
    ball = shapes.icosphere(1)
    table = Body(shapes.box((20.0, 9.0, 1.0)), name="table")
    bodies, motions = [], {}
    for k, height in enumerate(heights):
        name = f"ball{k}"
        if name in without:
            continue

        def fall(t, k=k, height=height):
            at = height - 6.0 * max(0.0, t - late / 60)
            bounced = abs(at - 1.49) + 1.49
            return Pose.rigid(None, (4.0 * k - 4.0, 0.0, bounced))

        bodies.append(Body(ball, name=name))
        motions[name] = fall
    made = [*bodies, table]
    if order:
        made = [made[k] for k in order]
    return Story.of(World(made, motion=motions).run(60))


def changed(story, events, **head):
    """The story with other events; the order of a story is kept."""
    now = {
        "bodies": story.bodies,
        "frames": story.frames,
        "first": story.first,
        "dt": story.dt,
    }
    return Story(**(now | head), events=tuple(events))


def later(story, n, since=0):
    """The story from a frame on so many frames later, and as much longer."""
    moved = (
        replace(e, frame=e.frame + n) if e.frame >= since else e for e in story.events
    )
    return changed(story, moved, frames=story.frames + abs(n))


def kinds(comparison):
    return [found.kind for found in comparison.differences]


@st.composite
def stories(draw):
    """A story of two pairs that touch and part."""
    events = []
    for pair in ("a/t", "b/t"):
        frame = 0
        for _ in range(draw(st.integers(0, 4))):
            frame += draw(st.integers(1, 4))
            touch = draw(st.sampled_from(TOUCHES))
            events.append((frame, f"begin {pair} {touch}"))
            for _ in range(draw(st.integers(0, 3))):
                frame += draw(st.integers(1, 4))
                new = draw(st.sampled_from([t for t in TOUCHES if t != touch]))
                events.append((frame, f"change {pair} {touch} -> {new}"))
                touch = new
            frame += draw(st.integers(1, 4))
            events.append((frame, f"end {pair} {touch}"))
    parsed = [Event.parse(f"{frame} {text}") for frame, text in events]
    parsed.sort(key=lambda e: (e.frame, e.a))
    return Story(("a", "b", "t"), 100, 0, 1 / 60, tuple(parsed))


@given(stories())
def test_a_story_is_the_same_as_itself(story):
    assert compare(story, story).same
    assert compare(story, Story.parse(str(story))).same


@given(stories(), stories())
def test_exchanging_two_stories_exchanges_lost_and_inserted(first, second):
    forth, back = compare(first, second), compare(second, first)
    assert forth.same == back.same == (first.digest == second.digest)
    for one, other in (("lost", "inserted"), ("inserted", "lost"), ("feature",) * 2):
        count = sum(d.count for d in forth.differences if d.kind == one)
        assert count == sum(d.count for d in back.differences if d.kind == other)


@given(stories().filter(lambda s: s.events), st.integers(1, 9))
def test_a_shift_of_all_is_one_difference(story, n):
    long = changed(story, story.events, frames=story.frames + n)
    forth = compare(long, later(story, n))
    assert kinds(forth) == ["late"]
    assert forth.differences[0].lag == n
    assert forth.differences[0].count == len(story.events)
    back = compare(later(story, n), long)
    assert kinds(back) == ["early"]
    assert compare(long, later(story, n), frame_tolerance=n).same
    assert not compare(long, later(story, n), frame_tolerance=n - 1).same


@given(stories().filter(lambda s: s.events), st.data())
def test_one_contact_less_is_one_difference(story, data):
    contacts = sorted({e.contact for e in story.events})
    gone = data.draw(st.sampled_from(contacts))
    less = changed(story, (e for e in story.events if e.contact != gone))
    count = len(story.events) - len(less.events)
    found = compare(story, less)
    assert sum(d.count for d in found.differences) == count
    assert set(kinds(found)) == {"lost"}


def test_an_inserted_contact_is_named_and_nothing_after_it_differs(demo):
    line = "10 begin jelly/table VF v35 f1", "12 end jelly/table VF v35 f1"
    more = changed(demo, [*map(Event.parse, line), *demo.events])
    found = compare(demo, more)
    assert kinds(found) == ["inserted"]
    assert found.summary == (
        "1 difference: at frame 10, jelly/table: inserted a whole contact, 2 events to "
        "frame 12: begin VF v35 f1 ..."
    )


def test_a_changed_feature_is_told_once(demo):
    lines = (line.replace("v156 f1", "v157 f1") for line in demo.lines)
    found = compare(demo, changed(demo, map(Event.parse, lines)))
    assert kinds(found) == ["feature"]
    assert found.summary == (
        "1 difference: at frame 64, jelly/table: VF v156 f1 became VF v157 f1"
    )

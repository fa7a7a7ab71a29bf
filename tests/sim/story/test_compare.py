from dataclasses import replace  # of sim.story.compare, sim.story.comparing.difference

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import Event, Pose, Recording, Story, compare, motion, scenes
from sim.events.touch import Touch
from sim.motion import ramp
from sim.scenes.table import on_table
from sim.scenes.ways import HAIR
from sim.story.comparing.ties import is_tie
from wingedge import Feature, shapes

TOUCHES = ["VF v1 f1", "VF v2 f1", "EE e7(3-9) e1(4-5)", "FF f0 f1", "FV f2 v3"]


@pytest.fixture(scope="module")
def demo():
    return Story.of(scenes.load("demo").run(160))


BOX = shapes.box((0.5, 0.5, 0.5))


def changed(story, events, **head):
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


def test_a_pair_that_is_late_a_body_gone_or_elsewhere_are_one_difference():
    events = [
        Event.parse(f"{k} {kind} {pair} VF v1 f1")
        for k, kind in ((3, "begin"), (5, "end"))
        for pair in ("a/t", "b/t")
    ]
    story = Story(("a", "b", "t"), 9, 0, 1.0, tuple(events))
    late = sorted(
        (replace(e, frame=e.frame + 2 * (e.a == "b")) for e in events),
        key=lambda e: (e.frame, e.a),
    )
    (found,) = compare(story, changed(story, late)).differences
    assert (found.kind, found.pairs, found.lag) == ("late", ("b/t",), 2)
    assert compare(story, changed(story, late), frame_tolerance=2).same
    left = changed(story, events[1:2], bodies=("b", "t"))
    (found,) = compare(changed(story, events[:3]), left).differences
    assert (found.kind, found.pairs, found.count) == ("bodies", ("a",), 2)
    assert found.words == "only the first has 'a', with 2 events"
    order = sorted(events, key=lambda e: (e.frame, e.a != "b"))
    turned = changed(story, order, bodies=("b", "a", "t"))
    found = compare(story, turned)
    assert kinds(found) == ["bodies"]
    assert "in the order" in found.summary


def test_features_that_are_equally_close_are_let_pass():
    frames = [
        *on_table(
            "block",
            shapes.box((0.5, 0.5, 0.5)),
            turn=lambda t: Pose.identity(),
            above=ramp((0.0, 0.2, 0.4, 0.6), (0.1, HAIR, HAIR, 0.1)),
            across=float,
        ).run(40)
    ]
    story = Story.of(frames)
    assert {e.after.kind for e in story.events if e.after} == {"FF"}
    face = story.events[0].after.feature_a.index
    mesh = frames[0].body("block").mesh
    low, high = mesh.face_vertices(face)[0], mesh.face_vertices(1 - face)[0]
    for vertex, same in ((low, True), (high, False)):
        lines = (line.replace(f"FF f{face}", f"VF v{vertex}") for line in story.lines)
        other = changed(story, map(Event.parse, lines))
        for found in (compare(frames, other), compare(other, frames)):
            assert found.same == same
            assert found.ties_judged
            assert [d.kind for d in found.excused] == ["tie"] * same
        assert not compare(story, other).same, "nobody knows without positions"


@pytest.mark.parametrize("kind", ["penetrate", "separate", "brush"])
def test_other_features_of_an_overlap_or_a_brush_are_a_difference(kind):
    """They stand in no other event where the pair parts in that frame."""
    height = ramp((0.0, 0.2, 0.4, 0.41), (0.1, -0.01, -0.01, 0.1))
    still = motion.still()
    frames = [*on_table("block", BOX, turn=still, above=height, across=float).run(40)]
    told = Story.of(frames)
    if kind == "brush":
        told = changed(told, [Event.parse("1 brush block/table FF f0 f1")])
    for feature, tied in (("v0", True), ("v4", False)):
        ours = (x for x in told.lines if kind in x)
        theirs = {x: x.replace("FF f0", f"VF {feature}") for x in ours}
        lines = (theirs.get(x, x) for x in told.lines)
        other = changed(told, map(Event.parse, lines))
        assert kinds(compare(told, other)) == ["feature"]
        if kind != "brush":
            assert compare(frames, other).same == tied


def test_every_touch_of_a_scene_ties_with_itself_and_not_with_what_is_farther():
    for name in ("tip", "spin", "pass_through", "arch"):
        for frame in [*scenes.load(name).run(scenes.length(name))][::7]:
            for state in frame.pairs:
                names, touch = (state.a.name, state.b.name), Touch.of(state)
                assert is_tie(frame, names, touch, 1e-9), (name, state)
                if state.unique and state.distance > 0.0 and touch.kind[0] == "V":
                    for v in state.mesh_a.vertex_vertices(touch.feature_a.index):
                        other = touch._replace(feature_a=Feature("vertex", int(v)))
                        tie = is_tie(frame, names, other, 1e-9)
                        assert tie is False, (name, state, other)


def test_a_story_that_its_own_run_contradicts_is_not_let_pass(demo):
    frames = list(scenes.load("demo").run(160))
    untold = [
        replace(f, events=tuple(e for e in f.events if e.kind != "change"))
        for f in frames
    ]
    assert compare(demo, frames).same
    for a, b in ((demo, untold), (untold, demo)):
        found = compare(a, b)
        assert found.ties_judged
        assert not found.excused
        assert sum(one.count for one in found.differences) == 12


def test_files_are_read_and_a_recording_judges_ties(tmp_path, demo):
    world = scenes.load("demo")
    with world.record(tmp_path / "demo.vtkhdf"):
        list(world.run(70))
    short = changed(demo, (e for e in demo.events if e.frame < 70), frames=70)
    short.write(tmp_path / "demo.story")
    found = compare(tmp_path / "demo.vtkhdf", str(tmp_path / "demo.story"))
    assert found.same
    assert found.ties_judged
    assert not found.numbers_compared
    with Recording.open(tmp_path / "demo.vtkhdf") as recording:
        assert compare(recording, [*scenes.load("demo").run(70)]).numbers_compared


def test_a_longer_run_another_time_step_and_what_is_no_story_are_told(demo):
    short = changed(demo, (e for e in demo.events if e.frame < 70), frames=70)
    found = compare(short, demo)
    assert kinds(found) == ["frames"]
    assert "with 10 events where only one has frames" in found.summary
    assert kinds(compare(demo, changed(demo, demo.events, dt=0.01))) == ["dt"]
    assert compare(demo, changed(demo, demo.events, dt=0.0)).same


def test_regions_are_followed_under_other_identities():
    story = Story.of(scenes.load("arch").run(80))
    lines = [
        "1 birth arch/table #77 VF v1 f1",
        "2 death arch/table #77 VF v1 f1",
        *story.lines,
    ]
    found = compare(story, changed(story, map(Event.parse, lines)))
    assert kinds(found) == ["inserted"]
    merge = next(e for e in story.events if e.kind == "merge")
    other = changed(
        story,
        (
            replace(e, contact=e.parents[1], children=e.parents[1:2])
            if e == merge
            else e
            for e in story.events
        ),
    )
    assert "lineage" in kinds(compare(story, other))


def test_a_dent_that_is_deeper_is_a_number_and_elsewhere_a_feature():
    story = Story.of(scenes.load("dent").run(100))
    dent = next(e for e in story.events if e.dent)
    deeper = replace(dent, dent=dent.dent._replace(depth=dent.dent.depth * 1.001))
    other = changed(story, (deeper if e == dent else e for e in story.events))
    assert kinds(compare(story, other)) == ["numbers"]
    assert compare(story, other, tolerance=0.01).same
    place = Feature("edge", dent.dent.place.index + 1)
    moved = replace(dent, dent=dent.dent._replace(place=place))
    other = changed(story, (moved if e == dent else e for e in story.events))
    assert kinds(compare(story, other)) == ["feature"]


def test_one_of_many_contacts_that_are_alike_is_missed_where_it_was():
    lines = []
    for k in range(1000):
        v = k % 50
        lines += [f"{3 * k} begin a/t VF v{v} f1", f"{3 * k + 2} end a/t VF v{v} f1"]
    events = tuple(map(Event.parse, lines))
    story = Story(("a", "t"), 3_000, 0, 1 / 60, events)
    less = changed(story, events[:200] + events[202:])
    for late, kept in ((0, ["lost"]), (1, ["frames", "late", "lost"])):
        found = compare(story, later(less, late))
        assert sorted(kinds(found)) == kept
        (lost,) = (d for d in found.differences if d.kind == "lost")
        assert (lost.frame, lost.count) == (300, 2)
        assert lost.words.startswith("a whole contact, 2 events to frame 302: begin")

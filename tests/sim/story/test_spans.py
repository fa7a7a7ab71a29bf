"""sim.story.story, sim.story.margins: contacts as spans of frames, frame by frame."""

from itertools import combinations

import pytest

from sim import Recording, Story, scenes
from sim.story.order import contact_table


def through(table, frames):
    """The frames of all rows; what began before or lasts goes through to the end."""
    spans = [(row["begin"] or 0, row["end"] or 10**9) for row in table]
    return sorted(f.index for f in frames for b, e in spans if b <= f.index < e)


@pytest.mark.parametrize("name", ["bounce", "hail", "stack", "teleport", "thread"])
def test_spans_are_the_frames_in_which_bodies_touch(name):
    frames = list(scenes.load(name).run(scenes.length(name)))
    story = Story.parse(str(Story.of(frames)))
    near = [[s for s in frame.pairs if s.regime != "separated"] for frame in frames]
    meet = [[(state.a.name, state.b.name) for state in states] for states in near]
    for a, b in combinations(story.bodies, 2):
        met = [k for k, pairs in enumerate(meet) if (a, b) in pairs]
        assert through(story.spans(f"{a}/{b}"), frames) == met
        apart = sorted({*range(len(frames))} - {*met})
        assert through(story.in_the_air(f"{b}/{a}"), frames) == apart
        assert (story.first_span(f"{a}/{b}") or {}).get("begin") == (met or [None])[0]
    one = story.bodies[-1]
    met = [any(one in pair for pair in pairs) for pairs in meet]
    air = through(story.in_the_air(f"{one}/*"), frames)
    assert air == [k for k, touches in enumerate(met) if not touches]
    assert [story.touching(f"*/{one}", frame.time) for frame in frames] == met
    half = len(frames) // 2  # what goes on there began before
    told = through(contact_table(frames[half:], f"{one}/*"), frames[half:])
    assert told == [k for k in range(half, len(frames)) for p in meet[k] if one in p]


def test_a_recording_knows_distance_and_area_and_else_the_same(tmp_path):
    world = scenes.load("tip")
    with world.record(tmp_path / "tip.vtkhdf") as path:
        frames = list(world.run(100))
    with Recording.open(path) as recording:
        (row,), (told,) = recording.contacts("*/table"), recording.story.spans()
    inside = [frame.pairs[0] for frame in frames[row["begin"] : row["end"]]]
    assert row["area"] == max(state.area for state in inside)
    assert {state.kind for state in inside if state.area} == {"FF"}
    numbers = {"least_distance", "greatest_depth", "area"}
    assert {name for name in row if told[name] != row[name]} == numbers


def test_a_story_that_begins_in_a_contact_says_so_and_brushes_part_the_air():
    text = "wingedge story 1\nbodies a/b\nframes 9\nfirst 4\ndt 0.5\n\n"
    text += "6 change a/b VF v0 f0 -> VF v1 f0\n8 end a/b VF v1 f0\n"
    story = Story.parse(text + "10 brush a/b VF v1 f0\n")
    row, brush = story.spans()
    assert (row["begin"], row["begin_time"], row["end"]) == (None, None, 8)
    assert (row["duration"], row["features"]) == (2.0, "VF v0 f0 > VF v1 f0")
    assert (brush["begin"], brush["end"], brush["duration"]) == (10, 10, 0.0)
    assert story.in_the_air("a/*")["duration"].tolist() == [1.0, 1.0]
    assert [story.touching(None, time) for time in (2.0, 4.0, 5.0)] == [True, False, 0]
    for pattern, why in (("c/*", "no body 'c' here, only 'a/b'"), ("a", "pattern 'a'")):
        with pytest.raises(ValueError, match=why):
            story.spans(pattern)
    with pytest.raises(ValueError, match=r"of times 2 to 6 by steps of 0.5, not of 9"):
        story.touching("a/b", 9.0)

import pytest  # of sim.story.compare

from sim import Story, compare, scenes


@pytest.fixture(scope="module")
def frames(engine_python):
    return list(scenes.load("slide").run(115))


@pytest.fixture(scope="module")
def story(frames):
    return Story.of(frames, numbers=True)


def moved(story, k, **numbers):
    rows = list(story.numbers)
    rows[k] = rows[k]._replace(**numbers)
    head = story.bodies, story.frames, story.first, story.dt
    return Story(*head, story.events, tuple(rows))


def sides(story, frames):
    return [(story, frames), (frames, story), (story, Story.of(frames, numbers=True))]


def test_numbers_are_the_same_within_the_tolerance_given_or_not_there(story, frames):
    for a, b in sides(story, frames):
        found = compare(a, b)
        assert found.same
        assert found.numbers_compared
        assert "and the numbers" in found.summary
    other = moved(story, 0, distance=story.numbers[0].distance + 1e-6)
    assert not compare(other, frames).same
    assert compare(other, frames, tolerance=1e-5).same
    last = len(story.numbers) - 1
    assert story.numbers[last].normal == ()
    assert not compare(moved(story, last, distance=0.7), frames).same
    assert compare(moved(story, last, normal=(1.0, 0.0, 0.0)), frames).same
    for other in (frames, story):
        found = compare(Story.of(frames), other)
        assert found.same
        assert not found.numbers_compared


@pytest.mark.parametrize("what", ["distance", "normal", "point"])
def test_a_number_that_differs_is_told(story, frames, what):
    row = story.numbers[0]
    assert row.point
    value = getattr(row, what)
    far = 3e-9 * row.size
    for off, same in ((far / 9.0, True), (far, False)):
        new = value + off if what == "distance" else (value[0] + off, *value[1:])
        for a, b in sides(moved(story, 0, **{what: new}), frames):
            found = compare(a, b)
            assert found.same == same
            assert compare(a, b, numbers=False).same
            if not same:
                assert [one.kind for one in found.differences] == ["numbers"]
                assert found.differences[0].frame == row.frame
                assert what in found.differences[0].words


def test_where_frames_may_differ_no_numbers_are_compared(story, frames):
    assert not compare(story, frames, frame_tolerance=1).numbers_compared

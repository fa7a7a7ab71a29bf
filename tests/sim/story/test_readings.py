import re  # of sim.story.text, sim.story.story

import pytest

from sim import Story, scenes

LINES = ("1 begin a/b VF v0 f0", "2 penetrate a/b VF v0 f0", "3 end a/b VF v0 f0")
ROWS = ("1 a/b 0.0005 2 0 0 -1 0.25 0.5 1e-05", "2 a/b -0.001 2 0 0 -1", "3 a/b 0.5 2")


def text(lines=LINES, rows=ROWS, title="numbers"):
    head = "wingedge story 1\nbodies a/b\nframes 9\nfirst 0\ndt 0.5\n\n"
    return head + "".join(f"{line}\n" for line in (*lines, "", title, *rows))


@pytest.fixture(scope="module")
def frames(engine_python):
    return list(scenes.load("far").run(70))


def test_numbers_are_those_of_the_states(frames):
    story = Story.of(frames, numbers=True)
    assert len(story.numbers) == 3
    for row in story.numbers:
        state = frames[row.frame].pair(row.a, row.b)
        assert row.distance == pytest.approx(state.distance, rel=1e-11)
        assert row.size == pytest.approx(state.size, rel=1e-11)
        if row.normal:
            assert row.normal == pytest.approx(tuple(state.normal), abs=1e-12)
        if row.point:  # millions from the origin, and as exact as its size
            assert row.point == pytest.approx(
                tuple(state.point_a), abs=1e-12 * row.size
            )
    assert [len(row.normal) for row in story.numbers] == [3, 3, 0]
    assert [len(row.point) for row in story.numbers] == [0, 3, 0]


def test_numbers_that_are_cut_short_under_a_digest_are_refused():
    whole = str(Story.parse(text()))
    end = whole.index("\nnumbers")
    for k in range(end + 1, len(whole) - 1):
        with pytest.raises(ValueError, match=r"^line \d+: "):
            Story.parse(whole[:k])
    assert Story.parse(whole[:end]).numbers == ()
    assert Story.parse(re.sub("numbers .*", "numbers", whole)) == Story.parse(whole)

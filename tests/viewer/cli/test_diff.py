from dataclasses import replace  # of viewer.cli.stories

import pytest

from sim import Recording, Story


@pytest.fixture
def stories(recording, tmp_path):
    """The story of the recording, and one in which its contact begins a frame later."""
    with Recording.open(recording) as opened:
        story = opened.story
    story.write(tmp_path / "a.story")
    late = (replace(e, frame=e.frame + 1) for e in story.events)
    head = story.bodies, story.frames, story.first, story.dt
    Story(*head, tuple(late)).write(tmp_path / "b.story")
    return story


def test_the_same_story_is_yes(wingedge, recording, stories):
    result = wingedge("diff", recording, "a.story")
    assert (result.code, result.err) == (0, "")
    n = len(stories.events)
    assert result.out == f"the same: {n} event{'s' if n > 1 else ''}\n"
    assert "and the numbers" in wingedge("diff", recording, recording).out


def test_another_story_is_no_with_a_table_and_a_summary_unless_it_is_allowed(
    wingedge, stories
):
    result = wingedge("diff", "a.story", "b.story")
    assert (result.code, result.err) == (1, "")
    lines = result.out.splitlines()
    assert lines[0].split() == ["frame", "pair", "kind", "what"]
    assert lines[1].split()[:4] == ["5", "ball/table", "late", "by"]
    assert lines[-1].startswith("1 difference: at frame 5, ball/table: late by 1 frame")
    result = wingedge("diff", "a.story", "b.story", "--frame-tolerance", 1)
    assert result.code == 0
    assert "1 shift in time let pass" in result.out


def test_a_report_goes_into_a_file_and_the_summary_to_the_terminal(
    wingedge, stories, tmp_path
):
    result = wingedge("diff", "a.story", "b.story", "--output", "d.txt")
    assert result.code == 1
    assert result.out.startswith("1 difference: ")
    text = (tmp_path / "d.txt").read_text(encoding="utf-8")
    assert "    5  ball/table  late  by 1 frame: " in text
    result = wingedge("diff", "a.story", "b.story", "--output", "no/such/d.md")
    assert result.code == 2

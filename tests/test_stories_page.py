"""docs/stories.md: its program prints what it shows, and every line of it is read."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from sim import Event, Story
from sim.events.event import BODY_KINDS, EVENT_KINDS, REGION_KINDS

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "stories.md").read_text("utf-8")
LINES = re.findall(r"`(47 [^`]+)`", PAGE)


def test_its_program_prints_what_it_shows():
    program, shown = re.findall(r"^```(?:python|text)\n(.*?)^```", PAGE, re.M | re.S)[
        :2
    ]
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, names)
    assert printed.getvalue() == shown
    assert Story.parse(shown) == names["story"]
    at_34, at_53 = (e for e in names["story"].events if e.frame in (34, 53))
    assert " ".join(map(str, at_34.path[0])) == "v35 e228 v74"
    assert at_53.jump == "not neighbours"


def test_every_line_of_its_table_is_an_event_of_every_kind():
    for line in LINES:
        assert str(Event.parse(line)) == line
    kinds = {Event.parse(line).kind for line in LINES}
    assert kinds == {*EVENT_KINDS, *REGION_KINDS, *BODY_KINDS}


@pytest.mark.parametrize(("old", "new"), [("e97(92-95)", "e97"), ("87 end", "88 end")])
def test_its_sentences_about_damage_are_what_is_said(tmp_path, monkeypatch, old, new):
    story = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)[0]
    monkeypatch.chdir(tmp_path)
    Path("dent.story").write_text(story.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match="dent") as caught:
        Story.read("dent.story")
    assert f"\n{caught.value}\n" in PAGE

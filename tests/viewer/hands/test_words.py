import numpy as np
import pytest

from viewer.hands.reading import LETTERS, SheetLine, said, sheet, wrapped
from wingedge import Feature


def words(hands):
    return [line.words for line in sheet(hands, hands.timeline.frame)]


def test_nothing_chosen_or_a_feature_that_is_gone_says_nothing(hands):
    assert words(hands) == []
    hands.shift((1.0, 0.0, 0.0))
    assert words(hands) == ["choose a body first: Tab"]
    hands.choose("box", Feature("vertex", 99))
    assert "v99 is gone" in words(hands)


def test_a_chosen_body_says_where_it_is_and_a_held_one_that_it_is(hands):
    hands.choose("box")
    assert words(hands) == ["box, chosen", "at -1  0  1.1"]
    hands.shift((0.5, 0.0, 0.0))
    hands.work()
    assert words(hands) == ["box, held", "at -0.5  0  1.1"]


def test_amounts_and_sliding_are_told(hands):
    hands.choose("box")
    hands.remould(squash=0.25, twist=30.0)
    hands.work()
    hands.flip_slides()
    assert "squash 0.25  twist 30°  bend 0°" in words(hands)
    assert "slides along other bodies" in words(hands)


@pytest.mark.parametrize(("kind", "letter"), [("vertex", "v"), ("face", "f")])
def test_a_feature_says_its_numbers_neighbours_and_why(hands, kind, letter):
    hands.choose("box", Feature(kind, 0))
    told = words(hands)
    assert f"{kind} {letter}0" in told
    assert any(line.startswith("beside it e") for line in told)
    assert any("closest to table" in line for line in told)
    assert all(len(line) <= LETTERS for line in told)


def test_what_went_wrong_is_loud(hands):
    hands.choose("box")
    hands.remould(squash=2.0)
    hands.work()
    lines = sheet(hands, hands.timeline.frame)
    assert any(line.loud and line.words.startswith("not done") for line in lines)
    assert SheetLine("box, held", bold=True) in lines


def test_words_are_wrapped_and_zero_is_zero():
    text = "one two three four five six seven eight nine ten eleven"
    lines = wrapped(text, 12)
    assert " ".join(lines) == text
    assert max(map(len, lines)) <= 12
    assert wrapped("") == []
    place = np.array([5.55e-17, -1e-13, 0.123456])
    assert said(place, 1.0, 4) == ["0", "0", "0.1235"]
    assert said(place, 1e-16, 4) == ["5.55e-17", "-1e-13", "0.1235"]


def test_a_long_sheet_leaves_numbers_out_before_reasons(hands):
    """A picked face pushed the story out of the panel."""
    hands.choose("table", Feature("face", 0))
    frame = hands.timeline.frame
    every = sheet(hands, frame)
    reasons = [line for line in every if not line.minor]
    assert len(reasons) < len(every)
    assert sheet(hands, frame, len(every)) == every
    assert sheet(hands, frame, len(reasons)) == reasons
    named = [line for line in every if line.minor != 1]
    assert len(reasons) < len(named) < len(every)
    assert sheet(hands, frame, len(every) - 1) == named
    assert sheet(hands, frame, len(named) - 1) == reasons


def test_a_sheet_without_room_for_its_reasons_ends_in_dots(hands):
    hands.choose("table", Feature("face", 0))
    short = sheet(hands, hands.timeline.frame, 3)
    assert short[0].words == "table, chosen"
    assert short[-1].words == "…"
    assert len(short) == 3

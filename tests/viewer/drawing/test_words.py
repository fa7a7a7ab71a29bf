import pytest  # of viewer.drawing.words

from sim.events.event import Event
from viewer.drawing.words import LONGEST, brief, cut, folded, readable, short

CHANGE = "47 change jelly/table EE e17(13-29) e9(1-4) -> VF v12 f5"


def test_names_are_shortened_in_the_middle():
    assert short("table") == "table"
    long = short("a_rather_long_name_number_4")
    assert (len(long), long[:8], long[-8:]) == (LONGEST, "a_rather", "number_4")


def test_as_little_as_possible_is_cut():
    assert cut("jelly", lambda line: True) == "jelly"
    for most in range(1, 20):
        assert len(cut("0123456789" * 2, lambda line, n=most: len(line) <= n)) == most


def test_the_story_keeps_the_new_features_longest():
    line = "47 convexity_lost jelly e12(3-9) 0.012345678"
    assert brief(line, 42, alone=True) == "47 convexity_lost jelly e12 0.012345678"
    assert str(Event.parse(CHANGE)) == CHANGE
    for letters, alone, wanted in [
        (60, True, CHANGE),
        (45, True, "47 change jelly/table EE e17 e9 -> VF v12 f5"),
        (38, True, "47 change EE e17 e9 -> VF v12 f5"),
        (38, False, "47 change jelly/table -> VF v12 f5"),
        (25, True, "47 change -> VF v12 f5"),
    ]:
        assert brief(CHANGE, letters, alone=alone) == wanted


def test_a_long_line_goes_on_in_rows_of_which_none_is_longer_than_it_may_be():
    rows = ["47 change jelly/", "   table EE", "   e17(13-29)", "   e9(1-4) -> V…"]
    assert folded(CHANGE, lambda line: len(line) <= 16) == rows


def test_a_letter_that_vtk_lacks_comes_from_another_font_or_is_a_question_mark():
    pytest.importorskip("matplotlib")
    assert readable("closest: f12 …") == ("closest: f12 …", "")
    words, font = readable("aж\n")
    assert words == "aж "
    assert font.endswith(".ttf")
    assert readable("a\U00010600ж")[0] == "a?ж"

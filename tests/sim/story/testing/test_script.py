import pytest  # of sim.story.testing.script
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.events.event import Event
from sim.story.testing.script import parse_script

LINES = [
    "22 begin jelly/table VF v0 f1",
    "47 change jelly/table VF v12 f5 -> EE e7(3-9) e9(1-4)",
    "48 penetrate jelly/table EE e7(3-9) e9(1-4)",
    "49 separate jelly/table FF l(3-9-12) f4",
    "79 end soft jelly/steel table VE v15 l(3-9)",
    "12 birth jelly/table #3 VF v12 f5",
    "31 death jelly/table #1 VF v12 f5",
    "14 split jelly/table #1 -> #1+#4",
    "20 merge jelly/table #1+#4 -> #1",
    "47 convexity_lost jelly e12(3-9) 0.0123",
    "47 convexity_lost soft jelly f3 1e-05",
    "47 convexity_lost jelly winding 0",
    "52 convexity_restored jelly",
    "60 inverted soft jelly",
]


def test_the_line_of_an_event_is_a_step_and_what_cannot_be_read_is_named():
    for line in LINES:
        (step,) = parse_script(line)
        met = [other for other in LINES if not step.unlike(Event.parse(other))[1]]
        assert met == [line]
    with pytest.raises(ValueError, match=r"'chnge' is not .* you mean 'change'\?"):
        parse_script("begin ; chnge EE")


def test_steps_end_at_semicolons_and_lines_and_a_long_line_is_read_at_once():
    steps = parse_script("begin;change EE\n\n  ... ;; … ; end ;")
    assert [step and step.text for step in steps] == ["begin", "change EE", None, "end"]
    assert parse_script(" \n;") == ()
    with pytest.raises(ValueError, match=r"step 1: .* letters\) cannot be read"):
        parse_script("begin a/b" + " * a" * 20_000)  # all splits would take hours


def test_what_is_left_out_may_be_anything():
    begin, change, moved, split, birth, lost = parse_script(
        "30-40 begin a/* E* * v3 ; change VE * e7 ; 7 change VF -> EE e7(3-9) * ; "
        "split ; birth * VV ; convexity_lost x f1"
    )
    assert (begin.frames, begin.a, begin.b) == ((30, 40), "a", None)
    assert begin.words == ("E*", "*", "v3")
    assert change.words == ("VE", "*", "e7")
    assert moved.frames == (7, 7)
    assert moved.words == ("VF", "*", "*", "->", "EE", "e7(3-9)", "*")
    assert split.words == ()
    assert birth.words == ("*", "VV", "*", "*")
    assert lost.words == ("f1", "*")


WORDS = ["begin", "change", "split", "inverted", "VF", "->", "v1", "#1+#2"]
ALPHABET = st.sampled_from([*"*-/;+#.0 ", " ", "birth ", *WORDS])


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.lists(ALPHABET, max_size=10).map("".join))
def test_damaged_text_is_read_or_refused_with_a_sentence(text):
    try:
        parse_script(text)
    except ValueError as error:
        assert str(error).startswith("expected contacts, step ")  # noqa: PT017

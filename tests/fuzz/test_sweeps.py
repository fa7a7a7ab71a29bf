"""A slice of the long runs over passages, the judge itself, and what once was wrong."""

import numpy as np
import pytest
from stories.sweeping import faults, word
from stories.sweeps import FAMILIES, drawn
from stories.tampered import tampered

from sim import verify_passage
from sim.between.passage import Instant

FAILED_ONCE = {
    ("dented", 3, 93): "overlapping hulls were no end of a chain: until t = 1, wide",
    ("near", 202, 224): "a parting was taken for the end of the frame",
    ("near", 0, 1295): "a vertex is 1e-9 near for 1e-10 of a frame: wide",
    ("both", 102, 128): "apart at the end, in a dent where hulls meet: no parting",
}


@pytest.mark.parametrize("family", FAMILIES)
def test_no_touch_of_a_sweep_is_missed_or_invented(family):
    for k in range(6):
        sweep = drawn(family, 2, k)
        passage, _ = sweep.passage()
        assert faults(sweep, passage, exact=k == 0) == [], (
            f"replay: fuzz_sweeps.py --replay {family}:2:{k}"
        )


@pytest.mark.parametrize("case", FAILED_ONCE, ids=FAILED_ONCE.get)
def test_a_sweep_that_was_told_wrongly_once_is_told_right(case):
    sweep = drawn(*case)
    assert faults(sweep, sweep.passage()[0], exact=True) == []


def told(passage, **changed):
    """Tell something else of a passage."""
    passage.reason  # noqa: B018 - cached, as it was
    vars(passage).update(changed)
    return passage


@pytest.mark.parametrize("family", ["bend", "turn", "fast"])
def test_the_judge_knows_what_is_missed_invented_late_and_wide(family):
    met = missed = 0
    for k in range(12):
        sweep = drawn(family, 2, k)
        passage, _ = sweep.passage()
        touch = passage.touch
        if word(passage) == "touches and parts":
            met += 1
            for lie in (
                {"touch": None, "parting": None},
                {"touch": Instant(passage, touch.lower, 1.0)},
                {"parting": None},
                {"touch": Instant(passage, 0.0, touch.lower * 0.9)},
                {"touch": Instant(passage, touch.upper + 1e-6, 1.0)},
            ):
                assert faults(sweep, told(sweep.passage()[0], **lie))
        elif word(passage) == "misses":
            missed += 1
            lie = {"touch": Instant(passage, 0.5, 0.5 + 1e-10)}
            assert faults(sweep, told(passage, **lie))
    assert met > 1
    assert missed > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_passage_with_one_number_changed_is_not_believed(family):
    """Of those that are proven; ``fuzz_verify.py --passages`` does more."""
    tried = 0
    rng = np.random.default_rng(1)
    for k in range(20):
        passage, tracker = drawn(family, 4, k).passage()
        passage.nearest  # noqa: B018 - what was asked for is held to it
        bodies = tracker.a, tracker.b
        answer = verify_passage(passage, *bodies).answer
        assert answer != "no"
        made = list(tampered(rng, passage)) if answer == "yes" else []
        for at in rng.permutation(len(made))[:5]:
            what, false = made[at]
            assert not verify_passage(false, *bodies), f"{family} {k}: {what}"
            tried += 1
        if tried >= 10:
            break
    assert tried >= 10


def test_an_interval_that_is_wider_and_holds_its_root_is_still_true():
    sweep = drawn("turn", 4, 0)
    passage, tracker = sweep.passage()
    touch = passage.touch
    wide = Instant(passage, touch.lower - 1e-10, touch.upper)
    assert verify_passage(told(passage, touch=wide), tracker.a, tracker.b)

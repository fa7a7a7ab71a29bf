"""benchmarks.reported: what others reported is answered right, with its proof."""

import pytest
from reported import STORIES, cases

from sim import closest, verify


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.report)
def test_a_reported_pair(case):
    state = closest(case.a, case.b, exact=True)
    assert state.certified
    assert state.distance == pytest.approx(case.right, rel=1e-9, abs=1e-14)
    assert verify(state, case.a, case.b)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story[0])
def test_a_reported_story(story):
    _, _, right, told = story
    assert told() == right


def test_the_patch_of_two_squares_is_the_octagon_between_them():
    [state] = [closest(c.a, c.b) for c in cases() if c.report == "coal#574"]
    assert state.area == pytest.approx(2.0 * (2.0**0.5 - 1.0), rel=1e-12)
    assert len(state.contacts) == 8

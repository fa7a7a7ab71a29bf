from dataclasses import replace  # of sim.story.compare

import numpy as np
import pytest

from sim import PairState, scenes
from sim.story.compare import difference, first_difference


@pytest.fixture(scope="module")
def frames():
    return list(scenes.load("tip").run(50))


def changed(frame, **numbers):
    (state,) = frame.pairs
    own = state.numbers._replace(**numbers)
    other = PairState.of(own, state.regime, state.frame, state.a, state.b)
    return replace(frame, pairs=(other,))


def test_one_bit_or_an_early_end_is_a_difference_and_what_it_cost_is_none(frames):
    assert first_difference(frames, list(scenes.load("tip").run(50))) is None
    work = frames[7].pairs[0].work._replace(steps=99)
    assert difference(frames[7], changed(frames[7], work=work)) == ""
    upper = frames[7].pairs[0].upper
    other = [*frames[:7], changed(frames[7], upper=np.nextafter(upper, 9.0))]
    said = first_difference(frames[:8], other)
    assert said.startswith(f"frame 7: block/table: upper was {upper!r}, and is")
    assert first_difference(frames, frames[:9]) == (
        "frame 9: only the recorded run has it"
    )


def test_the_most_telling_difference_is_said(frames):
    k = next(f.index for f in frames if f.events)
    silent = replace(frames[k], events=())
    line = f"'{frames[k].events[0]}' of contact {frames[k].events[0].contact}"
    assert difference(frames[k], silent) == f"the story was {line}, and is silent"
    assert difference(silent, frames[k]) == f"the story was silent, and is {line}"
    gone = replace(frames[3], pairs=())
    assert (
        difference(frames[3], gone) == "block/table was reported, and is not reported"
    )
    moved = replace(
        frames[3],
        bodies=(replace(frames[3].bodies[0], points=frames[3].bodies[0].points + 1.0),),
    )
    assert "is in another place" in difference(
        replace(frames[3], bodies=frames[3].bodies[:1]), moved
    )

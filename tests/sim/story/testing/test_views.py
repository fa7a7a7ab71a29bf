from dataclasses import replace

import numpy as np

from sim import Event, Story, scenes
from sim.story.comparing.histories import Side
from sim.story.testing.pictures import INSTALL, as_told, try_picture


def test_nobody_draws_what_is_not_there(tmp_path):
    assert "positions of that frame are not known" in try_picture(None, tmp_path / "a")
    frame = scenes.load("press").step()
    said = try_picture(frame, tmp_path / "a.png", group="wingedge.views.of.nobody")
    assert said == f"no picture: nobody here draws any; run: {INSTALL}"


def test_a_golden_file_is_drawn_as_it_tells_where_it_tells_enough():
    run = list(scenes.load("press").run(30))
    story = Story.of(run, numbers=True)
    (event,) = story.events
    side, state = Side.of(run), run[event.frame].pairs[0]
    told = as_told(side, event, story)
    (pair,) = told.pairs
    assert (told.index, pair.kind, pair.regime) == (event.frame, "VF", "contact")
    assert (pair.feature_a, pair.feature_b) == (state.feature_a, state.feature_b)
    assert np.allclose(pair.point_b, state.point_b, atol=1e-11)
    assert not pair.certified
    assert as_told(side, event, replace(story, numbers=())) is None
    assert as_told(Side.of(run[:5]), event, story) is None
    assert as_told(Side.of(story), event, story) is None
    for said in ("lid/table VF v0 f1", "jelly/table VF v0 f99"):
        other = Event.parse(f"{event.frame} begin {said}")
        assert as_told(side, other, story) is None

"""Golden stories: what happens in every scene, on either engine."""

import pytest

from sim import scenes, set_engine


@pytest.fixture(params=["python", pytest.param("compiled", marks=pytest.mark.compiled)])
def engine(request):
    """Each engine in turn; both tell the same story, so they share its golden file."""
    set_engine(request.param)
    yield request.param
    set_engine("auto")


@pytest.mark.parametrize("name", scenes.names())
def test_a_scene_tells_its_golden_story(name, engine, contact_regression):
    contact_regression.check(scenes.load(name), name=name, frames=scenes.length(name))

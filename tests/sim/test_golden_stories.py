"""sim.scenes.table: golden stories, what happens in every scene, to be read.

Interpreted; that compiled code tells the same is held by the digests of the scenes.
"""

from pathlib import Path

import pytest
from digests import committed

from sim import Story, scenes

GOLDEN = Path(__file__).with_suffix("")


@pytest.mark.parametrize("name", scenes.names())
def test_a_scene_tells_its_golden_story(name, engine_python, contact_regression):
    contact_regression.check(scenes.load(name), name=name, frames=scenes.length(name))


def test_the_golden_stories_have_the_digests_of_the_scenes():
    found = {path.stem: Story.read(path).digest for path in GOLDEN.glob("*.story")}
    assert found == {name: both.story_digest for name, both in committed().items()}

"""A few pictures as they were looked at, kept beside the tests: pytest-pyvista.

What another driver draws otherwise is far below the limit; a name, a mark or a colour
that is gone is above it. The last tests show both.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sim import Body, World
from viewer.playing.sources import Stored
from viewer.playing.timeline import Timeline
from viewer.theme import LIGHT, named
from wingedge import shapes

pytest.importorskip("pytest_pyvista", reason="pytest-pyvista is in the extra 'screens'")
pytestmark = [pytest.mark.gui, pytest.mark.screens]

SIZE = 480, 320
LIMIT = 100.0  # what `pyvista.compare_images` may tell
IMAGES = Path(__file__).with_name("images")


@pytest.fixture
def dented():
    """A block with a notch."""
    return World([Body(shapes.u_block(), name="u")]).step()


@pytest.fixture
def drawn():
    """Draw a frame, and return the plotter that holds it."""
    from viewer import Scene

    scenes = []

    def draw(frame, look="light", layers=(), **changed):
        theme = replace(named(look), **changed)
        scenes.append(Scene(size=SIZE, supersample=2, theme=theme))
        scenes[-1].layers.show(layers)
        scenes[-1].update(frame)
        scenes[-1].image()
        return scenes[-1]

    yield draw
    for scene in scenes:
        scene.close()


@pytest.fixture
def verify(verify_image_cache):
    """Compare a plotter with the picture that is kept for this test."""
    verify_image_cache.error_value = LIMIT
    verify_image_cache.warning_value = LIMIT
    return verify_image_cache


@pytest.mark.parametrize("look", ["light", "dark"])
def test_vertex_above_face(verify, drawn, vertex_above_face, look):
    scene = drawn(vertex_above_face, look)
    verify(scene.plotter)
    assert verify.n_calls == 1

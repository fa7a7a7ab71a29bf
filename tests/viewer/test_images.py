"""viewer.screens: a few pictures as they were looked at, kept here: pytest-pyvista.

They are drawn as a software renderer does, whatever draws here. To keep others:
pytest tests/viewer/test_images.py --reset_image_cache, and look at each of them.
"""

from pathlib import Path

import pytest

from sim import Body, Pose, World
from viewer.sources import StoredFrames
from viewer.theme import named
from viewer.timeline import Timeline
from wingedge import shapes

pytest.importorskip("pytest_pyvista", reason="pytest-pyvista is in the extra 'screens'")
pytestmark = [pytest.mark.gui, pytest.mark.images]

SIZE = 640, 400
IMAGES = Path(__file__).with_name("images")
# Of `pyvista.compare_images`. What moves by a tenth of a pixel, as edges may with
# another renderer, gives up to 30; one colour or mark that is another, over 100.
LIMIT = 60.0


@pytest.fixture(scope="session", autouse=True)
def _kept_here(pytestconfig):
    """Say where the pictures are; an option of a plugin that may be missing."""
    pytestconfig.option.image_cache_dir = str(IMAGES)


@pytest.fixture
def verify(verify_image_cache):
    """Compare a plotter with the picture that is kept for this test."""
    verify_image_cache.error_value = verify_image_cache.warning_value = LIMIT

    def compare(plotter):
        verify_image_cache(plotter)
        plotter._before_close_callback = None  # it would be compared once more

    yield compare
    assert verify_image_cache.n_calls == 1


@pytest.fixture(autouse=True)
def _software(monkeypatch):
    """Draw as a software renderer: without smoothing, on a plain background."""
    from viewer.gl import probe

    found = probe()._replace(renderer="llvmpipe")
    monkeypatch.setattr("viewer.gl.require_gl", lambda: found)


@pytest.fixture
def drawn():
    from viewer import Scene

    scenes = []

    def draw(frame, look="light", layers=()):
        scenes.append(Scene(size=SIZE, theme=named(look)))
        scenes[-1].layers.show(layers)
        scenes[-1].update(frame)
        scenes[-1].image()
        return scenes[-1]

    yield draw
    for scene in scenes:
        scene.close()


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_vertex_above_a_face(verify, drawn, vertex_above_face, look):
    verify(drawn(vertex_above_face, look).plotter)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_patch_of_a_face_on_a_face(verify, drawn, face_on_face, look):
    verify(drawn(face_on_face, look).plotter)


def test_two_bodies_overlap_and_how_deep(verify, drawn, overlapping):
    verify(drawn(overlapping, layers=["distance"]).plotter)


def test_a_window_with_its_story_and_its_plots(verify):
    from viewer.window.window import WindowScreen

    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((4.0, 4.0, 1.0)), name="table")
    fall = {"ball": lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - t))}
    frames = list(World([ball, table], motion=fall, dt=0.1).run(9))
    window = WindowScreen(off_screen=True, size=(960, 540))
    window.open(Timeline(StoredFrames(frames)))
    try:
        window.timeline.pause()
        for key in ("End", "Tab"):
            window.press(key)
            window.turn()
        while window._panel.fills:
            window.turn()
        window.image()
        verify(window.plotter)
    finally:
        window.close()

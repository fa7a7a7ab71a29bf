import pytest

from viewer.demos.play import Keyboard

pytestmark = pytest.mark.gui

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def plotter():
    from viewer.gl import require_gl, require_pyvista

    pyvista = require_pyvista()
    require_gl()
    plotter = pyvista.Plotter(off_screen=True, window_size=(64, 64))
    plotter.add_mesh(pyvista.Cube())
    plotter.show(auto_close=False, interactive=False)
    yield plotter
    plotter.close()


@pytest.fixture
def keyboard(plotter):
    asked = []
    keyboard = Keyboard(
        plotter, lambda: asked.append("end"), lambda: asked.append("again")
    )
    keyboard.asked = asked
    return keyboard


def look(plotter):
    """What pyvista's and VTK's own keys change: camera, surfaces, sizes, style."""
    actor = next(iter(plotter.actors.values()))
    prop = actor.prop
    return (
        tuple(map(tuple, plotter.camera_position)),
        (plotter.camera.parallel_scale, plotter.camera.view_angle),
        (prop.style, prop.line_width, prop.point_size),
        type(plotter.iren.style).__name__,
        plotter.render_window.GetStereoRender(),
    )


def test_a_key_is_held_from_press_to_release(plotter, keyboard, typist):
    typist = typist(plotter)
    typist.press("l")
    assert [keyboard.take() for _ in range(3)] == [{"L"}] * 3
    typist.press("k")
    assert keyboard.take() == {"K", "L"}
    typist.release("l")
    assert keyboard.take() == {"K"}
    typist.release("k")
    assert keyboard.take() == frozenset()


def test_a_tap_between_two_frames_counts_for_one_with_shift_or_without(
    plotter, keyboard, typist
):
    typist(plotter).tap("r")
    assert keyboard.take() == {"R"}
    assert keyboard.take() == frozenset()
    typist(plotter).tap("T", shift=True)
    assert keyboard.take() == {"Shift", "T"}


def test_shift_is_held_with_a_letter_and_is_nothing_alone(plotter, keyboard, typist):
    typist = typist(plotter)
    typist.press("Shift_L")
    assert keyboard.take() == frozenset()
    typist.press("S", shift=True)
    assert keyboard.take() == {"Shift", "S"}
    typist.release("Shift_L", shift=True)
    assert keyboard.take() == {"S"}
    typist.release("s")
    assert keyboard.take() == frozenset()


def test_shift_that_was_let_go_elsewhere_is_not_held(plotter, keyboard, typist):
    typist = typist(plotter)
    typist.press("Shift_R")
    typist.tap("S", shift=True)
    assert keyboard.take() == {"Shift", "S"}
    typist.tap("s", shift=False)
    assert keyboard.take() == {"S"}


@pytest.mark.parametrize(
    ("key", "what"), [("q", "end"), ("Escape", "end"), ("Home", "again")]
)
def test_commands_are_no_keys(plotter, keyboard, typist, key, what):
    typist(plotter).tap(key)
    assert keyboard.asked == [what]
    assert keyboard.take() == frozenset()


def test_no_key_of_pyvista_or_vtk_does_anything_any_more(plotter, keyboard, typist):
    plotter.camera.position = (3.0, 2.0, 9.0)
    before = look(plotter)
    typist = typist(plotter)
    for key in [*LETTERS, "C", "3", "Up", "Down", "plus", "minus"]:
        typist.tap(key)
        assert look(plotter) == before, key
    assert "end" in keyboard.asked  # q is the demo's own


def test_without_it_the_same_keys_do(plotter, typist):
    plotter.camera.position = (3.0, 2.0, 9.0)
    before = look(plotter)
    typist = typist(plotter)
    changed = []
    for key in ["r", "w", "Up", "plus"]:
        typist.tap(key)
        changed.append(look(plotter) != before)
        before = look(plotter)
    assert changed == [True] * 4

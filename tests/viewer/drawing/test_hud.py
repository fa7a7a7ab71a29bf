import numpy as np  # of viewer.drawing.hud
import pytest

from viewer.theme import DARK, LIGHT

pytestmark = pytest.mark.gui
SIZE = (320, 240)
RED, BLUE = (200, 0, 0), (0, 0, 200)


@pytest.fixture
def make():
    pyvista = pytest.importorskip("pyvista")
    from viewer.drawing.hud import Hud

    plotters = []

    def build(theme=LIGHT):
        plotter = pyvista.Plotter(off_screen=True, window_size=SIZE)
        plotter.disable_anti_aliasing()
        plotter.set_background((255, 255, 255))
        plotter.show(auto_close=False, interactive=False)
        plotters.append(plotter)
        return Drawn(plotter, Hud(plotter.renderer, 1.0, theme))

    yield build
    for plotter in plotters:
        plotter.close()


class Drawn:
    def __init__(self, plotter, hud):
        self.plotter, self.hud = plotter, hud

    def __call__(self, write):
        self.hud.begin()
        write(self.hud)
        self.hud.finish()
        self.plotter.render()
        return np.array(self.plotter.screenshot(return_img=True))[..., :3]


def words(text, *, size=18, colour=RED, at=(20, 100), bold=False):
    def write(hud):
        hud.put(hud.text(text, size, colour, bold=bold), *at)

    return write


@pytest.mark.parametrize(
    "other",
    [
        words("another"),
        words("some words", size=19),
        words("some words", colour=BLUE),
        words("some words", at=(21, 100)),
        words("some words", bold=True),
        lambda hud: None,
    ],
    ids=["words", "size", "colour", "place", "bold", "nothing"],
)
def test_a_text_that_changed_is_drawn_as_if_it_had_never_been_another(make, other):
    drawn = make()
    before = drawn(words("some words"))
    changed = drawn(other)
    assert (changed != before).any()
    assert (changed == make()(other)).all()
    assert (drawn(words("some words")) == before).all()


def test_shapes_are_filled_and_paper_is_that_of_the_theme(make):
    centre, beside = np.array([[100.0, 100.0], [180.0, 100.0]])
    for area, draw in (
        (10 * np.sin(np.pi / 10) * 80.0**2, lambda hud: hud.disc(centre, 80.0, RED)),
        (60.0 * 40.0, lambda hud: hud.rectangle([20, 30, 80, 70], RED)),
        (80.0 * 6.0, lambda hud: hud.line(centre, beside, 6.0, RED)),
    ):
        found = (make()(draw) == RED).all(axis=-1).sum()
        assert found == pytest.approx(area, rel=0.03)
    for theme in (LIGHT, DARK):
        image = make(theme)(lambda hud: hud.framed([20, 20, 60, 60], RED))
        assert tuple(image[SIZE[1] - 40, 40]) == theme.paper


@pytest.mark.parametrize("text", ["frame 3, Ty ßéj µ #3 f) …", "ж", "aжb"])
def test_a_text_is_as_large_as_it_is_drawn_whatever_its_letters(make, text):
    """Names in Japanese were left out, and two bodies had the same: none."""
    drawn = make()
    image = drawn(words(text, size=20, at=(30, 100)))
    rows, columns = np.nonzero((image != 255).any(axis=-1))
    width, height = drawn.hud.measure(drawn.hud.text(text, 20, RED))
    assert columns.min() >= 28
    assert abs(np.ptp(columns) + 1 - width) < 6
    assert SIZE[1] - 100 - height - 2 <= rows.min() < rows.max() <= SIZE[1] - 98

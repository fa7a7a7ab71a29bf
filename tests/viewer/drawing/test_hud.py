import numpy as np
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
        self.plotter, self.hud, self.changed = plotter, hud, None

    def __call__(self, write):
        self.hud.begin()
        write(self.hud)
        self.changed = self.hud.finish()
        self.plotter.render()
        return np.array(self.plotter.screenshot(return_img=True))[..., :3]


def words(text, *, size=18, colour=RED, at=(20, 100), bold=False):
    def write(hud):
        hud.put(hud.text(text, size, colour, bold=bold), *at)

    return write


def box(corners, colour):
    return lambda hud: hud.rectangle(corners, colour)


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


def test_shapes_that_changed_leave_nothing_behind(make):
    drawn = make()
    many = [[10 * k, 10, 10 * k + 5, 200] for k in range(30)]
    drawn(lambda hud: [hud.rectangle(box, BLUE) for box in many])
    alone = drawn(box([50, 60, 90, 80], RED))
    assert (alone == make()(box([50, 60, 90, 80], RED))).all()
    red = (alone == RED).all(axis=-1)
    assert red.sum() == 40 * 20
    assert red[SIZE[1] - 80 : SIZE[1] - 60, 50:90].all()


def test_polygons_are_filled_and_paper_is_that_of_the_theme(make):
    for count in (3, 4, 5, 6, 7, 20):
        turn = np.arange(count) * (2 * np.pi / count)
        corners = 100.0 + 80.0 * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        image = make()(lambda hud, c=corners: hud.polygon(c, RED))
        area = count / 2 * np.sin(2 * np.pi / count) * 80.0**2
        found = (image == RED).all(axis=-1).sum()
        assert found == pytest.approx(area, rel=0.01), count
    for theme in (LIGHT, DARK):
        image = make(theme)(lambda hud: hud.framed([20, 20, 60, 60], RED))
        assert tuple(image[SIZE[1] - 40, 40]) == theme.paper


def test_what_is_kept_is_drawn_again_when_its_content_changes(make):
    drawn, calls = make(), []

    def say(content):
        def draw(hud):
            calls.append(content)
            words(str(content))(hud)
            return len(calls)

        return lambda hud: results.append(hud.once("it", content, lambda: draw(hud)))

    results = []
    first = drawn(say("some"))
    assert (drawn(say("some")) == first).all()
    other = drawn(say("other"))
    assert (other == make()(words("other"))).all()
    assert (drawn(say("some")) == first).all()
    assert calls == ["some", "other", "some"]
    assert results == [1, 1, 2, 3], "what it returned is kept as well"
    drawn(say(None))
    drawn(say(None))
    assert calls[3:] == [None, None], "None says that nothing is known"


def test_what_only_moves_is_drawn_once_and_shown_where_it_is(make):
    drawn, calls = make(), []

    def content(hud):
        calls.append(1)
        box([-10, -5, 30, 20], BLUE)(hud)
        words("moved", at=(0, 0))(hud)

    def write(at):
        return lambda hud: hud.once("it", 1, lambda: content(hud), at)

    def there(at):
        x, y = at

        def plain(hud):
            box([x - 10, y - 5, x + 30, y + 20], BLUE)(hud)
            words("moved", at=at)(hud)

        return plain

    for at in ((60, 90), (61, 90), (200, 40), (60, 90)):
        assert (drawn(write(at)) == make()(there(at))).all(), at
    assert len(calls) == 1

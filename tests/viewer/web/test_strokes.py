import numpy as np

from viewer import theme
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.drawing.markers import Pen, add_markers, add_rims
from viewer.drawing.solids import SolidBuilder
from viewer.theme import LIGHT
from viewer.web.marks import Float32Frame, gathered, linear, strokes

HERE = Float32Frame(np.zeros(3), 1.0)  # the world is where the browser draws it


def made_of(pairs, order=("jelly", "table")):
    pieces, pen = SolidBuilder(), Pen.fixed(list(order), LIGHT, HERE.pixel)
    add_markers(pieces, pairs, pen)
    add_rims(pieces, pairs, pen)
    return pieces, strokes([pieces], HERE)


def test_every_pair_has_its_closest_points_and_its_arrow(any_frame):
    pairs = [pair_glyphs(any_frame, state) for state in drawn_pairs(any_frame)]
    order = [body.name for body in any_frame.bodies]
    pieces, lines = made_of(pairs, order)
    assert len(gathered([pieces, SolidBuilder()], "arrowed", 2, 3)[0]) == len(pairs)
    dots = lines[2 * theme.POINT_RADIUS].points.mean(axis=1)
    for pair in pairs:
        for spot in pair.witness:
            assert np.abs(dots - spot).max(axis=1).min() < 1e-5
    assert all(some.points.shape == some.colours.shape for some in lines.values())


def test_lines_of_one_width_keep_their_own_colours():
    pieces, radius = SolidBuilder(), 2.0 * HERE.pixel
    pieces.tubes(np.array([[[0.0, 0, 0], [1, 0, 0]]]), radius, (255, 0, 0))
    pieces.tubes(np.zeros((2, 2, 3)), radius, (0, 0, 255))
    pieces.tubes(np.zeros((0, 2, 3)), 3.0, (0, 255, 0))
    ((width, found),) = strokes([pieces], HERE).items()
    assert width == 4.0
    assert found.colours[:, 0].tolist() == [[255, 0, 0], [0, 0, 255], [0, 0, 255]]
    np.testing.assert_array_equal(found.colours[:, 0], found.colours[:, 1])


def test_colours_become_linear():
    for srgb, wanted in [((0, 0, 0), (0, 0, 0)), ((255, 188, 10), (255, 128, 1))]:
        np.testing.assert_array_equal(linear(srgb), wanted)

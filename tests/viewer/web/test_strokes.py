import numpy as np
import pytest

from viewer import theme
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.drawing.markers import Pen, add_markers, add_rims
from viewer.drawing.solids import SolidBuilder
from viewer.theme import LIGHT
from viewer.web.marks import Float32Frame, drawn, linear, turns


def turned(wxyz, vector):
    w, axis = wxyz[0], wxyz[1:]
    once = np.cross(axis, vector)
    return vector + 2 * w * once + 2 * np.cross(axis, once)


@pytest.mark.parametrize(
    "axis",
    [
        (0, 0, 1),
        (0, 0, -1),
        (1, 0, 0),
        (0, -3, 0),
        (1, 2, -3),
        (1e-7, 0, -1),
        (0, 0, 1e-200),
    ],
)
def test_z_is_turned_into_any_axis(axis):
    axis = np.array(axis, dtype=float)
    (found,) = turns(axis[None])
    wanted = axis / np.hypot(np.hypot(*axis[:2]), axis[2])
    assert np.isclose((found * found).sum(), 1.0)
    np.testing.assert_allclose(turned(found, [0.0, 0.0, 1.0]), wanted, atol=1e-6)


HERE = Float32Frame(np.zeros(3), 1.0)  # the world is where the browser draws it


def made_of(pairs, order=("jelly", "table"), **options):
    pieces, pen = SolidBuilder(), Pen.fixed(list(order), LIGHT, HERE.pixel)
    add_markers(pieces, pairs, pen, **options)
    add_rims(pieces, pairs, pen)
    return drawn(pieces, HERE)


def test_every_pair_has_its_closest_points_and_its_arrow(any_frame):
    pairs = [pair_glyphs(any_frame, state) for state in drawn_pairs(any_frame)]
    order = [body.name for body in any_frame.bodies]
    made = made_of(pairs, order)
    assert len(made.heads.positions) == len(pairs)
    assert not len(made_of(pairs, order, normals=False).heads.positions)
    dots = made.strokes[2 * theme.POINT_RADIUS].points.mean(axis=1)
    for pair in pairs:
        for spot in pair.witness:
            assert np.abs(dots - spot).max(axis=1).min() < 1e-5
    for lines in made.strokes.values():
        assert lines.points.shape == lines.colours.shape


def test_a_line_goes_from_closest_point_to_closest_point(vertex_above_face):
    (state,) = vertex_above_face.pairs
    pair = pair_glyphs(vertex_above_face, state)
    lines = made_of([pair], normals=False).strokes[2 * theme.TUBE_RADIUS].points
    assert np.abs(lines - pair.witness).max(axis=(1, 2)).min() < 1e-6


def test_lines_of_one_width_keep_their_own_colours():
    pieces, radius = SolidBuilder(), 2.0 * HERE.pixel
    pieces.tubes(np.array([[[0.0, 0, 0], [1, 0, 0]]]), radius, (255, 0, 0))
    pieces.tubes(np.zeros((2, 2, 3)), radius, (0, 0, 255))
    pieces.tubes(np.zeros((0, 2, 3)), 3.0, (0, 255, 0))
    ((width, found),) = drawn(pieces, HERE).strokes.items()
    assert width == 4.0
    assert found.colours[:, 0].tolist() == [[255, 0, 0], [0, 0, 255], [0, 0, 255]]
    np.testing.assert_array_equal(found.colours[:, 0], found.colours[:, 1])


def test_colours_become_linear():
    for srgb, wanted in [((0, 0, 0), (0, 0, 0)), ((255, 188, 10), (255, 128, 1))]:
        np.testing.assert_array_equal(linear(srgb), wanted)

import numpy as np
import pytest

from viewer import theme
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.theme import LIGHT
from viewer.web.marks import WebMarks, cone, linear, marks, turns


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


def test_an_axis_of_no_length_is_no_error():
    (found,) = turns(np.zeros((1, 3)))
    np.testing.assert_array_equal(found, [1.0, 0.0, 0.0, 0.0])


def test_the_head_goes_from_0_to_1_along_z():
    head = cone()
    used = head.points[np.unique(head.triangles)]
    assert np.isclose(used[:, 2].min(), 0.0, atol=1e-12)
    assert np.isclose(used[:, 2].max(), 1.0)
    radius = np.hypot(used[:, 0], used[:, 1])
    assert np.isclose(radius[used[:, 2] < 0.5].max(), 1.0)
    tip = head.points[np.isclose(head.points[:, 2], 1.0)]
    assert np.abs(tip[:, :2]).max() < 1e-12


def strokes_of(pairs, order=("jelly", "table"), **options):
    return marks(pairs, list(order), 0.01, LIGHT, **options).strokes()


def test_every_pair_has_its_closest_points_and_its_arrow(any_frame):
    pairs = [pair_glyphs(any_frame, state) for state in drawn_pairs(any_frame)]
    order = [body.name for body in any_frame.bodies]
    made = marks(pairs, order, 0.01, LIGHT)
    assert len(made.heads().positions) == len(pairs)
    assert not len(marks(pairs, order, 0.01, LIGHT, normals=False).heads().positions)
    dots = made.strokes()[2 * theme.POINT_RADIUS].points.mean(axis=1)
    for pair in pairs:
        for spot in pair.witness:
            assert np.abs(dots - spot).max(axis=1).min() < 1e-5
    for drawn in made.strokes().values():
        assert drawn.points.shape == drawn.colours.shape


def test_a_line_goes_from_closest_point_to_closest_point(vertex_above_face):
    (state,) = vertex_above_face.pairs
    pair = pair_glyphs(vertex_above_face, state)
    lines = strokes_of([pair], normals=False)[2 * theme.TUBE_RADIUS].points
    assert np.abs(lines - pair.witness).max(axis=(1, 2)).min() < 1e-6


def test_a_dot_has_a_direction_from_wherever_it_is_seen():
    made = WebMarks(0.01)
    made.dots([[1.0, 2.0, 3.0]], 5.0, (255, 0, 0))
    ((width, drawn),) = made.strokes().items()
    assert width == 10.0
    along = (drawn.points[:, 1] - drawn.points[:, 0]).astype(float)
    away = np.cross(along[0], along[1])  # zero if one look hid both
    assert (np.sqrt((along * along).sum(axis=1)) < 0.001).all()
    assert np.sqrt(away @ away) > 0.3 * (along[0] @ along[0])
    np.testing.assert_allclose(drawn.points.mean(axis=(0, 1)), [1.0, 2.0, 3.0])


def test_lines_of_one_width_keep_their_own_colours():
    made = WebMarks(0.01)
    made.lines([[0, 0, 0], [1, 0, 0]], 2.0, (255, 0, 0))
    made.lines(np.zeros((2, 2, 3)), 2.0, (0, 0, 255))
    made.lines(np.zeros((0, 2, 3)), 3.0, (0, 255, 0))
    ((_, drawn),) = made.strokes().items()
    assert drawn.colours[:, 0].tolist() == [[255, 0, 0], [0, 0, 255], [0, 0, 255]]
    np.testing.assert_array_equal(drawn.colours[:, 0], drawn.colours[:, 1])


@pytest.mark.parametrize(
    ("srgb", "wanted"), [((0, 0, 0), (0, 0, 0)), ((255, 188, 10), (255, 128, 1))]
)
def test_colours_become_linear(srgb, wanted):
    np.testing.assert_array_equal(linear(srgb), wanted)

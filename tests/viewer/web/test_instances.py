import numpy as np
import pytest

from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.theme import LIGHT
from viewer.web.instances import linear, marks, shapes, turns


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


def test_tube_and_cone_go_from_0_to_1_along_z():
    made = shapes()
    for name, bottom in (("tubes", 1.0), ("heads", 1.0)):
        used = made[name].points[np.unique(made[name].triangles)]
        assert np.isclose(used[:, 2].min(), 0.0, atol=1e-12)
        assert np.isclose(used[:, 2].max(), 1.0)
        radius = np.hypot(used[:, 0], used[:, 1])
        assert np.isclose(radius[used[:, 2] < 0.5].max(), bottom)
    tip = made["heads"].points[np.isclose(made["heads"].points[:, 2], 1.0)]
    assert np.abs(tip[:, :2]).max() < 1e-12


def test_every_pair_has_its_witness_and_its_arrow(any_frame):
    pairs = [pair_glyphs(any_frame, state) for state in drawn_pairs(any_frame)]
    order = [body.name for body in any_frame.bodies]
    with_arrows = marks(pairs, order, 0.01, LIGHT).batches()
    bare = marks(pairs, order, 0.01, LIGHT, normals=False).batches()
    assert len(with_arrows["heads"].positions) == len(pairs)
    assert len(bare["heads"].positions) == 0
    balls = with_arrows["balls"].positions
    for pair in pairs:
        for spot in pair.witness:
            assert np.abs(balls - spot).max(axis=1).min() < 1e-5
    for batch in with_arrows.values():
        assert len({len(column) for column in batch}) == 1


def test_a_witness_tube_ends_at_both_closest_points(vertex_above_face):
    (state,) = vertex_above_face.pairs
    pair = pair_glyphs(vertex_above_face, state)
    tubes = marks([pair], ["jelly", "table"], 0.01, LIGHT, normals=False).batches()[
        "tubes"
    ]
    at = np.abs(tubes.positions - pair.witness[0]).max(axis=1).argmin()
    along = turned(tubes.wxyzs[at].astype(float), [0.0, 0.0, tubes.scales[at, 2]])
    np.testing.assert_allclose(pair.witness[0] + along, pair.witness[1], atol=1e-6)


@pytest.mark.parametrize(
    ("srgb", "wanted"), [((0, 0, 0), (0, 0, 0)), ((255, 188, 10), (255, 128, 1))]
)
def test_colours_become_linear(srgb, wanted):
    np.testing.assert_array_equal(linear(srgb), wanted)

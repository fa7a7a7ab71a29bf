import subprocess  # of viewer.drawing.arrays, viewer.drawing.glyphs
import sys  # and viewer.drawing.skin

import numpy as np
import pytest

from viewer.drawing.arrays import SolidBuilder, Style, collect
from viewer.drawing.glyphs import distance_text
from viewer.theme import HEAD_LENGTH, HEAD_RADIUS, LIGHT, Layers

RED, BLUE = (255, 0, 0), (0, 0, 255)
LINE = np.array([[[0.0, 0, 0], [0, 0, 5]]])


def test_a_frame_becomes_arrays_without_anything_that_draws():
    asked = "import sys, viewer.drawing.arrays; print('pyvista' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def test_what_is_shown_follows_the_layers(vertex_above_face):
    style = Style(["jelly", "table"], LIGHT, 0.01)
    layers = Layers()
    shown = collect(vertex_above_face, layers)
    (pair,) = shown.pairs
    assert list(shown.lit) == ["jelly", "table"]
    np.testing.assert_array_equal(shown.lit["table"][0], pair.b.fan)
    words = [label.words for label in shown.labels(style)]
    assert words == ["jelly v1", f"table {pair.b.name}", distance_text(pair.state)]
    for label in shown.labels(style):
        away = np.linalg.norm(label.anchors - label.place, axis=1)
        assert away.min() > 0.05, "there is room"
    assert len(shown.markers(style).arrows.arrays()[1]) == 1
    assert len(shown.rims(style).tubes.arrays()[1]) == len(pair.b.segments)
    layers.show(["distance"])
    words = [label.words for label in collect(vertex_above_face, layers).labels(style)]
    assert distance_text(pair.state) not in words, "it stands at its dimension line"
    assert words[0] == f"distance {pair.state.distance:.6g}"
    arrows = collect(vertex_above_face, layers).markers(style).arrows.arrays()[1]
    assert len(arrows) == 1 + 2
    layers.flip("contacts")
    layers.flip("distance")
    bare = collect(vertex_above_face, layers)
    assert bare.labels(style) == []
    assert not len(bare.markers(style).segments())


def test_arrows_have_a_shaft_and_a_head_and_what_has_no_length_is_left_out():
    pieces = SolidBuilder()
    ends, radii, _ = pieces.cones()
    assert (ends.shape, radii.shape) == ((0, 2, 3), (0, 2))
    pieces.tubes.add(np.concatenate([LINE, np.ones((1, 2, 3))]), 0.25, RED)
    pieces.arrows.add(LINE, 0.1, BLUE)
    ends, radii, tones = pieces.cones()
    neck = 5 * (1 - HEAD_LENGTH)
    np.testing.assert_allclose(ends[..., 2], [[0, 5], [0, neck], [neck, 5]])
    np.testing.assert_allclose(radii, [[0.25] * 2, [0.1] * 2, [0.1 * HEAD_RADIUS, 0]])
    assert tones.tolist() == [list(RED), list(BLUE), list(BLUE)]


def test_rods_have_round_ends_and_pieces_their_own_sizes_and_colours():
    pieces = SolidBuilder()
    pieces.add_rods(LINE, 0.25, RED)
    pieces.balls.add(np.zeros((2, 3)), [1.0, 2.0], [RED, BLUE])
    at, radii, tones = pieces.balls.arrays()
    assert at[:2].tolist() == LINE[0].tolist()
    assert radii.tolist() == [0.25, 0.25, 1.0, 2.0]
    assert tones.tolist() == [[*RED]] * 3 + [[*BLUE]]
    assert len(pieces.segments()) == 5


@pytest.mark.gui
def test_what_is_drawn_is_as_long_and_wide_as_asked_and_faces_outward(plotter):
    import pyvista

    from viewer.drawing.skin import FINE, SolidActor

    drawn, pieces = SolidActor(plotter.renderer, FINE), SolidBuilder()
    pieces.balls.add(np.array([[1e6, 2.0, 3.0]]), 0.5, RED)
    pieces.tubes.add(LINE, 0.25, BLUE)
    drawn.show(pieces)
    found = []
    for shapes, actor in drawn._parts:
        assert actor.GetVisibility()
        shapes.Update()
        found.append(pyvista.wrap(shapes.GetOutput()))
    ball, tube = found
    away = ball.points - [1e6, 2, 3]
    np.testing.assert_allclose(np.linalg.norm(away, axis=1), 0.5, rtol=1e-6)
    normals = ball.point_data.active_normals
    np.testing.assert_allclose(normals, 2 * away, atol=1e-6)
    np.testing.assert_allclose(np.hypot(*tube.points[:, :2].T), 0.25, rtol=1e-6)
    assert set(tube.points[:, 2]) == {0.0, 5.0}
    assert (ball["ink"] == RED).all()
    assert (tube["ink"] == BLUE).all()
    drawn.show(SolidBuilder())
    assert not any(actor.GetVisibility() for _, actor in drawn._parts)

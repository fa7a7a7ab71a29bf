import numpy as np  # of viewer.drawing.solids, viewer.drawing.skin
import pytest

from viewer.drawing.solids import HEAD_LENGTH, HEAD_RADIUS, SolidBuilder

RED, BLUE = (255, 0, 0), (0, 0, 255)
LINE = np.array([[[0.0, 0, 0], [0, 0, 5]]])


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

import numpy as np

from viewer import theme
from viewer.drawing.camera import View, pixel
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.drawing.markers import Pen, add_markers, add_rims, arrow_ends
from viewer.drawing.solids import SolidBuilder

VIEW = View(np.array([0.0, -9.0, 3.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))


def built(add, pairs, order, view=VIEW):
    pieces = SolidBuilder()
    add(pieces, pairs, Pen.seen(order, theme.LIGHT, view, 720))
    return pieces.solid()


def solid_of(frame):
    pairs = [pair_glyphs(frame, state) for state in drawn_pairs(frame)]
    order = [body.name for body in frame.bodies]
    return pairs, built(add_markers, pairs, order)


def test_every_frame_shows_features_and_regime_in_their_colours(any_frame):
    pairs, solid = solid_of(any_frame)
    shown = {tuple(colour) for colour in np.unique(solid.colours, axis=0).tolist()}
    order = [body.name for body in any_frame.bodies]
    wanted = {theme.LIGHT.regime(pair.regime) for pair in pairs}
    for part in (part for pair in pairs for part in (pair.a, pair.b)):
        if part.kind != "face":
            wanted.add(theme.LIGHT.body(order.index(part.body)).feature)
    assert shown == wanted


def test_lit_faces_have_rims_in_the_colours_of_their_bodies(any_frame):
    pairs, _ = solid_of(any_frame)
    order = [body.name for body in any_frame.bodies]
    solid = built(add_rims, pairs, order)
    shown = {tuple(colour) for colour in np.unique(solid.colours, axis=0).tolist()}
    parts = [part for pair in pairs for part in (pair.a, pair.b)]
    assert shown == {
        theme.LIGHT.body(order.index(part.body)).feature
        for part in parts
        if part.kind == "face"
    }


def test_a_contact_in_one_point_has_a_ring_around_it(vertex_above_face):
    pairs, _ = solid_of(vertex_above_face)
    middle = pairs[0].witness.mean(axis=0)
    apart = built(add_markers, pairs, ["jelly", "table"])
    touching = [pairs[0]._replace(contacts=middle[None], regime="contact")]
    ringed = built(add_markers, touching, ["jelly", "table"])
    assert len(ringed.points) > len(apart.points)
    unit = pixel(middle, VIEW, 720)
    distance = np.linalg.norm(ringed.points - middle, axis=1) / unit
    assert (np.abs(distance - theme.HALO_RADIUS) < 1.5 * theme.TUBE_RADIUS).sum() > 400


def test_markers_are_finite_and_the_arrow_starts_on_b_along_the_normal(
    any_frame, assert_near
):
    _, solid = solid_of(any_frame)
    assert np.isfinite(solid.points).all()
    assert np.isfinite(solid.normals).all()
    pairs, _ = solid_of(any_frame)
    for pair in pairs:
        start, end = arrow_ends(pair, 0.01)
        assert_near(start, pair.witness[1])
        assert_near((end - start) / np.linalg.norm(end - start), pair.normal)


def test_markers_keep_their_size_in_pixels_when_the_camera_backs_off(vertex_above_face):
    pairs, _ = solid_of(vertex_above_face)
    far = View(4 * VIEW.position, VIEW.focal, VIEW.up)
    middle = pairs[0].witness.mean(axis=0)
    widths = []
    for view in (VIEW, far):
        solid = built(add_markers, pairs, ["jelly", "table"], view)
        blue = (solid.colours == theme.LIGHT.body(0).feature).all(axis=1)
        widths.append(np.ptp(solid.points[blue], axis=0)[0] / pixel(middle, view, 720))
    np.testing.assert_allclose(widths[0], widths[1])

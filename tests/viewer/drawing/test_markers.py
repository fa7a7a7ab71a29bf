import numpy as np  # of viewer.drawing.arrays, viewer.theme

from viewer import theme
from viewer.drawing.arrays import Style, arrow_ends, collect
from viewer.drawing.camera import View, pixel
from viewer.theme import LIGHT, Layers

VIEW = View(np.array([0.0, -9.0, 3.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))


def style(order, view=VIEW):
    return Style(order, LIGHT, 720, view)


def built(pieces):
    """Return the middle lines of what is drawn, (m, 2, 3), and their colours."""
    (ends, _, tones), (at, _, inks) = pieces.cones(), pieces.balls.arrays()
    lines = np.concatenate([ends, np.stack([at, at], axis=1)])
    return lines, np.concatenate([tones, inks])


def glyphs(frame):
    return collect(frame, Layers()), [body.name for body in frame.bodies]


def colours(built):
    return {tuple(colour) for colour in np.unique(built[1], axis=0).tolist()}


def test_features_regimes_and_rims_have_their_colours_and_arrows_start_on_b(
    any_frame, assert_near
):
    shown, order = glyphs(any_frame)
    pairs, ink = shown.pairs, style(order)
    solid, rims = built(shown.markers(ink)), built(shown.rims(ink))
    tones = {True: set(), False: {LIGHT.regime(pair.state.regime) for pair in pairs}}
    for part in (part for pair in pairs for part in (pair.a, pair.b)):
        tones[part.kind == "face"].add(LIGHT.body(order.index(part.body)).feature)
    assert (colours(solid), colours(rims)) == (tones[False], tones[True])
    assert np.isfinite(solid[0]).all()
    for pair in pairs:
        start, end = arrow_ends(pair, 0.01)
        assert_near(start, pair.witness[1])
        assert_near((end - start) / np.linalg.norm(end - start), pair.normal)


def test_a_contact_in_one_point_has_a_ring_around_it(vertex_above_face):
    shown, order = glyphs(vertex_above_face)
    (pair,) = shown.pairs
    touching = [pair._replace(contacts=pair.middle[None])]
    ringed, _ = built(shown._replace(pairs=touching).markers(style(order)))
    assert len(ringed) > len(built(shown.markers(style(order)))[0])
    unit = pixel(pair.middle, VIEW, 720)
    distance = np.linalg.norm(ringed - pair.middle, axis=2) / unit
    assert (np.abs(distance - theme.HALO_RADIUS) < 0.1).all(axis=1).sum() == 40


def test_markers_keep_their_size_in_pixels_when_the_camera_backs_off(vertex_above_face):
    shown, order = glyphs(vertex_above_face)
    widths = []
    for view in (VIEW, View(4 * VIEW.position, VIEW.focal, VIEW.up)):
        pieces = shown.markers(style(order, view))
        unit = pixel(shown.pairs[0].middle, view, 720)
        widths.append(pieces.balls.arrays()[1] / unit)
    np.testing.assert_allclose(widths[0], widths[1])

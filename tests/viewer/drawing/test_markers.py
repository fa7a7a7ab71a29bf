import numpy as np
import pytest

from sim import scenes
from viewer import theme
from viewer.drawing.arrays import Pen, add_markers, add_rims, arrow_ends, collect
from viewer.drawing.camera import View, pixel
from viewer.drawing.glyphs import drawn_pairs, pair_glyphs
from viewer.drawing.overlays import EXTRA, Layers
from viewer.drawing.solids import SolidBuilder
from viewer.theme import LIGHT

VIEW = View(np.array([0.0, -9.0, 3.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
PAIR = ["jelly", "table"]


def pen(order, view=VIEW):
    return Pen.seen(order, LIGHT, view, 720)


def built(add, what, order, view=VIEW):
    """Return the middle lines of what is drawn, (m, 2, 3), and their colours."""
    pieces = SolidBuilder()
    add(pieces, what, pen(order, view))
    (ends, _, tones), (at, _, inks) = pieces.cones(), pieces.balls.arrays(3)
    lines = np.concatenate([ends, np.stack([at, at], axis=1)])
    return lines, np.concatenate([tones, inks])


def glyphs(frame):
    pairs = [pair_glyphs(frame, state) for state in drawn_pairs(frame)]
    return pairs, [body.name for body in frame.bodies]


def colours(built):
    return {tuple(colour) for colour in np.unique(built[1], axis=0).tolist()}


def test_features_regimes_and_rims_have_their_colours_and_arrows_start_on_b(
    any_frame, assert_near
):
    pairs, order = glyphs(any_frame)
    solid, rims = (built(add, pairs, order) for add in (add_markers, add_rims))
    tones = {True: set(), False: {LIGHT.regime(pair.regime) for pair in pairs}}
    for part in (part for pair in pairs for part in (pair.a, pair.b)):
        tones[part.kind == "face"].add(LIGHT.body(order.index(part.body)).feature)
    assert (colours(solid), colours(rims)) == (tones[False], tones[True])
    assert np.isfinite(solid[0]).all()
    for pair in pairs:
        start, end = arrow_ends(pair, 0.01)
        assert_near(start, pair.witness[1])
        assert_near((end - start) / np.linalg.norm(end - start), pair.normal)


def test_a_contact_in_one_point_has_a_ring_around_it(vertex_above_face):
    (pair,), order = glyphs(vertex_above_face)
    touching = [pair._replace(contacts=pair.middle[None], regime="contact")]
    ringed, _ = built(add_markers, touching, order)
    assert len(ringed) > len(built(add_markers, [pair], order)[0])
    unit = pixel(pair.middle, VIEW, 720)
    distance = np.linalg.norm(ringed - pair.middle, axis=2) / unit
    assert (np.abs(distance - theme.HALO_RADIUS) < 0.1).all(axis=1).sum() == 40


def test_markers_keep_their_size_in_pixels_when_the_camera_backs_off(vertex_above_face):
    pairs, order = glyphs(vertex_above_face)
    widths = []
    for view in (VIEW, View(4 * VIEW.position, VIEW.focal, VIEW.up)):
        pieces = SolidBuilder()
        add_markers(pieces, pairs, pen(order, view))
        unit = pixel(pairs[0].middle, view, 720)
        widths.append(pieces.balls.arrays(3)[1] / unit)
    np.testing.assert_allclose(widths[0], widths[1])


@pytest.mark.parametrize("name", ["collapse", "thread", "knead"])
def test_everything_drawn_is_finite(name):
    layers = Layers(**dict.fromkeys(EXTRA, True))
    for frame in scenes.load(name).run(scenes.length(name)):
        if frame.index % 25 == 24:
            _, order = glyphs(frame)
            lines = collect(frame, layers).markers(pen(order)).segments()
            assert np.isfinite(lines).all()

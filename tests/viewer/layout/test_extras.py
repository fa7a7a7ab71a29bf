import numpy as np
import pytest

from sim import scenes
from viewer import theme
from viewer.drawing.camera import View, pixel
from viewer.drawing.glyphs import drawn_pairs
from viewer.drawing.markers import Pen, add_outlines, sheets
from viewer.drawing.overlays import EXTRA, Layers, overlays_of
from viewer.drawing.solids import SolidBuilder
from viewer.theme import LIGHT

VIEW = View(np.array([0.0, -9.0, 3.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))


def pen(order, view=VIEW):
    return Pen.seen(order, LIGHT, view, 720)


def outlines(overlays, order, view=VIEW):
    pieces = SolidBuilder()
    add_outlines(pieces, overlays, pen(order, view))
    return pieces.solid()


def triangles(overlays, order):
    """The triangles of all sheets, where they are drawn."""
    drawn = pen(order)
    found = [
        s.raised(drawn.unit(s.triangles.mean(axis=(0, 1))))
        for s in sheets(overlays, drawn)
    ]
    return np.concatenate([np.empty((0, 3, 3)), *found])


def collected(frame, *names):
    layers = Layers()
    layers.show(names)
    order = [body.name for body in frame.bodies]
    return order, overlays_of(frame, drawn_pairs(frame), layers)


def colours(solid):
    return {tuple(colour) for colour in solid.colours[:, :3].tolist()}


def test_deepest_points_are_ringed_across_the_normal(overlapping):
    order, found = collected(overlapping, "depth")
    (deep,) = found.depths
    solid = outlines(found, order)
    unit = pixel(deep.ends.mean(axis=0), VIEW, 720)
    for name, end in zip(deep.bodies, deep.ends, strict=True):
        own = (solid.colours == LIGHT.body(order.index(name)).feature).all(axis=1)
        away = solid.points[own] - end
        thick = 1.5 * theme.OUTLINE_RADIUS * unit
        assert np.abs(away @ deep.normal).max() < thick
        reach = np.linalg.norm(away, axis=1)
        assert np.abs(reach - theme.RING_RADIUS * unit).max() < thick


@pytest.mark.parametrize("name", ["collapse", "thread", "knead"])
def test_everything_drawn_is_finite(name):
    for frame in scenes.load(name).run(scenes.length(name)):
        if frame.index % 25 == 24:
            order, found = collected(frame, *EXTRA)
            assert np.isfinite(outlines(found, order).points).all()
            assert np.isfinite(triangles(found, order)).all()

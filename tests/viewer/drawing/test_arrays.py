import subprocess  # of viewer.drawing.arrays, viewer.drawing.glyphs
import sys

import numpy as np

from viewer.drawing.arrays import Pen, collect
from viewer.drawing.glyphs import distance_text
from viewer.drawing.overlays import Layers
from viewer.theme import LIGHT


def test_a_frame_becomes_arrays_without_anything_that_draws():
    asked = "import sys, viewer.drawing.arrays; print('pyvista' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def test_what_is_shown_follows_the_layers(vertex_above_face):
    pen = Pen(["jelly", "table"], LIGHT, 0.01)
    layers = Layers()
    shown = collect(vertex_above_face, layers)
    (pair,) = shown.pairs
    assert list(shown.lit) == ["jelly", "table"]
    np.testing.assert_array_equal(shown.lit["table"][0], pair.b.fan)
    words = [label.words for label in shown.labels(pen)]
    assert words == ["jelly v1", f"table {pair.b.name}", distance_text(pair.state)]
    for label in shown.labels(pen):
        away = np.linalg.norm(label.anchors - label.place, axis=1)
        assert away.min() > 0.05, "there is room"
    assert len(shown.markers(pen).arrows.arrays()[1]) == 1
    assert len(shown.rims(pen).tubes.arrays()[1]) == len(pair.b.segments)
    layers.show(["distance"])
    words = [label.words for label in collect(vertex_above_face, layers).labels(pen)]
    assert distance_text(pair.state) not in words, "it stands at its dimension line"
    assert words[0] == f"distance {pair.state.distance:.6g}"
    arrows = collect(vertex_above_face, layers).markers(pen).arrows.arrays()[1]
    assert len(arrows) == 1 + 2
    layers.flip("contacts")
    layers.flip("distance")
    bare = collect(vertex_above_face, layers)
    assert bare.labels(pen) == []
    assert not len(bare.markers(pen).segments())

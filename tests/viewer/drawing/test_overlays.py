import pytest  # of viewer.theme, viewer.drawing.arrays

from viewer.drawing.arrays import collect
from viewer.drawing.glyphs import witness_of
from viewer.theme import EXTRA, NAMES, Layers


def collected(frame, *names, before=None):
    layers = Layers()
    layers.show(names)
    return collect(frame, layers, before=before)


def test_layers_are_switched_on_by_their_own_names_only():
    layers = Layers()
    assert not any(getattr(layers, name) for name in EXTRA)
    assert set(EXTRA) < set(NAMES)
    layers.show(["path"])
    assert (layers.path, layers.distance) == (True, False)
    layers.show("distance")
    assert layers.distance
    layers = Layers()
    with pytest.raises(ValueError, match="layers='shadow': there are contacts"):
        layers.show(["path", "shadow"])
    assert not layers.path


def test_apart_there_is_a_distance_in_overlap_a_depth_and_at_touch_neither(
    vertex_above_face, assert_near, overlapping, face_on_face
):
    (apart,) = collected(vertex_above_face, "distance").spans
    assert apart.distance == vertex_above_face.pairs[0].distance
    (deep,) = collected(overlapping, "distance").spans
    assert deep.depth == 0.25
    # B's deepest point, moved along the normal by the depth, is A's
    on_a, on_b = witness_of(deep)
    assert_near(on_b + deep.depth * deep.normal, on_a)
    assert face_on_face.pairs[0].distance == 0.0
    assert collected(face_on_face, "distance").empty == ["distance"]

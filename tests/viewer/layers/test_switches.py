import pytest

from viewer.layers.switches import EXTRA, NAMES, Layers, check_layers


def test_layers_beside_the_features_are_off_until_asked_for():
    layers = Layers()
    assert not any(getattr(layers, name) for name in EXTRA)
    assert set(EXTRA) < set(NAMES)


def test_layers_are_switched_on_by_name():
    layers = Layers()
    layers.show(["path", "cover"])
    assert (layers.path, layers.cover, layers.depth) == (True, True, False)
    layers.show("depth")
    assert layers.depth


def test_a_name_that_is_no_layer_is_refused_and_nothing_switched():
    layers = Layers()
    with pytest.raises(ValueError, match="layers='shadow': there are contacts"):
        layers.show(["path", "shadow"])
    assert not layers.path
    assert check_layers(("normals",)) == ("normals",)

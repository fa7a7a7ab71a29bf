import pytest

from viewer.drawing.overlays import EXTRA, NAMES, Layers, check_layers


def test_layers_are_switched_on_by_their_own_names_only():
    layers = Layers()
    assert not any(getattr(layers, name) for name in EXTRA)
    assert set(EXTRA) < set(NAMES)
    layers.show(["path", "cover"])
    assert (layers.path, layers.cover, layers.depth) == (True, True, False)
    layers.show("depth")
    assert layers.depth
    layers = Layers()
    with pytest.raises(ValueError, match="layers='shadow': there are contacts"):
        layers.show(["path", "shadow"])
    assert not layers.path
    assert check_layers(("normals",)) == ("normals",)

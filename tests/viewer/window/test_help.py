import numpy as np
import pytest

from viewer.window.keys import write_help


@pytest.mark.gui
@pytest.mark.parametrize("size", [(950, 720), (640, 400), (1600, 900)])
def test_no_text_leaves_the_sheet(size):
    from viewer.drawing.hud import Hud
    from viewer.drawing.scene import Scene
    from viewer.theme import LIGHT

    scene = Scene(size=size)
    try:
        hud = Hud(scene.overlay, 1.0, LIGHT)
        hud.begin()
        write_help(hud, size)
        sheet = np.array(hud._corners[0]).reshape(-1, 2)
        low, high = sheet.min(axis=0), sheet.max(axis=0)
        assert (low >= 0).all()
        assert (high <= size).all()
        assert len(hud._texts) > 40
        for text, at in hud._texts:
            left, right, bottom, top = text.extent
            assert (np.add(at, (left, bottom)) >= low - 1).all()
            assert (np.add(at, (right, top)) <= high + 1).all()
    finally:
        scene.close()

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
        ink = hud._sheet.ink()
        corners = ink.corners.reshape(-1, 4, 2)
        low, high = corners[0].min(axis=0), corners[0].max(axis=0)
        assert (low >= 0).all()
        assert (high <= size).all()
        letters = corners[np.ptp(ink.sources, axis=1) > 0].reshape(-1, 2)
        assert len(letters) > 1000
        assert (letters >= low - 1).all()
        assert (letters <= high + 1).all()
    finally:
        scene.close()

import numpy as np
import pytest

from sim import Recording
from viewer import picture
from viewer.theme import LIGHT


@pytest.mark.gui
@pytest.mark.real_data
def test_the_finger_on_the_soap_is_drawn_from_its_recording(finger_on_soap, tmp_path):
    with finger_on_soap.record(tmp_path / "finger.vtkhdf"):
        list(finger_on_soap.run(500))
    path = tmp_path / "finger.png"
    with Recording.open(tmp_path / "finger.vtkhdf") as recording:
        pixels = picture(recording, path, frame=499)
    assert path.stat().st_size > 10_000
    assert pixels.shape == (720, 1280, 3)
    for body in LIGHT.bodies[:2]:
        off = np.abs(pixels.astype(int) - body.feature).max(axis=2)
        assert (off < 16).sum() > 50, "a closest feature is not lit"

from itertools import combinations

import numpy as np
import pytest

from viewer import theme

# Machado, Oliveira and Fernandes (2009), severity 1, linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def lab(colour, sight):
    """CIE L*a*b* (D65) of what an eye sees of an sRGB colour."""
    c = np.array(colour) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(SIGHT[sight]) @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ seen / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def difference(one, other, sight):
    return float(np.linalg.norm(lab(one, sight) - lab(other, sight)))


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("tone", ["surface", "feature"])
def test_the_first_two_bodies_look_different_to_every_eye(sight, tone):
    one, other = (getattr(theme.BODIES[k], tone) for k in (0, 1))
    assert difference(one, other, sight) > 30


@pytest.mark.parametrize("sight", SIGHT)
def test_regimes_look_different_to_every_eye(sight):
    for one, other in combinations(theme.REGIMES.values(), 2):
        assert difference(one, other, sight) > 20


@pytest.mark.parametrize("sight", SIGHT)
def test_features_stand_out_from_their_own_surface(sight):
    for tones in theme.BODIES:
        assert difference(tones.feature, tones.surface, sight) > 30
        assert difference(tones.feature, tones.lit, sight) > 10


@pytest.mark.parametrize("sight", SIGHT)
def test_text_is_legible_on_paper(sight):
    inks = [theme.INK, theme.FAINT_INK, *theme.REGIMES.values()]
    inks += [tones.feature for tones in theme.BODIES]
    for ink in inks:
        assert lab(theme.PAPER, sight)[0] - lab(ink, sight)[0] > 40


def test_colours_repeat_for_more_bodies_than_tones():
    assert theme.body_colours(len(theme.BODIES)) == theme.body_colours(0)


def test_an_unknown_regime_is_drawn_in_ink():
    assert theme.regime_colour("nothing of the kind") == theme.INK

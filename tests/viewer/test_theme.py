from itertools import combinations  # of viewer.theme

import numpy as np
import pytest

from viewer.theme import DARK, LIGHT, THEMES, blended

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


def pairs(look):
    """Colours that are to be told apart, and by how much at least."""
    one, other, regimes = look.body(0), look.body(1), [*look.regimes.values()]
    yield one.surface, other.surface, 30
    yield one.feature, other.feature, 30
    yield from ((a, b, 20) for a, b in combinations(regimes, 2))
    for tones in look.bodies:
        yield tones.feature, tones.surface, 30
        yield tones.feature, tones.lit, 10
    path = one.surface, other.surface, one.feature, other.feature, look.paper, *regimes
    yield from ((look.trail, tone, 25) for tone in path)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_every_eye_tells_colours_apart_and_reads_texts(look, sight):
    for one, other, least in pairs(look):
        assert difference(one, other, sight) > least
    inks = [look.ink, look.faint_ink, look.trouble, look.trail, *look.regimes.values()]
    inks += [tones.feature for tones in look.bodies]
    for paper, ink in [(look.mark, look.ink), *((look.paper, ink) for ink in inks)]:
        assert abs(lab(paper, sight)[0] - lab(ink, sight)[0]) > 40


def test_themes_are_found_by_name_and_their_colours_repeat():
    assert THEMES == {"light": LIGHT, "dark": DARK}
    assert blended((10, 20, 30), (20, 40, 60), 0.5) == (15, 30, 45)
    for look in [LIGHT, DARK]:
        assert look.body(len(look.bodies)) == look.body(0)
        assert look.regime("nothing of the kind") == look.ink

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.gui

WORDS = (
    "closest points and normal: penetrating",
    "53 penetrate body5/body6 EE e1226(307-2…",
    "To. VA, Ty r f) 11 17 jelly",
    "ßéj µ #3",
)


@pytest.fixture
def plotter(plotter):
    plotter.show(auto_close=False, interactive=False)
    return plotter


@pytest.fixture
def letters(plotter):
    from viewer.drawing.words import LetterAtlas

    return LetterAtlas(plotter.renderer)


def drawn_by_vtk(plotter, words, size, bold):
    """Left, right, bottom, top of a whole text, and its ink, from VTK alone."""
    import pyvista

    actor = pyvista._vtk.vtkTextActor()
    style = actor.GetTextProperty()
    style.SetFontFamilyToArial()
    style.SetFontSize(size)
    style.SetBold(bold)
    style.SetJustificationToLeft()
    style.SetVerticalJustificationToBottom()
    actor.SetInput(words)
    area = [0.0] * 4
    actor.GetBoundingBox(plotter.renderer, area)
    data = actor.GetTexture().GetInput()
    width, height, _ = data.GetDimensions()
    pixels = pyvista.convert_array(data.GetPointData().GetScalars())
    return area, pixels.reshape(height, width, -1)[..., -1].astype(int)


def boxes(corners):
    """Left, bottom, right, top of letters that have ink."""
    found = corners[:, [0, 1, 4, 5]].astype(int)
    return found[found[:, 0] < found[:, 2]]


def composed(letters, run, shape):
    ink = np.zeros(shape, int)
    left, bottom = round(run.extent.left), round(run.extent.bottom)
    for box, source in zip(boxes(run.corners), boxes(run.sources), strict=True):
        x0, y0, x1, y1 = box - [left, bottom, left, bottom]
        u0, v0, u1, v1 = source
        part = ink[y0:y1, x0:x1]
        np.maximum(part, letters.image[v0:v1, u0:u1], out=part)
    return ink


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("size", [11, 15, 19, 36])
@pytest.mark.parametrize("words", WORDS)
def test_a_text_is_as_large_as_vtk_makes_it(plotter, letters, words, size, bold):
    (left, right, bottom, top), _ = drawn_by_vtk(plotter, words, size, bold)
    extent = letters.lay(words, size, bold).extent
    assert abs(extent.width - (right - left + 1)) <= 1
    assert extent.height == top - bottom + 1
    assert (extent.left, extent.bottom) == (left, bottom)


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("size", [15, 19, 36])
@pytest.mark.parametrize("words", WORDS)
def test_letters_side_by_side_are_the_text(plotter, letters, words, size, bold):
    _, wanted = drawn_by_vtk(plotter, words, size, bold)
    found = composed(letters, letters.lay(words, size, bold), wanted.shape)
    differs = found != wanted
    assert differs.mean() < 0.002, "only where two letters touch"
    assert np.abs(found - wanted).max() < 80


def test_letters_share_no_pixel_and_no_words_are_a_text_too(letters):
    run = letters.lay("".join(map(chr, range(33, 127))), 18, False)
    owner = np.zeros(letters.image.shape, int)
    owner[0, 0] = 1  # what shapes take their colour from
    for u0, v0, u1, v1 in boxes(run.sources):
        owner[v0:v1, u0:u1] += 1
    assert owner.max() == 1
    assert letters.image[0, 0] == 255
    assert len(letters.lay("", 15, False).corners) == 0
    broken, spaced = letters.lay("a\nb", 15, False), letters.lay("a b", 15, False)
    assert (broken.corners == spaced.corners).all()


def test_a_letter_that_vtk_lacks_comes_from_another_font(letters, monkeypatch):
    """Names in Japanese were left out, and two bodies had the same: none."""
    import matplotlib  # pyvista brings it, and it brings a font

    from viewer.drawing import words as module

    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    assert font.is_file()
    monkeypatch.setattr(module, "other_fonts", lambda: (str(font),))
    run = letters.lay("ж", 18, False)
    assert len(boxes(run.sources)) == 1
    assert run.extent.width > 5
    assert (run.corners != letters.lay("?", 18, False).corners).any()
    wide = letters.lay("ab", 18, False).extent.width
    assert letters.lay("aжb", 18, False).extent.width > wide + 5


def test_a_letter_that_no_font_has_is_a_question_mark(letters, monkeypatch):
    from viewer.drawing import words as module

    monkeypatch.setattr(module, "other_fonts", tuple)
    unknown, mark = letters.lay("箱", 18, False), letters.lay("?", 18, False)
    assert unknown.extent == mark.extent
    assert (unknown.corners == mark.corners).all()
    assert len(boxes(letters.lay(" ", 18, False).sources)) == 0

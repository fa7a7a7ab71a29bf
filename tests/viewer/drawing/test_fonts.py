import pytest

from viewer.drawing import words


def test_fonts_with_most_letters_come_first_and_plain_before_bold(monkeypatch):
    pytest.importorskip("matplotlib", reason="matplotlib comes with pyvista")
    names = "NotoSansCJK.ttc", "NotoSansCJK-Bold.ttc", "ipag.ttf", "DejaVuSans.ttf"
    found = ["DejaVuSerif.ttf", *reversed(names), "somebody.otf"]
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", lambda: found)
    assert words.other_fonts.__wrapped__() == names

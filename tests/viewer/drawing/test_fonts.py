from viewer.layout import words as fonts


def test_fonts_with_most_letters_come_first_and_plain_before_bold(monkeypatch):
    names = (
        *("DejaVuSans.ttf", "sub/NotoSansCJK-Regular.ttc", "sub/NotoSansCJK-Bold.ttc"),
        *("ipag.ttf", "DejaVuSerif.ttf", "somebody.otf"),
    )
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", lambda: [*names])
    fonts.other_fonts.cache_clear()
    try:
        assert fonts.other_fonts() == (*names[1:4], names[0])
    finally:
        fonts.other_fonts.cache_clear()

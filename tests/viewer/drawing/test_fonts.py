from viewer.layout import words as fonts


def test_fonts_with_most_letters_come_first_and_plain_before_bold(
    tmp_path, monkeypatch
):
    names = (
        *("DejaVuSans.ttf", "sub/NotoSansCJK-Regular.ttc", "sub/NotoSansCJK-Bold.ttc"),
        *("ipag.ttf", "DejaVuSerif.ttf", "ipag.txt", "somebody.otf"),
    )
    (tmp_path / "sub").mkdir()
    for name in names:
        (tmp_path / name).touch()
    folders = str(tmp_path), str(tmp_path / "there is none")
    monkeypatch.setattr(fonts, "_FOLDERS", dict.fromkeys(fonts._FOLDERS, folders))
    fonts.other_fonts.cache_clear()
    try:
        found = [str(tmp_path / name) for name in (names[1], names[2], names[3])]
        assert list(fonts.other_fonts()) == [*found, str(tmp_path / names[0])]
    finally:
        fonts.other_fonts.cache_clear()

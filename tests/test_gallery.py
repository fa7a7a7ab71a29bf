"""docs/gallery: one command makes every picture; what is shown is there."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
GALLERY = DOCS / "gallery"
# not below ROOT itself: what lies in its caches may be gone when it is read
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
MOST = 2_000_000  # bytes of a moving picture


@pytest.fixture
def drawing(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    return importlib.import_module("draw_gallery")


def test_every_file_of_the_gallery_is_in_the_table_and_the_other_way(drawing):
    there = {path.name for path in GALLERY.iterdir()}
    assert there == set(drawing.TABLE)


def test_names_are_listed_in_one_chapter_each_chosen_with_any_ending(drawing, capsys):
    names = [name for part in drawing.CHAPTERS.values() for name in part]
    assert len(names) == len(set(names)) == len(drawing.TABLE)
    assert drawing.chosen(["fig4"]) == drawing.chosen(["fig4.png"]) == ["fig4.png"]
    assert drawing.chosen(["drag"]) == ["drag.webp", "drag.png"]
    assert len(drawing.chosen(["layer_*", "fig*"])) == 14
    assert drawing.chosen([]) == list(drawing.TABLE)
    assert drawing.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(drawing.TABLE)
    assert all(len(line.split()) > 2 for line in lines)


def test_the_index_shows_every_picture_of_the_table(drawing):
    assert re.findall(r'src="([^"]+)"', drawing.index()) == list(drawing.TABLE)


def test_every_picture_that_a_page_shows_exists():
    shown = 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        places = re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", text)
        places += re.findall(r'<img src="([^"]+)"', text)
        for place in places:
            if not place.startswith(("http://", "https://")):
                assert (page.parent / place).is_file(), f"{page}: {place}"
                shown += 1
    assert shown > 30


def test_pictures_are_small_files_and_moving_ones_move():
    for ending in [".png", ".webp"]:
        sizes = [path.stat().st_size for path in GALLERY.glob(f"*{ending}")]
        assert sizes
        assert max(sizes) <= (MOST if ending == ".webp" else 300_000)
    image = pytest.importorskip("PIL.Image")
    for path in GALLERY.glob("*.webp"):
        with image.open(path) as moving:
            assert moving.n_frames > 30


def test_an_unknown_name_is_refused_in_one_sentence(drawing, capsys):
    with pytest.raises(SystemExit) as ended:
        drawing.main(["no_such_picture"])
    assert ended.value.code == 2
    assert "no picture is called 'no_such_picture'" in capsys.readouterr().err


@pytest.mark.gui
def test_one_picture_is_drawn_into_a_folder_and_told(drawing, capsys, tmp_path):
    pytest.importorskip("pyvista")
    assert drawing.main(["deform_scale", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "deform_scale.png").stat().st_size > 1000
    assert "[ 1/1] deform_scale.png" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["deform_scale.png"]


def test_one_that_fails_is_told_and_the_others_are_drawn(
    drawing, monkeypatch, capsys, tmp_path
):
    def fail(path):
        raise RuntimeError("no light")

    broken = drawing.TABLE["fig4.png"]._replace(draw=fail)
    sound = broken._replace(draw=lambda path: path.write_bytes(b"."))
    monkeypatch.setitem(drawing.TABLE, "fig4.png", broken)
    monkeypatch.setitem(drawing.TABLE, "fig5.png", sound)
    assert drawing.main(["fig4", "fig5", "--out", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert "failed: RuntimeError: no light" in told.out
    assert told.err == "not drawn: fig4.png\n"
    assert (tmp_path / "fig5.png").is_file()

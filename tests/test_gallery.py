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


def test_names_are_in_one_chapter_each_and_chosen_with_any_ending(drawing, capsys):
    names = [name for part in drawing.CHAPTERS.values() for name in part]
    assert len(names) == len(set(names)) == len(drawing.TABLE)
    assert drawing.chosen("fig4") == drawing.chosen("fig4.png") == ["fig4.png"]
    assert drawing.chosen("drag") == ["drag.webp", "drag.png"]
    assert drawing.chosen("*") == list(drawing.TABLE)
    with pytest.raises(SystemExit):
        drawing.main(["no_such_picture"])
    assert "no picture is called 'no_such_picture'" in capsys.readouterr().err


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


@pytest.mark.gui
def test_one_picture_is_drawn_into_a_folder_and_told(drawing, capsys, tmp_path):
    pytest.importorskip("pyvista")
    drawing.main(["deform_scale", "--out", str(tmp_path)])
    assert (tmp_path / "deform_scale.png").stat().st_size > 1000
    assert "deform_scale.png" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["deform_scale.png"]

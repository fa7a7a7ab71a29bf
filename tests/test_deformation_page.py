"""docs/deformation.md: its programs run, and every deformer has its picture and row."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from sim import deform
from sim.body import body

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "deformation.md").read_text(encoding="utf-8")
DEFORMERS = sorted(name for name in deform.__all__ if name.islower())


@pytest.fixture(scope="module")
def drawing():
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(DOCS)
        yield importlib.import_module("pictures.deformations")


def test_its_programs_run_one_after_the_other():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert len(blocks) == 4
    names = {}
    for block in blocks:
        exec(block, names)
    assert repr(names["soft"]) == "stack(squash(0.2, axis=2), twist(ramp, axis=2))"
    next(names["world"].run(1))
    assert 0.2 < names["cover"].pockets[0].depth < 0.6


def test_every_deformer_is_drawn_by_the_code_beside_its_picture(drawing):
    assert sorted(drawing.PICTURES) == sorted([*DEFORMERS, "own"])
    sizes = [file.stat().st_size for file in (DOCS / "gallery").glob("deform_*.png")]
    assert len(sizes) == len(drawing.PICTURES) + 1, "one more shows a cover"
    assert max(sizes) <= 60_000
    for name, picture in drawing.PICTURES.items():
        assert f"gallery/deform_{name}.png" in PAGE
        assert f"`{picture.code}`" in PAGE
        points = drawing.deformer(picture)(picture.mesh.points, 1.0)
        assert np.abs(points - picture.mesh.points).max() > 0.05
        assert (DOCS / "gallery" / f"deform_{name}.png").is_file()


def test_the_table_says_what_the_deformers_say(drawing):
    table = PAGE.split("## Which deformer keeps what", 1)[1].split("##", 1)[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line[:3] == "| `"]
    said = {}
    for first, *cells in rows:
        for name in re.findall(r"`(\w+)`", first):
            said[name] = [cell.strip() for cell in cells]
    assert sorted(said) == DEFORMERS
    for name in set(DEFORMERS) - {"stack"}:
        made = drawing.deformer(drawing.PICTURES[name])
        convexity, planarity, _, portable, _ = said[name]
        assert convexity == ("yes" if made.keeps_convexity else "no")
        assert planarity == ("yes" if made.keeps_planarity else "no")
        spline = name in ("keyframes", "samples")
        assert spline or portable.startswith("yes") is made.is_portable


def test_every_choice_of_convexity_and_flatness_is_explained():
    for choice in (*body.CONVEXITY, *body.FLATNESS):
        assert f'"{choice}"' in PAGE

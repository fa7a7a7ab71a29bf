"""The pages of docs: their programs run, and show and list what there is."""

import contextlib
import importlib
import io
import re
from pathlib import Path

import numpy as np
import pytest

from sim import Event, Story, deform
from sim.body import body
from sim.events.event import BETWEEN_KINDS, BODY_KINDS, EVENT_KINDS, REGION_KINDS
from sim.response import RESPONSES, walk
from viewer.cli import main
from viewer.plot import draw_map
from viewer.theme import EXTRA

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TESTING = (DOCS / "testing.md").read_text("utf-8")
DEFORMATION = (DOCS / "deformation.md").read_text(encoding="utf-8")
DEFORMERS = sorted(name for name in deform.__all__ if name.islower())
RESPONSES_PAGE = (DOCS / "responses.md").read_text(encoding="utf-8")
STORIES = (DOCS / "stories.md").read_text("utf-8")
LINES = re.findall(r"`(47 [^`]+)`", STORIES)
VIEWER = (DOCS / "viewer.md").read_text(encoding="utf-8")


def test_the_example_says_what_the_page_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    script, compared, graph = re.findall(r"^```python\n(.*?)^```", TESTING, re.M | re.S)
    (shown,) = re.findall(r"^```text\n\$ wingedge (.*?)^```", TESTING, re.M | re.S)
    Path("test_jelly.py").write_text(script, encoding="utf-8")
    for name, squash in (("a", 0.1), ("b", 0.12)):
        keep = ["--record", f"{name}.vtkhdf", "--set", f"squash={squash}"]
        assert main(["run", "test_jelly.py", "--frames", "90", *keep]) == 0
    capsys.readouterr()
    command, _, lines = shown.partition("\n")
    assert main(command.split(" ")) == 1
    assert capsys.readouterr().out == lines
    exec(compared, {})
    assert capsys.readouterr().out.startswith(lines)
    exec(graph, {})
    assert capsys.readouterr().out == "25\n1\n"


@pytest.fixture(scope="module")
def drawing():
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(DOCS)
        yield importlib.import_module("pictures.deformations")


def test_every_deformer_is_drawn_by_the_code_beside_its_picture(drawing):
    assert sorted(drawing.PICTURES) == sorted([*DEFORMERS, "own"])
    sizes = [file.stat().st_size for file in (DOCS / "gallery").glob("deform_*.png")]
    assert len(sizes) == len(drawing.PICTURES) + 1, "one more shows a cover"
    assert max(sizes) <= 60_000
    for name, picture in drawing.PICTURES.items():
        assert f"gallery/deform_{name}.png" in drawing.table()
        points = drawing.deformer(picture)(picture.mesh.points, 1.0)
        assert np.abs(points - picture.mesh.points).max() > 0.05
        assert (DOCS / "gallery" / f"deform_{name}.png").is_file()


def test_the_table_says_what_the_deformers_say(drawing):
    table = DEFORMATION.split("## Which deformer keeps what", 1)[1].split("##", 1)[0]
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
        assert f'"{choice}"' in DEFORMATION


def test_every_response_and_word_for_an_outcome_and_its_picture_are_on_the_page():
    for how in RESPONSES:
        assert f'| `"{how}"` |' in RESPONSES_PAGE
    said = {word for name, word in vars(walk).items() if name.isupper()}
    words = {word for word in said if isinstance(word, str)}
    assert len(words) == 6
    assert set(re.findall(r"^\| `(\w+)` \|", RESPONSES_PAGE, re.M)) == words
    assert (DOCS / "gallery" / "room_walk.png").is_file()
    assert "gallery/room_walk.png" in RESPONSES_PAGE


def test_the_program_of_stories_prints_what_it_shows():
    blocks = re.findall(r"^```(?:python|text)\n(.*?)^```", STORIES, re.M | re.S)
    program, shown = blocks[:2]
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, names)
    assert printed.getvalue() == shown
    assert Story.parse(shown) == names["story"]
    (at_34,) = (e for e in names["story"].events if e.frame == 34)
    assert " ".join(map(str, at_34.path[0])) == "v35 e228 v74"


def test_every_line_of_the_table_of_stories_is_an_event_of_every_kind():
    for line in LINES:
        assert str(Event.parse(line)) == line
    kinds = {Event.parse(line).kind for line in LINES}
    assert kinds == {*EVENT_KINDS, *REGION_KINDS, *BETWEEN_KINDS, *BODY_KINDS}


@pytest.mark.parametrize(("old", "new"), [("e97(92-95)", "e97"), ("87 end", "88 end")])
def test_its_sentences_about_damage_are_what_is_said(tmp_path, monkeypatch, old, new):
    story = re.findall(r"^```text\n(.*?)^```", STORIES, re.M | re.S)[0]
    monkeypatch.chdir(tmp_path)
    Path("dent.story").write_text(story.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match="dent") as caught:
        Story.read("dent.story")
    assert f"\n{caught.value}\n" in STORIES


def test_every_layer_has_its_section_and_its_picture():
    titles = re.findall(r"^### (\w+)$", VIEWER, re.M)
    assert tuple(titles) == EXTRA
    sections = re.split(r"^### \w+$", VIEWER, flags=re.M)[1:]
    for name, section in zip(titles, sections, strict=True):
        assert f"(gallery/layer_{name}.png)" in section


def test_the_study_of_the_page_runs_and_tells_what_it_shows(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "studies.md").read_text(encoding="utf-8")
    script, plan, session, program, printed, *_ = re.findall(
        r"^```\w*\n(.*?)^```", page, re.M | re.S
    )
    Path("press.py").write_text(script, encoding="utf-8")
    Path("press.toml").write_text(plan, encoding="utf-8")
    for said in session.split("$ wingedge ")[1:]:
        command, _, lines = said.partition("\n")
        assert main(command.split(" ")) == 0
        assert capsys.readouterr().out == lines
    exec(program, names := {})
    assert capsys.readouterr().out == printed
    pytest.importorskip("matplotlib", reason="the map's picture needs matplotlib")
    draw_map(names["study"].map("height", "squash"), "press.png")
    assert Path("press.png").stat().st_size > 5_000


def test_the_first_experiment_runs_from_mesh_to_study(
    tmp_path, monkeypatch, capsys, expect_contacts
):
    page = (DOCS / "first_experiment.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S):
        exec(block, names)
    said = capsys.readouterr().out
    assert "WingedEdgeMesh(162 vertices, 480 edges, 320 faces)" in said
    assert "begin ball/block.top VF" in said
    assert "depth between " in said
    assert re.findall("```text\n(.*?)```", page, re.S)[-1] in said
    names["test_press"](expect_contacts)
    contact = names["contact"]
    assert contact["begin_lower"] <= contact["begin_upper"] <= contact["begin_time"]

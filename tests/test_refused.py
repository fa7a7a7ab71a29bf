"""What is said of wrong uses, word for word: no sentence gets worse unnoticed.

``refused.txt`` has a command or a call a line, and below it, behind blanks, the
sentence; behind ``...`` another package says more.  ``--force-regen`` writes anew.
"""

import itertools
import shlex
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import sim
import viewer
import wingedge
from sim import Story, response, scenes, sequence, study
from sim.events.touch import Dent
from sim.story.testing.script import parse_script
from sim.story.text import Reading
from viewer.cli import main
from wingedge import primitives, shapes

TABLE = Path(__file__).with_name("refused.txt")
LINES = TABLE.read_text(encoding="utf-8").splitlines()
SENTENCES = dict(zip(LINES[::2], map(str.strip, LINES[1::2]), strict=True))
NAMES = {name: getattr(sim, name) for name in sim.__all__} | vars(study)
NAMES |= vars(response)
NAMES |= {name: getattr(wingedge, name) for name in wingedge.__all__}
NAMES |= {"np": np, "shapes": shapes, "sequence": sequence, "primitives": primitives}
NAMES |= {"count": itertools.count, "box": shapes.box(), "ball": shapes.icosphere(1)}
NAMES |= {"bar": shapes.grid_box((2, 2, 16), (0.4, 0.4, 2.0))}
NAMES |= {"Dent": Dent, "Reading": Reading, "parse_script": parse_script}
NAMES |= {"viewer": viewer, "Namespace": SimpleNamespace}
NAMES["faces"] = [shapes.box().face_vertices(f).tolist() for f in range(6)]
NAMES["tip"] = str(Story.of(scenes.load("tip").run(100)))
SCRIPT = """
from sim import Body, Pose, World
from wingedge import shapes

def world(speed=6.0, late=False):
    ball = Body(shapes.icosphere(1), name="ball")
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    fall = lambda t: Pose.rigid(None, (0.0, 0.0, 2.0 - speed * t))
    if late:
        raise RuntimeError("lost")
    return World([ball, table], motion={"ball": fall})
"""
STUDY = "script = 'script.py'\nframes = 2\nfolder = 'out'\n[cases]\nspeed = [1.0]\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make a folder with a script, a recording, a story, a study, arrays, no meshes."""
    path = tmp_path_factory.mktemp("refused")
    for name, text in (
        ("script.py", SCRIPT),
        ("a.story", "wingedge story 1\nbodies a/b\nframes 8\nfirst 0\ndt 0.01\n"),
        ("study.toml", STUDY),
        *(
            (f"{name}.toml", STUDY.replace(*change))
            for name, change in {
                "many": ("[1.0]", "{ grid = [0, 1, 300000000] }"),
                "colour": ("[cases]", "colour = 1\n[cases]"),
                "grid": ("[1.0]", "{ grid = [1.0, nan, 3] }"),
                "short": ("[1.0]", "{ grid = [1.0] }"),
                "range": ("[1.0]", "{ range = [1.0] }"),
                "half": ("frames = 2", "frames = 2.5"),
                "spelt": ("speed", "spede"),
                "single": ("[1.0]", "1.0"),
                "other": ("'out'", "'.'"),
            }.items()
        ),
        *((f"hello.{suffix}", "hello") for suffix in ("vtu", "pvd", "npz", "usda")),
        *((f"empty.{suffix}", "") for suffix in ("obj", "vtkhdf")),
        *(("text.obj", "once upon a time\n"), ("nosuffix", "OFF\n")),
        ("cut.stl", "\0" * 80 + "\x10\0\0\0" + "\0" * 60),
    ):
        (path / name).write_text(text, encoding="utf-8")
    (path / "half.vtkhdf").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(40))
    box = {"points": shapes.box().points[None], "faces": NAMES["faces"]}
    np.savez(path / "ball.npz", **box)
    world = sim.scenes.load("tip")
    with world.record(path / "run.vtkhdf"):
        list(world.run(8))
    return path


@pytest.mark.parametrize("use", SENTENCES)
def test_a_wrong_use_is_one_sentence_and_leaves_nothing(
    request, folder, monkeypatch, capsys, use
):
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    if use.startswith("wingedge "):
        code = main(shlex.split(use)[1:])
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        said = err.strip()
    else:
        with pytest.raises(Exception) as caught:  # noqa: PT011  the table says which
            eval(use, dict(NAMES))
        said = f"{type(caught.value).__name__}: {caught.value}"
    if any(f"needs {name}" in said for name in ("pyvista", "usd-core", "viser")):
        pytest.skip(said)
    assert "\n" not in said
    assert sorted(folder.iterdir()) == before
    told = SENTENCES[use]
    if told.endswith("...") and said.startswith(told[:-3]):
        return
    if request.config.getoption("force_regen"):
        SENTENCES[use] = said
        text = "".join(f"{one}\n    {other}\n" for one, other in SENTENCES.items())
        TABLE.write_text(text, encoding="utf-8")
    assert said == told

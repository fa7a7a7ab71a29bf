import importlib.metadata
import sys

import pytest

from sim.engine import library
from viewer.cli import doctor
from viewer.cli.doctor import NEEDED, examine
from viewer.gl import Gl

WORKS = Gl(True, "llvmpipe", "", "", window=False)
BROKEN = Gl(False, "", "the GL library is missing", "on Debian: apt install libegl1")


@pytest.fixture
def health(monkeypatch):
    """Examine with other versions and another GL than there are."""

    def check(versions=None, found=WORKS):
        monkeypatch.setattr(doctor, "probe", lambda: found)
        known = {name: least.removeprefix(">=") for name, least in NEEDED.items()}
        known |= {"pyvista": "0.49.1", "vtk": "9.5.0"}
        known |= {"viser": "1.1.1"}
        known |= versions or {}

        def version(name):
            if known[name] is None:
                raise importlib.metadata.PackageNotFoundError(name)
            return known[name]

        monkeypatch.setattr(doctor.importlib.metadata, "version", version)
        return {finding.what: finding for finding in examine()}

    return check


VISER = ">=1.1,<1.2 is needed"
WEB = "pip install 'wingedge[web]'"
FINDINGS = [  # what is there instead, of what it is told, how, and in which words
    ({"numpy": "1.25.3"}, "numpy", "FAIL", ["1.25.3, but >=1.26 is needed"]),
    *(({"numpy": n}, "numpy", "ok", []) for n in ("2.4.6", "10.0", "2.0.0rc1", "1.26")),
    *(({name: None}, name, "FAIL", [f"pip install '{name}>="]) for name in NEEDED),
    *(
        ({"pyvista": n}, "pyvista", "FAIL", [",<0.50 is needed"])
        for n in ("0.47.9", "0.50.0", "0.50.dev0", "1.0")
    ),
    ({"pyvista": None}, "pyvista", "--", ["wingedge[viewer]"]),
    ({"found": BROKEN}, "pictures", "FAIL", ["on Debian: apt install libegl1"]),
    ({}, "ParaView", "ok", ["VTK 9.5, ParaView 6"]),
    ({"vtk": "9.4.2"}, "ParaView", "--", ["pip install 'vtk>=9.5'"]),
    ({}, "pictures", "ok", ["software rendering by llvmpipe"]),
    ({}, "windows", "--", ["no display"]),
    ({"found": WORKS._replace(window=True)}, "windows", "ok", []),
    ({}, "speed", "--", ["frames/s", "anti-aliasing", "graphics card"]),
    ({}, "browser", "ok", []),
    ({"viser": None}, "browser", "--", [WEB, "not installed: no page"]),
    *(
        ({"viser": n}, "browser", "--", [f"viser {n}, but {VISER}", WEB])
        for n in ("1.0.9", "1.2.0", "0.2")
    ),
]


@pytest.mark.parametrize(("given", "what", "status", "words"), FINDINGS)
def test_what_is_there_or_not_is_told_with_what_mends_it(
    health, given, what, status, words
):
    other = {key: given[key] for key in given if key == "found"}
    versions = {key: given[key] for key in given if key not in other}
    finding = health(versions, **other)[what]
    assert finding.status == status
    assert all(word in f"{finding.found} {finding.fix}" for word in words)


def test_a_healthy_place_has_no_failures_and_of_what_is_not_there_nothing_more_is_told(
    health,
):
    found = health()
    assert {finding.status for finding in found.values()} == {"ok", "--"}
    assert set(NEEDED) < set(found)
    assert "pictures" not in health({"pyvista": None})
    assert "speed" not in health(found=WORKS._replace(renderer="NVIDIA H200"))


@pytest.mark.compiled
def test_compiled_kernels_are_found_where_they_lie(health):
    finding = health({})["compiled"]
    assert finding.status == "ok"
    assert str(library.path()) in finding.found


def test_the_versions_of_viser_are_those_of_the_package():
    import tomllib
    from pathlib import Path

    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    web = tomllib.loads(text)["project"]["optional-dependencies"]["web"]
    assert web == [f"viser{doctor.OPTIONAL['viser']}"]


def test_an_encoder_that_is_not_there_is_told(health, monkeypatch):
    pytest.importorskip("imageio_ffmpeg", reason="it is in the extra 'viewer'")
    assert health()["movies"].status == "ok"
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", "/nonexistent/ffmpeg")
    finding = health()["movies"]
    assert finding.status == "--"
    assert "finds no ffmpeg" in finding.found
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    finding = health()["movies"]
    assert (finding.status, "no .mp4" in finding.found) == ("--", True)
    assert "wingedge[viewer]" in finding.fix


def test_the_command_prints_every_finding_and_its_code_is_the_verdict(
    health, monkeypatch, capsys
):
    from viewer.cli import main

    health()
    assert main(["doctor"]) == 0
    assert "ok    numpy" in capsys.readouterr().out
    monkeypatch.setattr(doctor, "probe", lambda: BROKEN)
    assert main(["doctor"]) == 1
    assert "FAIL  pictures  the GL library is missing" in capsys.readouterr().out

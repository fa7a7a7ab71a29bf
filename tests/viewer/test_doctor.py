import importlib.metadata  # of viewer.cli.doctor
import sys

import pytest

from sim.engine import library
from viewer.cli import doctor
from viewer.cli.doctor import PACKAGES, examine
from viewer.gl import Gl

WORKS = Gl(True, "llvmpipe", "", "", window=False)
BROKEN = Gl(False, "", "the GL library is missing", "on Debian: apt install libegl1")


@pytest.fixture
def health(monkeypatch):
    """Examine with other versions and another GL than there are."""

    def check(versions=None, found=WORKS):
        monkeypatch.setattr(doctor, "probe", lambda: found)
        known = dict.fromkeys((*PACKAGES, "pyvista", "viser"), "1.0")
        known |= {"vtk": "9.5.0", **(versions or {})}

        def version(name):
            if known[name] is None:
                raise importlib.metadata.PackageNotFoundError(name)
            return known[name]

        monkeypatch.setattr(doctor.importlib.metadata, "version", version)
        return {finding.what: finding for finding in examine()}

    return check


WEB = "pip install 'wingedge[web]'"
FINDINGS = [  # what is there instead, of what it is told, how, and in which words
    *(({name: None}, name, "FAIL", [f"pip install {name}"]) for name in PACKAGES),
    ({"pyvista": None}, "pyvista", "--", ["wingedge[viewer]"]),
    ({"found": BROKEN}, "pictures", "FAIL", ["on Debian: apt install libegl1"]),
    ({}, "ParaView", "ok", ["VTK 9.5, ParaView 6"]),
    ({"vtk": "9.4.2"}, "ParaView", "--", ["pip install 'vtk>=9.5'"]),
    ({}, "pictures", "ok", ["software rendering by llvmpipe"]),
    ({}, "windows", "--", ["no display"]),
    ({"found": WORKS._replace(window=True)}, "windows", "ok", []),
    ({}, "browser", "ok", []),
    ({"viser": None}, "browser", "--", [WEB, "not installed: no page"]),
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
    assert set(PACKAGES) < set(found)
    assert "pictures" not in health({"pyvista": None})


@pytest.mark.compiled
def test_compiled_kernels_are_found_where_they_lie(health):
    finding = health({})["compiled"]
    assert finding.status == "ok"
    assert str(library.path()) in finding.found


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

import importlib.metadata
import subprocess
import sys

import pytest

from sim.engine.policy import ENGINE
from viewer import gl
from viewer.cli import doctor
from viewer.cli.doctor import NEEDED, examine
from viewer.gl import Gl

WORKS = Gl(True, "llvmpipe", "", "", window=False)
BROKEN = Gl(False, "", "the GL library is missing", "on Debian: apt install libegl1")


@pytest.fixture
def health(monkeypatch):
    """Examine with other versions and another GL than there are."""

    def check(versions=None, found=WORKS, pyvista=True):
        monkeypatch.setattr(doctor, "probe", lambda: found)
        known = {name: ".".join(map(str, least)) for name, least in NEEDED.items()}
        known |= {"llvmlite": None, "pyvista": "0.49.1", "vtk": "9.5.0"}
        known |= {"viser": "1.1.1", "imageio-ffmpeg": None}
        known |= versions or {}

        def version(name):
            if known[name] is None:
                raise importlib.metadata.PackageNotFoundError(name)
            return known[name]

        monkeypatch.setattr(doctor.importlib.metadata, "version", version)
        spec = object() if pyvista else None
        monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda _: spec)
        return {finding.what: finding for finding in examine()}

    return check


def test_a_healthy_place_has_no_failures(health):
    found = health()
    assert {finding.status for finding in found.values()} == {"ok", "--"}
    assert set(NEEDED) < set(found)


def test_compiled_kernels_are_optional(health):
    finding = health()["compiled"]
    assert finding.status == "--"
    assert "wingedge[compiled]" in finding.fix


@pytest.mark.compiled
def test_compiled_kernels_that_work_are_tried(health):
    finding = health({"llvmlite": "0.50.0"})["compiled"]
    assert finding.status == "ok"
    assert "kept in" in finding.found


@pytest.mark.compiled
def test_a_folder_that_cannot_be_written_is_named(health, monkeypatch, tmp_path):
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("WINGEDGE_CACHE", str(occupied))
    finding = health({"llvmlite": "0.50.0"})["compiled"]
    assert finding.status == "--"
    assert "every program compiles anew" in finding.found
    assert "WINGEDGE_CACHE" in finding.fix


def test_compiled_kernels_that_cannot_be_had_are_explained(health, monkeypatch):
    monkeypatch.setattr(ENGINE, "try_out", lambda: "it was refused")
    finding = health({"llvmlite": "0.99"})["compiled"]
    assert finding.status == "--"
    assert "llvmlite 0.99, but it was refused" in finding.found
    assert "llvmlite>=0.50,<0.51" in finding.fix


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_missing_fails_with_the_command_that_installs_it(health, name):
    finding = health({name: None})[name]
    assert finding.status == "FAIL"
    assert f"pip install '{name}>=" in finding.fix
    assert "fix: pip install" in str(finding)


def test_what_is_too_old_fails(health):
    finding = health({"numpy": "1.25.3"})["numpy"]
    assert finding.status == "FAIL"
    assert finding.found == "1.25.3, but >=1.26 is needed"


@pytest.mark.parametrize("version", ["0.47.9", "0.50.0", "0.50.dev0", "1.0"])
def test_pyvista_must_be_a_version_that_was_tried(health, version):
    finding = health({"pyvista": version})["pyvista"]
    assert finding.status == "FAIL"
    assert ",<0.50 is needed" in finding.found


@pytest.mark.parametrize("version", ["2.4.6", "10.0", "2.0.0rc1", "1.26"])
def test_newer_versions_are_fine(health, version):
    assert health({"numpy": version})["numpy"].status == "ok"


def test_without_pyvista_there_are_no_pictures_and_that_is_no_failure(health):
    found = health(pyvista=False)
    assert found["pyvista"].status == "--"
    assert "wingedge[viewer]" in found["pyvista"].fix
    assert "pictures" not in found


def test_without_gl_the_fix_is_named(health):
    finding = health(found=BROKEN)["pictures"]
    assert finding.status == "FAIL"
    assert finding.fix == "on Debian: apt install libegl1"


def test_without_a_screen_there_are_pictures_but_no_windows(health):
    found = health()
    assert found["pictures"].status == "ok"
    assert "software rendering by llvmpipe" in found["pictures"].found
    assert found["windows"].status == "--"
    assert "no display" in found["windows"].found


def test_a_software_renderer_is_named_with_what_it_means_and_what_mends_it(health):
    finding = health()["speed"]
    assert finding.status == "--"
    assert "frames/s" in finding.found
    assert "anti-aliasing" in finding.found
    assert "graphics card" in finding.fix
    assert "speed" not in health(found=WORKS._replace(renderer="NVIDIA H200"))


def test_a_browser_page_is_optional_and_its_fix_is_one_line(health):
    assert health()["browser"].status == "ok"
    finding = health({"viser": None})["browser"]
    assert (finding.status, finding.fix) == ("--", "pip install 'wingedge[web]'")
    assert "no page in a browser" in finding.found


@pytest.mark.parametrize("version", ["1.0.9", "1.2.0", "0.2"])
def test_another_viser_is_told_before_it_fails(health, version):
    finding = health({"viser": version})["browser"]
    assert finding.status == "--"
    assert f"viser {version}, but >=1.1,<1.2 is needed" in finding.found
    assert finding.fix == "pip install 'wingedge[web]'"


def test_the_versions_of_viser_are_those_of_the_package():
    import tomllib
    from pathlib import Path

    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    web = tomllib.loads(text)["project"]["optional-dependencies"]["web"]
    dotted = [".".join(map(str, n)) for n in (doctor.VISER, doctor.VISER_BELOW)]
    assert web == [f"viser>={dotted[0]},<{dotted[1]}"]


def test_without_an_encoder_there_is_no_mp4_and_that_is_no_failure(health):
    finding = health()["movies"]
    assert finding.status == "--"
    assert "no .mp4" in finding.found
    assert "wingedge[viewer]" in finding.fix


def test_an_encoder_that_is_not_there_is_told(health, monkeypatch):
    pytest.importorskip("imageio_ffmpeg", reason="it is in the extra 'viewer'")
    assert health({"imageio-ffmpeg": "0.6"})["movies"].status == "ok"
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", "/nonexistent/ffmpeg")
    finding = health({"imageio-ffmpeg": "0.6"})["movies"]
    assert finding.status == "--"
    assert "finds no ffmpeg" in finding.found


@pytest.mark.parametrize(("there", "status"), [(True, "ok"), (False, "--")])
def test_notebooks_are_live_with_trame_only(health, monkeypatch, there, status):
    monkeypatch.setattr(doctor, "has_trame", lambda: there)
    finding = health()["notebooks"]
    assert finding.status == status
    assert there or finding.fix == "pip install 'pyvista[jupyter]'"


def test_with_a_screen_there_are_windows(health):
    assert health(found=WORKS._replace(window=True))["windows"].status == "ok"


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


@pytest.mark.gui
def test_doctor_as_a_process():
    assert gl.probe().works
    done = subprocess.run(
        [sys.executable, "-m", "viewer.cli", "doctor"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok    pictures" in done.stdout

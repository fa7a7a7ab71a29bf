import os
import sys

import pytest

from viewer import gl
from viewer.gl import Gl, NoPicture, Probe

CRASH = "import os; os.kill(os.getpid(), 11)"


@pytest.fixture
def found(monkeypatch):
    monkeypatch.setattr(gl, "has_pyvista", lambda: True)

    def draw(program):
        monkeypatch.setattr(gl, "_DRAW", program)
        return Probe().result()

    return draw


@pytest.mark.gui
def test_drawing_works_here_and_names_its_renderer():
    found = gl.probe()
    assert found.works
    assert found.renderer
    assert (found.reason, found.fix) == ("", "")
    assert gl.require_gl() is found


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_a_crash_of_the_library_is_a_sentence_and_not_our_end(found):
    result = found(CRASH)
    assert not result.works
    assert "crashed" in result.reason
    assert result.fix


def test_a_missing_library_names_its_package_and_a_blank_picture_is_none(found):
    error = "libXrender.so.1: cannot open shared object file"
    result = found(f"raise ImportError({error!r})")
    assert not result.works
    assert "libXrender" in result.reason
    if sys.platform == "linux":
        assert gl.INSTALL_GL in result.fix
    result = found("raise SystemExit('the picture came out blank')")
    assert result.reason == "the picture came out blank"


def test_a_driver_that_hangs_is_given_up(found, monkeypatch):
    monkeypatch.setattr(gl, "_SECONDS", 0.5)
    result = found("import time; time.sleep(60)")
    assert not result.works
    assert "took more than" in result.reason


def test_software_renderers_are_known_by_name():
    for name, software in [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", True),
        ("softpipe", True),
        ("Google SwiftShader", True),
        ("NVIDIA H200/PCIe/SSE2", False),
    ]:
        assert Gl(True, name, "", "").is_software is software


def test_without_pyvista_the_fix_is_to_install_it(monkeypatch):
    monkeypatch.setattr(gl, "has_pyvista", lambda: False)
    result = Probe().result()
    assert result.reason == "pyvista is not installed"
    assert "wingedge[viewer]" in result.fix
    with pytest.raises(ImportError, match=r"wingedge\[viewer\]"):
        gl.require_pyvista()


def test_where_nothing_draws_the_error_says_why_and_what_to_do(monkeypatch):
    nothing = Gl(False, "", "the GL library is missing", "on Debian: apt install x")
    monkeypatch.setattr(gl, "probe", lambda: nothing)
    with pytest.raises(NoPicture, match="GL library is missing; on Debian: apt"):
        gl.require_gl()
    assert nothing.no_window == "the GL library is missing; on Debian: apt install x"


def test_a_screen_is_looked_for_on_linux_only(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(gl.platform, "system", lambda: "Linux")
    assert not gl.has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert gl.has_display()
    monkeypatch.setattr(gl.platform, "system", lambda: "Darwin")
    assert gl.has_display()


@pytest.mark.skipif(sys.platform != "linux", reason="hides GL the way of Linux")
def test_a_picture_without_gl_is_an_exception_and_no_crash(run, tmp_path):
    code = (
        "from sim import Body, World; from wingedge import shapes; import viewer\n"
        "frame = World([Body(shapes.box())]).step()\n"
        "try:\n    viewer.picture(frame, 'a.png')\n"
        "except (viewer.NoPicture, ImportError) as error:\n    print('said:', error)\n"
    )
    done = run(code, __EGL_VENDOR_LIBRARY_DIRS="/nonexistent", DISPLAY="")
    assert done.stdout.startswith("said: ")
    assert os.listdir(tmp_path) == []

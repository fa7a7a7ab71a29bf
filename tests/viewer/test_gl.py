import pytest  # of viewer.gl

from viewer import gl
from viewer.gl import Gl, NoPicture


@pytest.mark.gui
def test_drawing_works_here_and_names_its_renderer():
    found = gl.probe()
    assert found.works
    assert found.renderer
    assert (found.reason, found.fix) == ("", "")
    assert gl.require_gl() is found


def test_a_library_that_is_missing_is_a_sentence(monkeypatch):
    def absent():
        raise ImportError("libXrender.so.1: cannot open shared object file")

    monkeypatch.setattr(gl, "has_pyvista", lambda: True)
    monkeypatch.setattr(gl, "_asked", absent)
    found = gl.probe.__wrapped__()
    assert not found.works
    assert "libXrender" in found.reason
    assert found.fix


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
    result = gl.probe.__wrapped__()
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

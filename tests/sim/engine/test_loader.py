import os
import sys
from pathlib import Path

import pytest

from sim.engine import build
from sim.kernels import language, layout

pytestmark = pytest.mark.compiled
KEY = "0" * 64


@pytest.fixture
def payload():
    from sim.engine.build import compiled

    return compiled(build.fingerprint())


def test_the_key_is_stable_and_changes_with_a_constant(monkeypatch):
    assert build.fingerprint() == build.fingerprint()
    before = build.fingerprint()
    monkeypatch.setattr(layout, "TOUCH", 5e-15)
    assert build.fingerprint() != before


@pytest.mark.parametrize("module", ["sim.kernels.walk.gjk", "sim.kernels.layout"])
def test_the_key_changes_with_the_text_of_a_kernel(module, monkeypatch):
    before = build.fingerprint()
    monkeypatch.setitem(language.SOURCES, module, "another text")
    assert build.fingerprint() != before


@pytest.mark.parametrize("what", ["cpu_name", "cpu_features"])
def test_the_key_changes_with_the_processor(what, monkeypatch):
    from llvmlite import binding

    class Features(dict):
        def flatten(self):
            return "+wings"

    before = build.fingerprint()
    other = "m68k" if what == "cpu_name" else Features()
    monkeypatch.setattr(binding, f"get_host_{what}", lambda: other)
    assert build.fingerprint() != before


def test_a_kernel_without_source_is_named(monkeypatch):
    monkeypatch.setitem(language.SOURCES, "sim.kernels.walk.gjk", None)
    with pytest.raises(build.NoCompiledKernels, match=r"sim\.kernels\.walk\.gjk"):
        build.fingerprint()


def test_what_was_sealed_is_read_back(tmp_path):
    path = tmp_path / "kernels"
    path.write_bytes(build.sealed(b"code", KEY))
    path.chmod(0o600)
    assert build.read(path, KEY) == b"code"
    assert build.read(tmp_path / "missing", KEY) is None
    assert build.read(tmp_path, KEY) is None
    assert build.read(None, KEY) is None


def test_no_damage_goes_unseen(tmp_path):
    path = tmp_path / "kernels"
    whole = build.sealed(b"some machine code", KEY)
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        path.chmod(0o600)
        assert build.read(path, KEY) is None
    for k in range(len(whole)):
        damaged = bytearray(whole)
        damaged[k] ^= 0x10
        path.write_bytes(damaged)
        assert build.read(path, KEY) is None


def test_code_of_other_kernels_under_this_name_is_not_run(tmp_path):
    path = tmp_path / "kernels"
    path.write_bytes(build.sealed(b"code", "1" * 64))
    path.chmod(0o600)
    assert build.read(path, KEY) is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs POSIX permissions")
def test_a_file_that_others_may_write_is_not_run(tmp_path):
    path = tmp_path / "kernels"
    path.write_bytes(build.sealed(b"code", KEY))
    path.chmod(0o666)
    assert build.read(path, KEY) is None


def test_machine_code_is_loaded_by_this_llvmlite_only(payload, monkeypatch):
    assert set(build.load(payload)) == set(build.entries())
    from llvmlite import binding

    monkeypatch.delattr(binding, "create_mcjit_compiler")
    with pytest.raises(build.NoCompiledKernels, match="create_mcjit_compiler"):
        build.load(payload)


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, Path("/x/wingedge")),
        ("linux", {"XDG_CACHE_HOME": "relative"}, Path("/home/.cache/wingedge")),
        ("linux", {}, Path("/home/.cache/wingedge")),
        ("darwin", {}, Path("/home/Library/Caches/wingedge")),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/wingedge/Cache")),
        ("linux", {"WINGEDGE_CACHE": "/own"}, Path("/own")),
    ],
)
def test_the_folder_is_where_the_platform_expects_it(
    platform, variables, folder, monkeypatch
):
    for name in ("WINGEDGE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home"))
    assert build.cache_folder() == folder


def test_a_user_without_a_home_has_no_folder(monkeypatch):
    def none():
        raise RuntimeError

    monkeypatch.delenv("WINGEDGE_CACHE", raising=False)
    monkeypatch.setattr(Path, "home", none)
    assert build.cache_folder() is None
    assert build.path_of("0" * 64) is None

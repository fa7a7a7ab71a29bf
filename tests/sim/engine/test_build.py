import os
import stat

import pytest

from sim.engine import build

pytestmark = pytest.mark.compiled


@pytest.fixture
def kept():
    """Return the file of this session, compiled by now."""
    key = build.fingerprint()
    build.compiled(key)
    path = build.path_of(key)
    assert path is not None
    return path


def test_a_file_is_for_its_owner_only_and_not_compiled_again(kept):
    if os.name == "posix":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not list(kept.parent.glob(".new-*"))
    before = kept.stat()
    assert build.compiled(build.fingerprint()) == build.read(kept, build.fingerprint())
    assert kept.stat().st_mtime_ns == before.st_mtime_ns


def test_the_child_compiles_the_parents_kernels_and_no_others(kept):
    with pytest.raises(build.NoCompiledKernels, match="was a file edited"):
        build.compile_aside("0" * 64)
    assert build.compile_aside(build.fingerprint()) == build.read(
        kept, build.fingerprint()
    )


def test_the_child_imports_the_parents_kernels(kept, tmp_path, monkeypatch):
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "__init__.py").write_text("raise SystemExit('another sim')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert build.compile_aside(build.fingerprint()) == build.read(
        kept, build.fingerprint()
    )


def test_an_interrupted_write_leaves_no_file(tmp_path, monkeypatch):
    def dies(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", dies)
    with pytest.raises(KeyboardInterrupt):
        build.keep(tmp_path / "kernels", b"code")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_interpreter_is_no_crash(monkeypatch):
    monkeypatch.setattr(build.sys, "executable", "/no/such/python")
    with pytest.raises(build.NoCompiledKernels, match="no compiler process"):
        build.compile_aside(build.fingerprint())


def test_processes_that_start_cold_together_compile_once(start, tmp_path, program):
    """And a file that is damaged is replaced by a whole one."""
    cache = tmp_path / "cache"
    for damaged in (False, True):
        if damaged:
            (path,) = cache.glob("*.bin")
            path.write_bytes(path.read_bytes()[:1000])
        programs = [
            start(program, 300, WINGEDGE_ENGINE="compiled", WINGEDGE_CACHE=str(cache))
            for _ in range(2)
        ]
        said = {program.communicate() for program in programs}
        assert len(said) == 1
        ((out, err),) = said
        assert (out.split()[1:], err) == (["True"], "")
        (path,) = cache.glob("*.bin")
        assert build.read(path, build.fingerprint()) is not None
    plain = start(program, 300, WINGEDGE_ENGINE="python").communicate()
    assert plain[0].split()[0] == out.split()[0]


def test_compiling_ahead_of_time_says_where_the_result_lies(run, tmp_path):
    code = "import runpy; runpy.run_module('sim.engine.build', run_name='__main__')"
    done = run(code, WINGEDGE_CACHE=str(tmp_path / "cache"))
    assert done.stderr == ""
    (path,) = (tmp_path / "cache").glob("*.bin")
    assert done.stdout.strip() == str(path)
    (tmp_path / "file").touch()
    done = run(code, WINGEDGE_CACHE=str(tmp_path / "file"))
    assert "cannot be written" in done.stderr

import os  # of viewer.cli.__main__, wingedge.launch
import re
import signal
import subprocess
import sys
import time

import pytest

import wingedge as library
from viewer.cli import COMMANDS


def test_help_lists_commands_exit_codes_and_options_of_each(wingedge):
    result = wingedge("--help")
    assert result.code == 0
    assert all(re.search(rf"^  {name} ", result.out, re.M) for name in COMMANDS)
    assert "0 yes, 1 no, 2 could not be read or run" in result.out
    assert wingedge().out == wingedge("-h").out == wingedge("--help").out
    assert wingedge("--version").out.strip() == library.__version__
    for command in COMMANDS:
        result = wingedge(command, "--help")
        assert result.code == 0
        assert f"Usage: wingedge {command}" in result.out
        assert COMMANDS[command].split()[0] in result.out
    assert "may be repeated. The" in wingedge("run", "--help").out, "one paragraph"


def test_a_bug_is_one_sentence_too_and_says_how_to_see_it(wingedge, monkeypatch):
    def broken():
        raise KeyError("never seen before")

    monkeypatch.setattr("viewer.cli.doctor.doctor", broken)
    result = wingedge("doctor")
    assert result.code == 2
    assert "KeyError" in result.sentence
    assert "--traceback" in result.sentence
    shown = wingedge("doctor", "--traceback")
    assert (shown.code, shown.err.splitlines()[-1]) == (2, result.sentence)
    assert 'raise KeyError("never seen before")' in shown.err


@pytest.mark.parametrize("name", ["sim", "viewer"])
def test_another_package_of_our_name_is_named(run, tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    code = "from wingedge.launch import main; raise SystemExit(main())"
    done = run(f"import sys; sys.path.insert(0, '')\n{code}")
    assert done.returncode == 2
    assert f"another {name!r} at {tmp_path / name}" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
@pytest.mark.parametrize(("by", "code"), [("SIGINT", 130), ("SIGKILL", -9)])
def test_a_run_that_is_ended_keeps_the_frames_that_were_recorded(
    script, command, tmp_path, by, code
):
    from sim import Recording

    path = tmp_path / "run.vtkhdf"
    child = command("run", script(), "--frames", "99999", "--record", path)
    while not path.exists() and child.poll() is None:
        time.sleep(0.05)
    child.send_signal(getattr(signal, by))
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (code, "")
    with Recording.open(path) as opened:
        assert len(opened) >= 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.vtkhdf", "script.py"]


def ended(*words, **streams):
    """Wait for a command; return its exit code and what it said of trouble."""
    command = [sys.executable, "-m", "viewer.cli", *words]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, **streams)
    return done.returncode, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
def test_a_reader_that_leaves_ends_the_command_quietly(recording):
    read_end, write_end = os.pipe()
    os.close(read_end)
    assert ended("events", recording, stdout=write_end) == (141, "")
    os.close(write_end)


@pytest.mark.skipif(os.name == "nt", reason="streams are closed otherwise there")
def test_a_command_without_a_place_to_print_to_does_its_work(script, tmp_path):
    """``>&-`` ended in a traceback, after the first file had become standard output."""
    how = {"cwd": tmp_path, "preexec_fn": lambda: os.close(1)}
    assert ended("run", script(), "--record", "run.vtkhdf", **how) == (0, "")
    assert ended("digest", "run.vtkhdf", **how) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_told_in_one_line(recording):
    with open("/dev/full", "w") as full:
        code, said = ended("events", recording, stdout=full)
    assert (code, said.count("\n")) == (2, 1)
    assert "No space left on device" in said


def test_names_that_a_terminal_has_no_letters_for_are_spelled_out(
    script, tmp_path, process
):
    text = script().read_text(encoding="utf-8")
    path = script(text.replace('"ball"', '"\N{SNOWMAN}"'))
    done = process(
        "run", path, "--frames", 30, PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert done.code == 0
    assert "begin \\u2603/table" in done.out


HEAVY = "llvmlite scipy trimesh networkx pyvista vtk vtkmodules viser"
PARSER = "cyclopts rich h5py"


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], f"{HEAVY} {PARSER}"),
        (["--version"], HEAVY),
        (["events", "run.vtkhdf"], HEAVY),
        (["events", "no"], HEAVY),
    ],
)
def test_commands_load_no_more_than_they_need(recording, run, arguments, absent):
    """So that they answer at once; ``python -m benchmarks start`` has the times."""
    code = (
        "import sys; from viewer.cli import main; main(sys.argv[1:]); "
        f"print({{*sys.modules}} & set('{absent}'.split()))"
    )
    done = run(code, *arguments)
    assert done.stdout.splitlines()[-1] == "set()"

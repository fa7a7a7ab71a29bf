import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import viewer.cli
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
        assert COMMANDS[command].says.split()[0] in result.out


SET = """
from sim import Body, World
from wingedge import shapes

def world(speed=6.0):
    return World([Body(shapes.box(), name="box")])
"""
STORY = "wingedge story 1\nbodies ball/table\nframes 8\nfirst 0\ndt 0.01\n"
# run.vtkhdf is a recording, script.py and set.py are scripts, a.story is a story
REFUSED = {
    "fly": "no command 'fly'",
    "evnts a": "did you mean 'events'?",
    "--fast": "no command '--fast'",
    "events": "FILE requires an argument",
    "events a b": "did not expect 'b'",
    "events --loud a": "--loud",
    "events a.story --json --table": "ask for one",
    "run a.py --frames many": "--frames: 'many' is no whole number",
    "run a.py --frames": "--frames",
    "run missing.py": "missing.py",
    "run .": ".",
    "run script.py --frames=-1": "0 or more",
    "run script.py --frames 3 --record no/such/new.vtkhdf": "folder",
    "run script.py --frames 3 --record .": "folder",
    "run script.py --resume": "go with --record FILE",
    "run script.py --log a.jsonl": "go with --record FILE",
    "run script.py --record new.vtkhdf --log no/run.log": "the log cannot be written",
    "run set.py --set speed": "--set speed: write K=V",
    "run set.py --set spede=1": "world() got an unexpected keyword argument 'spede'",
    "run set.py --set WIND=1": "write WIND=1 before wingedge",
    "run script.py --web --view": "--view and --web are two places",
    "run script.py --show path": "--show goes with --view or --web",
    "run script.py --theme dark": "--theme goes with --view or --web",
    "run script.py --speed 2": "--speed goes with --view or --web",
    "run script.py --loop": "--loop goes with --view or --web",
    "run script.py --host localhost": "--host localhost: it goes with --web",
    "run script.py --port 0": "--port 0: it goes with --web",
    "view": "RECORDING requires an argument",
    "view run.vtkhdf --picture a.png --frame 5.5": "--frame: '5.5' is no whole number",
    "view run.vtkhdf --picture a.png --movie a.gif": "and --movie: ask for one at a",
    "view run.vtkhdf --picture a.png --web": "--web and --picture: ask for one",
    "table run.vtkhdf --output t.txt": "a name that ends in .csv or .parquet, or",
    "view run.vtkhdf --host localhost": "--host localhost: it goes with --web",
    "view run.vtkhdf --port 0": "--port 0: it goes with --web",
    "view run.vtkhdf --picture a.png --frame 8": "frames 0 to 7",
    "view run.vtkhdf --picture a.txt": "no picture format has the ending '.txt'",
    "view run.vtkhdf --picture no/such/a.png": "no folder no/such",
    "view run.vtkhdf --show path,shadows": "there is no layer 'shadows'; there are di",
    "view run.vtkhdf --html run.png": "give a name that ends in .html",
    "replay script.py": "is no recording",
    "digest": "name at least one",
    "diff a.story nothing.story": "nothing.story",
    "diff a.story script.py": "script.py",
    "diff a.story .": ".",
    "graph none.vtkhdf": "none.vtkhdf: no such file or directory",
    "graph a.story --output x.txt": "write a graph as .graphml, .json or .dot",
    "graph a.story --picture x.bmp": "draw a graph as .png, .svg, .pdf",
    "demo now": 'Choose from: "bodies", "jelly", "disk", "segments"',
    "demo disk now": "did not expect 'now'",
    "demo disk --keys 'L*3 X'": "'X': keys are Shift and HJKLRST",
    "demo segments --keys T": "'T': keys are Shift and 12HJKLRS",
    "demo --keys L": "bodies have no keys; give disk or",
    "doctor --quick": "--quick",
    "info": "name at least one mesh file",
    "info --verbose a.obj": "--verbose",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_done_is_one_sentence_and_leaves_nothing(
    request, wingedge, script, tmp_path, line
):
    if "run.vtkhdf" in line:
        request.getfixturevalue("recording")
    script()
    script(SET, "set.py")
    (tmp_path / "a.story").write_text(STORY)
    before = sorted(tmp_path.iterdir())
    result = wingedge(*shlex.split(line))
    assert (result.code, result.out) == (2, "")
    assert REFUSED[line] in result.sentence
    assert sorted(tmp_path.iterdir()) == before


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


def test_an_error_in_a_script_says_whose_it_is_and_where_when_asked(wingedge, script):
    script("def world():\n    return 1 / 0\n", "wrong.py")
    assert "Traceback" not in wingedge("run", "wrong.py").err
    shown = wingedge("run", "wrong.py", "--traceback")
    assert shown.code == 2
    assert "ZeroDivisionError" in shown.err


@pytest.mark.skipif(os.name == "nt", reason="shells are POSIX")
def test_a_shell_completes_commands(process, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    done = process("--install-completion", "bash")
    assert done.code == 0
    file = Path(done.out.partition(": ")[0])
    assert file.is_relative_to(tmp_path)
    told = file.read_text()
    assert all(name in told for name in ("demo", "export", "--workers"))
    assert process("--install-completion", "cmd").code == 2


@pytest.mark.parametrize("name", ["sim", "viewer"])
def test_another_package_of_our_name_is_named(tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    root = str(Path(library.__file__).parents[1])
    code = "from wingedge.launch import main; raise SystemExit(main())"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), root])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"another {name!r} at {tmp_path / name}" in done.stderr


def test_ctrl_c_ends_quietly_with_130(wingedge, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("viewer.cli.doctor.doctor", interrupted)
    result = wingedge("doctor")
    assert (result.code, result.out, result.err) == (130, "", "")


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
@pytest.mark.parametrize(("by", "code"), [("SIGINT", 130), ("SIGKILL", -9)])
def test_a_run_that_is_ended_keeps_the_frames_that_were_recorded(
    script, tmp_path, by, code
):
    from sim import Recording

    path = tmp_path / "run.vtkhdf"
    command = [sys.executable, "-m", "viewer.cli", "run", script(), "--frames", "99999"]
    with subprocess.Popen(
        [*command, "--record", path],
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        # as in a terminal: a shell ignores Ctrl-C for what runs in the background
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as child:
        while not path.exists() and child.poll() is None:
            time.sleep(0.05)
        child.send_signal(getattr(signal, by))
        try:
            _, err = child.communicate(timeout=60)
        finally:
            child.kill()
    assert (child.returncode, err) == (code, "")
    with Recording.open(path) as opened:
        assert len(opened) >= 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.vtkhdf", "script.py"]


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
def test_a_reader_that_leaves_ends_the_command_quietly(recording):
    command = [sys.executable, "-m", "viewer.cli", "events", recording]
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        command, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(os.name == "nt", reason="streams are closed otherwise there")
def test_a_command_without_a_place_to_print_to_does_its_work(script, tmp_path):
    """``>&-`` ended in a traceback, after the first file had become standard output."""
    command = f"{sys.executable} -m viewer.cli run {script()} --record run.vtkhdf >&-"
    done = subprocess.run(
        command,
        shell=True,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    command = f"{sys.executable} -m viewer.cli digest run.vtkhdf"
    assert (
        subprocess.run(command, shell=True, cwd=tmp_path, check=False).returncode == 0
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_told_in_one_line(recording):
    command = [sys.executable, "-m", "viewer.cli", "events", recording]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No space left on device" in done.stderr


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


HEAVY = "llvmlite scipy trimesh networkx pyvista vtk vtkmodules"
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
def test_commands_load_no_more_than_they_need(recording, arguments, absent):
    """So that they answer at once; ``python -m benchmarks start`` has the times."""
    code = (
        "import sys; from viewer.cli import main; main(sys.argv[1:]); "
        f"print({{*sys.modules}} & set('{absent}'.split()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=recording.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "set()"


def test_every_command_of_the_table_exists():
    folder = Path(viewer.cli.__file__).parent
    for command in COMMANDS.values():
        module = command.home.partition(":")[0].rpartition(".")[2]
        assert (folder / f"{module}.py").is_file()

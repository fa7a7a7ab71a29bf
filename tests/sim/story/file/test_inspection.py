import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest

import sim
from sim import Recording, RecordingError, scenes
from sim.story.file import inspection
from sim.story.file.layout import head_seal


@pytest.fixture
def left(tmp_path):
    path, copy = tmp_path / "run.vtkhdf", tmp_path / "left.vtkhdf"
    world = scenes.load("tip")
    with world.record(path):
        list(world.run(5))
        copy.write_bytes(path.read_bytes())
    return copy


def test_a_closed_file_is_opened_at_once_and_another_by_a_child(left, monkeypatch):
    asked = []
    monkeypatch.setattr(inspection, "inspect", asked.append)
    assert len(Recording.open(left.with_name("run.vtkhdf"))) == 5
    assert asked == []
    assert len(Recording.open(left)) == 5
    assert asked == [left]


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "exit status -11"),
        ("while True: pass", "did not end within 2 s"),
        ("print('nothing that was agreed')", "ended the process that tried"),
    ],
)
def test_a_child_that_dies_or_hangs_is_told(left, monkeypatch, does, words):
    monkeypatch.setattr(inspection, "CHILD", does)
    monkeypatch.setattr(inspection, "PATIENCE", 1.0)
    monkeypatch.setattr(inspection, "BUSY", 2)
    with pytest.raises(RecordingError, match="is damaged: reading it") as caught:
        Recording.open(left)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(left))


def test_a_machine_that_is_busy_is_no_damage(left, monkeypatch):
    """Twenty processes beside it, and a whole recording was called damaged."""
    monkeypatch.setattr(inspection, "PATIENCE", 0.5)
    waits = 'import time; time.sleep(1.5); print(\'{"said": ""}\')'
    monkeypatch.setattr(inspection, "CHILD", waits)
    assert len(Recording.open(left)) == 5


def test_the_child_may_not_take_all_memory(left, monkeypatch):
    """A damaged number may ask for any amount; the machine has other work."""
    asked = (
        "import resource, sim.story.file.inspection as i; i.read_all = "
        "lambda path: str(resource.getrlimit(resource.RLIMIT_AS)[0]); i.child("
    )
    monkeypatch.setattr(inspection, "CHILD", inspection.CHILD.replace("child(", asked))
    with pytest.raises(RecordingError) as caught:
        Recording.open(left)
    assert 0 < int(str(caught.value)) <= 8 << 30


def test_another_sim_in_the_folder_is_not_what_looks(left, monkeypatch):
    (left.parent / "sim.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(left.parent)
    assert len(Recording.open(left.name)) == 5


def test_what_was_carried_in_is_looked_at_by_the_child(left):
    """Where only the caller read it, it read there what nobody had looked at."""
    with h5py.File(left, "r+") as file:
        group = file["wingedge"]
        group["start"].attrs["next_contact"] = "many"
        group.attrs["seal"] = np.frombuffer(head_seal(group), np.uint8)
    assert "'many'" in inspection.read_all(left)


def test_the_child_does_not_wait_for_libraries_that_no_file_needs(left):
    """Half of the seconds that a file took to be refused went into importing scipy."""
    does = (
        "import sys; from pathlib import Path; from sim.story.file import inspection; "
        "print(inspection.read_all(Path(sys.argv[1])), 'scipy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", does, str(left)],
        env={**os.environ, "PYTHONPATH": str(Path(sim.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == " False\n"


@pytest.mark.parametrize("format_", ["three", -1, [1, 2], 2, 99])
def test_a_format_of_another_kind_is_named(left, format_):
    with h5py.File(left, "r+") as file:
        file["wingedge"].attrs["format"] = format_
    with pytest.raises(RecordingError) as caught:
        Recording.open(left)
    assert str(left) in str(caught.value)


IMPORT = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sim.story.file import inspection as i; "
)


@pytest.mark.skipif(os.name != "posix", reason="needs limits of POSIX")
def test_the_child_has_so_much_time_of_the_processor_and_no_more(left, monkeypatch):
    monkeypatch.setattr(inspection, "CHILD", IMPORT + "i.limit(CPU=2)\nwhile 1: pass")
    with pytest.raises(
        RecordingError, match="is damaged: reading it ended the process"
    ):
        Recording.open(left)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can do that")
def test_the_child_dies_with_its_parent(left):
    """It went on reading when its parent was killed, for ever where HDF5 hung."""
    does = "i.die_with_parent(); import os, time\n"
    does += (
        "open(sys.argv[2] + '.pid', 'w').write(str(os.getpid()) + ' '); time.sleep(99)"
    )
    program = (
        "import sys; from pathlib import Path; from sim.story.file import inspection\n"
        f"inspection.CHILD = {IMPORT + does!r}\n"
        "inspection.inspect(Path(sys.argv[1]))"
    )
    root = str(Path(sim.__file__).parents[1])
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(left)],
        env={**os.environ, "PYTHONPATH": root},
    )
    told, end = Path(f"{left}.pid"), time.monotonic() + 60.0
    while not (told.exists() and told.read_text().endswith(" ")):
        assert time.monotonic() < end
        time.sleep(0.02)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    child = Path("/proc", told.read_text().strip(), "stat")
    while child.exists() and child.read_text().split()[2] != "Z":
        assert time.monotonic() < end
        time.sleep(0.02)

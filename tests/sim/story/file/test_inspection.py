import os  # of sim.story.file.inspection, sim.story.file.reader
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sim
from sim import Recording, RecordingError, scenes
from sim.story.file import MAGIC, inspection
from sim.story.file.journal import open_journal, sealed


@pytest.fixture
def left(tmp_path):
    path, copy = tmp_path / "run.vtkhdf", tmp_path / "left.vtkhdf"
    world = scenes.load("tip")
    with world.record(path):
        list(world.run(5))
        copy.write_bytes(path.read_bytes())
    return copy


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_a_dead_child_is_told_but_a_busy_machine_no_damage(left, monkeypatch, readers):
    """Twenty processes beside it, and a whole recording was called damaged."""
    monkeypatch.setattr(inspection, "read_all", readers.dies)
    with pytest.raises(RecordingError, match=r"is damaged.* ended .*SIGSEGV") as caught:
        Recording.open(left, untrusted=True)
    assert str(caught.value).startswith(str(left))
    assert len(Recording.open(left)) == 5, "nobody asked the child"
    monkeypatch.setattr(inspection, "PATIENCE", 1.0)
    monkeypatch.setattr(inspection, "read_all", readers.sleeps)
    assert len(Recording.open(left, untrusted=True)) == 5


def test_a_large_file_may_take_memory_as_it_is_large(left, readers):
    with inspection.Apart() as apart:
        assert apart.ask(left, readers.fills, "json", 5_000_000) == 1 << 27


def test_another_sim_in_the_folder_is_not_what_looks(left, monkeypatch):
    (left.parent / "sim.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(left.parent)
    assert len(Recording.open(left.name, untrusted=True)) == 5


def test_what_was_carried_in_is_looked_at_by_the_child(left):
    """Where only the caller read it, it read there what nobody had looked at."""
    journal = open_journal(left)
    head = sealed(b"", 0, journal.block(0), 0, 0.0, 0)
    left.write_bytes(MAGIC + head + sealed(journal.key, 1, b'["many"]\n', 0, 0.0, 0))
    assert "is damaged" in inspection.read_all(left)


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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can do that")
def test_the_child_dies_with_its_parent(left):
    """It went on reading when its parent was killed, for ever where HDF5 hung."""
    (left.parent / "slow.py").write_text(
        "import os, time\n"
        "def reads(path):\n"
        "    open(f'{path}.pid', 'w').write(f'{os.getpid()} ')\n"
        "    time.sleep(99)\n"
    )
    program = (
        "import sys; from pathlib import Path; from sim.story.file import inspection\n"
        "import slow; inspection.read_all = slow.reads\n"
        "inspection.check(Path(sys.argv[1]))"
    )
    path = os.pathsep.join([str(Path(sim.__file__).parents[1]), str(left.parent)])
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(left)],
        env={**os.environ, "PYTHONPATH": path},
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

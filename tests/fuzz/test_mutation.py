"""The faults of the mutation proof stand in the code, and a story notices them."""

import subprocess
import sys
from pathlib import Path

from mutation.by_tests import WIDE, core_files
from mutation.faults import FAULTS, SURVIVORS, TESTED

ROOT = Path(__file__).resolve().parents[2]


def test_faults_are_edits_of_one_place_with_names_and_the_core_is_there():
    for fault in FAULTS + TESTED:
        text = (ROOT / fault.file).read_text("utf-8")
        assert text.count(fault.old) == 1, fault.name
        assert fault.new != fault.old, fault.name
        compile(text.replace(fault.old, fault.new), fault.file, "exec")
    for path in (*core_files(ROOT), *WIDE):
        assert (ROOT / path).exists(), path
    names = [fault.name for fault in FAULTS + TESTED]
    assert len(set(names)) == len(names) >= 60
    assert set(SURVIVORS) <= set(names)
    assert all(SURVIVORS.values())


def test_faults_are_noticed_and_a_hint_is_not():
    ran = subprocess.run(
        [
            sys.executable,
            str(ROOT / "tests" / "fuzz" / "mutate.py"),
            *("--scenes", "tip", "--jobs", "1", "--"),
            *("end_is_forgotten", "normal_in_the_row_is_turned"),
            "edge_next_to_the_right_one",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "faults of the list: 3" in ran.stdout
    assert "noticed by the golden stories     2   66.7 %" in ran.stdout
    assert "noticed by contact_regression     2   66.7 %" in ran.stdout
    assert "noticed by the last frames        0    0.0 %" in ran.stdout
    assert "survived: edge_next_to_the_right_one" in ran.stdout
    assert "lost end" in ran.stdout
    assert "numbers normal by up to 2 (" in ran.stdout

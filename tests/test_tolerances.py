"""The page of tolerances says what the modules say, and why."""

import runpy
from pathlib import Path

LIST = runpy.run_path(Path(__file__).parent.parent / "docs" / "list_tolerances.py")


def test_the_page_lists_every_tolerance_as_it_is_with_its_reason():
    assert LIST["PAGE"].read_text() == LIST["page"](), "run docs/list_tolerances.py"
    assert not [t for t in LIST["tolerances"]() if not t.why]


def test_a_tolerance_is_found_with_its_value_and_reason():
    source = "# above\nA = 4 * 2.0**-53\nB = A / 2  # beside\nC = 7.0\n"
    listed = LIST["tolerances_of"]("m.py", source)
    found = [(t.name, t.value, t.why) for t in listed]
    assert found == [("A", "2 eps", "above"), ("B", "1 eps", "beside")]

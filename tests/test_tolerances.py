"""Every tolerance of the product says why."""

import runpy
from pathlib import Path

LIST = runpy.run_path(Path(__file__).parent.parent / "docs" / "list_tolerances.py")


def test_every_tolerance_has_its_reason_and_a_line_of_the_page():
    listed = list(LIST["tolerances"]())
    assert not [t for t in listed if not t.why]
    assert LIST["page"]().count("\n| `") == len(listed) > 100


def test_a_tolerance_is_found_with_its_value_and_reason():
    source = "# above\nA = 4 * 2.0**-53\nB = A / 2  # beside\nC = 7.0\n"
    found = [(t.name, t.value, t.why) for t in LIST["tolerances_of"]("m.py", source)]
    assert found == [("A", "2 eps", "above"), ("B", "1 eps", "beside")]

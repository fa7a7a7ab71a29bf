"""The page of tolerances says what the modules say, and why."""

from tests.tolerances import PAGE, page, tolerances, tolerances_of


def test_the_page_lists_every_tolerance_as_it_is():
    assert PAGE.read_text() == page(), "run python -m tests.tolerances"


def test_every_tolerance_has_its_reason():
    assert not [t for t in tolerances() if not t.why]


def test_a_tolerance_is_found_with_its_value_and_reason():
    source = "# above\nA = 4 * 2.0**-53\nB = A / 2  # beside\nC = 7.0\n"
    found = [(t.name, t.value, t.why) for t in tolerances_of("m.py", source)]
    assert found == [("A", "2 eps", "above"), ("B", "1 eps", "beside")]

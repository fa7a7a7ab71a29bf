"""Stories of bending bodies in which a frame once went wrong, each with what it was."""

from stories.followed import follow


def cases(size, family, seed, frame):
    """Replay a story up to a frame and return what is amiss in it."""
    return follow((size, family, seed), frame).cases


def test_a_needle_that_enters_at_the_very_tip_of_a_spike():
    """A needle 1e-12 of the size deep, and no edge that pierces a triangle for sure.

    Where it enters it is 5e-18 wide: every crossing is beside a rim by less than
    rounding.  Its tip lies 300 000 roundings deep, and touch was certified.
    """
    assert cases("small", "swell", 1289, 19) == []


def test_a_polygon_that_is_no_longer_convex_folds_its_fan_onto_itself():
    """Two triangles in one place look to opposite sides, and either may be nearest.

    The one that was named first called a vertex inside that lies outside, 0.14 deep:
    the overlap's upper bound was deeper than the deepest vertex.
    """
    assert cases("small", "wave", 1577, 24) == []


def test_edges_that_all_but_touch_are_measured_alike_warm_and_cold():
    """At a gap of 1e-14 only last frame's edges proved themselves by a scan.

    From cold the walk ended inside, and a search measured the same edges by their
    points: another last digit of distance and normal.
    """
    assert cases("small", "swell", 939, 35) == []


def test_a_bent_line_that_all_but_touches_is_named_alike_warm_and_cold():
    """As above, with two edges in one line: history decided which of them was named."""
    assert cases("small", "rigid", 1450, 13) == []


def test_remarks_come_in_one_order_whichever_body_is_called_a():
    """Two bodies inside-out: ``reason`` named A first, and A was asked as B."""
    assert cases("small", "twist", 1712, 44) == []

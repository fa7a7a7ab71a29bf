from inspect import signature  # of wingedge.primitives.arguments

import numpy as np
import pytest

from wingedge import primitives

# "2", "3": a point; "4": four points; "r": a length; "n": a number
ONE = {
    "disk_triangle.meet": "2r222",
    "line_sphere.hit": "333r",
    "moving_orientation.roots": "44",
    "moving_point_triangle.hit": "44",
    "moving_segment_segment.hit": "44",
    "point_line.side": "222",
    "point_segment.closest": "333",
    "point_triangle.closest": "3333",
    "segment_plane.hit": "333n",
    "segment_plane.plane": "333",
    "segment_segment.closest": "3333",
    "segment_segment_2d.meet": "2222",
    "segment_sphere.hit": "333r",
    "segment_triangle.hit": "33333",
    "sphere_triangle.sweep": "33r333",
    "sphere_triangle.touch": "3r333",
}
WIDTH = {"2": (2,), "3": (3,), "4": (4, 3), "r": (), "n": ()}


def function(name):
    module, _, attribute = name.partition(".")
    asked = getattr(getattr(primitives, module), attribute)

    def ask(*given):
        answer = asked(*given)
        return answer if isinstance(answer, tuple) else (answer,)

    return ask, list(signature(asked).parameters)


def drawn(name, count):
    rng = np.random.default_rng(len(name))
    return [
        rng.integers(0 if what == "r" else -2, 4, (count, *WIDTH[what])) / 2
        for what in ONE[name]
    ]


@pytest.mark.parametrize("name", ONE)
def test_many_queries_are_the_bits_of_each_alone_and_nothing_is_aliased(name):
    (ask, _), given = function(name), drawn(name, 40)
    many = ask(*given)
    for k in range(40):
        for alone, together in zip(ask(*(x[k] for x in given)), many, strict=True):
            assert isinstance(alone, np.generic) == (np.ndim(alone) == 0)
            np.testing.assert_array_equal(together[k], alone)
    (ask, _), (first, *rest) = function(name), drawn(name, 7)
    rows, columns = first[:3, None], [x[3:] for x in rest]
    grid = ask(rows, *columns)
    for k in range(3):
        line = ask(first[k], *columns)
        for field, part in zip(grid, line, strict=True):
            assert field.shape[:2] == (3, 4)
            np.testing.assert_array_equal(field[k], part)
    none = ask(first[:0], *(x[:1] for x in rest))
    assert [len(field) for field in none] == [0] * len(grid)
    same = {what: np.full(WIDTH[what], 0.25) for what in WIDTH}
    for field in ask(*(same[what] for what in ONE[name])):
        assert not any(np.shares_memory(field, x) for x in same.values())


# point_triangle trusts its callers, as the innermost of loops
@pytest.mark.parametrize("name", sorted({*ONE} - {"point_triangle.closest"}))
def test_what_cannot_be_asked_is_refused_by_its_name(name):
    (ask, names), given = function(name), drawn(name, 2)
    for k, what in enumerate(ONE[name]):
        wrong = {np.nan: rf"^{names[k]}\[1\].* is nan"}
        wrong |= {-1.0: rf"^{names[k]}\[1\] is -1"} if what == "r" else {}
        for value, match in wrong.items():
            bad = [x.copy() for x in given]
            bad[k][1] = value
            with pytest.raises(ValueError, match=match) as caught:
                ask(*bad)
            assert str(caught.value).startswith(names[k])
        if WIDTH[what]:
            bad[k] = np.zeros((2, 5))
            with pytest.raises(ValueError, match=rf"^{names[k]}: expected an array"):
                ask(*bad)

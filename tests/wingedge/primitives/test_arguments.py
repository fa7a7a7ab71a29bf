import numpy as np
import pytest

from wingedge import primitives
from wingedge.primitives.arguments import (
    broadcast,
    directions,
    flat,
    lengths,
    numbers,
    points,
)


def test_points_become_columns():
    (x, y), (u, v) = points(2, p=[[1, 2], [3, 4]], q=(5, 6))
    assert (x.tolist(), y.tolist(), u, v) == ([1, 3], [2, 4], 5, 6)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 1)])
def test_another_shape_is_refused_by_name(shape):
    with pytest.raises(
        ValueError, match=r"tip: expected an array of shape \(\.\.\., 2\)"
    ):
        points(2, start=(0, 0), tip=np.zeros(shape))


def test_what_is_not_finite_is_named_with_its_place():
    with pytest.raises(ValueError, match=r"tip\[1\]\[0\] is nan"):
        points(2, tip=[(0, 0), (np.nan, 0)])
    with pytest.raises(ValueError, match=r"^radius is inf"):
        lengths(radius=np.inf)


def test_a_length_is_not_negative():
    with pytest.raises(ValueError, match=r"radius\[1\] is -2.0"):
        lengths(radius=[1.0, -2.0])
    assert lengths(radius=0)[0] == 0


def test_queries_of_any_shape_are_laid_out_in_one_row():
    (p,) = points(2, p=[[1, 2], [3, 4]])
    (r,) = lengths(radius=[[5.0], [6]])
    shape, (x, y), (radius,) = flat(p, (r,))
    assert shape == (2, 2)
    assert (x.tolist(), y.tolist()) == ([1, 3, 1, 3], [2, 4, 2, 4])
    assert radius.tolist() == [5, 5, 6, 6]


def test_numbers_are_of_any_sign_but_finite():
    assert numbers(offset=[1, -2])[0].tolist() == [1, -2]
    with pytest.raises(ValueError, match=r"^offset is nan"):
        numbers(offset=np.nan)


def test_the_first_negative_length_is_the_one_named():
    with pytest.raises(ValueError, match=r"radius\[1\] is -2.0"):
        lengths(radius=[1.0, -2.0, -5.0])


def test_a_direction_has_a_length():
    ((x, y),) = directions(2, axis=[(0, -3), (5e-324, 0)])
    assert (x.tolist(), y.tolist()) == ([0, 5e-324], [-3, 0])
    with pytest.raises(ValueError, match=r"axis is \[0, 0\]: a direction has a length"):
        directions(2, axis=(0, 0))
    with pytest.raises(ValueError, match=r"up\[1\]\[0\] is \[0, 0, 0\]"):
        directions(3, up=[[(1, 0, 0)], [(0, 0, 0)]])


def test_columns_and_points_get_one_shape():
    p, r = broadcast((np.zeros(3), np.ones((2, 1))), np.array(5.0))
    assert [x.shape for x in (*p, r)] == [(2, 3)] * 3
    assert (p[1][1, 2], r[1, 2]) == (1, 5)


ONE = {
    "disk_rectangle.meet": ("2", "r", "2", "2", "2"),
    "disk_triangle.meet": ("2", "r", "2", "2", "2"),
    "line_sphere.hit": ("3", "3", "3", "r"),
    "point_line.side": ("2", "2", "2"),
    "point_segment.closest": ("3", "3", "3"),
    "point_triangle.closest": ("3", "3", "3", "3"),
    "segment_plane.hit": ("3", "3", "3", "r"),
    "segment_plane.plane": ("3", "3", "3"),
    "segment_segment.closest": ("3", "3", "3", "3"),
    "segment_segment_2d.meet": ("2", "2", "2", "2"),
    "segment_sphere.hit": ("3", "3", "3", "r"),
    "segment_triangle.hit": ("3", "3", "3", "3", "3"),
    "sphere_triangle.sweep": ("3", "3", "r", "3", "3", "3"),
    "sphere_triangle.touch": ("3", "r", "3", "3", "3"),
    "triangle_triangle.closest": ("3",) * 6,
    "triangle_triangle.meet": ("3",) * 6,
    "triangle_triangle_2d.meet": ("2",) * 6,
}


@pytest.mark.parametrize("name", ONE)
def test_one_query_gives_numbers_and_many_give_arrays(name):
    module, _, function = name.partition(".")
    ask = getattr(getattr(primitives, module), function)
    rng = np.random.default_rng(len(name))
    one = [
        rng.uniform(0.1, 1.0, () if what == "r" else int(what)) for what in ONE[name]
    ]
    single, many = ask(*one), ask(*(np.stack([x] * 3) for x in one))
    if not isinstance(single, tuple):
        single, many = (single,), (many,)
    for alone, together in zip(single, many, strict=True):
        assert np.shape(together)[0] == 3
        assert np.shape(together)[1:] == np.shape(alone)
        assert isinstance(alone, np.generic) == (np.ndim(alone) == 0)
        np.testing.assert_array_equal(together[1], alone)

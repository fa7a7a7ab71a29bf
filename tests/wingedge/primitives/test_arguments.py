import numpy as np
import pytest

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
    (x, y), (radius,) = flat((2, 2), p, (r,))
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

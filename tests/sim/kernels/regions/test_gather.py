"""Sets of pairs of triangles: sorted, found, joined, each with its closest pair."""

import numpy as np
import pytest

from sim.engine.bound import floats, ints
from sim.kernels.regions.gather import (
    closer,
    find,
    join,
    number_all,
    root,
    sort_pairs,
)
from sim.kernels.regions.triangles import CORNER_A, ENDS_A, PIERCED_A, PIERCED_B, SIDES
from sim.tracking.region_tracker import make_near_pairs


def whole(values):
    return ints(np.array(values, np.int32))


def bond_of(pairs, squares=None, codes=None):
    nearby = make_near_pairs(1.0, max(1, len(pairs)), 0)
    for k, (f, g) in enumerate(pairs):
        nearby.first[k], nearby.second[k] = f, g
        nearby.square[k] = 1.0 if squares is None else squares[k]
        nearby.code[k] = CORNER_A if codes is None else codes[k]
        nearby.parent[k] = k
    return nearby


@pytest.mark.parametrize("count", [0, 1, 2, 5, 40, 300])
def test_pairs_are_sorted_by_the_first_then_the_second(count):
    rng = np.random.default_rng(count)
    pairs = rng.integers(0, 12, size=(count, 2)).astype(np.int32)
    first, second = whole(pairs[:, 0]), whole(pairs[:, 1])
    sort_pairs(first, second, count)
    expected = sorted(map(tuple, pairs.tolist()))
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == expected


def test_a_pair_is_found_where_it_is_and_nowhere_else():
    pairs = [(0, 3), (0, 7), (2, 1), (5, 0), (5, 9)]
    nearby = bond_of(pairs)
    assert [find(nearby, 5, f, g) for f, g in pairs] == list(range(5))
    for f, g in [(0, 0), (0, 5), (2, 2), (5, 10), (9, 9)]:
        assert find(nearby, 5, f, g) == -1
    assert find(nearby, 4, 5, 9) == -1  # beyond the count
    assert find(nearby, 0, 0, 3) == -1


def test_the_lowest_pair_stands_for_its_set():
    parent = whole(range(6))
    for k, m in [(4, 5), (2, 4), (1, 3), (5, 2)]:
        join(parent, k, m)
    assert [root(parent, k) for k in range(6)] == [0, 1, 2, 1, 2, 2]


def test_regions_are_numbered_by_their_lowest_pairs():
    nearby = bond_of([(0, k) for k in range(6)], squares=[6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    for k, m in [(0, 3), (1, 4), (2, 5)]:
        join(nearby.parent, k, m)
    assert number_all(nearby, 6, 0.0) == 3
    assert nearby.label.tolist() == [0, 1, 2, 0, 1, 2]
    assert nearby.best.tolist()[:3] == [3, 4, 5]


@pytest.mark.parametrize(
    ("squares", "codes", "expected"),
    [
        ((1.0, 2.0), (CORNER_A, CORNER_A), True),
        ((2.0, 2.0), (CORNER_A, CORNER_A), False),  # the first of equals
        ((0.0, 1e-40), (ENDS_A, CORNER_A), False),  # both touch: a face knows best
        ((1e-40, 0.0), (SIDES, ENDS_A), True),
        ((0.0, 0.0), (PIERCED_A, CORNER_A), True),  # crossing says more than touching
        ((0.0, 0.0), (CORNER_A, PIERCED_B), False),
    ],
)
def test_what_comes_closer(squares, codes, expected):
    nearby = bond_of([(0, 0), (0, 1)], squares, codes)
    assert closer(nearby, 0, 1, 1e-15) is expected


def test_room_for_pairs_is_room_in_every_list():
    nearby = make_near_pairs(0.5, 7, 3)
    assert nearby.reach == 0.5
    lists = (
        nearby.first,
        nearby.second,
        nearby.square,
        nearby.code,
        nearby.parent,
        nearby.label,
    )
    assert {len(one) for one in (*lists, nearby.best)} == {7}
    assert len(nearby.sides) == 6 * 7
    assert floats(np.zeros(3)).format == nearby.square.format

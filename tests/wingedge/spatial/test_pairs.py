import numpy as np

from wingedge.spatial.triangles import joined, spread, unique, without


def pairs(*listed):
    query, triangle = np.array(listed, np.intp).reshape(-1, 2).T
    return query, triangle


def listed(found):
    return list(zip(*(x.tolist() for x in found), strict=True))


def test_pairs_are_sorted_and_unique():
    found = unique(pairs((1, 4), (0, 5), (1, 0), (0, 5), (1, 4)), 6)
    assert listed(found) == [(0, 5), (1, 0), (1, 4)]


def test_known_pairs_are_dropped():
    every, known = pairs((0, 5), (1, 0), (1, 4)), pairs((1, 0), (0, 4))
    assert listed(without(every, known, 6)) == [(0, 5), (1, 4)]
    assert listed(joined(known, every))[:3] == [(1, 0), (0, 4), (0, 5)]


def test_ranges_are_spread_and_empty_ones_leave_nothing():
    row, number = spread(np.array([10, 7, 3]), np.array([2, 0, 3]))
    assert row.tolist() == [0, 0, 2, 2, 2]
    assert number.tolist() == [10, 11, 3, 4, 5]

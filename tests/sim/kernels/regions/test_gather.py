import numpy as np
import pytest

from sim.engine.bound import floats
from sim.kernels.regions.gather import closer, find, sort_pairs
from sim.kernels.regions.triangles import CORNER_A, ENDS_A, PIERCED_A, PIERCED_B, SIDES
from sim.tracking.region_tracker import make_near_pairs


def bond_of(pairs, squares=None, codes=None, triangles=1):
    nearby = make_near_pairs(1.0, max(1, len(pairs)), 0, triangles)
    for k, (f, g) in enumerate(pairs):
        nearby.first[k], nearby.second[k] = f, g
        nearby.square[k] = 1.0 if squares is None else squares[k]
        nearby.code[k] = CORNER_A if codes is None else codes[k]
        nearby.parent[k] = k
    return nearby


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
    nearby = make_near_pairs(0.5, 7, 3, 2)
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


@pytest.mark.parametrize("count", [0, 1, 200])
def test_pairs_are_sorted_by_rows_and_found_where_they_are(count):
    rng = np.random.default_rng(count)
    every = [(f, g) for f in range(12) for g in range(40)]
    pairs = [every[k] for k in rng.permutation(len(every))[:count].tolist()]
    nearby = bond_of(pairs, triangles=12)
    sort_pairs(nearby, count, 12)
    ordered = sorted(pairs)
    assert list(zip(nearby.first, nearby.second, strict=True))[:count] == ordered
    for f in range(13):
        nearby.row[f] = sum(pair[0] < f for pair in pairs)
    for k, (f, g) in enumerate(ordered):
        assert find(nearby, f, g) == k
    for f, g in set(every) - set(pairs):
        assert find(nearby, f, g) == -1

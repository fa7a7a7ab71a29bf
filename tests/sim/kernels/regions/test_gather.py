import numpy as np
import pytest

from sim.kernels.regions.gather import closer, find, sort_pairs
from sim.tracking.region_tracker import make_near_pairs
from sim.tracking.tree import make_search, make_tree
from wingedge import shapes

OVER, LINES, END = (0, -1, -1, 3, 4, 5), (0, 1, -1, 3, 4, -1), (0, -1, -1, 3, 4, -1)
PIERCED_A, PIERCED_B = (0, 1, 2, 3, 4, -1), (0, 1, -1, 3, 4, 5)


def bond_of(pairs, squares=None, keys=None, triangles=1):
    tree = make_tree(shapes.box())
    room, search = max(1, len(pairs)), make_search(tree, tree)
    nearby = make_near_pairs(1.0, room, search, triangles)
    for k, (f, g) in enumerate(pairs):
        nearby.first[k], nearby.second[k] = f, g
        nearby.square[k] = 1.0 if squares is None else squares[k]
        for i, v in enumerate(OVER if keys is None else keys[k]):
            nearby.key[6 * k + i] = v
        nearby.parent[k] = k
    return nearby


@pytest.mark.parametrize(
    ("squares", "keys", "expected"),
    [
        ((1.0, 2.0), (OVER, OVER), True),
        ((2.0, 2.0), (OVER, OVER), False),  # the first of equals
        ((0.0, 1e-40), (END, OVER), False),  # both touch: a face knows best
        ((1e-40, 0.0), (LINES, END), True),
        ((0.0, 0.0), (PIERCED_A, OVER), True),  # crossing says more than touching
        ((0.0, 0.0), (OVER, PIERCED_B), False),
    ],
)
def test_what_comes_closer(squares, keys, expected):
    nearby = bond_of([(0, 0), (0, 1)], squares, keys)
    assert closer(nearby, 0, 1, 1e-15) is expected


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

"""The connected parts of a graph are those of scipy, in the same order."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from wingedge.tables import connected


@pytest.mark.parametrize("seed", range(40))
def test_parts_are_numbered_by_their_lowest_node(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 200))
    one, two = rng.integers(0, n, (2, int(rng.integers(0, 2 * n))))
    links = coo_array((np.ones(len(one), bool), (one, two)), shape=(n, n))
    _, part = connected_components(links, directed=False)
    assert connected(n, one, two).tolist() == part.tolist()


def test_a_long_path_in_any_order_is_one_part():
    path = np.random.default_rng(0).permutation(100_000)
    assert not connected(len(path), path[1:], path[:-1]).any()

import numpy as np  # of sim.kernels.surface.pairs, sim.kernels.surface.boxes
import pytest

from sim.kernels.surface.pairs import over_inside
from sim.kernels.surface.ties import crowded, drop_stale, take
from sim.kernels.workspace import KEY, TIE_ROOM
from sim.tracking.tree import make_search, make_tree
from wingedge import shapes


def vec(x):
    return tuple(np.asarray(x, float).tolist())


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)])
def test_the_foot_on_a_needle_is_right_wherever_its_corners_begin(order):
    """Half a rectangle under a pose of condition 7e5: only one of its angles is sharp.

    The weights counted as known where the angle at the first corner was not, and the
    foot was 1000 times as far as the truth.
    """
    rng = np.random.default_rng(3)
    for _ in range(50):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        corners = np.array([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0], [50.0, 2.9e6, 0.0]])
        x = np.array([0.25, 0.25, 0.5]) @ corners + [0.0, 0.0, 1.6e-8]
        x, *corners = np.vstack([x, corners[list(order)]]) @ turn.T
        inside, foot = over_inside(vec(x), *map(vec, corners))
        assert inside
        assert np.linalg.norm(x - foot) == pytest.approx(1.6e-8, abs=4e-9)


def fresh():
    tree = make_tree(shapes.box())
    search = make_search(tree, tree)
    search.state.square = search.state.limit = float("inf")
    search.state.tie = 0.0
    search.state.left_out = float("inf")
    search.state.ties = 0
    return search


def offer(search, pairs):
    for square, a, b in pairs:
        take(square, (a, -1, -1), (b, -1, -1), 0, search)
    return search.state.square, list(search.best[:KEY]), search.state.ties


def test_the_nearest_pair_does_not_depend_on_the_order_and_crowds_are_noticed():
    pairs = [(2.0, 1, 1), (1.0, 5, 2), (1.0, 3, 9), (1.0, 3, 4), (1.5, 0, 0)]
    expected = (1.0, [3, -1, -1, 4, -1, -1])
    rng = np.random.default_rng(5)
    for _ in range(10):
        rng.shuffle(pairs)
        assert offer(fresh(), pairs)[:2] == expected
    search = fresh()
    assert offer(search, [(1.0, 1, k // 2) for k in range(20)])[2] == 10
    assert not crowded(search)
    offer(search, [(1.0, 2, k) for k in range(TIE_ROOM)])
    assert search.state.ties == TIE_ROOM
    assert crowded(search)
    # What is not near any more makes room.
    search = fresh()
    offer(search, [(2.0 - k / TIE_ROOM, 1, k) for k in range(3 * TIE_ROOM // 2)])
    assert not crowded(search)


@pytest.mark.parametrize("nearer", [TIE_ROOM // 2, TIE_ROOM, TIE_ROOM + 1])
def test_ties_do_not_depend_on_the_order_however_many_went_stale(nearer):
    """A crowd at a distance that a nearer pair beat stayed a crowd: what was unique
    hung on the order of the search."""
    far = [(1.1, 1, k) for k in range(2 * TIE_ROOM)]
    pairs = far + [(1.0 + 1e-9 * (k % 3), 2, k) for k in range(nearer)]
    rng = np.random.default_rng(6)
    found = set()
    for _ in range(10):
        rng.shuffle(pairs)
        search = fresh()
        search.state.tie = 1e-3
        offer(search, [(s, int(a), int(b)) for s, a, b in pairs])
        drop_stale(search)
        count = search.state.ties
        names = tuple(sorted(search.ties[KEY * k + 3] for k in range(count)))
        found.add((count, crowded(search), names))
    assert len(found) == 1
    assert found.pop()[:2] == (min(nearer, TIE_ROOM), nearer > TIE_ROOM)

import numpy as np
import pytest

from sim.hulls.solid import LiveCover
from sim.kernels.cover.mending import measure
from sim.kernels.cover.triangulation import (
    DEAD,
    FACES,
    FREE,
    after,
    before,
    flip,
    height,
    insert,
    remove,
    tidy,
    turn,
)
from wingedge import shapes


@pytest.fixture
def live():
    """Return the cover of a sphere of 42 vertices, measured."""
    cover = LiveCover(shapes.icosphere(1).points.copy(), "ball")
    cover.repair()
    measure(cover.shell)
    return cover


def triangles(c):
    every = np.array(c.corner[: 3 * c.counts[FACES]]).reshape(-1, 3)
    return every[every[:, 0] != DEAD]


def assert_closed(c):
    """Every half-edge must have its twin, every vertex a half-edge that leaves it."""
    for h in range(3 * c.counts[FACES]):
        if c.corner[h] == DEAD:
            continue
        t = c.twin[h]
        assert c.twin[t] == h
        assert c.corner[t] == c.corner[after(h)]
        assert c.corner[after(t)] == c.corner[h]
        assert before(after(h)) == h
    for v in range(c.size):
        if c.at[v] >= 0:
            assert c.corner[c.at[v]] == v
    faces = triangles(c)
    assert len(faces) == 2 * len(np.unique(faces)) - 4  # one sphere


def test_a_flip_is_its_own_inverse_but_for_the_way(live):
    c = live.shell
    start = {tuple(sorted(t)) for t in triangles(c).tolist()}
    h = 17
    ends = {c.corner[h], c.corner[after(h)]}
    flip(c, h)
    assert_closed(c)
    assert {c.corner[h], c.corner[before(h)]} != ends
    turned = {tuple(sorted(t)) for t in triangles(c).tolist()}
    assert len(turned - start) == 2
    flip(c, after(h))  # the new diagonal
    assert_closed(c)
    assert {tuple(sorted(t)) for t in triangles(c).tolist()} == start


@pytest.mark.parametrize("vertex", [0, 20, 41])
def test_a_removed_vertex_leaves_a_closed_surface_without_it(live, vertex):
    c = live.shell
    assert remove(c, vertex)
    assert c.at[vertex] < 0
    tidy(c)
    assert_closed(c)
    assert c.counts[FREE] == 0
    assert vertex not in triangles(c)
    assert len(triangles(c)) == 80 - 2
    for i, j, k in triangles(c).tolist():
        assert turn(c, i, j, k) == 1


def test_an_inserted_vertex_is_joined_to_the_rim_of_what_it_sees(live):
    c = live.shell
    points = np.frombuffer(c.points).reshape(-1, 3)
    assert remove(c, 7)
    tidy(c)
    points[7] *= 1.5
    seen = [t for t in triangles(c).tolist() if height(c, *t, 7) > 0]
    first = triangles(c).tolist().index(seen[0])
    for h in range(3 * c.counts[FACES]):  # nothing is waiting
        c.queued[h] = 0
    c.counts[2] = 0
    insert(c, 7, first)
    tidy(c)
    assert_closed(c)
    faces = triangles(c).tolist()
    assert all(t not in faces for t in seen)
    assert all(height(c, *t, v) <= 0 for t in faces for v in range(c.size))

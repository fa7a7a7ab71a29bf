import numpy as np
import pytest

from sim.kernels.surface.boxes import LEAF_A, LEAF_B
from sim.tracking.tree import LEAF, Trees, lay_out, make_tree
from wingedge import shapes

BODIES = dict(shapes.zoo(non_convex=True))


@pytest.mark.parametrize("name", BODIES)
def test_every_triangle_vertex_and_segment_is_owned_once(name):
    mesh = BODIES[name]
    found = lay_out(mesh)
    triangles = mesh.fan.vertex
    assert sorted(found.number) == list(range(len(triangles)))
    assert np.array_equal(found.triangle.reshape(-1, 3), triangles[found.number])
    assert sorted(found.own) == list(range(mesh.n_vertices))
    sides = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    listed = found.segment.reshape(-1, 2)
    assert np.array_equal(np.unique(sides, axis=0), listed[np.lexsort(listed.T[::-1])])
    for leaf in range(found.leaves):
        i, j = found.triangle_start[leaf : leaf + 2]
        assert 0 < j - i <= LEAF
        corners = set(found.triangle[3 * i : 3 * j].tolist())
        i, j = found.vertex_start[leaf : leaf + 2]
        assert corners == set(found.vertex[i:j].tolist())
        i, j = found.own_start[leaf : leaf + 2]
        assert set(found.own[i:j].tolist()) <= corners
        assert set(found.leaf_of[found.own[i:j]].tolist()) <= {leaf}
        i, j = found.segment_start[leaf : leaf + 2]
        assert set(found.segment[2 * i : 2 * j].tolist()) <= corners
    for v in range(mesh.n_vertices):
        i, j = found.leaf_start[v : v + 2]
        assert {
            leaf for leaf in range(found.leaves) if v in leaf_vertices(found, leaf)
        } == set(found.leaf[i:j].tolist())


def leaf_vertices(found, leaf):
    return found.vertex[slice(*found.vertex_start[leaf : leaf + 2])].tolist()


def test_trees_share_ids_and_no_scratch_and_change_places():
    mesh = BODIES["ring"]
    a, b = make_tree(mesh), make_tree(mesh)
    assert a.triangle.obj is b.triangle.obj
    for name in ("placed", "turned", "boxes", "heights", "awake", "queue"):
        assert getattr(a, name).obj is not getattr(b, name).obj
    trees = Trees(BODIES["ring"], BODIES["box"])
    a, b, search = trees.tables
    search.counts[LEAF_A], search.counts[LEAF_B] = 5, 7
    trees.exchange()
    assert trees.tables[:2] == (b, a)
    assert (search.counts[LEAF_A], search.counts[LEAF_B]) == (7, 5)
    trees.forget()
    assert (search.counts[LEAF_A], search.counts[LEAF_B]) == (-1, -1)

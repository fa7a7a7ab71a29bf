"""Trees over the triangles of a mesh: built once from the rest shape, ids only."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.engine.bound import floats, ints
from sim.kernels.workspace import (
    FRESH,
    KEPT,
    KEY,
    SHORTLIST,
    Progress,
    Tree,
    TreeSearch,
)
from sim.result.answer import KINDS, Numbers
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh, corners_of
from wingedge.tables import once_per_mesh

LEAF = 4  # triangles in a leaf, at most


def make_tree(mesh: WingedEdgeMesh, room: dict[str, Any] | None = None) -> Tree:
    """Return the tree of a mesh with scratch of its own or in a room; ids are shared.

    Cost: once per mesh O(T log T), 10 ms for 10 000 triangles; then three arrays.
    """
    leaves, ids = lay_out(mesh)
    v = mesh.n_vertices
    return Tree(leaves=leaves, size=v, **ids, **(room or room_for(v, leaves)))


def room_for(v: int, leaves: int) -> dict[str, Any]:
    """Make the room in which kernels work on a tree of so many vertices and leaves."""
    return {
        "placed": floats(np.zeros(3 * v + 3)),
        "turned": floats(np.zeros(3 * v + 3)),
        "boxes": floats(np.zeros(6 * (2 * leaves - 1))),
        "heights": floats(np.zeros(v)),
        "awake": ints(np.zeros(2 * leaves - 1, np.int32)),
    }


def leaves_for(triangles: int) -> int:
    """Return how many leaves so many triangles need: a power of two."""
    return 1 << max(0, -(-triangles // LEAF) - 1).bit_length()


def keep_to(search: TreeSearch, n: Numbers | None, bodies: tuple[Body, Body]) -> None:
    """Let the next search stay at an answer among equals; None: at none of them."""
    search.state.told = 1
    for k in range(2 * KEPT):
        search.kept[k] = -1
    named = ((n.dimension_a, n.parts_a), (n.dimension_b, n.parts_b)) if n else ()
    for k, (dimension, parts) in enumerate(named):
        mesh = bodies[k].mesh
        vertices: dict[int, None] = {}
        for part in parts:
            own = corners_of(mesh, Feature(KINDS[dimension], part))
            vertices.update(dict.fromkeys(own))
            if len(vertices) >= KEPT:
                break
        for i, v in enumerate(list(vertices)[:KEPT]):
            search.kept[KEPT * k + i] = v


def make_search(a: Tree, b: Tree) -> TreeSearch:
    """Make room for a search over two trees; nothing is remembered yet."""
    # Depth first a walk leaves one pair of nodes behind at each of its steps down.
    room = a.leaves.bit_length() + b.leaves.bit_length() + 2
    return TreeSearch(
        stack=ints(np.zeros(2 * room, np.int32)),
        below=floats(np.zeros(room)),
        state=Progress(leaf_a=-1, leaf_b=-1),
        best=ints(np.full(KEY, -1, np.int32)),
        kept=ints(np.full(2 * KEPT, -1, np.int32)),
        ties=ints(np.full(KEY * (FRESH + 1), -1, np.int32)),
        squares=floats(np.zeros(FRESH + 1)),
        away=ints(np.zeros(FRESH + 1, np.int32)),
        shortlist=ints(np.zeros(2 * SHORTLIST, np.int32)),
    )


@once_per_mesh
def lay_out(mesh: WingedEdgeMesh) -> tuple[int, dict[str, Any]]:
    """Return how many leaves there are, and the ids, which all bodies of a mesh share.

    Triangles are split in halves along the longest side of their centres' box, by rest
    positions: a body that deforms far from them has looser boxes, never wrong ones.
    """
    triangles = mesh.fan.vertex
    count = len(triangles)
    leaves = leaves_for(count)
    order, start = _halved(mesh.points[triangles].mean(axis=1), leaves)
    triangle = triangles[order]
    leaf = np.repeat(np.arange(leaves), np.diff(start))
    v = mesh.n_vertices
    # Sorted keys (leaf, vertex): each corner once per leaf.
    key = np.unique(np.repeat(leaf, 3) * v + triangle.ravel())
    leaf_of = np.full(v, leaves)
    np.minimum.at(leaf_of, key % v, key // v)
    by_vertex = np.argsort(key % v, kind="stable")
    own = np.argsort(leaf_of, kind="stable")
    segment, owner = _segments(triangle, leaf, v)
    return leaves, {
        "triangle_start": _ids(start),
        "triangle": _ids(triangle.ravel()),
        "number": _ids(order),
        "vertex_start": _starts(key // v, leaves),
        "vertex": _ids(key % v),
        "own_start": _starts(leaf_of[own], leaves),
        "own": _ids(own),
        "segment_start": _starts(owner, leaves),
        "segment": _ids(segment.ravel()),
        "leaf_of": _ids(leaf_of),
        "leaf_start": _starts((key % v)[by_vertex], v),
        "leaf": _ids((key // v)[by_vertex]),
    }


def _halved(
    centres: NDArray[np.float64], leaves: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order rows so that each of the equal runs between the starts is a leaf."""
    order = np.arange(len(centres))
    start = np.array([0, len(centres)])
    while len(start) <= leaves:
        middles = []
        for i, j in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
            run = order[i:j]
            some = centres[run]
            axis = int((some.max(axis=0) - some.min(axis=0)).argmax())
            order[i:j] = run[np.argsort(some[:, axis], kind="stable")]
            middles.append((i + j) // 2)
        start = np.sort(np.concatenate([start, middles]))
    return order, start


def _segments(
    triangle: NDArray[np.int32], leaf: NDArray[np.int64], v: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List every side once, lower end first, with the first leaf that has it."""
    tail = triangle.astype(np.int64).ravel()
    tip = triangle[:, [1, 2, 0]].astype(np.int64).ravel()
    key = np.minimum(tail, tip) * v + np.maximum(tail, tip)
    found, first = np.unique(key, return_index=True)
    owner = np.repeat(leaf, 3)[first]
    rank = np.argsort(owner, kind="stable")
    found, owner = found[rank], owner[rank]
    return np.stack([found // v, found % v], axis=1), owner


def _starts(leaf: NDArray[np.int64], leaves: int) -> memoryview:
    """Return where each leaf begins in a table sorted by leaves."""
    return _ids(np.searchsorted(leaf, np.arange(leaves + 1)))


def _ids(array: NDArray[np.int64] | NDArray[np.int32]) -> memoryview:
    return ints(np.ascontiguousarray(array, np.int32))

"""The convex hull of a surface, as a surface of its own."""

import numpy as np

from sim.tracking.brute.surface import Ids, Surface, cross_rows, unit_rows
from wingedge import MeshError, convex_hull
from wingedge.hull import hull_triangles


def hull_of(surface: Surface) -> Surface:
    """Return the hull; its vertices keep their numbers, those within it have no edge.

    A collapsed body is its own: flat, it has no hull with an inside.
    """
    points = surface.points
    found = hull_triangles(points)
    sides = None if found is None else _sides(found.astype(np.int64))
    if found is None or sides is None:
        # Qhull's own triangles do not close: build a mesh of them, which repairs it.
        try:
            mesh = convex_hull(points)
        except MeshError:
            return surface._replace(convex=True)
        points = np.array(mesh.points)
        found = mesh.fan.vertex
        sides = _sides(found.astype(np.int64))
        assert sides is not None, "a mesh is closed"
    triangles = found.astype(np.int64)
    segments, hinge = sides
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return Surface(
        points,
        triangles,
        unit_rows(cross_rows(b - a, c - a)),
        np.arange(len(triangles)),
        segments,
        np.full(len(segments), -1),
        hinge,
        True,
        0.0,
        False,
        False,
    )


def _sides(triangles: Ids) -> tuple[Ids, Ids] | None:
    """List edges (S, 2) and the triangles beside them (S, 2); None where one is open.

    Every edge must be walked once in each direction.
    """
    tail = triangles.ravel()
    tip = triangles[:, [1, 2, 0]].ravel()
    owner = np.repeat(np.arange(len(triangles)), 3)
    size = int(triangles.max()) + 1
    key = np.minimum(tail, tip) * size + np.maximum(tail, tip)
    order = np.lexsort((tail > tip, key))
    one, two = order[0::2], order[1::2]
    if len(key) % 2 or not (
        np.array_equal(key[one], key[two])
        and np.array_equal(tail[one], tip[two])
        and len(np.unique(key)) == len(one)
    ):
        return None
    segments = np.stack([tail[one], tip[one]], axis=1)
    return segments, np.stack([owner[one], owner[two]], axis=1)

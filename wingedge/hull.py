"""Build the convex hull of points as a mesh, by Qhull; find points below planes."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.errors import MeshError
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import as_points, check_finite, lowest_at
from wingedge.tables import connected

if TYPE_CHECKING:
    from scipy.spatial import ConvexHull

FLAT = 1e-11  # of the size: hull triangles closer to one plane than this may merge
THIN = 1e-7  # of the length: the width of a needle or plate
LEVEL = 1e-14  # of the length: a width that may be rounding


def convex_hull(points: ArrayLike, merge_coplanar: bool = False) -> WingedEdgeMesh:
    """Build the convex hull of points as a mesh.

    Raises MeshError if a coordinate is not finite, or all points lie in one plane.

    Returns a mesh: its ``source_vertices`` (V,) index into ``points``; vertices keep
    the order of the input, faces are ordered by their corners, so the result does not
    depend on the order in which Qhull works.

    Points are recentred and scaled by a power of two before Qhull, whose precision is
    absolute: without that, hulls far from the origin are not convex. Cost: O(N log N).

    Parameters: ``points`` (N, 3): at least four points that do not lie in one plane;
    any position and scale; ``merge_coplanar``: merge triangles within 1e-11 of the size
    of one plane into polygons, and drop points inside them: eight corners of a box give
    six faces. Otherwise all faces are triangles.
    """
    from scipy.spatial import ConvexHull, QhullError

    given = as_points(points)
    check_finite(given)
    if len(given) < 4:
        raise MeshError(
            f"{len(given)} points have no volume; a hull needs at least four",
            "positive volume",
        )
    local = _local(given)
    try:
        hull = ConvexHull(local)
    except QhullError:
        raise MeshError(
            f"the {len(given)} points lie in one plane (or on a line), so their hull "
            "has no volume; give points that span a body",
            "positive volume",
        ) from None
    triangles, part, corners = _facets(local, hull, merge_coplanar)
    polygons = np.split(corners, np.flatnonzero(np.diff(part)) + 1)
    faces, used = _renumber(
        triangles.tolist() + [p.tolist() for p in polygons if len(p)]
    )
    mesh = WingedEdgeMesh.from_faces(given[used], faces, triangulate=not merge_coplanar)
    return replace(mesh, source_vertices=used.astype(np.int32))


def hull_triangles(points: NDArray[np.float64]) -> NDArray[np.int32] | None:
    """Find the triangles of the hull that Qhull sees, (K, 3), outward; they close.

    In order of their corners, the lowest first.  A flat part is the fan from its lowest
    vertex; of points at one place the lowest stands for all.  None where Qhull sees no
    hull; what it sees may be off by its rounding, some 1e-15 of the size.
    """
    from scipy.spatial import ConvexHull, QhullError

    lowest = np.flatnonzero(lowest_at(points) == np.arange(len(points)))
    if len(lowest) < 4:
        return None
    local = _local(points[lowest])
    for options in ("Qt", "Qt C-1e-14"):  # what is left open closes if more is merged
        try:
            hull = ConvexHull(local, qhull_options=options)
        except QhullError:
            return None
        triangles, part, corners = _facets(local, hull, False)
        first = np.searchsorted(part, part)
        inner = np.flatnonzero(part[:-1] == part[1:])
        inner = inner[inner > first[inner]]
        fans = corners[np.stack([first[inner], inner, inner + 1], axis=1)]
        faces = lowest[np.concatenate([triangles, fans])].astype(np.int32)
        if twins_of(faces, len(points)) is not None:
            turn = (faces.argmin(axis=1)[:, None] + np.arange(3)) % 3
            faces = np.take_along_axis(faces, turn, axis=1)
            return faces[np.argsort(faces[:, 0] * np.int64(len(points)) + faces[:, 1])]
    return None


def twins_of(faces: NDArray[np.int32], size: int) -> NDArray[np.int32] | None:
    """Find the other half of every half-edge, (3 K,); None if the faces do not close.

    Half-edge 3 k + s runs from corner s of face k to the next.
    """
    tail = faces.astype(np.int64).ravel()
    tip = faces[:, [1, 2, 0]].astype(np.int64).ravel()
    vertices = np.count_nonzero(np.bincount(tail, minlength=size))
    if len(faces) < 4 or vertices - len(tail) // 2 + len(faces) != 2 or len(faces) % 2:
        return None  # not one sphere
    key = np.minimum(tail, tip) * size + np.maximum(tail, tip)
    order = np.argsort(key)
    one, two = order[0::2], order[1::2]
    paired = (key[one] == key[two]) & (tail[one] == tip[two])
    if not paired.all() or (key[one[1:]] == key[one[:-1]]).any():
        return None
    twin = np.empty(len(tail), np.int32)
    twin[one], twin[two] = two, one
    return twin


def _local(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Recentre, and scale by a power of two to an extent near one."""
    low, high = points.min(axis=0), points.max(axis=0)
    local = points - (low / 2 + high / 2)
    extent = float(np.abs(local).max())
    return _widened(np.ldexp(local, -int(np.frexp(extent)[1])))


def _widened(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Widen a needle or a plate across its axes: Qhull sees no width of 1e-10.

    The hull of an affine image is the image of the hull.
    """
    _, spread, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    if not LEVEL * spread[0] < spread[-1] < THIN * spread[0]:
        return points
    if np.linalg.det(axes) < 0.0:
        axes[2] *= -1.0
    turned = points @ axes.T
    turned -= turned.mean(axis=0)
    widened: NDArray[np.float64] = np.ldexp(
        turned, -np.frexp(np.abs(turned).max(axis=0))[1]
    )
    return widened


def _facets(
    points: NDArray[np.float64], hull: "ConvexHull", merge: bool
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Join the triangles of each flat part into a polygon, counter-clockwise.

    Qhull splits its merged facets into triangles that share one plane, bit for bit;
    some of those triangles can have no area, so they are joined again first.

    Returns the triangles that are alone, and of the polygons, one after the other,
    which it is, from 0, and the corner; the lowest first.
    """
    simplices, neighbours, planes = hull.simplices, hull.neighbors, hull.equations
    flat = planes[neighbours, 3] == planes[:, None, 3]  # mostly none is
    one, which = np.nonzero(flat)
    flat[one, which] = (planes[one] == planes[neighbours[one, which]]).all(axis=1)
    if merge:
        ahead = np.abs(_heights(points, simplices, planes[neighbours]))
        back = np.abs(_heights(points, simplices[neighbours], planes[:, None]))
        flat |= (ahead <= FLAT) & (back <= FLAT)
    if not flat.any():
        none = np.empty(0, np.int64)
        return _outward(points, simplices, planes[:, :3]), none, none
    one, which = np.nonzero(flat)
    part = connected(len(simplices), one, neighbours[one, which])
    lead = np.unique(part, return_index=True)[1]  # parts are numbered from 0
    alone = np.bincount(part)[part] == 1
    triangles = _outward(points, simplices[alone], planes[alone, :3])
    keys = np.unique(part[~alone, None] * len(points) + simplices[~alone])
    part, corners = np.divmod(keys, len(points))
    # a corner of fewer than three faces is inside a face or inside a straight edge
    uses = np.bincount(triangles.ravel(), minlength=len(points))
    uses += np.bincount(corners, minlength=len(points))
    part, corners = part[uses[corners] > 2], corners[uses[corners] > 2]
    parts, first, place, many = np.unique(part, True, True, True)
    middle = np.add.reduceat(points[corners], first) / many[:, None]
    local = points[corners] - middle[place]
    across = np.cross(planes[lead[parts], :3], local[first])[place]
    along = (local * local[first][place]).sum(axis=1)
    angle = np.arctan2((local * across).sum(axis=1), along) % (2.0 * np.pi)
    order = np.lexsort((angle, place))
    return triangles[(uses[triangles] > 2).all(axis=1)], place, corners[order]


def _outward(
    points: NDArray[np.float64],
    triangles: NDArray[np.int32],
    normals: NDArray[np.float64],
) -> NDArray[np.int32]:
    """Order the corners of triangles counter-clockwise about their normals."""
    by_axis = np.ascontiguousarray(points.T)  # three times as fast
    a, b, c = (by_axis.take(triangles[:, k], axis=1) for k in range(3))
    backward = (np.cross(b - a, c - a, axis=0) * normals.T).sum(axis=0) < 0
    return np.where(backward[:, None], triangles[:, [0, 2, 1]], triangles)


def _heights(
    points: NDArray[np.float64],
    simplices: NDArray[np.int32],
    planes: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Find the largest distance of each triangle's corners from planes, (n, 3)."""
    corners = points[simplices]
    if corners.ndim == 3:
        corners = corners[:, None]
    height = (corners * planes[..., None, :3]).sum(axis=-1) + planes[..., None, 3]
    return np.abs(height).max(axis=-1)  # type: ignore[no-any-return]


def _renumber(polygons: list[list[int]]) -> tuple[list[list[int]], NDArray[np.int64]]:
    """Renumber the used vertices from 0, and order faces by their corners."""
    used = np.unique(np.concatenate(polygons))
    faces = []
    for polygon in polygons:
        lowest = polygon.index(min(polygon))
        turned = polygon[lowest:] + polygon[:lowest]
        faces.append(np.searchsorted(used, turned).tolist())
    return sorted(faces), used

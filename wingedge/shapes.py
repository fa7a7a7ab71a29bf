"""Named bodies to start from; outward oriented, centred on the origin.

Every position here comes from + - * / and square roots alone, which IEEE arithmetic
rounds the same way on every machine: the same call gives the same bits everywhere. Only
the triangles of `random_hull` are chosen by Qhull.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import circle
from wingedge.hull import convex_hull
from wingedge.mesh import WingedEdgeMesh
from wingedge.nonconvex import (
    cup,
    gear,
    hammer,
    l_block,
    polycube,
    ring,
    star,
    u_block,
)

Extents = float | Sequence[float]  # one length, or three along x, y, z

__all__ = [
    "box",
    "cup",
    "cylinder",
    "ellipsoid",
    "gear",
    "grid_box",
    "hammer",
    "icosphere",
    "l_block",
    "needle",
    "plate",
    "polycube",
    "prism",
    "random_hull",
    "ring",
    "star",
    "tetrahedron",
    "u_block",
    "zoo",
]


def tetrahedron(radius: float = 1.0) -> WingedEdgeMesh:
    """Build the regular tetrahedron with corners at this distance from the centre."""
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    points = corners * (radius / np.sqrt(3.0))
    return WingedEdgeMesh.from_faces(
        points, [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]
    )


def box(extents: Extents = 1.0) -> WingedEdgeMesh:
    """Build a box of six quadrilaterals; ``extents`` are its full edge lengths.

    Vertex x + 2 y + 4 z is the corner with that bit pattern; faces are -z +z -y +y
    -x +x.
    """
    return grid_box(1, extents)


def grid_box(
    n: int | Sequence[int] = 4, extents: Extents = 1.0, *, triangles: bool = False
) -> WingedEdgeMesh:
    """Build a box whose sides are grids of coplanar cells.

    Parameters
    ----------
    n : int or three ints
        Cells along each axis.
    extents : float or three floats
        Full edge lengths.
    triangles : bool
        Split every cell in two; all of them stay coplanar.

    Notes
    -----
    Vertices are numbered x fastest, over the lattice points on the surface; faces side
    by side in the order -z +z -y +y -x +x.
    """
    cells = np.broadcast_to(np.asarray(n), 3)
    if cells.dtype.kind not in "iu" or cells.min() < 1:
        raise ValueError(f"n is {n}; give one or three positive numbers of cells")
    lengths = np.broadcast_to(np.asarray(extents, dtype=np.float64), 3)
    z, y, x = np.meshgrid(*(np.arange(k + 1) for k in cells[::-1]), indexing="ij")
    lattice = np.stack([x, y, z], axis=-1)  # [z, y, x, axis]
    surface = ((lattice == 0) | (lattice == cells)).any(axis=-1)
    number = np.where(surface, np.cumsum(surface).reshape(surface.shape) - 1, -1)
    points = (lattice[surface] / cells - 0.5) * lengths
    faces = []
    for axis in (2, 1, 0):
        for end in (0, -1):
            side = np.take(number, end, axis=2 - axis)  # rows: the slower axis
            quads = np.stack(
                [side[:-1, :-1], side[:-1, 1:], side[1:, 1:], side[1:, :-1]], axis=-1
            ).reshape(-1, 4)
            outward = (end == -1) != (axis == 1)
            faces.append(quads if outward else quads[:, [0, 3, 2, 1]])
    return WingedEdgeMesh.from_faces(points, np.concatenate(faces), triangles)


def prism(sides: int = 6, radius: float = 1.0, height: float = 1.0) -> WingedEdgeMesh:
    """Build an upright prism on a regular polygon, axis z.

    Vertices 0 to sides - 1 are the bottom ring, the others the top ring; faces are the
    bottom, the top, then the sides in order.
    """
    if sides < 3:
        raise ValueError(f"a prism of {sides} sides has no volume; give at least 3")
    around = circle(sides) * radius
    half = np.full((sides, 1), height / 2)
    points = np.concatenate([np.hstack([around, -half]), np.hstack([around, half])])
    i = np.arange(sides)
    j = (i + 1) % sides
    walls = np.stack([i, j, j + sides, i + sides], axis=1).tolist()
    return WingedEdgeMesh.from_faces(
        points, [i[::-1].tolist(), (i + sides).tolist(), *walls]
    )


def cylinder(
    sides: int = 32, radius: float = 0.5, height: float = 1.0
) -> WingedEdgeMesh:
    """Build a cylinder as a prism of many sides, numbered like `prism`."""
    return prism(sides, radius, height)


def icosphere(subdivisions: int = 2, radius: float = 1.0) -> WingedEdgeMesh:
    """Build a sphere by splitting an icosahedron, 20 * 4**subdivisions triangles."""
    g = (1 + np.sqrt(5.0)) / 2
    ring = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0)]
    points = np.array([np.roll(p, k) for k in (0, 1, 2) for p in ring])
    faces = np.array(
        "0 11 5,0 5 1,0 1 7,0 7 10,0 10 11,1 5 9,5 11 4,11 10 2,10 7 6,7 1 8,"
        "3 9 4,3 4 2,3 2 6,3 6 8,3 8 9,4 9 5,2 4 11,6 2 10,8 6 7,9 8 1".replace(
            ",", " "
        ).split(),
        dtype=np.int64,
    ).reshape(-1, 3)
    points = _on_sphere(points)
    for _ in range(subdivisions):
        points, faces = _split(points, faces)
    return WingedEdgeMesh.from_faces(points * radius, faces)


def ellipsoid(
    radii: Extents = (1.0, 0.7, 0.5), subdivisions: int = 2
) -> WingedEdgeMesh:
    """Build an ellipsoid by stretching an icosphere along the axes."""
    sphere = icosphere(subdivisions)
    return WingedEdgeMesh.from_faces(
        sphere.points * np.asarray(radii, dtype=np.float64), sphere.fan.vertex
    )


def needle(length: float = 1.0, ratio: float = 1e3, sides: int = 4) -> WingedEdgeMesh:
    """Build a thin double pyramid along z, ``ratio`` times longer than wide.

    Ratios up to 1e6 are usual in tests. The two tips are the last vertices.
    """
    around = circle(sides) * (length / ratio / 2)
    tips = [[0.0, 0.0, -length / 2], [0.0, 0.0, length / 2]]
    points = np.concatenate([np.hstack([around, np.zeros((sides, 1))]), tips])
    low = [[(i + 1) % sides, i, sides] for i in range(sides)]
    high = [[i, (i + 1) % sides, sides + 1] for i in range(sides)]
    return WingedEdgeMesh.from_faces(points, low + high)


def plate(side: float = 1.0, thickness: float = 1e-3) -> WingedEdgeMesh:
    """Build a thin square box, numbered like `box`."""
    return box((side, side, thickness))


def random_hull(seed: int, n_points: int = 50) -> WingedEdgeMesh:
    """Build the hull of points drawn evenly on the unit sphere; all are vertices.

    The same seed gives the same points everywhere (PCG64, rejection, square roots).
    """
    draw = np.random.Generator(np.random.PCG64(seed))
    points = np.empty((0, 3))
    while len(points) < n_points:
        cube = draw.random((2 * n_points, 3)) * 2 - 1
        x, y, z = cube.T
        square = x * x + y * y + z * z
        inside = cube[(square <= 1) & (square > 0.01)]
        points = np.concatenate([points, _on_sphere(inside)])
    return convex_hull(points[:n_points])


def zoo(*, non_convex: bool = False) -> Iterator[tuple[str, WingedEdgeMesh]]:
    """Yield small named bodies that cover what meshes can be, for tests.

    All are convex, unless ``non_convex`` adds those that are not.
    """
    yield "tetrahedron", tetrahedron()
    yield "box", box((1.0, 0.75, 0.5))
    yield "grid_box", grid_box(3)
    yield "grid_box_triangles", grid_box((2, 3, 4), (1.0, 2.0, 0.5), triangles=True)
    yield "prism", prism(5)
    yield "cylinder", cylinder(24)
    yield "icosphere", icosphere(1)
    yield "ellipsoid", ellipsoid((1.0, 0.5, 0.25), 1)
    yield "needle", needle()
    yield "needle_1e6", needle(1.0, 1e6, 3)
    yield "plate", plate()
    yield "random_hull", random_hull(1, 40)
    if non_convex:
        yield "l_block", l_block()
        yield "ring", ring()
        yield "u_block", u_block((1.0, 1.0, 0.5))
        yield "cup", cup(7)
        yield "gear", gear(5)
        yield "star", star()
        yield "hammer", hammer()


def _on_sphere(points: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y, z = points.T
    unit: NDArray[np.float64] = points / np.sqrt(x * x + y * y + z * z)[:, None]
    return unit


def _split(
    points: NDArray[np.float64], faces: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Split every triangle in four, with the new vertices on the unit sphere."""
    ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1), axis=-1)
    pairs, number = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
    middle = _on_sphere(points[pairs[:, 0]] + points[pairs[:, 1]])
    ab, bc, ca = (number.reshape(-1, 3) + len(points)).T
    a, b, c = faces.T
    quarters = [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    faces = np.stack([np.stack(q, axis=1) for q in quarters], axis=1).reshape(-1, 3)
    return np.concatenate([points, middle]), faces

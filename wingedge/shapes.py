"""Build named bodies, convex and not; outward oriented, centred on the origin.

All are closed, of planar convex polygons. Every position comes from + - * / and square
roots alone, which IEEE arithmetic rounds the same way on every machine: the same call
gives the same bits everywhere. Only the triangles of `random_hull` are chosen by Qhull.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import circle
from wingedge.mesh import WingedEdgeMesh

Extents = float | Sequence[float]  # one length, or three along x, y, z
Corners = Sequence[Sequence[int]]

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
    faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]
    return WingedEdgeMesh.from_faces(corners * (radius / np.sqrt(3.0)), faces)


def box(extents: Extents = 1.0) -> WingedEdgeMesh:
    """Build a box of six quadrilaterals; ``extents`` are its full edge lengths.

    Vertex x + 2 y + 4 z is the corner with that bit pattern; faces -z +z -y +y -x +x.
    """
    return grid_box(1, extents)


def grid_box(
    n: int | Sequence[int] = 4, extents: Extents = 1.0, *, triangles: bool = False
) -> WingedEdgeMesh:
    """Build a box whose sides are grids of coplanar cells.

    Vertices are numbered x fastest, over the lattice points on the surface; faces side
    by side in the order -z +z -y +y -x +x.

    Parameters: ``n``: cells along each axis; ``extents``: full edge lengths;
    ``triangles``: split every cell in two; all of them stay coplanar.
    """
    cells = np.asarray(n)
    if cells.dtype.kind not in "iu" or cells.size not in (1, 3) or cells.min() < 1:
        raise ValueError(f"n is {n}; give one or three positive numbers of cells")
    cells = np.broadcast_to(cells, 3)
    z, y, x = np.meshgrid(*(np.arange(k + 1) for k in cells[::-1]), indexing="ij")
    lattice = np.stack([x, y, z], axis=-1)  # [z, y, x, axis]
    surface = ((lattice == 0) | (lattice == cells)).any(axis=-1)
    number = np.where(surface, np.cumsum(surface).reshape(surface.shape) - 1, -1)
    points = (lattice[surface] / cells - 0.5) * _three(extents)
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

    Parameters: ``sides``: 3 or more; ``radius``: of the corners; ``height``: along z.
    """
    _refuse_few(sides, 3, "a prism", "sides")
    outline = circle(sides) * radius
    return _extruded(outline, [list(range(sides))], (1.0, 1.0, height))


def cylinder(
    sides: int = 32, radius: float = 0.5, height: float = 1.0
) -> WingedEdgeMesh:
    """Build a cylinder as a prism of many sides; arguments and numbers of `prism`."""
    return prism(sides, radius, height)


def icosphere(subdivisions: int = 2, radius: float = 1.0) -> WingedEdgeMesh:
    """Build a sphere by splitting an icosahedron, 20 * 4**subdivisions triangles."""
    _refuse_few(subdivisions, 0, "an icosphere", "subdivisions")
    if subdivisions > 10:
        raise ValueError(f"subdivisions={subdivisions}: give at most 10, 2e7 faces")
    g = (1 + np.sqrt(5.0)) / 2
    ring = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0)]
    points = np.array([np.roll(p, k) for k in (0, 1, 2) for p in ring])
    corners = (
        "0 11 5 0 5 1 0 1 7 0 7 10 0 10 11 1 5 9 5 11 4 11 10 2 10 7 6 7 1 8 "
        "3 9 4 3 4 2 3 2 6 3 6 8 3 8 9 4 9 5 2 4 11 6 2 10 8 6 7 9 8 1"
    )
    faces = np.array(corners.split(), dtype=np.int64).reshape(-1, 3)
    points = _on_sphere(points)
    for _ in range(subdivisions):
        points, faces = _split(points, faces)
    return WingedEdgeMesh.from_faces(points * _three(radius), faces)


def ellipsoid(
    radii: Extents = (1.0, 0.7, 0.5), subdivisions: int = 2
) -> WingedEdgeMesh:
    """Build an ellipsoid by stretching an icosphere along the axes."""
    sphere = icosphere(subdivisions)
    return WingedEdgeMesh.from_faces(sphere.points * _three(radii), sphere.fan.vertex)


def needle(length: float = 1.0, ratio: float = 1e3, sides: int = 4) -> WingedEdgeMesh:
    """Build a thin double pyramid along z, ``ratio`` times longer than wide.

    Ratios up to 1e6 are usual in tests. The two tips are the last vertices.

    Parameters: ``length``: tip to tip; ``ratio``: to the width; ``sides``: of the ring.
    """
    around = circle(sides) * (length / ratio / 2)
    tips = [[0.0, 0.0, -length / 2], [0.0, 0.0, length / 2]]
    points = np.concatenate([np.hstack([around, np.zeros((sides, 1))]), tips])
    faces = [[(i + 1) % sides, i, sides] for i in range(sides)]
    faces += [[i, (i + 1) % sides, sides + 1] for i in range(sides)]
    return WingedEdgeMesh.from_faces(points, faces)


def plate(side: float = 1.0, thickness: float = 1e-3) -> WingedEdgeMesh:
    """Build a thin square box, numbered like `box`."""
    return box((side, side, thickness))


def random_hull(seed: int, n_points: int = 50) -> WingedEdgeMesh:
    """Build the hull of points drawn evenly on the unit sphere; all are vertices.

    The same seed gives the same points everywhere (PCG64, rejection, square roots).
    """
    from wingedge.hull import convex_hull  # here: no other shape needs it

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
    """Yield small named bodies for tests, convex but those that ``non_convex`` adds."""
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


def l_block(extents: Extents = 1.0) -> WingedEdgeMesh:
    """Build a block in the shape of an L: the simplest body that is not convex."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    return _extruded(np.array(outline) / 2 - 0.5, [[0, 1, 2, 3], [0, 3, 4, 5]], extents)


def u_block(extents: Extents = 1.0) -> WingedEdgeMesh:
    """Build a block in the shape of a U: a notch that another body fits into."""
    outline = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
    caps = [[0, 1, 4, 5], [1, 2, 3, 4], [0, 5, 6, 7]]
    return _extruded(np.array(outline) / 3 - 0.5, caps, extents)


def ring(extents: Extents = (3.0, 3.0, 1.0)) -> WingedEdgeMesh:
    """Build a square frame: a body with a hole, genus 1."""
    outer, inner = [(0, 0), (3, 0), (3, 3), (0, 3)], [(1, 1), (2, 1), (2, 2), (1, 2)]
    flat = np.array(outer + inner) / 3 - 0.5
    faces = []
    for i in range(4):
        j = (i + 1) % 4
        faces += [
            [i + 4, j + 4, j, i],
            [i + 8, j + 8, j + 12, i + 12],
            [i, j, j + 8, i + 8],
            [j + 4, i + 4, i + 12, j + 12],
        ]
    return WingedEdgeMesh.from_faces(_stood_up(flat, extents), faces)


def cup(
    sides: int = 12, radius: float = 0.5, height: float = 1.0, wall: float = 0.1
) -> WingedEdgeMesh:
    """Build a cup open towards +z, wall and bottom of one thickness.

    Four rings of ``sides`` vertices: outer bottom, outer rim, inner rim, inner bottom.
    Faces are the two bottoms, then outer wall, rim and inner wall of each side.

    Parameters: ``sides``: 3 or more; ``radius``: of the outer corners; ``height``: of
    the whole; ``wall``: less than radius and height, ValueError else.
    """
    _refuse_few(sides, 3, "a cup", "sides")
    if not 0.0 < wall < min(radius, height):
        most = f"radius {radius}, height {height}"
        raise ValueError(f"wall is {wall}; it must lie between 0 and {most}")
    around = circle(sides)
    low, floor, rim = -height / 2, wall - height / 2, height / 2
    rings = (radius, low), (radius, rim), (radius - wall, rim), (radius - wall, floor)
    points = np.concatenate(
        [np.hstack([around * r, np.full((sides, 1), z)]) for r, z in rings]
    )
    faces = [list(range(sides))[::-1], list(range(3 * sides, 4 * sides))]
    for i in range(sides):
        j, n = (i + 1) % sides, sides
        faces += [[i + k, j + k, j + k + n, i + k + n] for k in (0, n, 2 * n)]
    return WingedEdgeMesh.from_faces(points, faces)


def gear(
    teeth: int = 8, radius: float = 1.0, depth: float = 0.25, height: float = 0.5
) -> WingedEdgeMesh:
    """Build a gear wheel, axis z, with straight teeth ``depth`` long.

    Vertices are the bottom outline, then the top one: four a tooth, from its end at
    angle 0 over the gap and up the next tooth.  Faces as in `star`.

    Parameters: ``teeth``: 2 or more; ``radius``: of their ends; ``depth``: less than
    the radius, ValueError else; ``height``: along the axis.
    """
    _refuse_few(teeth, 2, "a gear", "teeth")
    if not 0.0 < depth < radius:
        raise ValueError(f"depth is {depth}; it must lie between 0 and radius {radius}")
    n, root = 4 * teeth, radius - depth
    # Point 4 i is where a gap begins, 4 i + 1 the foot of the next tooth.
    outline = circle(n) * np.tile([root, root, radius, radius], teeth)[:, None]
    hub = [v for v in range(n) if v % 4 < 2]
    tips = [[v, v + 1, v + 2, (v + 3) % n] for v in range(1, n, 4)]
    return _extruded(outline, [hub, *tips], (1.0, 1.0, height))


def star(
    tips: int = 5, radius: float = 1.0, inner: float = 0.4, height: float = 0.5
) -> WingedEdgeMesh:
    """Build an upright star prism, axis z; ``inner`` is the radius of its notches.

    Vertices are the bottom outline from the tip on +x, then the top one; faces the hub
    and the tips of the bottom, those of the top, then the walls.

    Parameters: ``tips``: 3 or more; ``radius``: of the tips; ``inner``: of the notches,
    so small that they are reflex, ValueError else; ``height``: along the axis.
    """
    _refuse_few(tips, 3, "a star", "tips")
    n = 2 * tips
    most = float(circle(n)[1, 0])
    if not 0.0 < inner < radius * most:
        needs = f"needs less than radius {radius} x {most:.3g}"
        raise ValueError(f"inner is {inner}; a star of {tips} tips {needs}")
    outline = circle(n) * np.tile([radius, inner], tips)[:, None]
    caps = [list(range(1, n, 2)), *([(v - 1) % n, v, v + 1] for v in range(0, n, 2))]
    return _extruded(outline, caps, (1.0, 1.0, height))


def hammer(cells: int = 1, length: float = 1.0) -> WingedEdgeMesh:
    """Build a hammer of ``length`` along z, its head across x; a grid of square cells.

    ``cells`` splits every cell that many times along each axis.
    """
    filled = np.zeros((5, 2, 6), dtype=bool)
    filled[:, :, 4:] = True  # the head
    filled[2, :, :4] = True  # the handle
    _refuse_few(cells, 1, "a hammer", "cells")
    filled = filled.repeat(cells, 0).repeat(cells, 1).repeat(cells, 2)
    return polycube(filled, length / (6 * cells))


def polycube(filled: ArrayLike, side: float = 1.0) -> WingedEdgeMesh:
    """Build the surface of the cubes that are filled in a lattice.

    Raises MeshError if the surface is not one closed manifold; ValueError if the
    lattice is not three-dimensional or empty.

    Parameters: ``filled`` (nx, ny, nz): where there is a cube.  They must hang together
    by faces, and no two may meet in an edge or a corner alone; ``side``: edge length of
    a cube [length unit].

    Vertices are numbered x slowest, over the lattice points on the surface; faces in
    the order -x +x -y +y -z +z, each in the order of its cubes.
    """
    lattice = np.asarray(filled, dtype=bool)
    if lattice.ndim != 3 or not lattice.any():
        said = f"filled has shape {lattice.shape} with {int(lattice.sum())} cubes"
        raise ValueError(f"{said}; give a three-dimensional array with at least one")
    cubes = np.pad(lattice, 1)
    quads, steps = [], np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    for axis in range(3):
        for forward in (False, True):
            beside = np.roll(cubes, -1 if forward else 1, axis=axis)
            base = np.argwhere(cubes & ~beside) - 1
            base[:, axis] += forward
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corners = np.repeat(base[:, None], 4, axis=1)
            corners[:, :, [u, v]] += steps if forward else steps[::-1]
            quads.append(corners)
    corner = np.concatenate(quads)
    places, number = np.unique(corner.reshape(-1, 3), axis=0, return_inverse=True)
    points = (places - (places.min(axis=0) + places.max(axis=0)) / 2) * side
    return WingedEdgeMesh.from_faces(points, number.reshape(-1, 4))


def _extruded(
    outline: NDArray[np.float64], caps: Corners, extents: Extents
) -> WingedEdgeMesh:
    """Stand an outline (n, 2) up along z; ``caps`` are its convex parts.

    Vertices are the bottom, then the top; faces the bottom, the top, the walls.
    """
    n = len(outline)
    faces = [list(q)[::-1] for q in caps] + [[v + n for v in q] for q in caps]
    faces += [[i, (i + 1) % n, (i + 1) % n + n, i + n] for i in range(n)]
    return WingedEdgeMesh.from_faces(_stood_up(outline, extents), faces)


def _stood_up(outline: NDArray[np.float64], extents: Extents) -> NDArray[np.float64]:
    """Put an outline (n, 2) at the bottom and at the top of a body, (2 n, 3)."""
    half = np.full((len(outline), 1), 0.5)
    both = [np.hstack([outline, z]) for z in (-half, half)]
    points: NDArray[np.float64] = np.concatenate(both) * _three(extents)
    return points


def _three(lengths: Extents) -> NDArray[np.float64]:
    sizes = np.asarray(lengths, dtype=np.float64)
    if sizes.shape not in ((), (3,)) or not (sizes > 0.0).all():
        raise ValueError(f"{lengths} is no size; give a length above 0, or three")
    return sizes


def _refuse_few(count: int, least: int, what: str, of: str) -> None:
    if not isinstance(count, int | np.integer):
        raise TypeError(f"{of} is {count!r}; give a whole number, {least} or more")
    if count < least:
        raise ValueError(f"{what} of {count} {of} has no volume; give at least {least}")

"""Named bodies that are not convex: notches, bores, teeth, a hole through.

All are closed, outward oriented and centred on the origin, of planar convex polygons,
with the same bits on every machine (see `wingedge.shapes`, which offers them).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.columns import circle
from wingedge.mesh import WingedEdgeMesh

Extents = float | Sequence[float]  # one length, or three along x, y, z
Corners = Sequence[Sequence[int]]


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
    outer = np.array([(0, 0), (3, 0), (3, 3), (0, 3)])
    inner = np.array([(1, 1), (2, 1), (2, 2), (1, 2)])
    flat = np.concatenate([outer, inner]) / 3 - 0.5
    points = np.concatenate(
        [np.hstack([flat, np.full((8, 1), z)]) for z in (-0.5, 0.5)]
    ) * np.asarray(extents, dtype=np.float64)
    faces = []
    for i in range(4):
        j = (i + 1) % 4
        faces += [
            [i + 4, j + 4, j, i],
            [i + 8, j + 8, j + 12, i + 12],
            [i, j, j + 8, i + 8],
            [j + 4, i + 4, i + 12, j + 12],
        ]
    return WingedEdgeMesh.from_faces(points, faces)


def cup(
    sides: int = 12, radius: float = 0.5, height: float = 1.0, wall: float = 0.1
) -> WingedEdgeMesh:
    """Build a cup open towards +z; wall and bottom are ``wall`` thick.

    Four rings of ``sides`` vertices: outer bottom, outer rim, inner rim, inner bottom.
    Faces are the two bottoms, then outer wall, rim and inner wall of each side.
    """
    _refuse_few(sides, 3, "a cup", "sides")
    if not 0.0 < wall < min(radius, height):
        raise ValueError(
            f"wall is {wall}; it must lie between 0 and radius {radius}, height "
            f"{height}"
        )
    around = circle(sides)
    low, floor, rim = -height / 2, wall - height / 2, height / 2
    points = np.concatenate(
        [
            np.hstack([around * r, np.full((sides, 1), z)])
            for r, z in (
                (radius, low),
                (radius, rim),
                (radius - wall, rim),
                (radius - wall, floor),
            )
        ]
    )
    faces: list[list[int]] = [
        list(range(sides))[::-1],
        list(range(3 * sides, 4 * sides)),
    ]
    for i in range(sides):
        j = (i + 1) % sides
        faces += [
            [i + k, j + k, j + k + sides, i + k + sides] for k in (0, sides, 2 * sides)
        ]
    return WingedEdgeMesh.from_faces(points, faces)


def gear(
    teeth: int = 8, radius: float = 1.0, depth: float = 0.25, height: float = 0.5
) -> WingedEdgeMesh:
    """Build a gear wheel, axis z, with straight teeth ``depth`` long.

    Vertices are the bottom outline, then the top one: four a tooth, from its end at
    angle 0 over the gap and up the next tooth.  Faces as in `star`.
    """
    _refuse_few(teeth, 2, "a gear", "teeth")
    if not 0.0 < depth < radius:
        raise ValueError(f"depth is {depth}; it must lie between 0 and radius {radius}")
    root = radius - depth
    radii = np.tile([root, root, radius, radius], teeth)[:, None]
    # Point 4 i is where a gap begins, 4 i + 1 the foot of the next tooth.
    outline = circle(4 * teeth) * radii
    n = 4 * teeth
    hub = [v for v in range(n) if v % 4 < 2]
    tips = [[v, v + 1, v + 2, (v + 3) % n] for v in range(1, n, 4)]
    return _extruded(outline, [hub, *tips], (1.0, 1.0, height))


def star(
    tips: int = 5, radius: float = 1.0, inner: float = 0.4, height: float = 0.5
) -> WingedEdgeMesh:
    """Build an upright star prism, axis z; ``inner`` is the radius of its notches.

    Vertices are the bottom outline from the tip on +x, then the top one; faces the hub
    and the tips of the bottom, those of the top, then the walls.
    """
    _refuse_few(tips, 3, "a star", "tips")
    if not 0.0 < inner < radius * float(circle(2 * tips)[1, 0]):
        raise ValueError(
            f"inner is {inner}; a star of {tips} tips needs less than radius "
            f"{radius} x {circle(2 * tips)[1, 0]:.3g}"
        )
    n = 2 * tips
    outline = circle(n) * np.tile([radius, inner], tips)[:, None]
    points = [[(v - 1) % n, v, v + 1] for v in range(0, n, 2)]
    caps = [list(range(1, n, 2)), *points]
    return _extruded(outline, caps, (1.0, 1.0, height))


def hammer(cells: int = 1, length: float = 1.0) -> WingedEdgeMesh:
    """Build a hammer of ``length`` along z, its head across x; a grid of square cells.

    ``cells`` splits every cell that many times along each axis.
    """
    filled = np.zeros((5, 2, 6), dtype=bool)
    filled[:, :, 4:] = True  # the head
    filled[2, :, :4] = True  # the handle
    return polycube(_finer(filled, cells), length / (6 * cells))


def polycube(filled: ArrayLike, side: float = 1.0) -> WingedEdgeMesh:
    """Build the surface of the cubes that are filled in a lattice.

    Parameters
    ----------
    filled : (nx, ny, nz) bool array_like
        Where there is a cube.  They must hang together by faces, and no two may meet
        in an edge or a corner alone.
    side : float
        Edge length of a cube [length unit].

    Raises
    ------
    MeshError
        If the surface is not one closed manifold.
    ValueError
        If the lattice is not three-dimensional or empty.

    Notes
    -----
    Vertices are numbered x slowest, over the lattice points on the surface; faces in
    the order -x +x -y +y -z +z, each in the order of its cubes.
    """
    lattice = np.asarray(filled, dtype=bool)
    if lattice.ndim != 3 or not lattice.any():
        raise ValueError(
            f"filled has shape {lattice.shape} with {int(lattice.sum())} cubes; give a "
            "three-dimensional array with at least one"
        )
    cubes = np.pad(lattice, 1)
    quads = []
    for axis in range(3):
        for forward in (False, True):
            beside = np.roll(cubes, -1 if forward else 1, axis=axis)
            base = np.argwhere(cubes & ~beside) - 1
            base[:, axis] += forward
            u, v = (axis + 1) % 3, (axis + 2) % 3
            steps = [(0, 0), (1, 0), (1, 1), (0, 1)]
            corners = np.repeat(base[:, None], 4, axis=1)
            for k, (du, dv) in enumerate(steps if forward else steps[::-1]):
                corners[:, k, u] += du
                corners[:, k, v] += dv
            quads.append(corners)
    corner = np.concatenate(quads)
    places, number = np.unique(corner.reshape(-1, 3), axis=0, return_inverse=True)
    points = (places - (places.min(axis=0) + places.max(axis=0)) / 2) * side
    return WingedEdgeMesh.from_faces(points, number.reshape(-1, 4))


def _finer(filled: NDArray[np.bool_], cells: int) -> NDArray[np.bool_]:
    if cells < 1:
        raise ValueError(f"cells is {cells}; give a positive number")
    for axis in range(3):
        filled = np.repeat(filled, cells, axis=axis)
    return filled


def _extruded(
    outline: NDArray[np.float64],
    caps: Corners,
    extents: Extents,
) -> WingedEdgeMesh:
    """Stand an outline (n, 2) up along z; ``caps`` are its convex parts.

    Vertices are the bottom, then the top; faces the bottom, the top, the walls.
    """
    n = len(outline)
    points = np.concatenate(
        [np.hstack([outline, np.full((n, 1), z)]) for z in (-0.5, 0.5)]
    ) * np.asarray(extents, dtype=np.float64)
    faces = [list(q)[::-1] for q in caps] + [[v + n for v in q] for q in caps]
    faces += [[i, (i + 1) % n, (i + 1) % n + n, i + n] for i in range(n)]
    return WingedEdgeMesh.from_faces(points, faces)


def _refuse_few(count: int, least: int, what: str, of: str) -> None:
    if count < least:
        raise ValueError(f"{what} of {count} {of} has no volume; give at least {least}")

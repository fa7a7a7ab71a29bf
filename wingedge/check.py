"""Every invariant of a body by name; each check says what, where and what to do."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from wingedge.columns import (
    at,
    columns,
    cross,
    direction,
    dot,
    length,
    subtract,
)
from wingedge.convexity import convexity
from wingedge.errors import MeshError
from wingedge.faces import (
    Surface,
    check_convex_faces,
    check_fan_areas,
    check_planar,
    check_zero_area,
)
from wingedge.geometry import area, fan_corners, volume
from wingedge.links import check_links
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import (
    EPS,
    Positions,
    as_points,
    check_coincident,
    check_finite,
    check_magnitude,
    extent,
)
from wingedge.topology import TOPOLOGY, Polygons, check_topology
from wingedge.touching import check_touching


def validate(
    mesh: WingedEdgeMesh,
    points: ArrayLike | None = None,
    *,
    planar_tolerance: float | None = None,
) -> None:
    """Check every invariant in `INVARIANTS`, in order; return nothing when all hold.

    Parameters
    ----------
    mesh : WingedEdgeMesh
    points : (V, 3) array_like, optional
        Current positions to judge instead of the rest positions, body frame.
    planar_tolerance : float, optional
        How far corners may leave the plane of their polygon, relative to the size;
        None means what the mesh was built with.

    Raises
    ------
    MeshError
        For the first invariant that is broken: ``.invariant`` is its name,
        ``.element`` the vertex, edge or face.
    TypeError, ValueError
        If ``points`` is not a real (V, 3) array.

    Notes
    -----
    Cost: O(E) sorts and gathers. Only a body that is not convex has its faces compared
    with each other: about a second for 10 000 faces.
    """
    check_links(mesh)
    start, vertex = mesh.corners
    check_topology(Polygons(mesh.n_vertices, start.astype(int), vertex.astype(int)))
    positions = mesh.points if points is None else as_points(points)
    if positions.shape != mesh.points.shape:
        raise ValueError(
            f"points have shape {positions.shape}; this mesh needs {mesh.points.shape}"
        )
    check_positions(mesh, positions, planar_tolerance)


def check_positions(
    mesh: WingedEdgeMesh, positions: Positions, planar_tolerance: float | None = None
) -> None:
    """Check the invariants of positions alone, on a mesh whose topology is sound."""
    surface = _surface(mesh, positions, planar_tolerance)
    for _, check in _POSITIONS:
        check(surface)


def check_flatness(mesh: WingedEdgeMesh, positions: Positions) -> None:
    """Refuse positions at which a polygon leaves its plane."""
    check_planar(_surface(mesh, positions, None))


def _surface(
    mesh: WingedEdgeMesh, positions: Positions, planar_tolerance: float | None
) -> Surface:
    if planar_tolerance is None:
        planar_tolerance = mesh.planar_tolerance
    check_finite(positions)
    about = extent(positions)
    check_magnitude(positions, about)
    planar = planar_tolerance * about.size + about.noise
    return Surface(mesh, positions, positions - about.centre, about, planar)


def check_fans(mesh: WingedEdgeMesh) -> None:
    """Check that polygons can be split into the fans from their first corners.

    They must be convex, not planar, and no triangle may be without area.
    """
    check_finite(mesh.points)
    about = extent(mesh.points)
    check_magnitude(mesh.points, about)
    local = mesh.points - about.centre
    surface = Surface(mesh, mesh.points, local, about, np.inf)
    check_coincident(mesh.points)
    check_zero_area(surface)
    check_convex_faces(surface)
    check_fan_areas(surface)


def check_flat(surface: Surface) -> None:
    """Refuse bodies without thickness over the plane of their largest triangle."""
    a, b, c = fan_corners(surface.mesh, surface.local)
    normal = cross(subtract(b, a), subtract(c, a))
    normal = direction(at(normal, length(normal).argmax()))
    heights = dot(columns(surface.local), normal)
    thickness = float(heights.max() - heights.min())
    if thickness <= surface.extent.noise:
        raise MeshError(
            f"the mesh is flat, {thickness:.3g} thick; give the body a volume",
            "positive volume",
        )


def check_outward(surface: Surface) -> None:
    """Refuse bodies that are inside-out, as a whole or in part."""
    inside = volume(surface.mesh, surface.local)
    nothing = surface.extent.noise * area(surface.mesh, surface.local)
    doubt = len(surface.mesh.fan.vertex) * EPS * surface.extent.size**3
    if inside <= nothing and abs(inside) <= 64 * doubt:  # as of a needle of 1e-10
        inside, nothing = _exact_volume(surface), 0.0
    if inside <= nothing:
        how = "inside-out" if inside < -nothing else "inside-out in part"
        raise MeshError(
            f"the mesh is {how}, its volume is {inside:.6g}; reverse the corners of "
            "its faces, so that they are counter-clockwise seen from outside",
            "positive volume",
        )


def _exact_volume(surface: Surface) -> float:
    """Return the volume without rounding: products of long edges have none of it."""
    from fractions import Fraction

    whole = [[Fraction(x) for x in point] for point in surface.points.tolist()]
    origin, total = whole[0], Fraction(0)
    for triangle in surface.mesh.fan.vertex.tolist():
        a, b, c = (
            [x - o for x, o in zip(whole[v], origin, strict=True)] for v in triangle
        )
        for k in range(3):
            total += a[k] * (b[k - 2] * c[k - 1] - b[k - 1] * c[k - 2])
    return float(total / 6)


def check_self_touch(surface: Surface) -> None:
    """Refuse surfaces that touch, cross or fold onto themselves."""
    if not convexity(surface.mesh, surface.local).is_convex():
        check_touching(surface.mesh, surface.local, surface.extent.noise)


# in this order: the better explanation of a trouble comes first
_POSITIONS: tuple[tuple[str, Callable[[Surface], None]], ...] = (
    ("positive volume", check_flat),
    ("no self-touch", lambda surface: check_coincident(surface.points)),
    ("no zero area", check_zero_area),
    ("convex faces", check_convex_faces),
    ("planar faces", check_planar),
    ("positive volume", check_outward),
    ("no self-touch", check_self_touch),
)

INVARIANTS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            "indices in range",
            "linked arrays",
            *TOPOLOGY,
            "finite",
            "sane magnitude",
            *(name for name, _ in _POSITIONS),
        )
    )
)

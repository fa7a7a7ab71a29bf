"""What the vertex rings of a convex body prove of a support: a pass over its edges."""

from typing import TYPE_CHECKING, NamedTuple

from sim.kernels.exact import ROUNDING, Expansion, fine_side
from sim.kernels.language import Floats, Ints, Later, kernel, stands_for
from sim.kernels.walk.simplex import corner

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")

# What the pass comes to.
NOTHING = 0
RINGS = 1  # a vertex ring proves a support
EDGES = 2  # and two vertices beside an edge prove that the edge is one

THIN = 1e-12  # width of a triangle, per unit of the largest coordinate
BEND = 1e-4  # sine between two faces below which they may count as level
SHORT = 1e-4  # length of an edge, per unit of the largest coordinate


class Hinges(NamedTuple):
    """The edges and the inner diagonals of the fans, each with its two triangles."""

    points: Floats  # 3 per vertex, body frame
    vertices: int
    hinges: int
    tail: Ints  # 1 per hinge
    tip: Ints
    left: Ints  # the third corner of the triangle on the left
    right: Ints
    diagonal: Ints  # 1: both triangles belong to one face
    expansion: Expansion


@kernel
def ring_proof(hinges: Hinges) -> int:
    """Return what the rings of a convex body prove: NOTHING, RINGS or EDGES.

    RINGS: no hinge is reflex and every polygon lies in one plane, decided without
    rounding.  Only then does "no ring neighbour is higher" prove a support: dents add
    up along the surface, however small each of them is, and a pose may magnify them.
    Signs it cannot change.  A hinge that is level must not fold back.

    EDGES: no wedge is sharper than 60 degrees, so that the rounding of its faces does
    not grow at an edge; no two faces are level with each other and no edge is short, so
    that nothing else at its ends can be level with it.

    Cost: O(E).
    """
    return proof_of(hinges)


@kernel
def side_across(hinges: Hinges, k: int, over: float, blur: float) -> int:
    """Return 1 where a hinge is reflex, -1 where convex, 0 where level; exactly.

    ``over``: the volume at the hinge in float64; ``blur``: what that may be off.
    """
    if over > blur:
        return 1
    if over < -blur:
        return -1
    if shares_a_plane(hinges, k):
        return 0
    p = hinges.points
    return fine_side(
        corner(p, hinges.tail[k]),
        corner(p, hinges.tip[k]),
        corner(p, hinges.left[k]),
        corner(p, hinges.right[k]),
        hinges.expansion,
    )


@kernel
def allowed(side: int, across: float, diagonal: int) -> bool:
    """Say whether a hinge may be one of a convex body.

    ``across``: the scalar product of the two normals, negative where the hinge is open
    by more than a right angle.  A level one must be open; a diagonal must be level.
    """
    if side == 0:
        return across < 0.0
    return side < 0 and diagonal == 0


@kernel
def shares_a_plane(hinges: Hinges, k: int) -> bool:
    """Say whether all four vertices at a hinge have one coordinate in common."""
    p = hinges.points
    a = 3 * hinges.tail[k]
    b = 3 * hinges.tip[k]
    c = 3 * hinges.left[k]
    d = 3 * hinges.right[k]
    for i in range(3):
        if p[a + i] == p[b + i] == p[c + i] == p[d + i]:
            return True
    return False


@kernel
def proof_each(hinges: Hinges) -> int:
    """Return what rings prove; see ``ring_proof``."""
    points = hinges.points
    reach = 0.0
    blur = ROUNDING
    for i in range(3):
        low = points[i]
        high = low
        for v in range(1, hinges.vertices):
            low = min(low, points[3 * v + i])
            high = max(high, points[3 * v + i])
        reach = max(reach, max(high, -low))
        blur *= high - low
    thin = THIN * reach * (THIN * reach)
    short = SHORT * reach * (SHORT * reach)
    proof = EDGES
    for k in range(hinges.hinges):
        p = 3 * hinges.tail[k]
        q = 3 * hinges.tip[k]
        left = 3 * hinges.left[k]
        right = 3 * hinges.right[k]
        x, y, z = points[p], points[p + 1], points[p + 2]
        ux, uy, uz = points[q] - x, points[q + 1] - y, points[q + 2] - z
        ax, ay, az = points[left] - x, points[left + 1] - y, points[left + 2] - z
        bx, by, bz = points[right] - x, points[right + 1] - y, points[right + 2] - z
        nx, ny, nz = uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax
        mx, my, mz = uy * bz - uz * by, uz * bx - ux * bz, ux * by - uy * bx
        over = nx * bx + ny * by + nz * bz
        nn = nx * nx + ny * ny + nz * nz
        mm = mx * mx + my * my + mz * mz
        uu = ux * ux + uy * uy + uz * uz
        if min(nn, mm) <= thin * uu:
            return NOTHING
        across = nx * mx + ny * my + nz * mz
        side = side_across(hinges, k, over, blur)
        if not allowed(side, across, hinges.diagonal[k]):
            return NOTHING
        if proof == EDGES:
            square = nn * mm
            if across > 0.0 and across * across > 0.25 * square:
                proof = RINGS
            elif hinges.diagonal[k] == 0:
                vx = ny * mz - nz * my
                vy = nz * mx - nx * mz
                vz = nx * my - ny * mx
                bend = vx * vx + vy * vy + vz * vz
                if bend < BEND * BEND * square or uu < short:
                    proof = RINGS
    return proof


@stands_for(proof_each)
def proof_of(hinges: Hinges) -> int:
    """Return what rings prove, by elementwise numpy: the same answer."""
    points = np.asarray(hinges.points)
    x, y, z = points[0::3], points[1::3], points[2::3]
    tail, tip = np.asarray(hinges.tail), np.asarray(hinges.tip)
    left, right = np.asarray(hinges.left), np.asarray(hinges.right)
    diagonal = np.asarray(hinges.diagonal) == 1
    ux, uy, uz = x[tip] - x[tail], y[tip] - y[tail], z[tip] - z[tail]
    ax, ay, az = x[left] - x[tail], y[left] - y[tail], z[left] - z[tail]
    bx, by, bz = x[right] - x[tail], y[right] - y[tail], z[right] - z[tail]
    nx, ny, nz = uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax
    mx, my, mz = uy * bz - uz * by, uz * bx - ux * bz, ux * by - uy * bx
    over = nx * bx + ny * by + nz * bz
    nn, mm = nx * nx + ny * ny + nz * nz, mx * mx + my * my + mz * mz
    uu = ux * ux + uy * uy + uz * uz
    reach = float(np.abs(points).max())
    if (np.minimum(nn, mm) <= THIN * reach * (THIN * reach) * uu).any():
        return NOTHING
    blur = ROUNDING
    for column in (x, y, z):
        blur *= float(column.max()) - float(column.min())
    across = nx * mx + ny * my + nz * mz
    if (over > blur).any() or (diagonal & (over < -blur)).any():
        return NOTHING
    for k in np.flatnonzero(over >= -blur).tolist():
        side = side_across(hinges, k, float(over[k]), blur)
        if not allowed(side, float(across[k]), hinges.diagonal[k]):
            return NOTHING
    with np.errstate(over="ignore"):  # an eighth power of a length
        square = nn * mm
        if ((across > 0.0) & (across * across > 0.25 * square)).any():
            return RINGS
        vx, vy, vz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
        bend = vx * vx + vy * vy + vz * vz
        level = (bend < BEND * BEND * square) | (uu < SHORT * reach * (SHORT * reach))
    return RINGS if (level & ~diagonal).any() else EDGES

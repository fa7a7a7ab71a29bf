"""What the vertex rings of a convex body prove of a support: a pass over its edges."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from sim.kernels.language import Floats, Ints, kernel, stands_for

# What the pass comes to.
NOTHING = 0
RINGS = 1  # a vertex ring proves a support
FLANKS = 2  # and two vertices beside an edge prove that the edge is one

THIN = 1e-12  # width of a triangle, per unit of the largest coordinate
BEND = 1e-4  # sine between two faces below which they may count as level
SHORT = 1e-4  # length of an edge, per unit of the largest coordinate
ROUNDING = 16.0 * 2.220446049250313e-16


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


@kernel
def ring_proof(hinges: Hinges) -> int:
    """Return what the rings of a convex body prove: NOTHING, RINGS or FLANKS.

    RINGS: the body is convex to rounding, its polygons flat to rounding.  Only then
    does "no ring neighbour is higher" prove a support to the last digits: within the
    looser tolerance of an audit small dents add up along the surface.  A dent is
    measured from the plane of the larger of the two triangles at an edge, for a needle
    has no plane worth its digits; a triangle without width parts two others unseen, and
    a groove may run along it.

    FLANKS: no wedge is sharper than 60 degrees, so that the rounding of its faces does
    not grow at an edge; no two faces are level with each other and no edge is short, so
    that nothing else at its ends can be level with it.

    Cost: O(E).
    """
    return proof_of(hinges)


@kernel
def proof_each(hinges: Hinges) -> int:
    """Return what rings prove; see ``ring_proof``."""
    points = hinges.points
    reach = 0.0
    for k in range(3 * hinges.vertices):
        reach = max(reach, abs(points[k]))
    limit = ROUNDING * reach
    thin = THIN * reach * (THIN * reach)
    short = SHORT * reach * (SHORT * reach)
    proof = FLANKS
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
        if hinges.diagonal[k] == 1:
            over = abs(over)
        nn = nx * nx + ny * ny + nz * nz
        mm = mx * mx + my * my + mz * mz
        uu = ux * ux + uy * uy + uz * uz
        if min(nn, mm) <= thin * uu:
            return NOTHING
        if over > 0.0 and over > limit * sqrt(max(nn, mm)):
            return NOTHING
        if proof == FLANKS:
            square = nn * mm
            across = nx * mx + ny * my + nz * mz
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
    volume = nx * bx + ny * by + nz * bz
    nn, mm = nx * nx + ny * ny + nz * nz, mx * mx + my * my + mz * mz
    uu = ux * ux + uy * uy + uz * uz
    reach = float(np.abs(points).max())
    if (np.minimum(nn, mm) <= THIN * reach * (THIN * reach) * uu).any():
        return NOTHING
    over = np.where(diagonal, np.abs(volume), volume)
    if (over > ROUNDING * reach * np.sqrt(np.maximum(nn, mm))).any():
        return NOTHING
    with np.errstate(over="ignore"):  # an eighth power of a length
        square = nn * mm
        across = nx * mx + ny * my + nz * mz
        if ((across > 0.0) & (across * across > 0.25 * square)).any():
            return RINGS
        vx, vy, vz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
        bend = vx * vx + vy * vy + vz * vz
        level = (bend < BEND * BEND * square) | (uu < SHORT * reach * (SHORT * reach))
    return RINGS if (level & ~diagonal).any() else FLANKS

"""The faces of a surface with polygons: flat ones whole, warped ones as their fans.

A polygon whose corners lie in one plane within the tolerance has that plane, and its
inner diagonals are nothing.  One that left its plane is the fan of triangles from its
first corner, and the diagonals are hinges like every edge.
"""

from sim.kernels.audit.facets import (
    BACK,
    BORDER,
    COARSE,
    FRONT,
    NONE,
    SHARP,
    SIDE,
    SIZE,
    STAR,
    THIN,
    TOLERANCE,
    VOLUME,
    WORST,
    AuditBuffers,
    below,
    crossing,
    is_thin,
)
from sim.kernels.language import Vec, kernel
from sim.kernels.vector import HERE

# How a polygon lies in its plane.
FLAT = 0
LOOSE = 1
WARPED = 2


@kernel
def judge_panels(shell: AuditBuffers) -> None:
    """Compare every face of a surface with the vertices across its sides."""
    found = shell.found
    told = shell.told
    found[VOLUME] = 0.0
    found[WORST] = NONE
    told[SIDE] = 0
    told[STAR] = 1
    told[FRONT] = 0
    told[BACK] = 0
    told[THIN] = 0
    told[BORDER] = 0
    for f in range(shell.faces):
        sweep_face(shell, f)
    for f in range(shell.faces):
        first = shell.fan[f]
        last = shell.fan[f + 1]
        if shell.bend[f] == WARPED:
            for t in range(first, last):
                panel(shell, t, t + 1, normal_of(shell, t), WARPED)
        else:
            n = (shell.area[3 * f], shell.area[3 * f + 1], shell.area[3 * f + 2])
            panel(shell, first, last, n, shell.bend[f])
    found[WORST] = found[WORST] + 0.0  # no -0.0


@kernel
def sweep_face(shell: AuditBuffers, f: int) -> None:
    """Add up the volume and what meets the line, and say how the face is bent.

    Notes twice its vector area: Newell's.
    """
    found = shell.found
    told = shell.told
    first = shell.fan[f]
    last = shell.fan[f + 1]
    area = HERE
    for t in range(first, last):
        n = normal_of(shell, t)
        area = n if t == first else (area[0] + n[0], area[1] + n[1], area[2] + n[2])
        told[FRONT] += met(shell, t, n[0], 1)
        told[BACK] += met(shell, t, n[0], 0)
        found[VOLUME] += above(shell, n, shell.corner[3 * t])
    shell.area[3 * f] = area[0]
    shell.area[3 * f + 1] = area[1]
    shell.area[3 * f + 2] = area[2]
    shell.bend[f] = FLAT
    if last - first > 1:
        shell.bend[f] = bend_of(shell, first, last, area)


@kernel
def normal_of(shell: AuditBuffers, t: int) -> Vec:
    """Return twice the vector area of a triangle."""
    ax, ay, az = vertex(shell, shell.corner[3 * t])
    bx, by, bz = vertex(shell, shell.corner[3 * t + 1])
    cx, cy, cz = vertex(shell, shell.corner[3 * t + 2])
    return (
        (by - ay) * (cz - az) - (bz - az) * (cy - ay),
        (bz - az) * (cx - ax) - (bx - ax) * (cz - az),
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax),
    )


@kernel
def vertex(shell: AuditBuffers, v: int) -> Vec:
    """Return the position of a vertex about the mean."""
    i = 3 * v
    return (shell.local[i], shell.local[i + 1], shell.local[i + 2])


@kernel
def above(shell: AuditBuffers, n: Vec, v: int) -> float:
    """Return how high a vertex lies along a vector, times its length."""
    x, y, z = vertex(shell, v)
    return n[0] * x + n[1] * y + n[2] * z


@kernel
def met(shell: AuditBuffers, t: int, nx: float, ahead: int) -> int:
    """Count how often a triangle is met along +x (``ahead``), or along -x."""
    if (nx > 0.0) != (ahead == 1):
        return 0
    _, ay, az = vertex(shell, shell.corner[3 * t])
    _, by, bz = vertex(shell, shell.corner[3 * t + 1])
    _, cy, cz = vertex(shell, shell.corner[3 * t + 2])
    if not (az * bz <= 0.0 or az * cz <= 0.0):
        return 0  # by no line along x
    turns = crossing(ay, az, by, bz) + crossing(by, bz, cy, cz)
    return turns + crossing(cy, cz, ay, az)


@kernel
def bend_of(shell: AuditBuffers, first: int, last: int, n: Vec) -> int:
    """Say how a polygon leaves the plane through its first corner; note what is close.

    LOOSE: by more than the tolerance, less than the mesh forgives.
    """
    tolerance = shell.found[TOLERANCE]
    planar = max(tolerance, shell.planar * shell.found[SIZE])
    square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    base = above(shell, n, shell.corner[3 * first])
    off = 0.0
    for t in range(first, last):
        h = above(shell, n, shell.corner[3 * t + 1]) - base
        g = above(shell, n, shell.corner[3 * t + 2]) - base
        off = max(off, max(h * h, g * g))
    near = tolerance * tolerance * square
    far = planar * planar * square
    if near * (1.0 - SHARP) < off and off < near * (1.0 + SHARP):
        shell.told[BORDER] += 1
    if far * (1.0 - SHARP) < off and off < far * (1.0 + SHARP):
        shell.told[BORDER] += 1
    if off > far:
        return WARPED
    return LOOSE if off > near else FLAT


@kernel
def panel(shell: AuditBuffers, first: int, last: int, n: Vec, bend: int) -> None:
    """Compare one plane with the vertices across the sides of its triangles."""
    found = shell.found
    told = shell.told
    tolerance = found[TOLERANCE]
    square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    base = above(shell, n, shell.corner[3 * first])
    if base <= 0.0 or square <= 0.0:
        told[STAR] = 0
    coarse = COARSE * tolerance * found[SIZE]
    narrow = square <= coarse * coarse
    thin = 0
    floor = below(found[WORST])
    for t in range(first, last):
        if last - first > 1:
            x, y, z = normal_of(shell, t)
            if x * n[0] + y * n[1] + z * n[2] <= 0.0:
                told[STAR] = 0  # a polygon that overlaps itself
        a = vertex(shell, shell.corner[3 * t])
        b = vertex(shell, shell.corner[3 * t + 1])
        c = vertex(shell, shell.corner[3 * t + 2])
        if narrow:
            thin = max(thin, is_thin(a, b, c, square, tolerance))
        for k in range(3 * t, 3 * t + 3):
            if square > 0.0 and (bend == WARPED or shell.diagonal[k] == 0):
                base = above(shell, n, shell.tail[k])
                warped = shell.bend[shell.face[k]] == WARPED
                far = shell.across[k] if warped else shell.apex[k]
                top = above(shell, n, far) - base
                if bend == LOOSE:
                    top = max(top, above(shell, n, shell.tip[k]) - base)
                power = top * abs(top)
                if power > floor * square and power / square > found[WORST]:
                    found[WORST] = power / square
                    floor = below(found[WORST])
                    told[SIDE] = k
    told[THIN] += thin

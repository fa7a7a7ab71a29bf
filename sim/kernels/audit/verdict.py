"""The audit of new positions: whether a surface is convex, and where it is not.

Two passes: over the vertices, to measure the body and to put it about its mean; over
the faces, each against the vertices across its sides.  A surface that is convex across
every side, looks away from one point everywhere and is met once on a line through it
is convex as a whole: seen from the point, it covers every direction once.  What is
clear is decided here; what is not (flat, thin, many-fold, within rounding of the
tolerance) is left to ``wingedge.convexity``, which is slower and decides all.
"""

from sim.kernels.audit.buffers import (
    BACK,
    BORDER,
    CONVEX,
    DENTED,
    FRONT,
    SIGN,
    SIZE,
    STAR,
    THIN,
    TOLERANCE,
    UNSURE,
    VOLUME,
    WORST,
    AuditBuffers,
)
from sim.kernels.audit.facets import SHARP
from sim.kernels.audit.swept import add_volume, judge, judge_panels, measure, turn
from sim.kernels.language import kernel

CLEAR = 1e-9  # six volumes that have a sure sign, per cube of the size
SURE = 1e-9  # share of its terms that a volume must be to have a sure sign
LARGEST = 1e40  # sixth powers, as in squared volumes, stay finite
SMALLEST = 1e-40  # and those of dents within the tolerance stay normal


@kernel
def audit(shell: AuditBuffers) -> int:
    """Audit the positions of a shell; return CONVEX, DENTED or UNSURE.

    Cost: O(E); compiled 5 ns per edge, 22 of polygons.
    """
    told = shell.told
    found = shell.found
    told[SIGN] = 1
    told[BORDER] = 0
    measure(shell)
    size = found[SIZE]
    if not (size > SMALLEST and size < LARGEST):
        return UNSURE
    look(shell)
    volume = found[VOLUME]
    clear = CLEAR * size * size * size
    if not (volume > clear or volume < -clear):
        return UNSURE
    if volume < 0.0:
        told[SIGN] = -1
        turn(shell)
        look(shell)
    tolerance = found[TOLERANCE]
    if told[BORDER] > 0:
        return UNSURE
    if found[WORST] > tolerance * tolerance * (1.0 + SHARP):
        return DENTED
    if found[WORST] > tolerance * tolerance * (1.0 - SHARP) or told[THIN] > 0:
        return UNSURE
    if told[STAR] == 1 and told[FRONT] == 1 and told[BACK] == -1:
        return CONVEX
    return UNSURE


@kernel
def look(shell: AuditBuffers) -> None:
    """Compare every face with the vertices across its sides."""
    if shell.polygons == 1:
        judge_panels(shell)
    else:
        judge(shell)


@kernel
def side_out(shell: AuditBuffers) -> int:
    """Return 1, or -1 for a surface that is inside-out, or 0 where it is not sure."""
    add_volume(shell)
    found = shell.found
    if found[VOLUME] > SURE * found[WORST]:
        return 1
    return -1 if found[VOLUME] < -SURE * found[WORST] else 0

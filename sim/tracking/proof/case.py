"""An answer beside the bodies that it is held against, near to the origin."""

from math import frexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.tracking.proof.solid import Solid
from sim.tracking.proof.told import Told
from sim.tracking.proof.verdict import FalseAnswer

Array = NDArray[np.float64]

SLACK = 1e-14  # per unit of scale: this checker's own rounding, and the answer's
RELATIVE = 1e-9  # of the distance: what a certified answer may be off
EPS = float(np.finfo(float).eps)


class Case(NamedTuple):
    """An answer and what it is held against, relative to the origin of A."""

    told: Told
    a: Solid
    b: Solid
    scale: float  # the largest coordinate that counts
    fine: float  # what rounding may move a height by, beside the bodies
    slack: float  # and a point, where it was placed in the world
    tolerance: float  # within it heights are one level
    level: float  # the same, with what rounding may add, beside the bodies
    drop: float  # and where points were placed in the world
    hulls: bool  # it is an overlap of hulls, whose bodies are not convex


def placed(told: Told, a: Body, b: Body, parallel_tolerance: float) -> Case:
    """Bring both bodies near to the origin, and all coordinates near to one."""
    origin = a.transform[:, 3].copy()
    far = [Solid(body, origin, 1.0).reach for body in (a, b)]
    if not np.isfinite(far).all():
        raise FalseAnswer("a body is no longer anywhere: a coordinate is not finite")
    unit = 2.0 ** -frexp(max(far))[1]
    told = told.moved(origin, unit)
    one, other = Solid(a, origin, unit), Solid(b, origin, unit)
    scale = max(map(np.max, _size(told, one, other, np.zeros(3), supports=True)))
    # The points were rounded once more when they were moved to the world.
    fine = SLACK * scale
    slack = fine + 4.0 * EPS * unit * float(np.abs(origin).max())
    tolerance = parallel_tolerance * told.size
    level, drop = (tolerance + 4.0 * off for off in (fine, slack))
    solid = one.sense != 0.0 and other.sense != 0.0
    hulls = told.distance < 0.0 and told.proof != "none"
    hulls = hulls and not (solid and one.convex and other.convex)
    return Case(told, one, other, scale, fine, slack, tolerance, level, drop, hulls)


def _size(
    told: Told, a: Solid, b: Solid, origin: Array, *, supports: bool
) -> list[Array]:
    """Return the largest coordinates that count, relative to an origin.

    Those of the vertices of the closest parts, each, and of the origins of the bodies;
    with those that stand as high along the normal, or highest.
    """
    found = []
    if told.proof != "none":  # the paper's search knows no origins
        found.append(np.abs(b.origin - a.origin).max(keepdims=True))
    for solid, parts, way in (
        (a, told.parts[0], told.normal),
        (b, told.parts[1], -told.normal),
    ):
        ids = np.concatenate([solid.vertices_of(part) for part in parts])
        if supports:
            high = solid.x @ way
            level = np.abs(high - high[ids[0]]) <= RELATIVE
            ids = np.flatnonzero(level | (high >= high.max() - RELATIVE))
        found.append(np.abs(solid.x[ids] - origin).max(axis=1))
    return found


def check_size(case: Case) -> None:
    """Recompute the size: relative to the first body, whichever that was.

    All vertices of the parts count.  A search counts what is level elsewhere, too; of
    a polygon off its plane, and where hulls overlap, it measures some of them alone.
    """
    told, a, b = case.told, case.a, case.b
    searched = told.proof == "search"
    searched |= told.proof == "scan" and not (a.convex and b.convex)
    parts = zip((a, b), told.parts, strict=True)
    rough = [searched and len(p) == 1 < len(one.fan_of(p[0])) for one, p in parts]
    for origin in (a.origin, b.origin):
        *least, own_a, own_b = _size(told, a, b, origin, supports=case.hulls)
        for own, some in zip((own_a, own_b), rough, strict=True):
            least.append(own.min() if some or case.hulls else own.max())
        low = float(max(map(np.max, least)))
        groups = _size(told, a, b, origin, supports=True) if searched else []
        counted = np.concatenate([[low], *groups])
        counted = counted[counted >= low]
        if np.abs(counted - told.size).min() <= 1e-12 * told.size:
            return
    raise FalseAnswer(f"the size is {told.size / low:g} times that of what counts")

"""Place two bodies where the large numbers of their poses have already cancelled.

``L p + t`` in float64 loses the digits of its largest term.  The truth is exact
arithmetic on the stored floats, so an oracle that rounds there is none: bodies that lie
far from their own origin are placed exactly, moved near the origin, then rounded once.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sim import Body

Array = NDArray[np.float64]
CANCELLED = 16.0  # terms this much larger than their sum lose four bits


def loses_digits(a: Body, b: Body) -> bool:
    """Say whether a vertex is the sum of much larger numbers, about either origin."""
    for body in (a, b):
        linear = body.transform[:, :3]
        turned = body.positions @ linear.T
        terms = np.abs(body.positions) @ np.abs(linear).T
        for other in (a, b):
            shift = body.transform[:, 3] - other.transform[:, 3]
            most = (terms + np.abs(shift)).max(axis=1)
            if (most > CANCELLED * np.abs(turned + shift).max(axis=1)).any():
                return True
    return False


def centred(a: Body, b: Body) -> tuple[Body, Body]:
    """Return the same two bodies, placed exactly about a vertex of the smaller one."""
    small, large = sorted((a, b), key=lambda body: float(np.ptp(body.world_points())))
    exact = {id(body): _exact(body) for body in (a, b)}
    # The smaller one's vertex that is nearest to the other body.
    gaps = small.world_points()[:, None] - large.world_points()[None]
    nearest = int((gaps**2).sum(axis=2).min(axis=1).argmin())
    origin = exact[id(small)][nearest]
    made = []
    for body in (a, b):
        points = [[float(p[i] - origin[i]) for i in range(3)] for p in exact[id(body)]]
        copy = Body(body.mesh, name=body.name)
        copy.points = points
        made.append(copy)
    return made[0], made[1]


def _exact(body: Body) -> list[list[Fraction]]:
    rows = [[Fraction(x) for x in row] for row in body.transform.tolist()]
    points = [[Fraction(x) for x in p] for p in body.positions.tolist()]
    return [[sum((r[i] * p[i] for i in range(3)), r[3]) for r in rows] for p in points]

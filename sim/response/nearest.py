"""The motion nearest to the one wanted that comes no nearer to what is touched."""

from itertools import combinations
from math import sqrt

Vec = tuple[float, float, float]
Plane = tuple[Vec, float]  # unit normal n and b: allowed is n . x >= b

_PIVOTS = 64


def nearest(
    wish: Vec, planes: list[Plane], tolerance: float
) -> tuple[Vec, tuple[int, ...]] | None:
    """Find the point nearest to ``wish`` that is on the right side of all planes.

    Returns it and which planes it lies on because of that, at most three: none of them
    where the wish itself is allowed, one to slide on a plane, two to slide along their
    crease, three in a corner. None where there is no such point, or none was found;
    never, if every ``b`` is 0 or less.

    Notes
    -----
    The plane most violated joins the at most three that hold the point so far, and the
    nearest point for these four is looked up among the feet on one, two or three of
    them (after Welzl 1991: the answer rests on three planes). Every turn takes the
    point further from the wish, so no set comes back. Cost: a few turns of 15
    candidates.
    """
    best, basis = wish, tuple[int, ...]()
    for _ in range(_PIVOTS):
        height, worst = min(
            ((_dot(n, best) - b, k) for k, (n, b) in enumerate(planes)),
            default=(0.0, 0),
        )
        if height >= -tolerance:
            return best, basis
        if worst in basis:
            break
        found = _among(wish, planes, (*basis, worst), tolerance)
        if found is None:
            break
        best, basis = found
    if all(b <= 0 for _, b in planes):
        return (0.0, 0.0, 0.0), basis
    return None


def _among(
    wish: Vec, planes: list[Plane], which: tuple[int, ...], tolerance: float
) -> tuple[Vec, tuple[int, ...]] | None:
    """Try all feet on one, two and three planes, the last of them always."""
    out, least = None, 0.0
    *others, last = which
    for count in range(3):
        for rest in combinations(others, count):
            held = (*rest, last)
            point = _foot(wish, [planes[k] for k in held])
            if point is None:
                continue
            if any(
                _dot(planes[k][0], point) - planes[k][1] < -tolerance for k in which
            ):
                continue
            far = _subtract(point, wish)
            square = _dot(far, far)
            if out is None or square < least:
                out, least = (point, held), square
    return out


def _foot(wish: Vec, planes: list[Plane]) -> Vec | None:
    """Find the point nearest to the wish on all of one, two or three planes."""
    if len(planes) == 1:
        (normal, b), point = planes[0], wish
        for _ in range(2):  # the second round takes off what the first one rounded
            point = _add(point, _scale(b - _dot(normal, point), normal))
        return point
    (n, b), (m, c) = planes[:2]
    crease = _cross(n, m)
    square = _dot(crease, crease)
    if len(planes) == 2:
        if square == 0:
            return None
        unit = _scale(1.0 / sqrt(square), crease)
        point = _scale(_dot(unit, wish), unit)
        if b or c:
            base = _add(_scale(b, _cross(m, crease)), _scale(c, _cross(crease, n)))
            point = _add(point, _scale(1.0 / square, base))
        return point
    if not (b or c or planes[2][1]):
        return 0.0, 0.0, 0.0
    o, d = planes[2]
    volume = _dot(crease, o)
    if volume == 0:
        return None
    base = _add(_scale(b, _cross(m, o)), _scale(c, _cross(o, n)))
    return _scale(1.0 / volume, _add(base, _scale(d, crease)))


def _dot(a: Vec, b: Vec) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _add(a: Vec, b: Vec) -> Vec:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _subtract(a: Vec, b: Vec) -> Vec:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _scale(s: float, a: Vec) -> Vec:
    return s * a[0], s * a[1], s * a[2]


def _cross(a: Vec, b: Vec) -> Vec:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )

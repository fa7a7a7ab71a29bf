"""sim.result.state: the area of a contact held against exact polygons."""

from fractions import Fraction
from itertools import pairwise

import pytest

from sim import Body, Pose, World
from wingedge import shapes


def clipped(polygon, other):
    """What two convex polygons share, exact (Sutherland and Hodgman)."""
    for (a, b), (c, d) in pairwise([*other, other[0]]):
        side = [(c - a) * (y - b) - (d - b) * (x - a) for x, y in polygon]
        kept = []
        for k, (x, y) in enumerate(polygon):
            (u, v), s, t = polygon[k - 1], side[k], side[k - 1]
            if s * t < 0:
                kept.append((u + t / (t - s) * (x - u), v + t / (t - s) * (y - v)))
            kept += [(x, y)] * (s >= 0)
        polygon = kept
    rows = pairwise([*polygon, *polygon[:1]])
    return float(sum(a * d - b * c for (a, b), (c, d) in rows) / 2)


@pytest.mark.parametrize("turn", [(1, 0), (3, 4), (5, 12), (15, -8), (-20, 21)])
@pytest.mark.parametrize("gap", [0.01, 0.0, -0.25])
def test_areas_are_those_of_exact_polygons(turn, gap):
    c, s = (Fraction(x, int((turn[0] ** 2 + turn[1] ** 2) ** 0.5)) for x in turn)
    square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    rotation = [[float(c), -float(s), 0.0], [float(s), float(c), 0.0], [0.0, 0.0, 1.0]]
    low = Body(shapes.box((4.0, 3.0, 1.0)), name="low")
    high = Body(shapes.box((2.5, 2.0, 1.0)), name="high")
    world = World([low, high], contact_distance=0.02)
    for k in range(4):
        x, y = Fraction(7 * k - 12, 8), Fraction(5 * k - 6, 8)
        high.pose = Pose.rigid(rotation, (float(x), float(y), 1.0 + gap))
        (frame,) = world.run(1)
        turned = [(c * i * 5 / 4 - s * j, s * i * 5 / 4 + c * j) for i, j in square]
        base = [(2 * i, Fraction(3, 2) * j) for i, j in square]
        shared = clipped([(x + i, y + j) for i, j in turned], base)
        for said in (frame.pairs[0], frame.pair("high", "low")):
            assert said.area == pytest.approx(shared, abs=1e-12)

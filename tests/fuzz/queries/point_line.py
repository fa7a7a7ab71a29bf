"""Points and lines in the plane: on the line, a bit beside it, no line at all."""

from queries._draw import points
from queries._exact import rational, turn
from wingedge.primitives.point_line import side as ask


def draw(rng, n, kind):
    return tuple(points(rng, n, kind, 3, 2)[0])


def wrong(p, a, b):
    areas = [turn(*rational(*row)) for row in zip(p, a, b, strict=True)]
    return ask(p, a, b) != [(x > 0) - (x < 0) for x in areas]

import numpy as np
import pytest

from wingedge.primitives.triangle_triangle import overlap

SQUARE = ((0, 0), (2, 0), (0, 2))
PAIRS = {
    "inside": (((0.5, 0.5), (1, 0.5), (0.5, 1)), 3),
    "around": (((-5, -5), (9, -5), (-5, 9)), 3),
    "side by side": (((0, 0), (2, 0), (1, -1)), 1),
    "along part of a side": (((0.5, 0), (9, 0), (1, -1)), 1),
    "corner to side": (((1, 0), (2, -1), (0, -1)), 1),
    "corner to corner": (((2, 0), (3, 0), (3, 1)), 1),
    "apart": (((3, 0), (4, 0), (3, 1)), 0),
    "apart, boxes overlapping": (((2, 2), (1.5, 2), (2, 1)), 0),
    "a segment across": (((-1, 1), (3, 0.5), (-1, 1)), 3),
    "a segment to a side": (((1, 0), (1, -1), (1, 0)), 1),
    "a point inside": (((0.5, 0.5),) * 3, 3),
}
# x, y to x, y, z in planes that an axis may show as a line
PLANES = [
    ((1, 0, 0), (0, 1, 0)),
    ((0, 1, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0)),
    ((1, 1, 0), (0, 0, 1)),
    ((1, 2, 3), (-1, 4, 0)),
]


@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("name", PAIRS)
def test_how_triangles_meet_in_any_plane_and_either_winding(name, plane):
    other, code = PAIRS[name]
    one, two = (np.array(x, float) @ np.array(plane, float) for x in (SQUARE, other))
    pairs = [(one, two), (two, one), (one[::-1], two), (one, two[[1, 2, 0]])]
    corners = np.array(pairs).transpose(1, 2, 3, 0)
    assert overlap(corners).tolist() == [code] * 4

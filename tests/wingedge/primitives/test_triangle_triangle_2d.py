import numpy as np

from wingedge.primitives.triangle_triangle_2d import meet


def test_a_corner_a_bit_beside_an_edge_does_not_touch():
    """Floats find both corners on the line through (12, 12) and (24, 24)."""
    on, off = (0.5, 0.5), (0.5, np.nextafter(0.5, 1))
    for corner, hit in ((on, True), (off, False)):
        assert meet((0, 0), (24, 24), (24, 0), corner, corner, corner).hit == hit
        assert meet((0, 0), (24, 24), (24, 0), corner, (0, 9), (-9, 9)).hit == hit

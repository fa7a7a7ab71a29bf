import numpy as np

from sim.response.surroundings import plane, view
from wingedge.columns import columns, cross, direction, rows, subtract


def corners(a, b, c):
    return [np.array([p], float) for p in (a, b, c)]


def test_beside_an_edge_away_is_square_to_it_however_near():
    """As a difference of points it is off by rounding over distance."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b, turn = rng.uniform(-1, 1, (3, 3))
        out = np.cross(b - a, turn)
        out /= np.sqrt(out @ out)
        here = a + 0.37 * (b - a) + 1e-9 * out
        seen = view(here, corners(a, b, a - out))
        along = (b - a) / np.sqrt((b - a) @ (b - a))
        assert not seen.inside.any()
        assert abs(rows(seen.away)[0] @ along) < 1e-15


def test_the_plane_of_a_needle_is_square_to_its_length():
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 100, 3))
    c = a + rng.uniform(size=(100, 1)) * (b - a) + 1e-6 * rng.normal(size=(100, 3))
    unit = direction(plane(columns(a), columns(b), columns(c)))
    along = direction(columns(b - a))
    assert np.abs((rows(unit) * rows(along)).sum(axis=1)).max() < 1e-9
    whole = direction(cross(subtract(columns(b), columns(a)), columns(c - a)))
    assert np.abs((rows(unit) * rows(whole)).sum(axis=1)).min() > 1 - 1e-12

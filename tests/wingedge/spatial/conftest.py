"""Triangle sets of every kind, most of them degenerate, and queries that touch them."""

from collections.abc import Callable

import numpy as np
import pytest

from wingedge import convex_hull
from wingedge.spatial import BSPTree, Octree

TREES = [Octree, BSPTree]


def soup(n: int, size: float = 0.1, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (n, 1, 3)) + rng.normal(size=(n, 3, 3)) * size


def ball(n: int) -> np.ndarray:
    x = np.random.default_rng(n).normal(size=(n, 3))
    mesh = convex_hull(x / np.linalg.norm(x, axis=1)[:, None])
    return mesh.points[mesh.fan.vertex]


def grid(n: int) -> np.ndarray:
    i, j = (k.ravel() for k in np.meshgrid(np.arange(n), np.arange(n)))
    p = [np.stack([i + a, j + b, 0 * i], axis=1) for a, b in np.ndindex(2, 2)]
    return np.concatenate([np.stack(p[:3], 1), np.stack(p[1:], 1)]).astype(float)


def clusters() -> np.ndarray:
    rng = np.random.default_rng(3)
    at = rng.normal(size=(400, 1, 3)) * 10.0 ** rng.integers(-6, 1, (400, 1, 1))
    return at + rng.normal(size=(400, 3, 3)) * np.abs(at) * 0.1


def collapsed() -> np.ndarray:
    """Triangles without area: points, segments, and corners on a line."""
    x = soup(300, 0.3, 4)
    x[:100] = x[:100, :1]
    x[100:200, 2] = x[100:200, 1]
    x[200:, 2] = 2.0 * x[200:, 1] - x[200:, 0]
    return x


def needles() -> np.ndarray:
    x = soup(300, 0.5, 5)
    thin = 10.0 ** np.random.default_rng(6).uniform(-17, -3, (300, 1))
    x[:, 2] = 0.5 * (x[:, 0] + x[:, 1]) + thin * (x[:, 2] - x[:, 0])
    return x


def mixed() -> np.ndarray:
    """A few triangles as large as everything among many small ones."""
    return np.concatenate([soup(5, 2.0, 7), soup(300, 0.02, 8)])


SETS: dict[str, Callable[[], np.ndarray]] = {
    "none": lambda: np.zeros((0, 3, 3)),
    "one": lambda: soup(1),
    "identical": lambda: np.tile(soup(1, 0.7), (100, 1, 1)),
    "around one corner": lambda: soup(200) * [[0.0], [1.0], [1.0]],
    "soup": lambda: soup(500),
    "large": lambda: soup(200, 1.0, 2),
    "clusters": clusters,
    "collapsed": collapsed,
    "all one point": lambda: np.full((50, 3, 3), 0.25),
    "needles": needles,
    "mixed": mixed,
    "grid": lambda: grid(12),
    "ball": lambda: ball(200),
    "lattice": lambda: (
        np.random.default_rng(9).integers(-2, 3, (300, 3, 3)).astype(float)
    ),
    "far": lambda: soup(200) + np.array([1e9, -1e9, 1e9]),
}


@pytest.fixture(params=SETS)
def triangles(request: pytest.FixtureRequest) -> np.ndarray:
    return SETS[request.param]()


@pytest.fixture(params=TREES)
def tree(request: pytest.FixtureRequest):
    return request.param


@pytest.fixture
def sets() -> dict[str, Callable[[], np.ndarray]]:
    return SETS


@pytest.fixture
def places() -> Callable[..., np.ndarray]:
    """Return a function that chooses points: around a set, on it, far from it."""
    return chosen


def chosen(triangles: np.ndarray, n: int = 60, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if not len(triangles):
        return rng.normal(size=(n, 3))
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    size = float((high - low).max()) or float(np.abs(high).max()) or 1.0
    some = triangles[rng.integers(len(triangles), size=n)]
    points = [
        0.5 * low + 0.5 * high + size * rng.uniform(-0.7, 0.7, (n, 3)),
        some[:, 0],
        0.5 * some[:, 0] + 0.5 * some[:, 1],
        some[:, 0] / 4 + some[:, 1] / 4 + some[:, 2] / 2,
        0.5 * low + 0.5 * high + 1e3 * size * rng.normal(size=(5, 3)),
    ]
    return np.concatenate(points)

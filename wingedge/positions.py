"""Check positions as users give them, and measure their extent."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.errors import MeshError
from wingedge.features import Feature
from wingedge.tables import first_alike

Positions = NDArray[np.float64]

EPS = float(np.finfo(np.float64).eps)
WANTED = "give an array of shape (V, 3)"
LARGEST, SMALLEST = 1e50, 1e-50  # sixth powers, as in squared volumes, stay finite


class BodyExtent(NamedTuple):
    """Centre and size of a body, the measure of every tolerance."""

    centre: Positions  # (3,) middle of the bounding box
    size: float  # largest extent about the centre: half the longest box side
    noise: float  # 8 eps max|x|: what rounding leaves at this distance from the origin


def extent(positions: Positions) -> BodyExtent:
    """Measure positions (V, 3)."""
    by_axis = np.ascontiguousarray(positions.T)  # ten times as fast
    low, high = by_axis.min(axis=1), by_axis.max(axis=1)
    centre = low / 2 + high / 2
    reach = float(max(-low.min(), high.max()))
    size = float(max((high - centre).max(), (centre - low).max()))
    return BodyExtent(centre, size, 8 * EPS * reach)


def as_points(points: ArrayLike) -> Positions:
    """Copy positions into a fresh (V, 3) float64 array.

    Raises TypeError if they are not real numbers; ValueError if the shape is not (V,
    3).
    """
    refuse_masked(points, "points")
    try:
        given = np.asarray(points)
    except ValueError:
        raise ValueError(f"points have rows of different lengths; {WANTED}") from None
    if given.dtype.kind not in "fiu":
        raise TypeError(
            f"points are of type {given.dtype}; give real numbers, as float64"
        )
    if given.size == 0:
        given = given.reshape(0, 3)
    if given.ndim != 2 or given.shape[1] != 3:
        raise ValueError(f"points have shape {given.shape}; {WANTED}")
    return np.array(given, dtype=np.float64, order="C")


def is_single(points: object) -> bool:
    """Say whether positions are an array in single precision, or less."""
    return getattr(points, "dtype", None) in (np.float32, np.float16)


def single_rounding(points: ArrayLike) -> float:
    """Return by how much, at most, single precision moved a point: half a last place.

    Of each coordinate, at the largest of them.
    """
    largest = np.float32(np.abs(np.asarray(points, np.float32)).max(initial=0.0))
    return float(0.5 * np.sqrt(3.0) * np.spacing(largest))


def refuse_masked(given: object, what: str) -> None:
    """Raise ``ValueError`` where some are masked: an array would have numbers there."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        places = np.argwhere(np.ma.getmaskarray(given))
        raise ValueError(
            f"{what}: {len(places)} numbers are masked, the first at "
            f"{places[0].tolist()}; fill them in, or leave those rows out"
        )


def check_finite(points: Positions) -> None:
    """Refuse coordinates that are not numbers or infinite."""
    finite = np.isfinite(points).all(axis=1)
    if not finite.all():
        v = int(np.argmin(finite))
        said = f"vertex {v} is at {_place(points[v])}; give finite coordinates"
        raise MeshError(said, "finite", Feature("vertex", v))


def check_magnitude(points: Positions, about: BodyExtent) -> None:
    """Refuse coordinates whose powers would overflow, or vanish."""
    v = int(np.abs(points).max(axis=1).argmax())
    if np.abs(points[v]).max() > LARGEST:
        wrong = (
            f"at {_place(points[v])}, too large for its powers to stay finite; scale "
            f"the body below {LARGEST:g}"
        )
    elif 0 < about.size < SMALLEST:
        wrong = (
            f"among the farthest out and the body measures only {about.size:g}, too "
            f"small for its powers not to vanish; scale it above {SMALLEST:g}"
        )
    else:
        return
    raise MeshError(f"vertex {v} is {wrong}", "sane magnitude", Feature("vertex", v))


def check_coincident(points: Positions) -> None:
    """Refuse two vertices at one place."""
    original = lowest_at(points)
    again = original != np.arange(len(points))
    if again.any():
        v = int(np.argmax(again))
        said = (
            f"vertices {original[v]} and {v} are both at {_place(points[v])}, of "
            f"{again.sum()} such pairs; keep one: points, number = numpy.unique("
            "points, axis=0, return_inverse=True); faces = number[faces]"
        )
        raise MeshError(said, "no self-touch", Feature("vertex", v))


def lowest_at(points: Positions) -> NDArray[np.int64]:
    """Find for every point the lowest number at its place; mostly its own, (V,)."""
    key = np.zeros(len(points), np.uint64)
    for column in points.T:
        key ^= (column + 0.0).view(np.uint64)  # -0.0 is where 0.0 is
        key *= np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    lowest = first_alike(key.view(np.int64) >> 1)
    if (points[lowest] != points).any():  # two places have one key
        unique = np.unique(points, axis=0, return_index=True, return_inverse=True)
        lowest = unique[1][unique[2].ravel()]
    return lowest


def _place(point: Positions) -> str:
    return "(" + ", ".join(f"{x:.6g}" for x in point) + ")"

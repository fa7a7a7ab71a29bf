"""Which body is drawn before which; no pyvista here."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.drawing.glyphs import PairGlyphs

Floats = NDArray[np.float64]


def far_to_near(
    middles: Mapping[str, Floats], pairs: Sequence[PairGlyphs], eye: Floats
) -> list[str]:
    """Order bodies so that what hides another comes after it.

    The plane across the normal between the closest points of a pair parts two convex
    bodies: the one on the eye's side may hide the other, never the other way.  Bodies
    without such a plane come by the distance of their middles.

    Parameters
    ----------
    middles : mapping of str to (3,)
        The middle of every body, world frame.
    pairs : sequence of PairGlyphs
        The drawn pairs.
    eye : (3,)

    Notes
    -----
    Three bodies may hide each other in a ring; then one of them comes too early.
    """
    away = np.array(list(middles.values())).reshape(-1, 3) - eye
    far = np.argsort(-(away * away).sum(axis=1), kind="stable")
    names = list(middles)
    behind: dict[str, set[str]] = {}
    for pair, side in zip(pairs, _sides(pairs, eye), strict=True):
        back, front = pair.a.body, pair.b.body
        if side < 0.0:
            back, front = front, back
        behind.setdefault(front, set()).add(back)
    order: dict[str, None] = {}

    def take(name: str, waiting: frozenset[str]) -> None:
        for other in sorted(behind.get(name, ())):
            if other not in order and other not in waiting:
                take(other, waiting | {name})
        order.setdefault(name)

    for k in far:
        take(names[int(k)], frozenset())
    return list(order)


def _sides(pairs: Sequence[PairGlyphs], eye: Floats) -> list[float]:
    """Return how far beyond the plane between two bodies the eye is, on B's side."""
    if not pairs:
        return []
    ends = np.array([pair.witness for pair in pairs])
    normals = np.array([pair.normal for pair in pairs])
    away: list[float] = ((eye - ends.mean(axis=1)) * normals).sum(axis=1).tolist()
    return away

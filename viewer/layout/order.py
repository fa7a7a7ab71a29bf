"""Which body is drawn before which; no pyvista here."""

from collections.abc import Mapping, Sequence
from math import dist

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
    place = eye.tolist()
    away = {name: dist(middle.tolist(), place) for name, middle in middles.items()}
    names = sorted(away, key=lambda name: -away[name])
    behind: dict[str, set[str]] = {}
    for pair in pairs:
        back, front = pair.a.body, pair.b.body
        if _beyond(pair, place) < 0.0:
            back, front = front, back
        behind.setdefault(front, set()).add(back)
    order: dict[str, None] = {}

    def take(name: str, waiting: frozenset[str]) -> None:
        for other in sorted(behind.get(name, ())):
            if other not in order and other not in waiting:
                take(other, waiting | {name})
        order.setdefault(name)

    for name in names:
        take(name, frozenset())
    return list(order)


def _beyond(pair: PairGlyphs, eye: list[float]) -> float:
    """Return how far beyond the plane between two bodies the eye is, on B's side."""
    (a, b), normal = pair.witness.tolist(), pair.normal.tolist()
    return float(
        sum((e - (p + q) / 2) * n for e, p, q, n in zip(eye, a, b, normal, strict=True))
    )

"""What a picture must contain; no pyvista here."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from viewer.drawing.glyphs import PairGlyphs

Floats = NDArray[np.float64]

_REACH = 1.6  # sizes of the smaller body around the contact that a picture shows


def worth_seeing(
    points: Mapping[str, Floats], pairs: list[PairGlyphs]
) -> tuple[Floats, Floats, Floats]:
    """Return what the picture must contain: points, the normal, lit face normals.

    A body that dwarfs its partner is seen only near the contact.
    """
    if not pairs:
        every = np.concatenate(list(points.values()))
        return every, np.array([1.0, 0.0, 0.0]), np.empty((0, 3))
    seen, triangles = [], []
    for pair in pairs:
        both = [points[pair.a.body], points[pair.b.body]]
        sizes = [float(np.ptp(p, axis=0).max()) for p in both]
        # a body that collapsed to a point has no size to show
        reach = _REACH * min(s for s in sizes if s > 0.0 or s == max(sizes))
        middle = pair.witness.mean(axis=0)
        reach += float(np.abs(pair.witness - middle).max())
        seen += [np.clip(p, middle - reach, middle + reach) for p in both]
        triangles += [pair.a.triangles, pair.b.triangles]
    corners = np.concatenate(triangles)
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.sqrt((faces * faces).sum(axis=1, keepdims=True))
    unit = faces / np.where(length > 0, length, 1.0)
    return np.concatenate(seen), pairs[0].normal, unit

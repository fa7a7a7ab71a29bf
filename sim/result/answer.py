"""What an answer says: its plain numbers, one contact."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge.features import Feature

KINDS = ("vertex", "edge", "face")
LEVEL = 1e-9  # of the size: a corner farther off the normal is none of the patch
Hulls = tuple[NDArray[np.int32] | None, NDArray[np.int32] | None]
"""The triangles of the hulls of A and B, in the vertices of the body; None: no hull."""
Float = np.float64
LETTERS = "VEF"
Vec = tuple[float, float, float]


class Work(NamedTuple):
    """Count what an answer cost."""

    steps: int = 0  # vertices stood on while climbing
    vertices: int = 0  # ring neighbours looked at
    faces: int = 0  # faces of the level parts; pairs of leaves that a search tested
    scans: int = 0  # scans over all vertices
    fallbacks: int = 0  # exhaustive searches


class Contact(NamedTuple):
    """One contact of a pair: a corner of its patch, or its own closest points."""

    kind: str  # "VF" "FV" "EE" ..., A's letter first
    feature_a: Feature
    feature_b: Feature
    point_a: NDArray[Float]  # (3,) world
    point_b: NDArray[Float]  # (3,) world
    normal: NDArray[Float]  # (3,) unit, from A to B
    distance: float  # signed


class Numbers(NamedTuple):
    """The plain numbers of one answer; everything else is decoded from them."""

    distance: float
    lower: float
    upper: float
    size: float
    normal: Vec
    point_a: Vec
    point_b: Vec
    dimension_a: int
    parts_a: tuple[int, ...]  # numbers of that dimension, ascending
    dimension_b: int
    parts_b: tuple[int, ...]
    corners: tuple[float, ...]  # 6 per corner: point on A, point on B
    labels: tuple[int, ...]  # 4 per corner: dimension and number on A, on B
    unique: bool
    proof: str  # "ring" "scan" "search" "epa" "none"
    reason: str  # why it is not certified, or a remark
    work: Work

    def mirrored(self) -> "Numbers":
        """Return the same answer with A and B exchanged.

        The corners run the other way: counter-clockwise about the turned normal.
        """
        x, y, z = self.normal
        n = (-x, -y, -z)
        c, told = self.corners, self.labels
        points = zip(c[-3::-3], c[-2::-3], c[-1::-3], strict=True)
        named = zip(told[-2::-2], told[-1::-2], strict=True)
        return self._replace(
            normal=n,
            point_a=self.point_b,
            point_b=self.point_a,
            dimension_a=self.dimension_b,
            parts_a=self.parts_b,
            dimension_b=self.dimension_a,
            parts_b=self.parts_a,
            corners=tuple(chain.from_iterable(points)),
            labels=tuple(chain.from_iterable(named)),
        )


def level_corners(
    distance: float, normal: Sequence[float], corners: Sequence[float], size: float
) -> NDArray[np.bool_]:
    """Say which corners are distance times normal long, (k,): those of the patch.

    One may be off: the deepest vertex in an overlap of bodies that are not convex.
    """
    pairs = np.array(corners, np.float64).reshape(-1, 2, 3)
    level = np.ones(len(pairs), bool)
    if distance < 0.0:
        off = pairs[:, 1] - pairs[:, 0] - distance * np.array(normal)
        digits = 8.0 * np.finfo(float).eps * np.abs(pairs).max(initial=0.0)
        far = np.abs(off).max(axis=1) > LEVEL * size + digits
        if np.count_nonzero(far) == 1:
            level = ~far
    return level

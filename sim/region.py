"""A region: one of all contacts of a pair, and what is said of it."""

import numpy as np
from numpy.typing import NDArray

from sim.contact import KINDS, LETTERS, Numbers, Source
from wingedge import Feature

Float = np.float64


class Region:
    """One of all contacts of a pair: a connected part where the surfaces are near.

    World frame; a value that never changes.  What is said of features, distance and
    points is said of its closest pair; where that is flat, of the first of equals.
    Surfaces that cross are 0 apart: there the closest pair is an edge and the face that
    it passes through.

    Attributes
    ----------
    identity : int
        Kept from frame to frame, never given again.
    faces : (n, 2) int32
        All pairs of faces, of A and of B, that are near; ascending, read-only.
    """

    __slots__ = ("_source", "faces", "identity")

    def __init__(
        self, identity: int, source: Numbers | Source, faces: NDArray[np.int32]
    ) -> None:
        self.identity = identity
        self.faces = faces
        self._source = source

    @property
    def numbers(self) -> Numbers:
        """The plain numbers that everything is decoded from."""
        source = self._source
        if not isinstance(source, Numbers):
            self._source = source = source.numbers()
        return source

    @property
    def kind(self) -> str:
        """One of the nine kinds, A's letter first."""
        n = self.numbers
        return LETTERS[n.dimension_a] + LETTERS[n.dimension_b]

    @property
    def feature_a(self) -> Feature:
        """The level part of A around ``point_a``, by its lowest number."""
        n = self.numbers
        return Feature(KINDS[n.dimension_a], n.parts_a[0])

    @property
    def feature_b(self) -> Feature:
        """The level part of B around ``point_b``, by its lowest number."""
        n = self.numbers
        return Feature(KINDS[n.dimension_b], n.parts_b[0])

    @property
    def distance(self) -> float:
        """Distance of the two surfaces here, never negative."""
        return self._source.distance

    @property
    def point_a(self) -> NDArray[Float]:
        """The closest point on A, (3,)."""
        return np.array(self.numbers.point_a)

    @property
    def point_b(self) -> NDArray[Float]:
        """The closest point on B, (3,)."""
        return np.array(self.numbers.point_b)

    @property
    def normal(self) -> NDArray[Float]:
        """The unit normal from A to B, (3,)."""
        return np.array(self.numbers.normal)

    @property
    def patch(self) -> NDArray[Float]:
        """The corners on A's side where it is flat, (k, 3), else (0, 3).

        Counter-clockwise about the normal.  Where a level part has no convex outline,
        around a hole, that of one of its faces.
        """
        n = self.numbers
        if n.unique:
            return np.zeros((0, 3))
        return np.array(n.corners, Float).reshape(-1, 6)[:, :3].copy()

    def mirrored(self) -> "Region":
        """Return the same region with A and B exchanged."""
        a, b = self.faces.T
        faces = np.stack([b, a], axis=1)[np.lexsort((a, b))]
        faces.setflags(write=False)
        return Region(self.identity, self.numbers.mirrored(), faces)

    def __repr__(self) -> str:
        """Say which region it is, and where it is closest."""
        return (
            f"Region(#{self.identity}, {self.kind} {self.feature_a} {self.feature_b}, "
            f"distance {self.distance:.9g}, {len(self.faces)} pairs of faces)"
        )

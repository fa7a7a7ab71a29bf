"""A region: one of all contacts of a pair, and what is said of it."""

import numpy as np
from numpy.typing import NDArray

from sim.contact import KINDS, Answer, Numbers, Source
from wingedge import Feature

Float = np.float64


class Region(Answer):
    """One of all contacts of a pair: a connected part where the surfaces are near.

    World frame; a value that never changes.  What is said of features, distance and
    points is said of its closest pair; where that is flat, of the first of equals.
    Surfaces that cross are 0 apart, never less: there the closest pair is an edge and
    the face that it passes through.

    Attributes
    ----------
    identity : int
        Kept from frame to frame, never given again.
    faces : (n, 2) int32
        All pairs of faces, of A and of B, that are near; ascending, read-only.
    """

    __slots__ = ("faces", "identity")

    def __init__(
        self, identity: int, source: Numbers | Source, faces: NDArray[np.int32]
    ) -> None:
        self.identity = identity
        self.faces = faces
        self._source = source

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

"""One row of an answer, read when somebody asks, and one region of all contacts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.kernels.trajectory import LOWER, NORMAL, POINT_A, POINT_B, SIZE, UPPER
from sim.result.answer import KINDS, LETTERS, Float, Numbers, level_corners
from sim.result.plain import RowBlock, slices_at
from wingedge.features import Feature

_NORMALS, _POINTS_A, _POINTS_B = map(slices_at, (NORMAL, POINT_A, POINT_B))


class Answer:
    """What is said of one closest pair: a row of numbers, read when asked; world frame.

    ``_at`` is where the row begins in its block.
    """

    __slots__ = ("_at", "_block")
    _at: int
    _block: RowBlock

    @property
    def numbers(self) -> Numbers:
        """The plain numbers, all that the row says."""
        return self._block.numbers(self._at)

    @property
    def distance(self) -> float:
        """Signed distance of the two surfaces."""
        return self._block.flat.base.item(self._at)

    @property
    def lower(self) -> float:
        """Proven: the true signed distance is at least this."""
        return self._block.flat.base.item(self._at + LOWER)

    @property
    def upper(self) -> float:
        """Proven: the true signed distance is at most this."""
        return self._block.flat.base.item(self._at + UPPER)

    @property
    def size(self) -> float:
        """The scale of rounding: the largest coordinate of what counts, and origins."""
        return self._block.flat.base.item(self._at + SIZE)

    @property
    def normal(self) -> NDArray[Float]:
        """The unit normal from A to B, (3,)."""
        return self._block.flat[_NORMALS[self._at]]

    @property
    def point_a(self) -> NDArray[Float]:
        """The closest point on A, (3,)."""
        return self._block.flat[_POINTS_A[self._at]]

    @property
    def point_b(self) -> NDArray[Float]:
        """The closest point on B, (3,)."""
        return self._block.flat[_POINTS_B[self._at]]

    @property
    def kind(self) -> str:
        """One of the nine kinds, A's letter first: VV VE EV EE VF FV EF FE FF."""
        n = self.numbers
        return LETTERS[n.dimension_a] + LETTERS[n.dimension_b]

    @property
    def patch(self) -> NDArray[Float]:
        """Where the closest points are not unique: the corners on A's side, (k, 3).

        Counter-clockwise about the normal; (0, 3) where they are unique.
        """
        n = self.numbers
        if n.unique:
            return np.zeros((0, 3))
        corners = np.array(n.corners, Float).reshape(-1, 2, 3)
        level = level_corners(n.distance, n.normal, n.corners, n.size)
        found: NDArray[Float] = corners[level, 0]
        return found


class Region(Answer):
    """One of all contacts of a pair: a connected part where the surfaces are near.

    World frame; a value that never changes.  What is said of features, distance and
    points is said of its closest pair; where that is flat, of the first of equals.
    Surfaces that cross are 0 apart, never less: there the closest pair is an edge and
    the face that it passes through.

    Attributes: ``identity``: kept from frame to frame, never given again; ``faces`` (n,
    2) int32: all pairs of faces, of A and of B, that are near; ascending, read-only.
    """

    __slots__ = ("faces", "identity")

    def __init__(
        self, identity: int, numbers: Numbers, faces: NDArray[np.int32]
    ) -> None:
        self.identity, self.faces = identity, faces
        self._block, self._at = RowBlock.of(numbers), 0

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel with what the row says."""
        return Region, (self.identity, self.numbers, self.faces)

    def __repr__(self) -> str:
        """Say which region it is, and where it is closest."""
        return (
            f"Region(#{self.identity}, {self.kind} {self.feature_a} {self.feature_b}, "
            f"distance {self.distance:.9g}, {len(self.faces)} pairs of faces)"
        )

"""Where a body is: an affine map from its own frame to the world."""

from collections.abc import Sequence
from math import inf
from struct import Struct
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.positions import refuse_masked

Float = np.float64
_pack = Struct("12d").pack
HINT = "; x y z: Pose(None, it), x y z w: Pose.rigid(quaternion), 4x4: Pose.from_matrix"


class Pose:
    """Map body points to the world: ``x_world = linear @ x_body + translation``.

    A pose is a value.  Rigid motion and affine deformation are poses, and cost
    no vertex writes.

    Raises ValueError if a number is not finite or the determinant is not positive.

    Parameters: ``linear`` (3, 3): the linear part; its determinant must be positive;
    ``translation`` (3,): the image of the body's origin [length unit of the input].
    """

    __slots__ = ("_bytes",)
    _bytes: bytes  # of the matrix, sooner copied than an array

    def __init__(
        self, linear: ArrayLike | None = None, translation: ArrayLike | None = None
    ) -> None:
        rows: Any = np.eye(3) if linear is None else linear
        at: Any = np.zeros(3) if translation is None else translation
        rows = _shaped(rows, (3, 3), "linear part of a pose", HINT)
        (a, b, c), (d, e, f), (g, h, i) = rows.tolist()
        x, y, z = _shaped(at, (3,), "translation of a pose").tolist()
        self._take((a, b, c, x, d, e, f, y, g, h, i, z))

    def _take(self, flat: tuple[float, ...]) -> None:
        """Keep the numbers of a (3, 4) map, once they are checked."""
        self._bytes = _pack(*flat)
        if not 0.0 < determinant(flat) < inf:
            check_matrix(self.matrix)

    @classmethod
    def identity(cls) -> Self:
        """Return the pose that leaves everything where it is."""
        return cls()

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Self:
        """Build a pose from a ``(3, 4)`` array, the linear part first.

        Or from a ``(4, 4)`` one; ValueError unless its last row is 0 0 0 1.
        """
        array = np.asarray(matrix, Float)
        if array.shape == (4, 4):
            if array[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
                raise ValueError(
                    f"the last row of a (4, 4) pose is {array[3].tolist()}; it must be "
                    f"0 0 0 1 (is the matrix transposed?)"
                )
            matrix = array[:3]
        made = cls.__new__(cls)
        made._take(tuple(_shaped(matrix, (3, 4), "matrix of a pose").ravel().tolist()))
        return made

    @classmethod
    def of_row(cls, matrix: NDArray[Float]) -> Self:
        """Return the pose of a ``(3, 4)`` map that was one in its frame."""
        made = cls.__new__(cls)
        made._bytes = matrix.tobytes()
        return made

    @classmethod
    def rigid(cls, rotation: Any = None, translation: ArrayLike | None = None) -> Self:
        """Build a rigid motion.

        Raises ValueError if a matrix is no rotation within 1e-9, or a quaternion is
        zero.

        Parameters: ``rotation``: a scipy Rotation, a (3, 3) matrix, or a (4,)
        quaternion x y z w, a unit one or not: it is normalised by its squared length,
        so rational ones give the same bits everywhere; ``translation`` (3,).
        """
        if rotation is None:
            return cls(None, translation)
        if hasattr(rotation, "as_matrix"):
            rotation = rotation.as_matrix()
        refuse_masked(rotation, "rotation")
        matrix = np.asarray(rotation, Float)
        if matrix.shape == (4,):
            matrix = _from_quaternion(*matrix.tolist())
        if matrix.shape != (3, 3):
            raise ValueError(
                f"rotation has shape {matrix.shape}; give a scipy Rotation, a (3, 3) "
                "matrix, a quaternion x y z w of shape (4,), or Pose.from_matrix(4x4)"
            )
        off = np.abs(product(matrix, matrix.T) - np.eye(3)).max()
        if not off <= 1e-9:
            raise ValueError(
                f"the matrix is no rotation: off one by {off:.2g}, beyond 1e-9; use "
                "Pose(linear, translation), or scipy's Rotation.from_matrix if rounded"
            )
        return cls(matrix, translation)

    @property
    def matrix(self) -> NDArray[Float]:
        """The ``(3, 4)`` array ``[linear | translation]``, read-only."""
        return np.ndarray((3, 4), Float, self._bytes)

    @property
    def linear(self) -> NDArray[Float]:
        """The ``(3, 3)`` linear part, read-only."""
        return self.matrix[:, :3]

    @property
    def translation(self) -> NDArray[Float]:
        """The ``(3,)`` translation, read-only."""
        return self.matrix[:, 3]

    def apply(self, points: ArrayLike) -> NDArray[Float]:
        """Move ``(..., 3)`` body points to the world; the same bits everywhere."""
        p = np.asarray(points, Float)
        m = self.matrix
        x, y, z = p[..., 0], p[..., 1], p[..., 2]
        with np.errstate(over="ignore", invalid="ignore"):  # infinite, not a warning
            rows = [m[i, 0] * x + m[i, 1] * y + m[i, 2] * z + m[i, 3] for i in range(3)]
        return np.stack(rows, axis=-1)

    def __matmul__(self, other: "Pose") -> "Pose":
        """Compose: first ``other``, then this pose."""
        linear = product(self.linear, other.linear)
        return Pose(linear, self.apply(other.translation))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and np.array_equal(self.matrix, other.matrix)

    def __hash__(self) -> int:
        return hash(self.matrix.tobytes())

    def __repr__(self) -> str:
        return f"Pose({self.linear.tolist()}, {self.translation.tolist()})"


def check_matrix(matrix: NDArray[Float], body: str | None = None) -> None:
    """Raise ``ValueError`` unless a (3, 4) map is finite with positive determinant."""
    det = determinant(matrix.ravel().tolist())
    if 0.0 < det < inf:
        return
    where = "pose" if body is None else f"body '{body}'"
    if not np.isfinite(matrix).all():
        raise ValueError(f"{where}: the transform holds a number that is not finite")
    raise ValueError(
        f"{where}: the linear part has determinant {det:g}; it must be positive and "
        f"finite (a mirror image or a flattened body has no pose)"
    )


def determinant(flat: Sequence[float]) -> float:
    """Return the determinant of a flat (3, 4) map; not finite if a number is not."""
    a, b, c, x, d, e, f, y, g, h, i, z = flat
    det = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
    total = det + x + y + z
    return det if total - total == 0.0 else total


def product(a: NDArray[Float], b: NDArray[Float]) -> NDArray[Float]:
    """Multiply matrices, (..., n, k) and (..., k, m), with the same bits everywhere.

    ``@`` adds up in another order on other processors.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        out: NDArray[Float] = a[..., 0:1] * b[..., 0:1, :]
        for k in range(1, a.shape[-1]):
            out = out + a[..., k : k + 1] * b[..., k : k + 1, :]
    return out


def _shaped(
    value: ArrayLike, shape: tuple[int, ...], what: str, hint: str = ""
) -> NDArray[Float]:
    if type(value) is not np.ndarray:
        refuse_masked(value, "pose")
    array = np.asarray(value, Float)
    if array.shape != shape:
        raise ValueError(
            f"the {what} must have shape {shape}, and this has {array.shape}{hint}"
        )
    return array


def _from_quaternion(x: float, y: float, z: float, w: float) -> NDArray[Float]:
    n = x * x + y * y + z * z + w * w
    if not n > 0.0:
        raise ValueError("a zero quaternion is no rotation")
    s = 2.0 / n
    first = 1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)
    second = s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)
    third = s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)
    return np.array([first, second, third])

"""Three-vectors as tuples: the few operations that are worth a call.

Cost: a call costs more than the arithmetic inside, so the loops of the other
kernels write these out.
"""

from math import sqrt

from sim.kernels.language import Floats, Vec, kernel

TINY = 1e-280  # a square below this has lost digits
HUGE = 1e280

HERE = (0.0, 0.0, 0.0)
"""The origin of a pair: the translation of its first body."""


@kernel
def dot(a: Vec, b: Vec) -> float:
    """Multiply two vectors component by component and add in order."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec, b: Vec) -> Vec:
    """Return the vector orthogonal to two vectors, right-handed."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def minus(a: Vec, b: Vec) -> Vec:
    """Return the vector from the second point to the first."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def plus(a: Vec, b: Vec) -> Vec:
    """Return the sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def back(a: Vec) -> Vec:
    """Return the opposite vector."""
    return (-a[0], -a[1], -a[2])


@kernel
def farther(reach: float, x: float, y: float, z: float) -> float:
    """Return a reach, or the largest of three coordinates if that is larger."""
    return max(reach, abs(x), abs(y), abs(z))


@kernel
def least(a: Vec, b: Vec) -> Vec:
    """Return the lesser of each two coordinates; the first where one is no number."""
    return (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]))


@kernel
def most(a: Vec, b: Vec) -> Vec:
    """Return the greater of each two; the first where one is no number."""
    return (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))


@kernel
def reach_of(a: Vec, b: Vec) -> float:
    """Return the largest coordinate of two points, the scale of their rounding."""
    return farther(farther(0.0, a[0], a[1], a[2]), b[0], b[1], b[2])


@kernel
def scale_of(a: Vec, b: Vec, origin: Vec) -> float:
    """Return the largest coordinate of two points and of the origin of a pair."""
    return farther(reach_of(a, b), origin[0], origin[1], origin[2])


@kernel
def along(a: Vec, t: float, d: Vec) -> Vec:
    """Return the point reached from ``a`` after ``t`` times ``d``."""
    return (a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2])


@kernel
def unit(a: Vec) -> Vec:
    """Return the direction of a vector; the zero vector stays zero.

    Scaled by the largest component first where squares would overflow or vanish.
    """
    x, y, z = a
    square = x * x + y * y + z * z
    if not TINY < square < HUGE:
        m = farther(0.0, x, y, z)
        if not m > 0.0:
            return (0.0, 0.0, 0.0)
        x /= m
        y /= m
        z /= m
        square = x * x + y * y + z * z
    r = sqrt(square)
    return (x / r, y / r, z / r)


@kernel
def length(a: Vec) -> float:
    """Return the Euclidean length without overflow or underflow."""
    x, y, z = a
    square = x * x + y * y + z * z
    if TINY < square < HUGE:
        return sqrt(square)
    m = farther(0.0, x, y, z)
    if not m > 0.0:
        return 0.0
    x /= m
    y /= m
    z /= m
    return m * sqrt(x * x + y * y + z * z)


@kernel
def point(points: Floats, k: int) -> Vec:
    """Read the k-th of the vectors in a buffer."""
    i = 3 * k
    return (points[i], points[i + 1], points[i + 2])


@kernel
def put(to: Floats, at: int, x: Vec) -> None:
    """Write a vector into a buffer."""
    to[at] = x[0]
    to[at + 1] = x[1]
    to[at + 2] = x[2]


@kernel
def place(points: Floats, pose: Floats, origin: Vec, v: int) -> Vec:
    """Move a vertex from its body frame to the frame of the pair.

    ``pose`` is a flat (3, 4) affine map whose last column is not read: the pair
    brings its own ``origin``, the translation relative to the first body.
    """
    i = 3 * v
    x = points[i]
    y = points[i + 1]
    z = points[i + 2]
    return (
        pose[0] * x + pose[1] * y + pose[2] * z + origin[0],
        pose[4] * x + pose[5] * y + pose[6] * z + origin[1],
        pose[8] * x + pose[9] * y + pose[10] * z + origin[2],
    )


@kernel
def pull(pose: Floats, n: Vec) -> Vec:
    """Return a world direction as the functional on body-frame points.

    The height of ``linear @ p`` along ``n`` is the height of ``p`` along this.
    """
    x, y, z = n
    return (
        pose[0] * x + pose[4] * y + pose[8] * z,
        pose[1] * x + pose[5] * y + pose[9] * z,
        pose[2] * x + pose[6] * y + pose[10] * z,
    )

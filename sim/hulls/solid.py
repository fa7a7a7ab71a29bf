"""The convex hull of a body, by Qhull, and as a body of its own.

Its mesh is the cover of the positions as they are; its pose is that of the body, the
very same array.  Facets of the hull are named in the numbers of the body's own mesh.
"""

from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.guard import refuse_magnitude
from sim.result.answer import Numbers
from sim.result.renaming import refound
from sim.result.state import PairState
from wingedge import MeshError, WingedEdgeMesh
from wingedge.cover import Cover
from wingedge.hull import hull_triangles

Ids = NDArray[np.int32]


class Hull(Body):
    """The convex hull of another body, kept up with it while it has the same facets.

    Parameters: ``source``: whose vertices it is the hull of, and whose pose it shares.

    Raises MeshError if the body is flat, so that its hull has no inside.

    Attributes: ``cover_now``: the cover that it was made of.
    """

    __slots__ = ("_known", "_source", "cover_now")

    def __init__(self, source: Body) -> None:
        cover = source.cover()
        super().__init__(cover.hull, name=source.name)
        self._source = source
        self.share(source.transform)
        self.cover_now = cover
        self._known = source.mesh, source.version

    def keep_up(self, frame: int) -> bool:
        """Take over pose and positions; False where the hull has other facets now.

        Raises ValueError if a coordinate is not finite; MeshError if the body is flat.
        """
        source = self._source
        if self._transform is not source.transform:
            self.share(source.transform)
        if source.is_open:
            source.refuse_unfinite(frame)
        elif (source.mesh, source.version) == self._known:
            return True
        before, cover = self.cover_now, source.cover()
        self._known = source.mesh, source.version
        if cover is not before:
            same = np.array_equal(cover.faces, before.faces)
            if cover.source is not before.source or not same:
                return False
            self.points = cover.points[cover.vertices]
            self.cover_now, self._version = cover, 0  # its rings are asked at once
        return True

    def is_convex(self) -> bool:
        """Say that it is convex: the normal of a narrow face may say it is not."""
        return True

    def volume_sign(self) -> int:
        """Say that it is seen from outside."""
        return 1

    def sag(self) -> NDArray[np.float64]:
        """Return how far the hull reaches beyond itself, along the axes: 0, (3,)."""
        return np.zeros(3)

    def check_placed(self, frame: int) -> None:
        """Check where the pose puts every vertex of the body that it is the hull of."""
        self._source.check_placed(frame)


def told_by(found: PairState, cover_a: Cover | None, cover_b: Cover | None) -> Numbers:
    """Return an answer for hulls in the numbers of the bodies; None: one is itself."""
    a, b = partial(_names, cover_a), partial(_names, cover_b)
    return cast("Numbers", refound(found.numbers, a, b))


def _names(
    cover: Cover | None, dimension: int, parts: tuple[int, ...]
) -> tuple[int, ...]:
    """List what parts of a hull are called, ascending."""
    if cover is None:
        return parts
    return tuple(sorted({n for part in parts for n in cover.lies_on(dimension, part)}))


COLLAPSED = 1e-13  # of the size: a body that is thinner on average has no inside


def cover_of(mesh: WingedEdgeMesh, points: NDArray[np.float64], name: str) -> Cover:
    """Return the cover of the positions of a body, a value.

    Raises MeshError if the points are flat, so that there is no hull with an inside;
    ValueError if a coordinate is not finite.
    """
    refuse_magnitude(points, name, None)
    finite = np.isfinite(points).all(axis=1)
    if not finite.all():
        bad = int(finite.argmin())
        raise ValueError(
            f"body '{name}': vertex v{bad} is at {points[bad].tolist()}; a cover needs "
            f"finite coordinates"
        )
    faces = hull_triangles(points)
    if faces is None or _is_thin(points, faces):
        raise MeshError(
            f"body '{name}': the {len(points)} points lie in one plane (or on a line) "
            f"to within {COLLAPSED:g} of their size, so their cover has no inside; "
            f"give positions that span a body",
            "positive volume",
        )
    return Cover(mesh, points.copy(), faces)


def _is_thin(points: NDArray[np.float64], faces: Ids) -> bool:
    """Say whether a hull is flat: its mean thickness is rounding."""
    by_axis = points.T - points[faces[0, 0], :, None]
    a, b, c = (by_axis.take(faces[:, k], axis=1) for k in range(3))
    n = np.cross(b - a, c - a, axis=0)
    volume = float((n * a).sum()) / 6.0
    area = float(np.sqrt((n * n).sum(axis=0)).sum()) / 2.0
    return 3.0 * volume <= COLLAPSED * float(np.ptp(by_axis, axis=1).max()) * area

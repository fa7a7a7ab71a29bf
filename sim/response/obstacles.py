"""Gather obstacles as triangles, from arrays, meshes and bodies as they are now."""

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body import Body
from wingedge import WingedEdgeMesh

Floats = NDArray[np.float64]
Ids = NDArray[np.integer[Any]]
Thing = ArrayLike | WingedEdgeMesh | Body


@runtime_checkable
class Index(Protocol):
    """Triangles that know which of them are near a box."""

    @property
    def triangles(self) -> Floats:
        """All of them, (T, 3, 3), world frame."""

    def near(self, lower: Floats, upper: Floats) -> Ids:
        """List those whose boxes meet the closed box, ascending; more may be listed."""


class Obstacles:
    """Gather the triangles of several things once, for many motions among them.

    Raises TypeError or ValueError if a thing is none of these, or a coordinate is not
    finite.

    Parameters: ``*things``: triangles (T, 3, 3), or one (3, 3), world frame; meshes at
    rest; bodies as they are now. Polygons are the fans from their first corners. Any
    winding: obstacles are met from both sides. ``triangles`` (T, 3, 3) are all of them,
    ``source`` (T, 2) says of which thing each is, and of which face of it; read-only.

    A copy: what moves afterwards is not seen. `near` compares all boxes: for more than
    some thousand triangles give an index of `wingedge.spatial`.
    """

    def __init__(self, *things: Thing) -> None:
        parts = [_triangles_of(thing, k) for k, thing in enumerate(things)]
        triangles = np.concatenate([np.empty((0, 3, 3)), *(t for t, _ in parts)])
        owner = np.repeat(np.arange(len(parts)), [len(tri) for tri, _ in parts])
        face = np.concatenate([np.empty(0, np.intp), *(number for _, number in parts)])
        self.triangles, self.source = triangles, np.stack([owner, face], axis=1)
        self._lower, self._upper = triangles.min(axis=1), triangles.max(axis=1)
        self.triangles.setflags(write=False)
        self.source.setflags(write=False)

    def near(self, lower: ArrayLike, upper: ArrayLike) -> NDArray[np.intp]:
        """List the triangles whose boxes meet a closed box, ascending. Cost: O(T).

        Parameters: ``lower``, ``upper`` (3,): its corners, world frame.
        """
        low, high = np.asarray(lower, np.float64), np.asarray(upper, np.float64)
        apart = (self._lower > high).any(axis=1) | (self._upper < low).any(axis=1)
        return np.nonzero(~apart)[0]


Things = Thing | Index | Iterable[Thing]


def obstacles_of(given: Any) -> Index:
    """Take what a caller calls obstacles; an index is passed on as it is."""
    if isinstance(given, Index):
        return given
    if not isinstance(given, Iterable) or isinstance(given, np.ndarray):
        return Obstacles(given)
    things = list(given)
    bodies = any(isinstance(thing, WingedEdgeMesh | Body) for thing in things)
    many = bodies or (things and all(np.ndim(thing) == 3 for thing in things))
    return Obstacles(*things) if many else Obstacles(things)


def _triangles_of(thing: Any, place: int) -> tuple[Floats, Ids]:
    """Return the triangles of one thing, and the faces that they are parts of."""
    if isinstance(thing, Body | WingedEdgeMesh):
        mesh = thing.mesh if isinstance(thing, Body) else thing
        points = thing.world_points() if isinstance(thing, Body) else thing.points
        array, face = points[mesh.fan.vertex], mesh.fan.face.astype(np.intp)
    else:
        try:
            array = np.array(thing, np.float64)
        except (TypeError, ValueError):
            raise TypeError(
                f"obstacle {place} is a {type(thing).__name__}; give triangles (T, 3, "
                f"3), meshes, bodies, or an index with triangles and near(lower, upper)"
            ) from None
        array = array.reshape(-1, 3, 3) if array.shape in ((3, 3), (0,)) else array
        face = np.arange(len(array))
    if array.ndim != 3 or array.shape[1:] != (3, 3):
        raise ValueError(
            f"obstacle {place} has shape {array.shape}; triangles are (T, 3, 3)"
        )
    finite = np.isfinite(array).all(axis=(1, 2))
    if not finite.all():
        raise ValueError(
            f"obstacle {place}: triangle {int(np.argmin(finite))} has a coordinate "
            f"that is not finite"
        )
    return array, face

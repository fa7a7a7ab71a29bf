"""A body: an immutable mesh, its own moving positions, a pose."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.pose import Pose, check_matrix
from sim.rings import is_blunt, rings_prove
from wingedge import ConvexityError, Feature, MeshError, WingedEdgeMesh, convexity
from wingedge.convexity import ConvexityReport
from wingedge.cover import Cover
from wingedge.positions import check_magnitude, extent

if TYPE_CHECKING:
    from sim.cover import LiveCover

Float = np.float64
CONVEXITY = ("surface", "raise", "trust")
FLATNESS = ("fan", "raise")

_unnamed = count()


class Body:
    """Give a mesh positions of its own and a place in the world.

    ``body.points[...] = new`` is the whole deformation API.  Nothing is computed
    from positions and kept but the answer to one question, asked once when a
    closed body gets new positions: do its vertex rings prove a support?

    Parameters
    ----------
    mesh : WingedEdgeMesh
        Topology and rest positions; may be shared between bodies.
    name : str, optional
        How events and messages call the body; ``body0``, ``body1`` ... if left out.
    pose : Pose
        Where it is.
    convexity : {"surface", "raise", "trust"}
        Whose distance is answered: the true surface whatever its shape; the same,
        refusing positions that are not convex with ``ConvexityError``; or the
        surface taken to be convex on the caller's word, never audited.
    flatness : {"fan", "raise"}
        A polygon that leaves its plane is the fan of triangles from its first
        corner, or is refused with ``MeshError``.

    Notes
    -----
    Handing out ``points``, the live array, makes a body *open*: every update takes
    its positions as new and proves by scanning them.  A body whose array was never
    handed out is *closed*: nothing is looked at twice.
    """

    __slots__ = (
        "_audit",
        "_blunt",
        "_convexity",
        "_cover",
        "_flatness",
        "_mesh",
        "_name",
        "_open",
        "_points",
        "_quiet",
        "_rings",
        "_transform",
        "_version",
    )
    _audit: ConvexityReport | None
    _blunt: bool | None
    _cover: "LiveCover | None"
    _rings: bool | None
    _quiet: bool  # closed, and known to prove by its rings: no update need ask it

    def __init__(
        self,
        mesh: WingedEdgeMesh,
        *,
        name: str | None = None,
        pose: Pose | None = None,
        convexity: str = "surface",
        flatness: str = "fan",
    ) -> None:
        if not isinstance(mesh, WingedEdgeMesh):
            raise TypeError(
                f"a body needs a WingedEdgeMesh, got {type(mesh).__name__}; build one "
                f"with WingedEdgeMesh.from_faces, wingedge.read or wingedge.shapes"
            )
        _check_choice("convexity", convexity, CONVEXITY)
        _check_choice("flatness", flatness, FLATNESS)
        self._mesh = mesh
        self._name = f"body{next(_unnamed)}" if name is None else str(name)
        self._convexity = convexity
        self._flatness = flatness
        self._points = np.array(mesh.points, Float, order="C")
        self._transform = np.array(Pose.identity().matrix)
        if pose is not None:
            self.pose = pose
        self._open = False
        self._quiet = False
        self._version = 0
        self._audit = None
        self._cover = None
        self._blunt = None
        self._rings = True if convexity == "trust" else None
        self.refuse_unwanted(frame=None)

    @property
    def mesh(self) -> WingedEdgeMesh:
        """The topology and rest positions."""
        return self._mesh

    @property
    def name(self) -> str:
        """What events and messages call the body."""
        return self._name

    @property
    def convexity(self) -> str:
        """Whose distance is answered: "surface", "raise" or "trust"."""
        return self._convexity

    @property
    def flatness(self) -> str:
        """What happens to a polygon that leaves its plane: "fan" or "raise"."""
        return self._flatness

    @property
    def is_open(self) -> bool:
        """Whether the live array was ever handed out."""
        return self._open

    @property
    def version(self) -> int:
        """How often a closed body was given new positions."""
        return self._version

    @property
    def points(self) -> NDArray[Float]:
        """The live positions, (V, 3), body frame, writable; asking opens the body."""
        self._open = True
        self._quiet = False
        return self._points

    @points.setter
    def points(self, new: ArrayLike) -> None:
        array = self._checked(new)
        before = self._points.copy() if self._refuses else None
        known = self._version, self._audit, self._rings, self._blunt
        self._points[...] = array
        self._note_new_positions()
        try:
            self.refuse_unwanted(frame=None)
        except Exception:
            self._points[...] = before
            self._version, self._audit, self._rings, self._blunt = known
            raise

    def _checked(self, new: ArrayLike) -> NDArray[Float]:
        """Return new positions as floats, or say by name what is wrong with them."""
        try:
            given = np.asarray(new)
        except ValueError:
            raise ValueError(
                f"body '{self._name}': points have rows of different lengths; this "
                f"mesh needs {self._points.shape}"
            ) from None
        if given.dtype.kind not in "fiu":
            raise TypeError(
                f"body '{self._name}': points must be real numbers, got {given.dtype}"
            )
        if given.shape != self._points.shape:
            raise ValueError(
                f"body '{self._name}': points have shape {given.shape}; this mesh "
                f"needs {self._points.shape}"
            )
        with np.errstate(over="ignore"):  # a wider type: infinite, so refused below
            array = given.astype(Float, copy=False)
        bad = ~np.isfinite(array).all(axis=1)
        if bad.any():
            v = int(bad.argmax())
            raise ValueError(
                f"body '{self._name}': vertex v{v} is at {given[v].tolist()}; "
                f"every coordinate must be finite"
            )
        try:
            check_magnitude(array, extent(array))
        except MeshError as error:
            raise MeshError(
                f"body '{self._name}': {error}", error.invariant, error.element
            ) from None
        return array

    @property
    def positions(self) -> NDArray[Float]:
        """A read-only view of the live positions, (V, 3), body frame."""
        view = self._points.view()
        view.setflags(write=False)
        return view

    @contextmanager
    def edit(self) -> Iterator[NDArray[Float]]:
        """Write positions in a ``with`` block; they take effect together at its end.

        The array is a copy, so the body stays closed and an exception inside the
        block leaves it as it was.
        """
        copy = self._points.copy()
        yield copy
        self.points = copy

    @property
    def transform(self) -> NDArray[Float]:
        """The live (3, 4) array ``[linear | translation]``, writable."""
        return self._transform

    @property
    def pose(self) -> Pose:
        """Where the body is, as a value."""
        return Pose.from_matrix(self._transform)

    @pose.setter
    def pose(self, new: Pose) -> None:
        if not isinstance(new, Pose):
            raise TypeError(
                f"body '{self._name}': pose must be a sim.Pose, got "
                f"{type(new).__name__}; use Pose.rigid(rotation, translation)"
            )
        self._transform[...] = new.matrix

    def world_points(self) -> NDArray[Float]:
        """Return the positions in the world, (V, 3), a fresh array."""
        return self.pose.apply(self._points)

    def audit(self) -> ConvexityReport:
        """Report how convex the present positions are.

        Cost: O(E), once per set of positions of a closed body; every time for an
        open one.
        """
        if self._open or self._audit is None:
            self._audit = convexity(self._mesh, self._points)
        return self._audit

    def cover(self) -> Cover:
        """Return the convex hull of the present positions, linked with the mesh.

        Repaired by local flips from the cover before and proved each time; its
        connectivity is all that is kept.

        Raises
        ------
        MeshError
            If the positions are flat, so that their hull has no inside.
        ValueError
            If a coordinate is not finite.

        Notes
        -----
        Cost: O(V), compiled some 20 ns a vertex; a hull by Qhull the first time, and
        where the shape has changed beyond recognition.
        """
        if self._cover is None:
            from sim.cover import LiveCover

            self._cover = LiveCover(self._points)
        try:
            return self._cover.of(self._mesh)
        except MeshError as error:
            raise MeshError(
                f"body '{self._name}': {error}", error.invariant, error.element
            ) from None
        except ValueError as error:
            raise ValueError(f"body '{self._name}': {error}") from None

    def proves_by_rings(self) -> bool:
        """Say whether a vertex ring proves a support at the present positions."""
        if self._open:
            return self._convexity == "trust"
        if self._rings is None:
            self._rings = rings_prove(self._mesh, self._points, self.audit())
        self._quiet = self._rings
        return self._rings

    def proves_by_flanks(self) -> bool:
        """Say whether the two vertices beside an edge prove that it is a support."""
        if self._blunt is None:
            trusted = self._open or self._convexity == "trust"
            proves = not trusted and self.proves_by_rings()
            self._blunt = proves and is_blunt(self._mesh, self._points)
        return self._blunt

    @property
    def _refuses(self) -> bool:
        return self._convexity == "raise" or self._flatness == "raise"

    def refuse_unwanted(self, frame: int | None) -> None:
        """Raise ``MeshError`` for positions that this body does not accept.

        Cost: nothing unless the body was made with ``"raise"``; else one audit.
        """
        if not self._refuses:
            return
        if self._flatness == "raise":
            self._refuse_warped(frame)
        if self._convexity == "raise":
            report = self.audit()
            if not report.is_convex():
                raise ConvexityError.at(
                    report.worst_edge, report.worst_depth, body=self._name, frame=frame
                )

    def _refuse_warped(self, frame: int | None) -> None:
        from wingedge.check import check_flatness

        try:
            check_flatness(self._mesh, self._points)
        except MeshError as error:
            when = "" if frame is None else f", frame {frame}"
            raise MeshError(
                f"body '{self._name}'{when}: {error}", error.invariant, error.element
            ) from None

    def check_update(self, frame: int) -> None:
        """Check what may have changed unseen since the last frame.

        Raises
        ------
        ValueError
            If the transform is not finite or mirrors, or if an open body made with
            ``"raise"`` has positions that are not finite.
        MeshError
            If an open body has positions that it refuses.
        """
        check_matrix(self._transform, self._name)
        if self._open and self._refuses:
            self.refuse_unfinite(frame)
            self.refuse_unwanted(frame)

    def refuse_unfinite(self, frame: int) -> None:
        """Raise ``ValueError`` naming the first vertex that is not finite."""
        vertex = self.first_unfinite()
        if vertex is not None:
            at = self._points[vertex.index].tolist()
            raise ValueError(
                f"body '{self._name}', frame {frame}: vertex {vertex} is at {at}; "
                f"every coordinate must be finite"
            )

    def first_unfinite(self) -> Feature | None:
        """Find the first vertex with a coordinate that is not finite."""
        bad = ~np.isfinite(self._points).all(axis=1)
        return Feature("vertex", int(bad.argmax())) if bad.any() else None

    def _note_new_positions(self) -> None:
        self._version += 1
        self._quiet = False
        self._audit = None
        self._blunt = None
        if self._convexity != "trust":
            self._rings = None

    def __repr__(self) -> str:
        """Name the body and count its features."""
        m = self._mesh
        state = "open" if self._open else "closed"
        return (
            f"Body('{self._name}', {m.n_vertices} vertices, {m.n_edges} edges, "
            f"{m.n_faces} faces, {state}, convexity='{self._convexity}')"
        )


def _check_choice(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{what}={value!r} is not one of {', '.join(allowed)}")

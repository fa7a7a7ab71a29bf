"""A body: an immutable mesh, its own moving positions, a pose."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from itertools import count
from operator import attrgetter
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body import guard
from sim.body.audit import Findings, ProposedPositions, at_rest
from sim.body.judged import LAST_CHANGE, NO_FINDINGS, Judged
from sim.body.pose import Pose, check_matrix, determinant
from sim.body.revisions import MeshRevision, accepted
from sim.engine.library import ENGINE
from sim.kernels.intake import REFUSED, SAME
from wingedge.errors import MeshError
from wingedge.maps import Maps
from wingedge.mesh import WingedEdgeMesh
from wingedge.positions import is_single, single_rounding
from wingedge.registry import wings

Float = np.float64
ARRAY, DOUBLE = np.ndarray, np.dtype(Float)
CONVEXITY = ("surface", "hull", "flag", "raise", "trust")
FLATNESS = ("fan", "raise")

_unnamed = count()


def attribute(path: str, doc: str) -> Any:
    """Return a property: what lies there in an object, read only."""
    return property(attrgetter(path), doc=doc)


class Body(Judged):
    """Give a mesh positions of its own and a place in the world.

    ``body.points[...] = new`` is the whole deformation API.  Nothing is computed
    from positions and kept but a few yes or no of a closed body, each asked at most
    once, when somebody needs it (``sim.body.audit.Findings``).

    Parameters
    ----------
    mesh : WingedEdgeMesh
        Topology and rest positions; may be shared between bodies.  Or a trimesh, a
        pyvista PolyData, anything with ``vertices`` or ``points`` and ``faces``.
    name : str, optional
        How events and messages call the body; ``body0``, ``body1`` ... if left out.
    pose : Pose
        Where it is.
    convexity : {"surface", "hull", "flag", "raise", "trust"}
        Whose distance is answered: the true surface whatever its shape; the convex
        hull of the vertices, what closes its dents named by vertices, ``l(3-9-12)``;
        the surface, with a ``reason`` while it is not convex; the surface, refusing
        positions that are not convex with ``ConvexityError``; or a surface that is
        convex on the caller's word, never audited.
    flatness : {"fan", "raise"}
        A polygon that leaves its plane is the fan of triangles from its first
        corner, or is refused with ``MeshError``.
    parts : mapping of str to faces, optional
        Named groups of faces; those of the mesh if left out.

    Notes
    -----
    Handing out ``points``, the live array, makes a body *open*: every update takes
    its positions as new and proves by scanning them.  A body whose array was never
    handed out is *closed*: nothing is looked at twice.
    """

    __slots__ = ("_edition", "_map", "_proposed", "_transform")
    _map: memoryview  # the bytes of the transform, made when a pose is first set
    _proposed: ProposedPositions | None  # made when positions are first given

    def __init__(
        self,
        mesh: WingedEdgeMesh | object,
        *,
        name: str | None = None,
        pose: Pose | None = None,
        convexity: str = "surface",
        flatness: str = "fan",
        parts: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        guard.check_choice("convexity", convexity, CONVEXITY)
        guard.check_choice("flatness", flatness, FLATNESS)
        self._mesh = mesh if isinstance(mesh, WingedEdgeMesh) else wings.mesh_of(mesh)
        self._mesh = self._mesh if parts is None else self._mesh.with_parts(parts)
        self._edition = MeshRevision(self._mesh)
        self._name = f"body{next(_unnamed)}" if name is None else str(name)
        self._convexity, self._flatness = convexity, flatness
        self._refuses = "raise" in (convexity, flatness)
        self._points = np.array(self._mesh.points, Float, order="C")
        self._resolution = self._mesh.resolution
        self._spread = guard.spread_of(self._points)
        self._transform = np.array(Pose.identity().matrix)
        if pose is not None:
            self.pose = pose
        self._open, self._version, self._proposed = False, 0, None
        self._quiet, self._still, self.standing = object(), object(), None
        self._findings, self._last = at_rest(self._mesh), NO_FINDINGS
        self.refuse_unwanted(self._findings, frame=None)

    mesh: WingedEdgeMesh = attribute("_mesh", "The topology and rest positions.")
    edition: MeshRevision = attribute("_edition", "Which of its meshes it has now.")
    name: str = attribute("_name", "What events and messages call the body.")
    convexity: str = attribute("_convexity", "Whose distance is answered, as given.")
    flatness: str = attribute("_flatness", 'A polygon that warps: "fan" or "raise".')
    is_open: bool = attribute("_open", "Whether the live array was ever handed out.")
    version: int = attribute("_version", "How often a closed body got new positions.")
    transform: NDArray[Float] = attribute(
        "_transform", "The live (3, 4) array ``[linear | translation]``, writable."
    )

    @property
    def points(self) -> NDArray[Float]:
        """The live positions, (V, 3), body frame, writable; asking opens the body."""
        if not self._open:
            self._findings, self._open, self._spread = None, True, -1.0
            self._change()
        return self._points

    @points.setter
    def points(self, new: ArrayLike) -> None:
        self.take(new)

    def take(self, new: ArrayLike, frame: int | None = None) -> None:
        """Take new positions, (V, 3), body frame: ``body.points = new`` with a frame.

        Those that are there already change nothing.

        Raises TypeError or ValueError if they cannot be positions of this mesh; the
        body is left as it was; MeshError if the body refuses them, naming the ``frame``
        if there is one.
        """
        points, proposed = self._points, self._proposed
        if proposed is None or proposed.points is not points:
            proposed = self._proposed = ProposedPositions(self._mesh, points)
        shape = proposed.shape
        if type(new) is not ARRAY or new.dtype is not DOUBLE or new.shape != shape:
            array = guard.checked(new, shape, self._name)
            if is_single(new):
                self._resolution = single_rounding(array)
            new = array
        proposed.given[...] = new
        offer = proposed.offer if proposed.by is ENGINE.compiled else proposed.lay_out()
        verdict = offer()
        if is_odd := verdict == REFUSED:  # not finite, very large or very small
            guard.checked(new, points.shape, self._name)
        same = np.array_equal(points, proposed.given) if is_odd else verdict == SAME
        if self._open or not same:
            if self._refuses:
                self.refuse_unwanted(proposed.offered.anew(), frame)
            self.forget()
        if is_odd and not self._open:  # holds for those before, too
            self._spread = max(self._spread, guard.spread_of(proposed.given))
            self._still = object()
        points[...] = proposed.given

    def put_back(self, points: NDArray[Float], version: int) -> None:
        """Take earlier positions again, with the version that they had."""
        self.take(points)
        self._version = version

    @property
    def resolution(self) -> float:
        """How far at most a vertex may be off, body frame: of positions in float32.

        That of the mesh, or of the last such array that was given to ``points``.
        """
        return self._resolution

    @resolution.setter
    def resolution(self, length: float) -> None:
        if not 0.0 <= length < np.inf:
            said = f"resolution={length!r} must be a finite length, 0 or more"
            raise ValueError(f"body '{self._name}': {said}")
        self._resolution = float(length)

    @property
    def takes_at_once(self) -> bool:
        """Whether a kernel may put new positions in place: nobody is asked for them."""
        return not (self._open or self._refuses)

    @property
    def positions(self) -> NDArray[Float]:
        """A read-only view of the live positions, (V, 3), body frame."""
        view = self._points.view()
        view.setflags(write=False)
        return view

    def replace(self, mesh: WingedEdgeMesh, maps: Maps) -> None:
        """Go on with an edited mesh: ``body.replace(*edits.split_edge(body.mesh, 7))``.

        Kept vertices stay where they are now, to the bit; new ones lie between the
        present places of their parents.  Trackers of the body go on: they rename what
        they remember at the next update, and a contact stays the same contact.  A
        state that was answered before keeps its own names.

        The live array is another one: an old reference to ``points`` becomes
        read-only, an old slice of it moves nothing, and the body is closed until
        somebody asks again.

        Raises TypeError or ValueError if the maps do not lead from one to the other;
        MeshError if the body refuses the positions; it is left as it was.

        Parameters
        ----------
        mesh : WingedEdgeMesh
        maps : wingedge.edits.Maps
            From the body's present mesh to this one.

        Notes
        -----
        Cost: O(V + E), and once more for each of its trackers.
        """
        mesh = accepted(self.name, self._mesh, mesh, maps)
        old = self._points
        points = guard.checked(maps.carry(old), mesh.points.shape, self._name)
        findings = Findings(mesh, points)
        self.refuse_unwanted(findings, frame=None)
        self.forget()
        self._mesh, self._points, self._open = mesh, points, False
        self._findings, self._last = findings, (b"", findings)
        old.setflags(write=False)
        self._edition = self._edition.followed_by(mesh, maps)
        self._spread = guard.spread_of(self._points)
        self._change()

    def _change(self) -> None:
        """Make all who use the body lay it out anew."""
        self._still, self._quiet = object(), object()
        LAST_CHANGE[0] = self._quiet

    def losses(self, points: ArrayLike) -> Any:
        """Find where and when convexity is lost on a straight way to new positions.

        Every vertex goes straight to its row of ``points``, (V, 3), body frame; nothing
        moves.  Exact for the floats as they are, healed dents too.  Cost: 3 us a hinge.

        Raises TypeError or ValueError if they cannot be positions of this mesh.

        Returns ``sim.between.losses.Losses``: ``edge``, ``lower``, ``upper`` (when a
        hinge that was not reflex becomes so, t from 0 to 1), ``depth``; by time.
        """
        return wings.losses(self, points)

    @contextmanager
    def edit(self) -> Iterator[NDArray[Float]]:
        """Write positions in a ``with`` block; they take effect together at its end.

        The array is a copy, so the body stays closed and an exception inside the
        block leaves it as it was.
        """
        points = self._points.copy()
        yield points
        self.points = points

    def share(self, row: NDArray[Float]) -> None:
        """Be where this map to the world says, (3, 4), from now on."""
        self._transform, self._map = row, row.data.cast("B")
        self._change()

    @property
    def pose(self) -> Pose:
        """Where the body is, as a value."""
        return Pose.from_matrix(self._transform)

    @pose.setter
    def pose(self, new: Pose) -> None:
        try:
            self._map[:] = new._bytes
        except AttributeError:
            if not isinstance(new, Pose):
                raise TypeError(
                    f"body '{self._name}': pose must be a sim.Pose, got "
                    f"{type(new).__name__}; use Pose.rigid(rotation, translation)"
                ) from None
            self._map = self._transform.data.cast("B")
            self._map[:] = new._bytes

    def __getstate__(self) -> object:
        """Leave out what must not be shared with a copy, or is found out again."""
        _, fields = cast("tuple[None, dict[str, object]]", super().__getstate__())
        fields.pop("_map", None)
        fields |= dict(_quiet=object(), _still=object(), _proposed=None)
        return None, fields | dict(_findings=None, _last=NO_FINDINGS)

    def __copy__(self) -> "Body":
        """Return a body of the same mesh, with positions and a place of its own."""
        return deepcopy(self, {id(self._mesh): self._mesh})

    def world_points(self) -> NDArray[Float]:
        """Return the positions in the world, (V, 3), a fresh array."""
        return self.pose.apply(self._points)

    def refuse_unwanted(self, findings: Findings, frame: int | None) -> None:
        """Raise ``MeshError`` for positions that this body does not accept.

        Cost: nothing unless the body was made with ``"raise"``; else one audit.
        """
        if self._flatness == "raise":
            try:
                wings.check_flatness(findings.mesh, findings.points)
            except MeshError as error:
                raise guard.named(error, self._name, frame) from None
        if self._convexity == "raise" and not (
            findings.is_convex() and findings.volume_sign() > 0
        ):
            guard.refuse(findings.report, self._name, frame)

    def check_update(self, frame: int) -> None:
        """Raise ``ValueError`` for what may have changed unseen since the last frame.

        A transform that is not finite or mirrors; of an open body made with ``"raise"``
        positions that are not finite, or that it refuses.
        """
        if not 0.0 < determinant(self._transform.ravel().tolist()) < np.inf:
            self.check_placed(frame)
        if self._open and self._refuses:
            self.refuse_unfinite(frame)
            self.refuse_unwanted(self._found(), frame)

    def check_placed(self, frame: int) -> None:
        """Raise ``ValueError`` if the pose puts a vertex beyond 1e-60 and 1e60.

        Or if a coordinate or the pose is not finite.  Cost: O(V).
        """
        self.refuse_unfinite(frame)
        guard.refuse_magnitude(self._points, self._name, frame)
        if np.isfinite(self._transform).all():
            guard.refuse_misplaced(self._points, self._transform, self._name, frame)
        check_matrix(self._transform, self._name)

    def refuse_unfinite(self, frame: int) -> None:
        """Raise ``ValueError`` naming the first vertex that is not finite."""
        if not (finite := np.isfinite(self._points)).all():
            v = int(finite.all(axis=1).argmin())
            raise ValueError(
                f"body '{self._name}', frame {frame}: vertex v{v} is at "
                f"{self._points[v].tolist()}; every coordinate must be finite"
            )

    def __repr__(self) -> str:
        m, state = self._mesh, "open" if self._open else "closed"
        return (
            f"Body('{self._name}', {m.n_vertices} vertices, {m.n_edges} edges, "
            f"{m.n_faces} faces, {state}, convexity='{self._convexity}')"
        )

"""A compound: one body given as pieces, with the surface that they are parts of."""

import operator
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import cached_property
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.placed import same_bits
from sim.body.pose import Pose
from sim.body.revisions import MeshRevision
from sim.compound.seats import Binding, Seats, bind, follow_all
from wingedge import Feature, WingedEdgeMesh
from wingedge.faces import triangles_of

Float = np.float64


class Starts(NamedTuple):
    """Where the numbers of every piece begin, (P + 1,) each; the last are totals."""

    vertex: NDArray[np.intp]
    edge: NDArray[np.intp]
    face: NDArray[np.intp]


def starts_of(pieces: Sequence[WingedEdgeMesh]) -> Starts:
    """Count the vertices, edges and faces of the pieces before each one."""
    counts = [(0, 0, 0), *((p.n_vertices, p.n_edges, p.n_faces) for p in pieces)]
    return Starts(*np.cumsum(counts, axis=0, dtype=np.intp).T)


def side_by_side(pieces: Sequence[WingedEdgeMesh]) -> WingedEdgeMesh:
    """Put meshes into one, which is not connected and may meet itself.

    A numbering, and something to draw: every walk stays in its own piece.  It is no
    solid, and no tracker is asked for its distance.
    """
    start = starts_of(pieces)
    each = range(len(pieces))

    def joined(name: str, offsets: NDArray[np.intp]) -> NDArray[np.int32]:
        parts = [getattr(pieces[k], name) + offsets[k] for k in each]
        return np.concatenate(parts).astype(np.int32)

    return WingedEdgeMesh(
        np.concatenate([piece.points for piece in pieces]),
        joined("edge_vertices", start.vertex),
        joined("edge_faces", start.face),
        joined("edge_wings", start.edge),
        joined("vertex_edge", start.edge),
        joined("face_edge", start.edge),
    )


_unnamed = count()


class Shot(NamedTuple):
    """Where a compound was in one frame; never changes."""

    points: NDArray[Float]  # (V, 3) of the surface, or of all pieces; body frame
    pose: Pose


class Compound:
    """One body as a set of pieces, best convex, that move and deform together.

    Raises TypeError or ValueError if a piece is no mesh, or there is none.

    ``compound.points[...] = new`` deforms as for ``Body``: positions of the surface,
    (V, 3), or of all pieces one after the other.  With a surface, a vertex of a piece
    at the place of a surface vertex is that vertex; every other follows the surface
    triangle nearest to it at rest, exactly where the surface moves affinely
    (``sim.compound.seats``).  How the pieces lie to the surface is asked of rest
    positions, once, when it is needed first.

    Parameters
    ----------
    pieces : iterable of WingedEdgeMesh
        Closed meshes in one frame; they may touch, overlap and leave gaps.  The body
        is their union.
    surface : WingedEdgeMesh, optional
        The surface that they are the parts of, in the same frame: answers are given in
        its numbers, its positions are what deforms, and a frame shows it.  Left out,
        the numbers run on through the pieces.
    name : str, optional
        How events and messages call the body; ``compound0`` ... if left out.
    pose : Pose
        Where it is.
    """

    def __init__(
        self,
        pieces: Iterable[WingedEdgeMesh],
        surface: WingedEdgeMesh | None = None,
        *,
        name: str | None = None,
        pose: Pose | None = None,
    ) -> None:
        meshes = tuple(pieces)
        self._name = f"compound{next(_unnamed)}" if name is None else str(name)
        for mesh in (*meshes, *(() if surface is None else (surface,))):
            if not isinstance(mesh, WingedEdgeMesh):
                raise TypeError(
                    f"compound '{self._name}' needs WingedEdgeMesh pieces, got "
                    f"{type(mesh).__name__}; read them with wingedge.read_pieces or "
                    f"make them with sim.compound"
                )
        if not meshes:
            raise ValueError(
                f"compound '{self._name}' has no pieces; give one mesh at least"
            )
        self._start = starts_of(meshes)
        skin = side_by_side(meshes) if surface is None else surface
        self._skin = Body(skin, name=self._name, pose=pose)
        self._meshes = (skin, *meshes)  # the binding and the numbers are for these
        self._has_surface = surface is not None
        # one array for all pieces, so that one call places or bounds them together
        self._rest = np.concatenate([mesh.points for mesh in meshes])
        self._stack = self._rest.copy()
        self._pieces = tuple(
            Body(m, name=f"{self._name}[{k}]") for k, m in enumerate(meshes)
        )
        self._share_stack()
        self.live_in(self._skin.transform)
        self._settled = self._skin.version
        self._shot = Shot(skin.points, Pose.identity())

    def _share_stack(self) -> None:
        """Let the positions of the pieces be parts of one array."""
        for k, piece in enumerate(self._pieces):
            first, last = self._start.vertex[k : k + 2]
            piece._points = self._stack[first:last]

    def __setstate__(self, state: dict[str, object]) -> None:
        """Arrive as a copy: parts of an array travel as arrays of their own."""
        self.__dict__.update(state)
        self._share_stack()

    def __copy__(self) -> "Compound":
        """Return one with positions and a place of its own, of the same meshes."""
        return deepcopy(self, {id(mesh): mesh for mesh in self._meshes})

    @property
    def pieces(self) -> tuple[Body, ...]:
        """The pieces where they are now; move the compound, not them."""
        self.settle()
        return self._pieces

    @property
    def surface(self) -> Body | None:
        """The same body as one true surface, in the same place; None without one.

        Track it with ``PairTracker`` for the distance of the surface itself.
        """
        return self._skin if self._has_surface else None

    @property
    def skin(self) -> Body:
        """The surface, or all pieces side by side, as one body in the same place."""
        return self._skin

    @property
    def start(self) -> Starts:
        """Where the numbers of each piece begin in those that run through all."""
        return self._start

    @property
    def mesh(self) -> WingedEdgeMesh:
        """What the numbers of answers refer to: the surface, or all pieces as one."""
        return self._skin.mesh

    @property
    def edition(self) -> MeshRevision:
        """The only one: a compound keeps its meshes."""
        return self._skin.edition

    @property
    def name(self) -> str:
        """What events and messages call the body."""
        return self._name

    @property
    def points(self) -> NDArray[Float]:
        """The live positions, (V, 3), body frame, writable; asking opens the body."""
        return self._skin.points

    @points.setter
    def points(self, new: ArrayLike) -> None:
        self._skin.points = new

    @property
    def positions(self) -> NDArray[Float]:
        """A read-only view of the live positions, (V, 3), body frame."""
        return self._skin.positions

    @contextmanager
    def edit(self) -> Iterator[NDArray[Float]]:
        """Write positions in a ``with`` block, as for ``Body``."""
        with self._skin.edit() as points:
            yield points

    @property
    def is_open(self) -> bool:
        """Whether the live array was ever handed out."""
        return self._skin.is_open

    @property
    def version(self) -> int:
        """How often a closed compound was given new positions."""
        return self._skin.version

    @property
    def transform(self) -> NDArray[Float]:
        """The live (3, 4) array ``[linear | translation]``, writable."""
        return self._skin.transform

    def live_in(self, row: NDArray[Float]) -> None:
        """Keep the map to the world in this memory, (3, 4), from now on."""
        self._skin.live_in(row)
        for piece in self._pieces:  # they move as one
            piece.share(row)

    @property
    def pose(self) -> Pose:
        """Where the compound is, as a value."""
        return self._skin.pose

    @pose.setter
    def pose(self, new: Pose) -> None:
        self._skin.pose = new

    def world_points(self) -> NDArray[Float]:
        """Return the positions in the world, (V, 3), a fresh array."""
        return self._skin.world_points()

    def piece_points(self) -> NDArray[Float]:
        """Return every vertex of every piece in the world, (N, 3), a fresh array."""
        self.settle()
        return self.pose.apply(self._stack)

    def settle(self, frame: int | None = None) -> None:
        """Let the pieces follow the positions that they are bound to.

        Cost: nothing where a closed compound was given no positions since; else one
        pass over all vertices, and an audit of every piece that changed its shape.

        Raises ValueError if a coordinate or the transform is not finite, or the surface
        or a piece was given another mesh.
        """
        skin = self._skin
        meshes = (body.mesh for body in (skin, *self._pieces))
        if not all(map(operator.is_, meshes, self._meshes)):
            raise ValueError(
                f"compound '{self._name}': its surface or a piece was given another "
                f"mesh, which nothing is bound to; make a new Compound"
            )
        skin.check_update(0 if frame is None else frame)
        if not skin.is_open and self._settled == skin.version:
            return
        if skin.is_open and frame is not None:
            skin.refuse_unfinite(frame)
        placed = self.binding.place(self._rest, skin.mesh.points, skin.positions)
        for k, piece in enumerate(self._pieces):
            first, last = self._start.vertex[k : k + 2]
            if not same_bits(placed[first:last], self._stack[first:last]):
                piece.points = placed[first:last]
        self._settled = skin.version

    def shot(self) -> Shot:
        """Return where the compound is now, copying only what changed."""
        now, last = self._skin.positions, self._shot.points
        if not same_bits(now, last):
            last = now.copy()
            last.setflags(write=False)
        self._shot = Shot(last, self.pose)
        return self._shot

    @cached_property
    def binding(self) -> Binding:
        """How the vertices of the pieces follow the surface; made when first asked."""
        if self._has_surface:
            return bind(self._rest, self._skin.mesh)
        return follow_all(len(self._rest))

    @cached_property
    def seats(self) -> Seats:
        """Where points lie on the surface at rest; laid out when first asked."""
        return Seats(self._skin.mesh)

    @property
    def rest_points(self) -> NDArray[Float]:
        """Every vertex of every piece at rest, (N, 3)."""
        return self._rest

    @property
    def stack(self) -> NDArray[Float]:
        """A read-only view of every vertex of every piece, (N, 3), body frame."""
        view = self._stack.view()
        view.setflags(write=False)
        return view

    def placed(self, points: NDArray[Float], ids: NDArray[np.intp]) -> NDArray[Float]:
        """Return where some vertices of the pieces are for positions of the surface.

        ``ids`` ascending, counted through all pieces; body frame.
        """
        rest = self._skin.mesh.points
        if points is rest:
            return self._rest[ids]
        return self.binding.only(ids).place(self._rest[ids], rest, points)

    def in_all(self, piece: int, feature: Feature) -> Feature:
        """Return a feature of a piece by the number that runs through all pieces."""
        first = getattr(self._start, feature.kind)[piece]
        return Feature(feature.kind, int(first) + feature.index)

    def fans(self, piece: int, features: tuple[Feature, ...]) -> NDArray[np.intp]:
        """Return features of a piece as triangles of its vertices, (T, 3)."""
        mesh = self._pieces[piece].mesh
        return np.array([t for f in features for t in triangles_of(mesh, f)], np.intp)

    def __repr__(self) -> str:
        """Name the compound and count its pieces."""
        of = f" of {self.mesh}" if self._has_surface else ", no surface"
        return f"Compound('{self._name}', {len(self._pieces)} pieces{of})"

    def _repr_html_(self) -> str:
        from wingedge.notebook import html_facts

        place = self.transform[:, 3].tolist()
        facts = {"name": self._name, "pieces": len(self._pieces), "place": place}
        return html_facts(self, facts)

    def _repr_png_(self) -> bytes | None:
        from wingedge.notebook import png

        return png(self)

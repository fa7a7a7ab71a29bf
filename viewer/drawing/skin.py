"""Draw all bodies as one mesh, and solids and sheets of their own colours.

One mesh is drawn in one go, whatever the number of bodies, and its edges are drawn by
the shader of its faces: lines of their own cost as much again as all the rest.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.frame import BodySnapshot
from viewer import theme
from viewer.drawing.markers import Sheet
from viewer.drawing.solids import Solid
from viewer.gl import require_pyvista
from viewer.theme import BodyColours, Theme
from wingedge import WingedEdgeMesh
from wingedge.tables import Floats


def to_polydata(mesh: WingedEdgeMesh, points: ArrayLike | None = None) -> Any:
    """Turn a mesh into a ``pyvista.PolyData`` with the same vertex and face numbers.

    Returns: polygons as they are, cell f is face f; the arrays are copies. The way back
    is ``wingedge.from_polydata``.

    Raises ValueError if ``points`` has another shape than (V, 3); ImportError if
    pyvista is not installed; says how to install it.

    Parameters
    ----------
    mesh : WingedEdgeMesh
        The topology.
    points : (V, 3) array_like, optional
        Positions to show instead of ``mesh.points``, in any frame.
    """
    pv = require_pyvista()
    positions = np.array(mesh.points if points is None else points, dtype=np.float64)
    if positions.shape != mesh.points.shape:
        raise ValueError(
            f"points have shape {positions.shape}; this mesh needs {mesh.points.shape}"
        )
    return pv.PolyData(positions, faces=padded_faces(mesh))


def padded_faces(mesh: WingedEdgeMesh) -> NDArray[np.int64]:
    """List every face as its number of corners and then the corners, (F + 2E,)."""
    start, vertex = mesh.corners
    count = np.diff(start)
    return np.insert(vertex.astype(np.int64), start[:-1], count)


Rows = NDArray[np.intp]

MANY_EDGES = 600  # beyond, the edges of a body are a grey mist: draw them fainter
_EDGE = 0.28  # opacity of many edges that are drawn with their faces
_WIRE, _MANY_WIRES = 0.8, 0.25  # of few lines and of many
_FADED = 0.3  # times as clear, of a body that no pair is told of


class DrawnBody(NamedTuple):
    """How one body is to be drawn."""

    body: BodySnapshot
    points: Floats  # (V, 3) world
    colours: BodyColours
    lit: Sequence[Rows]  # rows of ``mesh.fan`` that belong to closest faces
    involved: bool  # whether a drawn pair has this body; the others fade
    dimmed: bool = False  # whether it stands before a contact of others
    faint: bool = False  # whether its edges are: others are told of
    place: int = 0  # among the bodies of its frame


class MergedBodies:
    """Draw all bodies as one mesh, of which each body is a slice.

    In a window each body hides what is behind it, and lets it shine through: bodies are
    drawn in the order in which they are given, the farthest first. Where the order is
    wrong, one that is behind is hidden, and never drawn in front. ``glassy`` bodies
    show their far sides too, and the renderer sorts what is translucent: for pictures.
    """

    def __init__(
        self, renderer: Any, look: Theme, *, ratio: float = 1.0, glassy: bool = False
    ) -> None:
        self._glassy = glassy
        # first: what is drawn later shines them through
        self._wires = _Wires(renderer, ratio, glassy)
        self._few = _Skin(renderer, look, edges=False, glassy=glassy)
        self._many = None if glassy else _Skin(renderer, look, edges=True, glassy=False)

    def show(self, shown: Sequence[DrawnBody]) -> None:
        """Draw these bodies and no others."""
        few = shown
        if self._many is not None:
            many = [each for each in shown if each.body.mesh.n_edges > MANY_EDGES]
            few = [each for each in shown if each.body.mesh.n_edges <= MANY_EDGES]
            self._many.show(many)
        # lines need no order, and keep theirs: in a crowd it changes in every frame
        self._wires.show(sorted(few, key=lambda each: each.place))
        self._few.show(few)


class Block(NamedTuple):
    """One body as triangles whose corners know which of their sides are edges."""

    corner: Rows | None  # vertex of every drawn point; None: each vertex, in order
    triangles: NDArray[np.int64]  # (T, 3) of drawn points, in the order of ``fan``
    real: NDArray[np.uint8]  # per drawn point: the side from it is an edge of the mesh


def block(mesh: WingedEdgeMesh) -> Block:
    """Prepare a mesh for drawing with its own edges, without diagonals of polygons.

    Triangles are drawn by the vertices that they share. Where there are polygons every
    triangle of the fan has corners of its own, so that a diagonal can be left out, and
    a polygon that left its plane is drawn as the fan that every answer refers to.
    """
    fan = mesh.fan.vertex.astype(np.int64)
    if len(fan) == mesh.n_faces:
        return Block(None, fan, np.ones(mesh.n_vertices, np.uint8))
    size = mesh.n_vertices
    ends = np.sort(mesh.edge_vertices.astype(np.int64), axis=1)
    sides = np.sort(np.stack([fan, np.roll(fan, -1, axis=1)], axis=-1), axis=-1)
    real = np.isin(sides @ [size, 1], ends @ [size, 1])
    triangles = np.arange(fan.size, dtype=np.int64).reshape(-1, 3)
    return Block(fan.ravel(), triangles, real.ravel().astype(np.uint8))


class MeshActor:
    """A mesh with colours; while it is the same one its arrays are overwritten."""

    def __init__(self, renderer: Any, *, of_cells: bool) -> None:
        self._pyvista = require_pyvista()
        self._mapper = self._pyvista._vtk.vtkPolyDataMapper()
        self._mapper.SetColorModeToDirectScalars()
        if of_cells:
            self._mapper.SetScalarModeToUseCellData()
        self._of_cells = of_cells
        self.actor = self._pyvista.Actor(mapper=self._mapper)
        self.actor.SetVisibility(False)
        renderer.AddActor(self.actor)

    def load(
        self, points: Floats, colours: NDArray[np.uint8], **corners: NDArray[np.int64]
    ) -> None:
        """Take another mesh, its ``faces`` or its ``lines`` as (n, k) corners."""
        self.points, self.colours, self.data = points, colours, self._pyvista.PolyData()
        self.data.points = points
        for kind, each in corners.items():
            cells = np.insert(each, 0, each.shape[1], axis=1).ravel()
            setattr(self.data, kind, cells)
        told = self.data.GetCellData() if self._of_cells else self.data.GetPointData()
        self._tones = self._pyvista.convert_array(colours, name="colour")
        told.SetScalars(self._tones)
        self._mapper.SetInputData(self.data)

    def changed(self, *, points: bool = False, colours: bool = False) -> None:
        """Tell VTK what was overwritten."""
        if points:
            moved(self.data)
        if colours:
            self._tones.Modified()


class _Skin(MeshActor):
    """The triangles of several bodies, each a slice of its arrays."""

    def __init__(
        self, renderer: Any, look: Theme, *, edges: bool, glassy: bool
    ) -> None:
        super().__init__(renderer, of_cells=True)
        style = self.actor.prop
        style.ambient, style.diffuse = (0.5, 0.55) if glassy else (0.56, 0.5)
        style.specular = 0.0
        style.interpolation = "flat"
        style.show_edges = edges
        style.edge_color = tuple(c / 255 for c in look.ink)
        style.edge_opacity = _EDGE
        style.line_width = theme.WIRE_WIDTH
        if not glassy:
            style.culling = "back"
            # The pass for what is opaque blends too, and keeps depths: bodies need no
            # sorting of triangles, which is half the time of a software renderer.
            self.actor.ForceOpaqueOn()
        self.actor.UseBoundsOff()
        # How far points reach is told by one triangle: else VTK looks at every corner.
        self._extent = MeshActor(renderer, of_cells=True)
        ends, none = np.zeros((3, 3)), np.zeros((1, 3), np.uint8)
        self._extent.load(ends, none, faces=np.array([[0, 1, 2]]))
        self._meshes: list[tuple[str, WingedEdgeMesh]] = []
        self._blocks: dict[WingedEdgeMesh, Block] = {}
        self._placed: list[tuple[Floats, object]] = []
        self._tinted: list[tuple[object, ...]] = []

    def show(self, shown: Sequence[DrawnBody]) -> None:
        self.actor.SetVisibility(len(shown) > 0)
        self._extent.actor.SetVisibility(len(shown) > 0)
        meshes = [(each.body.name, each.body.mesh) for each in shown]
        if [(name, id(mesh)) for name, mesh in meshes] != [
            (name, id(mesh)) for name, mesh in self._meshes
        ]:
            self._lay_out(meshes)
        if shown:
            self._move(shown)
            self._tint(shown)

    def _lay_out(self, meshes: list[tuple[str, WingedEdgeMesh]]) -> None:
        """Make room for these bodies; their order is the order of drawing."""
        known = self._blocks
        self._blocks = {mesh: known.get(mesh) or block(mesh) for _, mesh in meshes}
        self._meshes = meshes
        blocks = [self._blocks[mesh] for _, mesh in meshes]
        self._points_of = _slices([len(each.real) for each in blocks])
        self._cells_of = _slices([len(each.triangles) for each in blocks])
        self._placed = [(np.empty(0), None)] * len(blocks)
        self._tinted = [()] * len(blocks)
        if not blocks:
            return
        starts = [rows.start for rows in self._points_of]
        corners = [b.triangles + n for b, n in zip(blocks, starts, strict=True)]
        points = np.zeros((self._points_of[-1].stop, 3))
        colours = np.zeros((self._cells_of[-1].stop, 4), np.uint8)
        self.load(points, colours, faces=np.concatenate(corners))
        real = np.concatenate([each.real for each in blocks])
        if not real.all():
            told, kinds = (
                self.data.GetPointData(),
                self._pyvista._vtk.vtkDataSetAttributes,
            )
            flags = self._pyvista.convert_array(real, name="edge")
            told.SetAttribute(flags, kinds.EDGEFLAG)

    def _move(self, shown: Sequence[DrawnBody]) -> None:
        is_new = False
        for k, each in enumerate(shown):
            key = (each.body.points, each.body.pose)
            last = self._placed[k]
            if last[0] is key[0] and last[1] == key[1]:
                continue
            corner = self._blocks[each.body.mesh].corner
            target = self.points[self._points_of[k]]
            if corner is None:
                target[...] = each.points
            else:
                np.take(each.points, corner, axis=0, out=target)
            self._placed[k] = key
            is_new = True
        if is_new:
            columns, ends = self.points.T.copy(), self._extent.points
            # a tenth of the time that rows take
            ends[0], ends[1:] = columns.min(axis=1), columns.max(axis=1)
            self._extent.changed(points=True)
            self.changed(points=True)

    def _tint(self, shown: Sequence[DrawnBody]) -> None:
        for k, each in enumerate(shown):
            key = (
                each.colours,
                each.involved,
                each.dimmed,
                tuple(rows.tobytes() for rows in each.lit),
            )
            if self._tinted[k] != key:
                tint(self.colours[self._cells_of[k]], each)
                self._tinted[k] = key
                self.changed(colours=True)


class _Wires(MeshActor):
    """The edges of several bodies as lines: those of far sides shine through."""

    def __init__(self, renderer: Any, ratio: float, glassy: bool) -> None:
        super().__init__(renderer, of_cells=True)
        self.actor.prop.lighting = False
        self.actor.prop.line_width = theme.WIRE_WIDTH * ratio
        if not glassy:
            # a little nearer than the faces that they bound, which are drawn after them
            self._mapper.SetResolveCoincidentTopologyToPolygonOffset()
            self._mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -8.0)
            self.actor.ForceOpaqueOn()
        self.actor.UseBoundsOff()  # they reach as far as the faces beside them
        self._meshes: list[int] = []
        self._key: list[tuple[BodyColours, bool]] = []

    def show(self, shown: Sequence[DrawnBody]) -> None:
        self.actor.SetVisibility(len(shown) > 0)
        if not shown:
            return
        points = np.concatenate([each.points for each in shown])
        meshes = [id(each.body.mesh) for each in shown]
        key = [(each.colours, each.faint) for each in shown]
        fresh, tinted = meshes != self._meshes, key != self._key
        self._meshes, self._key = meshes, key
        if fresh:
            counts = [len(each.points) for each in shown]
            starts = np.cumsum([0, *counts]).tolist()
            pairs = zip(shown, starts, strict=False)
            edges = [each.body.mesh.edge_vertices + np.int64(k) for each, k in pairs]
            self.load(points, _tones(shown), lines=np.concatenate(edges))
        elif tinted:
            self.colours[...] = _tones(shown)
        if not fresh:
            self.points[...] = points
            self.changed(points=True, colours=tinted)


def _tones(shown: Sequence[DrawnBody]) -> NDArray[np.uint8]:
    """Return the colours of all edges of these bodies, (E, 4), opacity last."""
    counts = [each.body.mesh.n_edges for each in shown]
    tones = []
    for each, count in zip(shown, counts, strict=True):
        clear = _MANY_WIRES if count > MANY_EDGES else _WIRE
        clear *= _FADED if each.faint else 1.0
        tones.append((*each.colours.wire, round(255 * clear)))
    return np.repeat(np.array(tones, np.uint8), counts, axis=0)


class SolidActor(MeshActor):
    """Draw a solid of its own colours; ``show`` replaces it."""

    def __init__(
        self, renderer: Any, *, opacity: float = 1.0, blended: bool = False
    ) -> None:
        """Blend it as it comes, unsorted, where that will do: a tenth of the time."""
        super().__init__(renderer, of_cells=False)
        if blended:
            self.actor.ForceOpaqueOn()
        style = self.actor.prop
        style.interpolation = "phong"
        style.ambient, style.diffuse, style.opacity = 0.45, 0.6, opacity
        self._last: Solid | None = None

    def show(self, solid: Solid) -> None:
        """Draw this solid and no longer the last one."""
        last, self._last = self._last, solid
        self.actor.SetVisibility(len(solid.points) > 0)
        if not len(solid.points):
            self._last = last
        elif (
            last is None
            or solid.triangles is not last.triangles
            or len(solid.points) != len(last.points)
        ):
            self.load(solid.points.copy(), solid.colours.copy(), faces=solid.triangles)
            self._normals = solid.normals.astype(np.float32)
            shading = self._pyvista.convert_array(self._normals, name="normal")
            self.data.GetPointData().SetNormals(shading)
        else:  # the same triangles as before
            self.points[...], self._normals[...] = solid.points, solid.normals
            self.data.GetPointData().GetNormals().Modified()
            other = solid.colours is not last.colours
            if other:
                self.colours[...] = solid.colours
            self.changed(points=True, colours=other)


class SheetActor(MeshActor):
    """Draw translucent triangles; ``show`` replaces them."""

    def __init__(self, renderer: Any) -> None:
        super().__init__(renderer, of_cells=True)
        self.actor.prop.lighting = False
        self.actor.ForceTranslucentOn()

    def show(self, sheets: Sequence[Sheet], unit: Callable[[Floats], Any]) -> None:
        """Draw these sheets and no longer the last ones; ``unit`` as of a `Pen`."""
        self.actor.SetVisibility(len(sheets) > 0)
        if not sheets:
            return
        raised = [s.raised(unit(s.triangles.mean(axis=(0, 1)))) for s in sheets]
        points = np.concatenate(raised).reshape(-1, 3)
        tones = [(*s.colour, round(255 * s.opacity)) for s in sheets]
        counts = [len(s.triangles) for s in sheets]
        colours = np.repeat(np.array(tones, np.uint8), counts, axis=0)
        self.load(points, colours, faces=np.arange(len(points)).reshape(-1, 3))


def tint(target: NDArray[np.uint8], shown: DrawnBody) -> None:
    """Write the colour of every triangle of a fan, (T, 4), opacity last."""
    opacity = theme.OPACITY if shown.involved else theme.OPACITY_BYSTANDER
    opacity *= theme.DIMMED if shown.dimmed else 1.0
    target[...] = (*shown.colours.surface, round(255 * opacity))
    for rows in shown.lit:
        target[rows] = (*shown.colours.lit, round(255 * theme.OPACITY_LIT))


def moved(data: Any) -> None:
    """Tell VTK that points were overwritten."""
    data.GetPoints().GetData().Modified()
    data.GetPoints().Modified()


def _slices(counts: Sequence[int]) -> list[slice]:
    ends = np.cumsum([0, *counts]).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]

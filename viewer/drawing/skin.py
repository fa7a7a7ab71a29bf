"""Draw all bodies as one mesh, and solids and sheets of their own colours.

One mesh is drawn in one go, whatever the number of bodies.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer import theme
from viewer.drawing.markers import Sheet
from viewer.drawing.solids import Solid
from viewer.gl import require_pyvista
from viewer.theme import BodyColours
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

_MANY_EDGES = 600  # beyond, the edges of a body are a grey mist: draw them fainter
_WIRE, _MANY_WIRES = 0.8, 0.25  # opacity of few lines and of many
_FADED = 0.3  # times as clear, of a body that no pair is told of


class DrawnBody(NamedTuple):
    """How one body is to be drawn."""

    mesh: WingedEdgeMesh
    points: Floats  # (V, 3) world
    colours: BodyColours
    lit: Sequence[Rows]  # rows of ``mesh.fan`` that belong to closest faces
    opacity: float
    faint: bool  # whether its edges are: others are told of
    place: int  # among the bodies of its frame


class MergedBodies:
    """Draw all bodies as one mesh, of which each body is a slice.

    In a window each body hides what is behind it, and lets it shine through: bodies are
    drawn in the order in which they are given, the farthest first. Where the order is
    wrong, one that is behind is hidden, and never drawn in front. ``glassy`` bodies
    show their far sides too, and the renderer sorts what is translucent: for pictures.
    """

    def __init__(self, renderer: Any, *, ratio: float, glassy: bool) -> None:
        # first: what is drawn later shines them through
        self._wires = MeshActor(renderer, of_cells=True)
        self._skin = MeshActor(renderer, of_cells=True)
        lines, style = self._wires.actor, self._skin.actor.prop
        lines.prop.lighting = False
        lines.prop.line_width = theme.WIRE_WIDTH * ratio
        lines.UseBoundsOff()  # they reach as far as the faces beside them
        # a little nearer than the faces that they bound, which are drawn after them
        lines.mapper.SetResolveCoincidentTopologyToPolygonOffset()
        lines.mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -8.0)
        style.ambient, style.diffuse = (0.5, 0.55) if glassy else (0.56, 0.5)
        style.specular, style.interpolation = 0.0, "flat"
        if not glassy:
            style.culling = "back"
            # The pass for what is opaque blends too, and keeps depths: bodies need no
            # sorting of triangles, which is half the time of a software renderer.
            self._skin.actor.ForceOpaqueOn()
            lines.ForceOpaqueOn()
        self._layout: list[tuple[int, int]] = []

    def show(self, shown: Sequence[DrawnBody]) -> None:
        """Draw these bodies and no others."""
        for each in (self._wires, self._skin):
            each.actor.SetVisibility(len(shown) > 0)
        if not shown:
            return
        # points and lines need no order, and keep theirs: it may change in every frame
        still = sorted(shown, key=lambda each: each.place)
        points = np.concatenate([each.points for each in still])
        tints = np.concatenate([_tints(each) for each in shown])
        tones = [(*each.colours.wire, _wire_opacity(each)) for each in still]
        counts = [each.mesh.n_edges for each in still]
        wires = np.repeat(np.array(tones, np.uint8), counts, axis=0)
        layout = [(each.place, id(each.mesh)) for each in shown]
        if layout == self._layout:
            self._skin.change(points, tints)
            self._wires.change(points, wires)
            return
        self._layout = layout
        starts = np.cumsum([0, *(len(each.points) for each in still)]).tolist()
        first = {each.place: k for each, k in zip(still, starts, strict=False)}
        fans = [each.mesh.fan.vertex + np.int64(first[each.place]) for each in shown]
        edges = [e.mesh.edge_vertices + np.int64(first[e.place]) for e in still]
        self._skin.load(points, tints, faces=np.concatenate(fans))
        self._wires.load(points.copy(), wires, lines=np.concatenate(edges))


def _tints(shown: DrawnBody) -> NDArray[np.uint8]:
    """Return the colour of every triangle of a fan, (T, 4), opacity last."""
    colours = shown.colours
    skin = *colours.surface, round(255 * shown.opacity)
    found = np.tile(np.array(skin, np.uint8), (len(shown.mesh.fan.vertex), 1))
    for rows in shown.lit:
        found[rows] = (*colours.lit, round(255 * theme.OPACITY_LIT))
    return found


def _wire_opacity(shown: DrawnBody) -> int:
    clear = _MANY_WIRES if shown.mesh.n_edges > _MANY_EDGES else _WIRE
    return round(255 * clear * (_FADED if shown.faint else 1.0))


class MeshActor:
    """A mesh with colours; while it is the same one its arrays are overwritten."""

    def __init__(self, renderer: Any, *, of_cells: bool) -> None:
        self._pyvista = require_pyvista()
        mapper = self._pyvista._vtk.vtkPolyDataMapper()
        mapper.SetColorModeToDirectScalars()
        if of_cells:
            mapper.SetScalarModeToUseCellData()
        self._of_cells = of_cells
        self.actor = self._pyvista.Actor(mapper=mapper)
        self.actor.SetVisibility(False)
        renderer.AddActor(self.actor)

    def load(
        self, points: Floats, colours: NDArray[np.uint8], **corners: NDArray[np.int64]
    ) -> None:
        """Take another mesh, its ``faces`` or its ``lines`` as (n, k) corners."""
        self.points, self.colours = points, colours
        self.data = self._pyvista.PolyData()
        self.data.points = points
        for kind, each in corners.items():
            cells = np.insert(each, 0, each.shape[1], axis=1).ravel()
            setattr(self.data, kind, cells)
        told = self.data.GetCellData() if self._of_cells else self.data.GetPointData()
        self._tones = self._pyvista.convert_array(colours, name="colour")
        told.SetScalars(self._tones)
        self.actor.mapper.SetInputData(self.data)

    def change(self, points: Floats, colours: NDArray[np.uint8]) -> None:
        """Overwrite where points are, and colours where they are others."""
        self.points[...] = points
        self.data.GetPoints().GetData().Modified()
        self.data.GetPoints().Modified()
        if not np.array_equal(colours, self.colours):
            self.colours[...] = colours
            self._tones.Modified()


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
        self._triangles: object = None
        self._normals = np.empty((0, 3), np.float32)

    def show(self, solid: Solid) -> None:
        """Draw this solid and no longer the last one."""
        self.actor.SetVisibility(len(solid.points) > 0)
        if not len(solid.points):
            return
        if solid.triangles is self._triangles:  # the same as before
            self._normals[...] = solid.normals
            self.data.GetPointData().GetNormals().Modified()
            self.change(solid.points, solid.colours)
            return
        self._triangles = solid.triangles
        self.load(solid.points.copy(), solid.colours.copy(), faces=solid.triangles)
        self._normals = solid.normals.astype(np.float32)
        shading = self._pyvista.convert_array(self._normals, name="normal")
        self.data.GetPointData().SetNormals(shading)


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

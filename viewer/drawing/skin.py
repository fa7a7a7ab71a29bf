"""Draw all bodies as one mesh, and solids and sheets of their own colours.

One mesh is drawn in one go, whatever the number of bodies.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    return pv.PolyData(
        positions, faces=pv.CellArray.from_arrays(*mesh.corners, deep=True)
    )


Rows = NDArray[np.intp]

_MANY_EDGES = 600  # beyond, the edges of a body are a grey mist: draw them fainter
_WIRE, _MANY_WIRES = 0.8, 0.25  # opacity of few lines and of many
_EDGE = 0.28  # of many that are drawn with their faces
_FADED = 0.3  # times as clear, of a body that no pair is told of


class DrawnBody(NamedTuple):
    """How one body is to be drawn."""

    mesh: WingedEdgeMesh
    points: Floats  # (V, 3) world
    colours: BodyColours
    lit: Sequence[Rows]  # rows of ``mesh.fan`` that belong to closest faces
    opacity: float
    faint: bool  # whether its edges are: others are told of


class MergedBodies:
    """Draw all bodies as one mesh, of which each body is a slice.

    In a window each body hides what is behind it, and lets it shine through: bodies are
    drawn in the order in which they are given, the farthest first. Where the order is
    wrong, one that is behind is hidden, and never drawn in front. There bodies of many
    edges are a mesh of their own, whose faces bring their edges: lines take as long as
    all the rest. ``glassy`` bodies show their far sides too, and the renderer sorts
    what is translucent: for pictures.
    """

    def __init__(
        self, renderer: Any, look: Theme, *, ratio: float, glassy: bool
    ) -> None:
        self._most = np.inf if glassy else _MANY_EDGES
        # first: what is drawn later shines them through
        self._wires = MeshActor(renderer, of_cells=True)
        self._few = MeshActor(renderer, of_cells=True)
        self._many = MeshActor(renderer, of_cells=True)
        lines, edges = self._wires.actor, self._many.actor.prop
        lines.prop.lighting = False
        lines.prop.line_width = edges.line_width = theme.WIRE_WIDTH * ratio
        lines.UseBoundsOff()  # they reach as far as the faces beside them
        # a little nearer than the faces that they bound, which are drawn after them
        self._wires.mapper.SetResolveCoincidentTopologyToPolygonOffset()
        self._wires.mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -8.0)
        edges.show_edges, edges.edge_opacity = True, _EDGE
        edges.edge_color = tuple(c / 255 for c in look.ink)
        for skin in (self._few.actor, self._many.actor):
            style = skin.prop
            style.ambient, style.diffuse = (0.5, 0.55) if glassy else (0.56, 0.5)
            style.specular, style.interpolation = 0.0, "flat"
            if not glassy:
                style.culling = "back"
                # The pass for what is opaque blends too, and keeps depths: bodies need
                # no sorting of triangles, half the time of a software renderer.
                skin.ForceOpaqueOn()
                lines.ForceOpaqueOn()

    def show(self, shown: Sequence[DrawnBody]) -> None:
        """Draw these bodies and no others."""
        few = [each for each in shown if each.mesh.n_edges <= self._most]
        many = [each for each in shown if each.mesh.n_edges > self._most]
        for some, skin in ((few, self._few), (many, self._many)):
            meshes, points = tuple(each.mesh for each in some), _points(some)
            edges, triangles = _cells(meshes)
            if skin is self._few:
                tones = np.array([*map(_wire_tone, some)], np.uint8).reshape(-1, 4)
                counts = [mesh.n_edges for mesh in meshes]
                self._wires.load(points, edges, np.repeat(tones, counts, axis=0))
            if skin is self._few or all(map(_has_triangles, meshes)):
                skin.load(points, triangles, _tints(some))
            else:  # corners know whether the side from them is an edge or a diagonal
                own = np.arange(triangles.size).reshape(-1, 3)
                flags = "EDGEFLAG", np.concatenate([*map(_sides, meshes)])
                skin.load(points[triangles.ravel()], own, _tints(some), flags)


def _points(shown: Sequence[DrawnBody]) -> Floats:
    return np.concatenate([np.empty((0, 3)), *(each.points for each in shown)])


@lru_cache(maxsize=8)
def _cells(
    meshes: tuple[WingedEdgeMesh, ...],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return edges, (E, 2), and triangles, (T, 3), of meshes one after the other."""
    edges, triangles = [np.empty((0, 2), np.int64)], [np.empty((0, 3), np.int64)]
    start = 0
    for mesh in meshes:
        edges.append(mesh.edge_vertices.astype(np.int64) + start)
        triangles.append(mesh.fan.vertex.astype(np.int64) + start)
        start += mesh.n_vertices
    return np.concatenate(edges), np.concatenate(triangles)


def _has_triangles(mesh: WingedEdgeMesh) -> bool:
    return len(mesh.fan.face) == mesh.n_faces


def _sides(mesh: WingedEdgeMesh) -> NDArray[np.uint8]:
    """Tell which sides of the triangles of all fans are edges of the mesh, (3 T,)."""
    fan = mesh.fan.face
    first, last = np.diff(fan, prepend=-1) != 0, np.diff(fan, append=-1) != 0
    sides = np.stack([first, np.ones_like(first), last], axis=1)
    return sides.ravel().astype(np.uint8)


def _tints(shown: Sequence[DrawnBody]) -> NDArray[np.uint8]:
    """Return the colour of every triangle of all fans, (T, 4), opacity last."""
    skins = [(*each.colours.surface, round(255 * each.opacity)) for each in shown]
    counts = [len(each.mesh.fan.face) for each in shown]
    found = np.repeat(np.array(skins, np.uint8).reshape(-1, 4), counts, axis=0)
    for each, start in zip(shown, np.cumsum([0, *counts]), strict=False):
        for rows in each.lit:
            found[start + rows] = *each.colours.lit, round(255 * theme.OPACITY_LIT)
    return found


def _wire_tone(shown: DrawnBody) -> tuple[int, ...]:
    clear = _MANY_WIRES if shown.mesh.n_edges > _MANY_EDGES else _WIRE
    return *shown.colours.wire, round(255 * clear * (_FADED if shown.faint else 1.0))


class ColouredMesh:
    """A mesh for an actor of VTK; while it is as large its arrays are overwritten."""

    def __init__(self, actor: Any, mapper: Any, *, of_cells: bool = False) -> None:
        mapper.SetColorModeToDirectScalars()
        actor.SetMapper(mapper)
        actor.SetVisibility(False)
        self.actor, self.mapper, self._of_cells = actor, mapper, of_cells
        self._given: list[NDArray[Any]] = []
        self._kept: list[NDArray[Any]] = []
        self._told: list[Any] = []

    def load(
        self,
        points: Floats,
        cells: NDArray[np.int64],
        colours: NDArray[np.uint8],
        more: tuple[str, NDArray[Any]] | None = None,
    ) -> None:
        """Draw (n, 2) ends of lines, or (n, 3) corners of triangles, with colours.

        ``more`` is an attribute of the points, by VTK's name.
        """
        self.actor.SetVisibility(len(points) > 0)
        if not len(points):
            return
        given = [points, cells, colours, *(more[1:] if more else ())]
        if [a.shape for a in given] != [a.shape for a in self._kept]:
            self._make(given, more[0] if more else "")
            return
        every = zip(self._kept, given, self._told, self._given, strict=True)
        for kept, now, told, before in every:
            if now is not before and not np.array_equal(kept, now):
                kept[...] = now
                told.Modified()
        self._given = given

    def _make(self, given: Sequence[NDArray[Any]], kind: str) -> None:
        pyvista = require_pyvista()
        vtk, data = pyvista._vtk, pyvista._vtk.vtkPolyData()
        self._given, self._kept = [*given], [array.copy() for array in given]
        flat = [self._kept[0], self._kept[1].ravel(), *self._kept[2:]]
        places, corners, tones, *more = map(pyvista.convert_array, flat)
        points, cells = vtk.vtkPoints(), vtk.vtkCellArray()
        points.SetData(places)
        data.SetPoints(points)
        wide = given[1].shape[1]
        cells.SetData(wide, corners)
        (data.SetPolys if wide == 3 else data.SetLines)(cells)
        of_points = data.GetPointData()
        (data.GetCellData() if self._of_cells else of_points).SetScalars(tones)
        for array in more:
            of_points.SetAttribute(array, getattr(vtk.vtkDataSetAttributes, kind))
        self._told = [places, cells, tones, *more]
        self.mapper.SetInputData(data)


class MeshActor(ColouredMesh):
    """A mesh in a scene."""

    def __init__(self, renderer: Any, *, of_cells: bool) -> None:
        pyvista = require_pyvista()
        mapper = pyvista._vtk.vtkPolyDataMapper()
        if of_cells:
            mapper.SetScalarModeToUseCellData()
        super().__init__(pyvista.Actor(), mapper, of_cells=of_cells)
        renderer.AddActor(self.actor)


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

    def show(self, solid: Solid) -> None:
        """Draw this solid and no longer the last one."""
        shading = "NORMALS", solid.normals.astype(np.float32)
        self.load(solid.points, solid.triangles, solid.colours, shading)


class SheetActor(MeshActor):
    """Draw translucent triangles; ``show`` replaces them."""

    def __init__(self, renderer: Any) -> None:
        super().__init__(renderer, of_cells=True)
        self.actor.prop.lighting = False
        self.actor.ForceTranslucentOn()

    def show(self, sheets: Sequence[Sheet], unit: Callable[[Floats], Any]) -> None:
        """Draw these sheets and no longer the last ones; ``unit`` as of a `Pen`."""
        raised = [s.raised(unit(s.triangles.mean(axis=(0, 1)))) for s in sheets]
        points = np.concatenate([np.empty((0, 3, 3)), *raised]).reshape(-1, 3)
        tones = [(*s.colour, round(255 * s.opacity)) for s in sheets]
        counts = [len(s.triangles) for s in sheets]
        colours = np.repeat(np.array(tones, np.uint8).reshape(-1, 4), counts, axis=0)
        own = np.arange(len(points)).reshape(-1, 3)
        self.load(points, own, colours)

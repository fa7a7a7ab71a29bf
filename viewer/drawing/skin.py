"""Draw all bodies as one mesh, and solids of their own colours.

One mesh is drawn in one go, whatever the number of bodies.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer import theme
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
        more: NDArray[Any] | None = None,
        kind: str = "NORMALS",
    ) -> None:
        """Draw (n, 2) ends of lines, or (n, 3) corners of triangles, with colours.

        ``more`` is an attribute of the points, ``kind`` what VTK calls it.
        """
        self.actor.SetVisibility(len(points) > 0)
        if not len(points):
            return
        given: list[NDArray[Any]] = [points, cells, colours]
        given += [] if more is None else [more]
        if [a.shape for a in given] != [a.shape for a in self._kept]:
            self._make(given, kind)
        every = zip(self._kept, given, self._told, self._given, strict=True)
        for kept, now, told, before in every:
            if now is not before and not np.array_equal(kept, now):
                kept[...] = now
                told.Modified()
        self._given = given

    def _make(self, given: list[NDArray[Any]], kind: str) -> None:
        pyvista = require_pyvista()
        vtk, data = pyvista._vtk, pyvista._vtk.vtkPolyData()
        self._given, self._kept = given, [array.copy() for array in given]
        flat = [self._kept[0], self._kept[1].ravel(), *self._kept[2:]]
        places, corners, tones, *more = map(pyvista.convert_array, flat)
        points, cells = vtk.vtkPoints(), vtk.vtkCellArray()
        points.SetData(places)
        wide = given[1].shape[1]
        cells.SetData(wide, corners)
        self._told = [places, cells, tones, *more]  # lines and faces are read anew
        data.SetPoints(points)
        (data.SetPolys if wide == 3 else data.SetLines)(cells)
        of_points = data.GetPointData()
        (data.GetCellData() if self._of_cells else of_points).SetScalars(tones)
        for array in more:
            of_points.SetAttribute(array, getattr(vtk.vtkDataSetAttributes, kind))
        self.mapper.SetInputData(data)


class MeshActor(ColouredMesh):
    """A mesh in a scene."""

    def __init__(self, renderer: Any, *, of_cells: bool = True) -> None:
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
        shading = solid.normals.astype(np.float32)
        self.load(solid.points, solid.triangles, solid.colours, shading)


_MANY_EDGES = 600  # beyond, the edges of a body are a grey mist: draw them fainter
_WIRE, _MANY_WIRES = 0.8, 0.25  # opacity of few lines and of many
_EDGE = 0.28  # of many that are drawn with their faces
_FADED = 0.3  # times as clear, of a body that no pair is told of


class DrawnBody(NamedTuple):
    """How one body is to be drawn."""

    mesh: WingedEdgeMesh
    points: Floats  # (V, 3) world
    colours: BodyColours
    lit: Sequence[NDArray[np.intp]]  # rows of ``mesh.fan`` that belong to closest faces
    opacity: float
    faint: bool  # whether its edges are: others are told of


class MergedBodies:
    """Draw all bodies as one mesh, of which each body is a slice, with their edges.

    In a window each body hides what is behind it, and lets it shine through: bodies are
    drawn in the order in which they are given, the farthest first. Where the order is
    wrong, one that is behind is hidden, and never drawn in front. There bodies of many
    edges are a mesh of their own, whose faces bring their edges: lines take as long as
    all the rest. ``glassy`` bodies show their far sides too, and the renderer sorts
    what is translucent: for pictures.
    """

    def __init__(
        self, renderer: Any, look: Theme, ratio: float, *, glassy: bool
    ) -> None:
        self._most = np.inf if glassy else _MANY_EDGES
        # first: what is drawn later shines them through
        self._wires, self.few, self.many = (MeshActor(renderer) for _ in range(3))
        lines, mapper, edges = (
            self._wires.actor,
            self._wires.mapper,
            self.many.actor.prop,
        )
        lines.prop.lighting = False
        lines.prop.line_width = edges.line_width = theme.WIRE_WIDTH * ratio
        edges.show_edges, edges.edge_opacity = True, _EDGE
        edges.edge_color = tuple(c / 255 for c in look.ink)
        lines.UseBoundsOff()  # they reach as far as the faces beside them
        # a little nearer than the faces that they bound, which are drawn after them
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -8.0)
        for skin in (self.few.actor, self.many.actor):
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
        few = [body for body in shown if body.mesh.n_edges <= self._most]
        many = [body for body in shown if body.mesh.n_edges > self._most]
        points, edges, triangles = _merged(few)
        wires = []
        for body in few:
            clear = _MANY_WIRES if body.mesh.n_edges > _MANY_EDGES else _WIRE
            clear *= _FADED if body.faint else 1.0
            wires.append((body.colours.wire, clear, body.mesh.n_edges))
        self._wires.load(points, edges, _toned(wires))
        self.few.load(points, triangles, _tints(few))
        points, _, triangles = _merged(many)
        fans = [body.mesh.fan.face for body in many]
        flags: NDArray[np.uint8] | None = None
        if len(triangles) > sum(body.mesh.n_faces for body in many):
            # corners know whether the side from them is an edge or a diagonal
            points = points[triangles.ravel()]
            triangles = np.arange(len(points)).reshape(-1, 3)
            first = [np.diff(fan, prepend=-1) != 0 for fan in fans]
            last = [np.diff(fan, append=-1) != 0 for fan in fans]
            sides = [np.concatenate(first), np.ones(len(triangles), bool)]
            sides.append(np.concatenate(last))
            flags = np.stack(sides, axis=1).ravel().astype(np.uint8)
        self.many.load(points, triangles, _tints(many), flags, "EDGEFLAG")


def _merged(
    shown: Sequence[DrawnBody],
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Return points, edges and triangles of bodies, one after the other."""
    points = np.concatenate([np.empty((0, 3)), *(body.points for body in shown)])
    return points, *_cells(tuple(body.mesh for body in shown))


def _tints(shown: Sequence[DrawnBody]) -> NDArray[np.uint8]:
    """Return the colour of every triangle of all fans, (T, 4), opacity last."""
    skins = [(b.colours.surface, b.opacity, len(b.mesh.fan.face)) for b in shown]
    found, start = _toned(skins), 0
    for body in shown:
        for rows in body.lit:
            lit = *body.colours.lit, round(255 * theme.OPACITY_LIT)
            found[start + rows] = lit
        start += len(body.mesh.fan.face)
    return found


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


def _toned(parts: Sequence[tuple[theme.Rgb, float, int]]) -> NDArray[np.uint8]:
    """Return a colour with its opacity for so many cells each, (T, 4)."""
    tones = [(*colour, round(255 * opacity)) for colour, opacity, _ in parts]
    counts = [count for *_, count in parts]
    return np.repeat(np.array(tones, np.uint8).reshape(-1, 4), counts, axis=0)

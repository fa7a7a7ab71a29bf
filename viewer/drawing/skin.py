"""Draw all bodies as one mesh, in one go, and solids of their own colours."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer import theme
from viewer.drawing.arrays import SolidBuilder
from viewer.gl import require_pyvista
from viewer.theme import BodyColours, Theme
from wingedge import WingedEdgeMesh
from wingedge.tables import Floats


def to_polydata(mesh: WingedEdgeMesh, points: ArrayLike | None = None) -> Any:
    """Turn a mesh into a ``pyvista.PolyData`` with the same vertex and face numbers.

    Parameters: ``points``: positions to show instead of those of the mesh, (V, 3), in
    any frame.

    Returns: polygons as they are, cell f is face f, with the cell array ``part`` where
    the mesh has named parts; the arrays are copies. The way back is
    ``wingedge.from_polydata``.

    Raises ValueError if ``points`` has another shape than (V, 3); ImportError if
    pyvista is not installed; says how to install it.
    """
    positions = np.array(mesh.points if points is None else points, dtype=np.float64)
    if positions.shape != mesh.points.shape:
        raise ValueError(
            f"points have shape {positions.shape}; this mesh needs {mesh.points.shape}"
        )
    pv = require_pyvista()
    polygons = pv.CellArray.from_arrays(*mesh.corners, deep=True)
    made = pv.PolyData(positions, faces=polygons)
    if mesh.part_names:  # the last is that of faces in none
        part = pv._vtk.vtkStringArray()  # pyvista's own takes no letter beyond ASCII
        part.SetName("part")
        for k in mesh.face_part.tolist():
            part.InsertNextValue((*mesh.part_names, "")[k])
        made.GetCellData().AddArray(part)
    return made


# where the corners of each polygon, or the ends of each line, begin, (n + 1,), and all
Cells = tuple[NDArray[np.int64], NDArray[np.int64]]


class ColouredMesh:
    """A mesh for an actor of VTK, with the colours of its cells."""

    def __init__(self, actor: Any, mapper: Any) -> None:
        mapper.SetColorModeToDirectScalars()
        mapper.SetScalarModeToUseCellData()
        actor.GetProperty().SetColor(1.0, 1.0, 1.0)  # a factor, where it is exported
        actor.SetMapper(mapper)
        actor.SetVisibility(False)
        self.actor, self.mapper = actor, mapper

    def load(self, points: Floats, cells: Cells, colours: NDArray[np.uint8]) -> None:
        """Draw polygons, or lines, with their colours."""
        self.actor.SetVisibility(len(points) > 0)
        if not len(points):
            return
        pyvista = require_pyvista()
        polygons, data = pyvista.CellArray.from_arrays(*cells), pyvista.PolyData()
        data.points = points
        (data.SetPolys if polygons.GetMaxCellSize() > 2 else data.SetLines)(polygons)
        data.GetCellData().SetScalars(pyvista.convert_array(colours))
        self.mapper.SetInputData(data)


def mesh_actor(renderer: Any) -> ColouredMesh:
    """Add a mesh to a scene."""
    pyvista = require_pyvista()
    actor, mapper = pyvista.Actor(), pyvista._vtk.vtkPolyDataMapper()
    renderer.AddActor(actor)
    return ColouredMesh(actor, mapper)


# how often the sides of an icosahedron are divided, and how many sides a tube has
FINE = 2, 14
LIVE = 1, 8  # a fifth of the triangles; half a pixel from round
_DOUBLE = 1  # of VTK: the precision of points


class SolidActor:
    """Draw balls, tubes and arrows in their colours; ``show`` replaces them."""

    def __init__(
        self,
        renderer: Any,
        detail: tuple[int, int] = LIVE,
        *,
        opacity: float = 1.0,
        blended: bool = False,
    ) -> None:
        """Blend it as it comes, unsorted, where that will do: a tenth of the time."""
        pyvista = require_pyvista()
        vtk, ball = pyvista._vtk, pyvista.Icosphere(radius=1.0, nsub=detail[0])
        ball.GetPointData().SetNormals(pyvista.convert_array(np.array(ball.points)))
        balls, tubes = vtk.vtkGlyph3D(), vtk.vtkTubeFilter()
        balls.SetSourceData(ball)
        balls.SetScaleModeToScaleByScalar()
        balls.OrientOff()
        tubes.SetNumberOfSides(detail[1])
        tubes.SetVaryRadiusToVaryRadiusByAbsoluteScalar()
        tubes.CappingOn()
        self._parts = []
        for shapes in (balls, tubes):
            shapes.SetOutputPointsPrecision(_DOUBLE)
            actor, mapper = pyvista.Actor(), vtk.vtkPolyDataMapper()
            mapper.SetInputConnection(shapes.GetOutputPort())
            mapper.SetColorModeToDirectScalars()
            mapper.SetScalarModeToUsePointFieldData()
            mapper.SelectColorArray("ink")
            actor.SetMapper(mapper)
            actor.SetVisibility(False)
            if blended:
                actor.ForceOpaqueOn()
            style = actor.prop
            style.color, style.interpolation = "white", "phong"
            style.ambient, style.diffuse, style.opacity = 0.45, 0.6, opacity
            renderer.AddActor(actor)
            self._parts.append((shapes, actor))

    def show(self, pieces: SolidBuilder) -> None:
        """Draw these pieces and no longer the last ones."""
        pyvista, (ends, radii, tones) = require_pyvista(), pieces.cones()
        of_lines = ends.reshape(-1, 3), radii.ravel(), np.repeat(tones, 2, axis=0)
        both = pieces.balls.arrays(), of_lines
        for (shapes, actor), (at, sizes, inks) in zip(self._parts, both, strict=True):
            actor.SetVisibility(len(at) > 0)
            if len(at):
                data = pyvista.PolyData()
                data.points = at
                if at is of_lines[0]:
                    rows = np.arange(len(at)).reshape(-1, 2)
                    data.SetLines(pyvista.CellArray.from_regular_cells(rows))
                data.GetPointData().SetScalars(pyvista.convert_array(sizes))
                ink = pyvista.convert_array(inks, name="ink")
                data.GetPointData().AddArray(ink)
                shapes.SetInputData(data)


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
    tints: Sequence[tuple[NDArray[np.int32], theme.Rgb]] = ()  # of some faces


class MergedBodies:
    """Draw all bodies as one mesh, of which each body is a slice, with their edges.

    In a window each body hides what is behind it, and lets it shine through: bodies are
    drawn in the order in which they are given, the farthest first. Where the order is
    wrong, one that is behind is hidden, and never drawn in front. There bodies of many
    edges are a mesh of their own, whose faces bring their edges: lines take as long as
    all the rest. (VTK paints a face over that reaches behind the eye; a face among so
    many does not.) ``glassy`` bodies show their far sides too, and the renderer sorts
    what is translucent: for pictures.
    """

    def __init__(
        self, renderer: Any, look: Theme, ratio: float, *, glassy: bool
    ) -> None:
        self._most = np.inf if glassy else _MANY_EDGES
        # first: what is drawn later shines them through
        self._wires, self.few, self.many = (mesh_actor(renderer) for _ in range(3))
        lines, edges = self._wires.actor, self.many.actor.prop
        lines.prop.line_width = edges.line_width = theme.WIRE_WIDTH * ratio
        edges.show_edges, edges.edge_opacity = True, _EDGE
        edges.edge_color = tuple(c / 255 for c in look.ink)
        lines.UseBoundsOff()  # they reach as far as the faces beside them
        # a little nearer than the faces that they bound, which are drawn after them
        mapper = self._wires.mapper
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
        for actor, bodies in ((self.few, few), (self.many, many)):
            points = np.concatenate([_NOWHERE, *(body.points for body in bodies)])
            edges, faces = _cells(tuple(body.mesh for body in bodies))
            actor.load(points, faces, np.concatenate([_NO_TONE, *map(_tints, bodies)]))
            if actor is self.few:
                tones = np.concatenate([_NO_TONE, *map(_wires, bodies)])
                self._wires.load(points, edges, tones)


_NOWHERE, _NO_TONE = np.empty((0, 3)), np.empty((0, 4), np.uint8)
_NONE = np.empty(0, np.int64)


def _tints(body: DrawnBody) -> NDArray[np.uint8]:
    """Return the colour of every face, (F, 4), opacity last."""
    tints = _toned(body.colours.surface, body.opacity, body.mesh.n_faces)
    for some, tone in body.tints:
        tints[some, :3] = tone
    faces = body.mesh.fan.face[np.concatenate([*body.lit, _NONE])]
    tints[faces] = *body.colours.lit, round(255 * theme.OPACITY_LIT)
    return tints


def _wires(body: DrawnBody) -> NDArray[np.uint8]:
    """Return the colour of every edge, (E, 4), opacity last."""
    clear = _MANY_WIRES if body.mesh.n_edges > _MANY_EDGES else _WIRE
    clear *= _FADED if body.faint else 1.0
    return _toned(body.colours.wire, clear, body.mesh.n_edges)


def _toned(colour: theme.Rgb, opacity: float, count: int) -> NDArray[np.uint8]:
    """Return a colour with its opacity for so many cells, (count, 4)."""
    return np.tile(np.array((*colour, round(255 * opacity)), np.uint8), (count, 1))


@lru_cache(maxsize=8)
def _cells(meshes: tuple[WingedEdgeMesh, ...]) -> tuple[Cells, Cells]:
    """Return edges, and faces, of meshes one after the other."""
    starts, corners, edges, first = [np.zeros(1, np.int64)], [_NONE], [_NONE], 0
    for mesh in meshes:
        start, corner = mesh.corners
        starts.append(start[1:].astype(np.int64) + starts[-1][-1])
        corners.append(corner.astype(np.int64) + first)
        edges.append(mesh.edge_vertices.ravel().astype(np.int64) + first)
        first += mesh.n_vertices
    ends = np.concatenate(edges)
    faces = np.concatenate(starts), np.concatenate(corners)
    return (np.arange(0, len(ends) + 1, 2), ends), faces

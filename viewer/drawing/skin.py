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


# where the corners of each polygon, or the ends of each line, begin, (n + 1,), and all
Cells = tuple[NDArray[np.int64], NDArray[np.int64]]


def cells_of(corners: NDArray[Any]) -> Cells:
    """Return (n, k) corners, or ends of lines, as cells."""
    return np.arange(0, corners.size + 1, corners.shape[1]), corners.ravel()


class ColouredMesh:
    """A mesh for an actor of VTK, with the colours of its corners or of its cells."""

    def __init__(self, actor: Any, mapper: Any, *, of_cells: bool = False) -> None:
        mapper.SetColorModeToDirectScalars()
        if of_cells:
            mapper.SetScalarModeToUseCellData()
        actor.GetProperty().SetColor(1.0, 1.0, 1.0)  # a factor, where it is exported
        actor.SetMapper(mapper)
        actor.SetVisibility(False)
        self.actor, self.mapper, self._of_cells = actor, mapper, of_cells

    def load(
        self,
        points: Floats,
        cells: Cells,
        colours: NDArray[np.uint8],
        normals: NDArray[np.float32] | None = None,
    ) -> None:
        """Draw polygons, or lines, with their colours, and the normals of points."""
        self.actor.SetVisibility(len(points) > 0)
        if not len(points):
            return
        pyvista = require_pyvista()
        polygons, data = pyvista.CellArray.from_arrays(*cells), pyvista.PolyData()
        data.points = points
        (data.SetPolys if polygons.GetMaxCellSize() > 2 else data.SetLines)(polygons)
        colouring = data.GetCellData() if self._of_cells else data.GetPointData()
        colouring.SetScalars(pyvista.convert_array(colours))
        if normals is not None:
            data.GetPointData().SetNormals(pyvista.convert_array(normals))
        self.mapper.SetInputData(data)


def mesh_actor(renderer: Any, *, of_cells: bool = True) -> ColouredMesh:
    """Add a mesh to a scene."""
    pyvista = require_pyvista()
    actor, mapper = pyvista.Actor(), pyvista._vtk.vtkPolyDataMapper()
    renderer.AddActor(actor)
    return ColouredMesh(actor, mapper, of_cells=of_cells)


class SolidActor:
    """Draw a solid of its own colours; ``show`` replaces it."""

    def __init__(
        self, renderer: Any, *, opacity: float = 1.0, blended: bool = False
    ) -> None:
        """Blend it as it comes, unsorted, where that will do: a tenth of the time."""
        self._mesh = mesh_actor(renderer, of_cells=False)
        if blended:
            self._mesh.actor.ForceOpaqueOn()
        style = self._mesh.actor.prop
        style.interpolation = "phong"
        style.ambient, style.diffuse, style.opacity = 0.45, 0.6, opacity

    def show(self, solid: Solid) -> None:
        """Draw this solid and no longer the last one."""
        shading, cells = solid.normals.astype(np.float32), cells_of(solid.triangles)
        self._mesh.load(solid.points, cells, solid.colours, shading)


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
        lines.prop.lighting = False
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
    found = _toned(body.colours.surface, body.opacity, body.mesh.n_faces)
    faces = body.mesh.fan.face[np.concatenate([*body.lit, _NONE])]
    found[faces] = *body.colours.lit, round(255 * theme.OPACITY_LIT)
    return found


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
    faces = np.concatenate(starts), np.concatenate(corners)
    return cells_of(np.concatenate(edges).reshape(-1, 2)), faces

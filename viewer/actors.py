"""What is on the stage: bodies with their lit faces, and coloured solids."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from viewer import theme
from viewer.gl import require_pyvista
from viewer.layout.solids import Solid
from viewer.theme import BodyColours, Rgb

if TYPE_CHECKING:
    from sim.frame import BodySnapshot

Floats = NDArray[np.float64]

_MANY_EDGES = 600  # beyond, the edges of a body are a grey mist: draw them fainter


class BodyActors:
    """Draw one body; ``update`` moves what is there and builds nothing anew.

    The skin is the fan of triangles that every answer refers to; the edges are the
    user's own, so no diagonal of a polygon is ever drawn. ``glassy`` bodies show their
    far sides too.
    """

    def __init__(
        self,
        plotter: Any,
        body: "BodySnapshot",
        colours: BodyColours,
        ratio: float,
        *,
        glassy: bool,
    ) -> None:
        pyvista = require_pyvista()
        self.mesh = body.mesh
        self._colours = colours
        points = body.world_points()
        fan = self.mesh.fan.vertex.astype(np.int64)
        self._skin = pyvista.PolyData(points, faces=_cells(fan))
        self._skin.cell_data["colour"] = self._tints([], involved=True)
        self._skin_actor = plotter.add_mesh(
            self._skin,
            scalars="colour",
            rgb=True,
            ambient=0.5,
            diffuse=0.55,
            specular=0.0,
            culling=None if glassy else "back",
            show_scalar_bar=False,
            reset_camera=False,
        )
        edges = self.mesh.edge_vertices.astype(np.int64)
        self._wire = pyvista.PolyData(points, lines=_cells(edges))
        faint = len(edges) > _MANY_EDGES
        self._wire_actor = plotter.add_mesh(
            self._wire,
            color=_floats(self._colours.wire),
            line_width=theme.WIRE_WIDTH * ratio,
            opacity=0.25 if faint else 0.8,
            lighting=False,
            reset_camera=False,
        )

    def update(
        self, points: Floats, lit: Sequence[NDArray[np.intp]], involved: bool
    ) -> None:
        """Move the body and light faces up.

        Parameters
        ----------
        points : (V, 3)
            World frame.
        lit : sequence of (t,) arrays
            Rows of ``mesh.fan`` that belong to closest faces.
        involved : bool
            Whether a drawn pair has this body; the others fade.
        """
        self._skin.cell_data["colour"] = self._tints(lit, involved)
        for data in (self._skin, self._wire):
            data.points[...] = points
            data.GetPoints().GetData().Modified()
            data.GetPoints().Modified()

    def remove(self, plotter: Any) -> None:
        """Take the body out of the scene."""
        plotter.remove_actor(self._skin_actor, reset_camera=False)
        plotter.remove_actor(self._wire_actor, reset_camera=False)

    def _tints(
        self, lit: Sequence[NDArray[np.intp]], involved: bool
    ) -> NDArray[np.uint8]:
        opacity = theme.OPACITY if involved else theme.OPACITY_BYSTANDER
        tint = np.empty((len(self.mesh.fan.face), 4), dtype=np.uint8)
        tint[:, :3] = self._colours.surface
        tint[:, 3] = round(255 * opacity)
        for rows in lit:
            tint[rows, :3] = self._colours.lit
            tint[rows, 3] = round(255 * theme.OPACITY_LIT)
        return tint


class SolidActor:
    """Draw a solid of its own colours; ``show`` replaces it.

    Parameters
    ----------
    renderer : vtkRenderer
    opacity : float
        Between 0 and 1.
    """

    def __init__(self, renderer: Any, *, opacity: float = 1.0) -> None:
        self._pyvista = require_pyvista()
        self._mapper = self._pyvista._vtk.vtkPolyDataMapper()
        self._mapper.SetColorModeToDirectScalars()
        self._actor = self._pyvista.Actor(mapper=self._mapper)
        self._actor.prop.interpolation = "phong"
        self._actor.prop.ambient = 0.45
        self._actor.prop.diffuse = 0.6
        self._actor.prop.opacity = opacity
        renderer.AddActor(self._actor)

    def show(self, solid: Solid) -> None:
        """Draw this solid and no longer the last one."""
        self._actor.SetVisibility(len(solid.points) > 0)
        if not len(solid.points):
            return
        data = self._pyvista.PolyData(solid.points, faces=_cells(solid.triangles))
        data.point_data["colour"] = solid.colours
        data.point_data.active_normals = solid.normals.astype(np.float32)
        data.GetPointData().SetActiveScalars("colour")
        self._mapper.SetInputData(data)


def _cells(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.insert(corners, 0, corners.shape[1], axis=1).ravel()


def _floats(colour: Rgb) -> tuple[float, float, float]:
    r, g, b = colour
    return r / 255, g / 255, b / 255

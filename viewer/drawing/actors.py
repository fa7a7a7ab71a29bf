"""Draw coloured solids, translucent sheets, and the layers made of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import Frame, PairState
from viewer.drawing.skin import cells, coloured_actor, moved
from viewer.gl import require_pyvista
from viewer.layers.insets import chart_side
from viewer.layers.overlays import NOTHING, OverlayCollector, Overlays
from viewer.layers.switches import Layers
from viewer.layout.markers import Pen, Sheet, add_outlines, sheets
from viewer.layout.solids import Solid, SolidBuilder
from viewer.theme import MARGIN


class SolidActor:
    """Draw a solid of its own colours; ``show`` replaces it."""

    def __init__(self, renderer: Any, *, opacity: float = 1.0) -> None:
        self._pyvista = require_pyvista()
        self._mapper, self._actor = coloured_actor(cells=False)
        self._actor.prop.interpolation = "phong"
        self._actor.prop.ambient = 0.45
        self._actor.prop.diffuse = 0.6
        self._actor.prop.opacity = opacity
        self._actor.SetVisibility(False)
        renderer.AddActor(self._actor)
        self._triangles: NDArray[np.int64] | None = None
        self._colours: NDArray[np.uint8] | None = None
        self._at: tuple[NDArray[Any], ...] = ()
        self._data: Any = None

    def show(self, solid: Solid) -> None:
        """Draw this solid and no longer the last one."""
        self._actor.SetVisibility(len(solid.points) > 0)
        if not len(solid.points):
            return
        if solid.triangles is self._triangles and len(solid.points) == len(self._at[0]):
            self._change(solid)
            return
        self._triangles, self._colours = solid.triangles, solid.colours
        normals = solid.normals.astype(np.float32)
        self._at = solid.points.copy(), normals, solid.colours.copy()
        data = self._pyvista.PolyData()
        data.points = self._at[0]
        data.faces = cells(solid.triangles)
        shading = self._pyvista.convert_array(normals, name="normal")
        data.GetPointData().SetNormals(shading)
        tints = self._pyvista.convert_array(self._at[2], name="colour")
        data.GetPointData().SetScalars(tints)
        self._data = data
        self._mapper.SetInputData(data)

    def _change(self, solid: Solid) -> None:
        """Overwrite what has the same triangles as before."""
        points, normals, colours = self._at
        points[...], normals[...] = solid.points, solid.normals
        told = self._data.GetPointData()
        told.GetNormals().Modified()
        if solid.colours is not self._colours:
            self._colours = solid.colours
            colours[...] = solid.colours
            told.GetScalars().Modified()
        moved(self._data)


class LayerActors:
    """Collect what the layers show, and draw what of it is solid or translucent.

    What is behind bodies shines through ``renderer``; ``front`` is on top.
    """

    def __init__(self, renderer: Any, front: Any) -> None:
        self.overlays: Overlays = NOTHING
        self._overlayer = OverlayCollector()
        self._renderers = renderer, front
        self._actors: tuple[SolidActor, SolidActor, SheetActor] | None = None

    def collect(
        self,
        frame: Frame,
        states: Sequence["PairState"],
        layers: Layers,
        before: Frame | None,
    ) -> None:
        """Compute what the layers that are on show; see `OverlayCollector.collect`."""
        self.overlays = self._overlayer.collect(frame, states, layers, before)

    def room(self, width: float, height: float) -> float:
        """Return how many pixels at the right of a picture of this size charts take."""
        if not self.overlays.charts:
            return 0.0
        side = chart_side(width, height)
        return side + MARGIN if side else 0.0

    def show(self, pen: Pen) -> None:
        """Draw it."""
        if self._actors is None:
            if not any(self.overlays[:6]):
                return  # no actor before there is something to draw
            renderer, front = self._renderers
            self._actors = (
                SolidActor(renderer),
                SolidActor(front, opacity=0.3),
                SheetActor(renderer),
            )
        solid, ghost, sheet = self._actors
        pieces = SolidBuilder()
        add_outlines(pieces, self.overlays, pen)
        lines = pieces.solid()
        solid.show(lines)
        ghost.show(lines)
        sheet.show(sheets(self.overlays, pen), pen)


class SheetActor:
    """Draw translucent triangles; ``show`` replaces them."""

    def __init__(self, renderer: Any) -> None:
        self._pyvista = require_pyvista()
        self._mapper, self._actor = coloured_actor(cells=True)
        self._actor.prop.lighting = False
        self._actor.ForceTranslucentOn()
        renderer.AddActor(self._actor)

    def show(self, sheets: Sequence[Sheet], pen: Pen) -> None:
        """Draw these sheets and no longer the last ones."""
        self._actor.SetVisibility(len(sheets) > 0)
        if not sheets:
            return
        raised = [s.raised(pen.unit(s.triangles.mean(axis=(0, 1)))) for s in sheets]
        points = np.concatenate(raised).reshape(-1, 3)
        faces = cells(np.arange(len(points), dtype=np.int64).reshape(-1, 3))
        data = self._pyvista.PolyData(points, faces=faces)
        tones = [(*s.colour, round(255 * s.opacity)) for s in sheets]
        counts = [len(s.triangles) for s in sheets]
        data.cell_data["colour"] = np.repeat(np.array(tones, np.uint8), counts, axis=0)
        data.GetCellData().SetActiveScalars("colour")
        self._mapper.SetInputData(data)

"""The layers beside bodies and closest features, on the stage."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from viewer.drawing.actors import SolidActor
from viewer.gl import require_pyvista
from viewer.layers.insets import chart_side
from viewer.layers.overlays import NOTHING, Overlayer, Overlays
from viewer.layers.switches import Layers
from viewer.layout.camera import View
from viewer.layout.extras import Sheets, outlines, sheets
from viewer.theme import MARGIN, Theme

if TYPE_CHECKING:
    from sim import Frame, PairState


class Beside:
    """Collect what the layers show, and draw what of it is solid or translucent.

    Parameters
    ----------
    renderer : vtkRenderer
        Of the bodies: what is behind them shines through.
    front : vtkRenderer
        On top of everything.

    Attributes
    ----------
    overlays : Overlays
        What the layers that are on show of the present frame.
    """

    def __init__(self, renderer: Any, front: Any) -> None:
        self.overlays: Overlays = NOTHING
        self._overlayer = Overlayer()
        self._renderers = renderer, front
        self._actors: tuple[SolidActor, SolidActor, SheetActor] | None = None

    def collect(
        self,
        frame: "Frame",
        states: Sequence["PairState"],
        layers: Layers,
        before: "Frame | None",
    ) -> None:
        """Compute what the layers that are on show; see `Overlayer.collect`."""
        self.overlays = self._overlayer.collect(frame, states, layers, before)

    def room(self, width: float, height: float) -> float:
        """Return how many pixels at the right of a picture of this size charts take."""
        if not self.overlays.charts:
            return 0.0
        side = chart_side(width, height)
        return side + MARGIN if side else 0.0

    def show(
        self, order: Sequence[str], view: View, height: float, look: Theme
    ) -> None:
        """Draw it for a camera; see `viewer.layout.extras`."""
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
        lines = outlines(self.overlays, order, view, height, look)
        solid.show(lines)
        ghost.show(lines)
        sheet.show(sheets(self.overlays, order, view, height, look))


class SheetActor:
    """Draw translucent triangles; ``show`` replaces them.

    Parameters
    ----------
    renderer : vtkRenderer
    """

    def __init__(self, renderer: Any) -> None:
        self._pyvista = require_pyvista()
        self._mapper = self._pyvista._vtk.vtkPolyDataMapper()
        self._mapper.SetColorModeToDirectScalars()
        self._mapper.SetScalarModeToUseCellData()
        self._actor = self._pyvista.Actor(mapper=self._mapper)
        self._actor.prop.lighting = False
        self._actor.ForceTranslucentOn()
        renderer.AddActor(self._actor)

    def show(self, sheets: Sheets) -> None:
        """Draw these sheets and no longer the last ones."""
        count = len(sheets.triangles)
        self._actor.SetVisibility(count > 0)
        if not count:
            return
        corners = np.arange(3 * count, dtype=np.int64).reshape(-1, 3)
        cells = np.insert(corners, 0, 3, axis=1).ravel()
        data = self._pyvista.PolyData(sheets.triangles.reshape(-1, 3), faces=cells)
        data.cell_data["colour"] = sheets.colours
        data.GetCellData().SetActiveScalars("colour")
        self._mapper.SetInputData(data)

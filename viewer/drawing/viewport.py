"""Own a plotter with a layer on top of it, and take its picture."""

from typing import Any

import numpy as np

from viewer.arrays import Image
from viewer.gl import require_gl, require_pyvista


class Viewport:
    """Own a plotter, in a window or in memory, and a renderer on top of its own.

    ``ratio`` times larger than ``size`` is drawn and shrunk, for smooth edges.
    """

    def __init__(
        self,
        size: tuple[int, int],
        ratio: int,
        *,
        off_screen: bool,
        title: str = "wingedge",
    ) -> None:
        pyvista = require_pyvista()
        self._is_software = require_gl().is_software
        self.ratio = ratio
        self.plotter = pyvista.Plotter(
            off_screen=off_screen,
            notebook=False,  # what a cell shows is the caller's to say
            window_size=[size[0] * ratio, size[1] * ratio],
            title=title,
        )
        # Multisampling is 80 % of a software renderer's time, and bodies vanish where
        # it meets the sorting of what is translucent (VTK 9.7).
        if ratio > 1 or self._is_software:
            self.plotter.disable_anti_aliasing()
        self.overlay: Any = pyvista._vtk.vtkRenderer()
        self.overlay.SetActiveCamera(self.plotter.camera)
        self.overlay.SetLayer(1)
        self.overlay.InteractiveOff()
        self.overlay.GetCullers().RemoveAllItems()
        window = self.plotter.render_window
        window.SetNumberOfLayers(2)
        window.AddRenderer(self.overlay)
        self._shown = False

    def image(self) -> Image:
        """Return the picture, (height, width, 3), top row first."""
        if not self._shown:
            self.plotter.show(auto_close=False, interactive=False)
            self._shown = True
        self.plotter.render()
        drawn = np.asarray(self.plotter.screenshot(return_img=True))
        return shrunk(drawn[..., :3], self.ratio)

    def close(self) -> None:
        """Release the window."""
        self.plotter.close()


def shrunk(image: Image, ratio: int) -> Image:
    """Average blocks of ratio x ratio pixels."""
    if ratio == 1:
        return np.ascontiguousarray(image)
    height, width = image.shape[0] // ratio, image.shape[1] // ratio
    blocks = image[: height * ratio, : width * ratio].astype(np.uint16)
    total = blocks.reshape(height, ratio, width, ratio, 3).sum(axis=(1, 3))
    mean: Image = (total / ratio**2 + 0.5).astype(np.uint8)
    return mean

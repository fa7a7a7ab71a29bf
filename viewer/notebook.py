"""What a Jupyter notebook shows: a picture as the value of a cell, or a live view."""

import importlib
import importlib.util
import io
import sys
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from viewer.layers.switches import check_layers

if TYPE_CHECKING:
    from sim import Frame


class Picture(np.ndarray[tuple[int, ...], np.dtype[np.uint8]]):
    """A picture, (height, width, 3) uint8, that a notebook shows as one.

    Everywhere else it is an array like any other; what is cut out of it that is no
    picture is shown as numbers.
    """

    @classmethod
    def of(cls, image: NDArray[np.uint8]) -> "Picture":
        """See an array as a picture; nothing is copied."""
        return image.view(cls)

    def _repr_png_(self) -> bytes | None:
        """Return the picture as a file, for a notebook; None if it is none."""
        if self.ndim != 3 or self.shape[2] != 3 or self.dtype != np.uint8:
            return None
        if not self.size:
            return None
        from PIL import Image  # comes with pyvista

        file = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(self)).save(file, format="PNG")
        return file.getvalue()


def in_notebook() -> bool:
    """Tell whether a Jupyter kernel runs this; IPython is never loaded for that."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def has_trame() -> bool:
    """Tell whether pyvista can show live views in a notebook, without loading it."""
    found = entry_points(group="pyvista.jupyter_backends", name="trame")
    return bool(found) and importlib.util.find_spec("ipywidgets") is not None


class NotebookScreen:
    """Show the last frame below the cell: live where trame is installed, else drawn.

    Parameters
    ----------
    size : (width, height)
        In pixels.
    theme : {"light", "dark"}
    layers : iterable of str
        Layers to switch on besides those that are, as for `viewer.picture`.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "light",
        layers: Iterable[str] = (),
    ) -> None:
        self._size, self._theme, self._layers = size, theme, check_layers(layers)
        self._before: Frame | None = None
        self._last: Frame | None = None

    def show(self, frame: "Frame", events: object = None) -> None:
        """Note a frame; the last one is shown in the end."""
        self._before, self._last = self._last, frame

    def close(self) -> None:
        """Show the last frame below the cell."""
        if self._last is None:
            return
        frame, self._last = self._last, None
        # it is there: a kernel runs this
        importlib.import_module("IPython.display").display(self._made(frame))

    def _made(self, frame: "Frame") -> Any:
        if has_trame():
            return self._live(frame)
        from viewer.still import picture

        return picture(
            frame,
            size=self._size,
            theme=self._theme,
            layers=self._layers,
            before=self._before,
        )

    def _live(self, frame: "Frame") -> Any:
        from viewer.drawing.scene import Scene
        from viewer.theme import named

        scene = Scene(size=self._size, theme=named(self._theme))
        scene.layers.show(self._layers)
        scene.update(frame, before=self._before)
        scene.plotter.notebook = True
        return scene.plotter.show(
            jupyter_backend="trame", return_viewer=True, auto_close=False
        )

"""Show a picture or a live view below the cell of a Jupyter notebook."""

import importlib
import importlib.util
import sys
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any

from sim import Frame
from viewer.layers.switches import check_layers


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

    Parameters: ``size`` (width, height): in pixels; ``theme`` {"light", "dark"};
    ``layers``: layers to switch on besides those that are, as for `viewer.picture`.
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

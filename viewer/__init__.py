"""Draw pictures, open live windows and hold the command line ``wingedge``.

pyvista is loaded by the functions that draw, so the commands that do not draw run
without it.
"""

import typing

import sim
from wingedge import registry as _registry

if getattr(sim, "__distribution__", None) != "wingedge":
    raise ImportError(
        f"viewer needs the 'sim' package of the wingedge distribution, but Python "
        f"found another one at {getattr(sim, '__file__', None) or list(sim.__path__)}. "
        f"Rename your local sim.py, or uninstall the other distribution and run "
        f"'pip install --force-reinstall --no-deps wingedge'."
    )

__all__ = [
    "NoPicture",
    "Page",
    "ProcessScreen",
    "Scene",
    "Screen",
    "WindowScreen",
    "html",
    "movie",
    "picture",
    "replay",
    "show",
    "to_polydata",
    "watch",
]

# Where lives what this package promises.
_NAMES = {
    "viewer.drawing.scene": "Scene",
    "viewer.drawing.skin": "to_polydata",
    "viewer.gl": "NoPicture",
    "viewer.live": "replay show watch",
    "viewer.movies": "movie",
    "viewer.process": "ProcessScreen",
    "viewer.screens": "Screen",
    "viewer.still": "picture",
    "viewer.web.html": "html",
    "viewer.web.page": "Page",
    "viewer.window.window": "WindowScreen",
}

if typing.TYPE_CHECKING:
    from viewer.drawing.scene import Scene
    from viewer.drawing.skin import to_polydata
    from viewer.gl import NoPicture
    from viewer.live import replay, show, watch
    from viewer.movies import movie
    from viewer.process import ProcessScreen
    from viewer.screens import Screen
    from viewer.still import picture
    from viewer.web.html import html
    from viewer.web.page import Page
    from viewer.window.window import WindowScreen
else:
    __getattr__, __dir__ = _registry.export(__name__, __all__, _NAMES)

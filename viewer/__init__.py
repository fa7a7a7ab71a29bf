"""Draw pictures, open live windows and hold the command line ``wingedge``.

pyvista is loaded by the functions that draw, so the commands that do not draw run
without it.
"""

import typing

import sim

if getattr(sim, "__distribution__", None) != "wingedge":
    raise ImportError(
        f"viewer needs the 'sim' package of the wingedge distribution, but Python "
        f"found another one at {getattr(sim, '__file__', None) or list(sim.__path__)}. "
        f"Rename your local sim.py, or uninstall the other distribution and run "
        f"'pip install --force-reinstall --no-deps wingedge'."
    )

if typing.TYPE_CHECKING:
    from viewer.drawing.scene import Scene
    from viewer.drawing.skin import to_polydata
    from viewer.gl import NoPicture
    from viewer.live import replay, show, watch
    from viewer.movies import movie
    from viewer.process.screen import ProcessScreen
    from viewer.screens import NullScreen, OffScreen, Recorder, Screen, WindowScreen
    from viewer.still import picture
    from viewer.web.html import html
    from viewer.web.page import Page

__all__ = [
    "NoPicture",
    "NullScreen",
    "OffScreen",
    "Page",
    "ProcessScreen",
    "Recorder",
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

_HOMES = {
    "NoPicture": "viewer.gl",
    "NullScreen": "viewer.screens",
    "OffScreen": "viewer.screens",
    "Page": "viewer.web.page",
    "ProcessScreen": "viewer.process.screen",
    "Recorder": "viewer.screens",
    "Scene": "viewer.drawing.scene",
    "Screen": "viewer.screens",
    "WindowScreen": "viewer.screens",
    "html": "viewer.web.html",
    "movie": "viewer.movies",
    "picture": "viewer.still",
    "replay": "viewer.live",
    "show": "viewer.live",
    "to_polydata": "viewer.drawing.skin",
    "watch": "viewer.live",
}


def __getattr__(name: str) -> object:
    # each name is looked up where it lives when it is first asked for
    if name not in _HOMES:
        raise AttributeError(f"module 'viewer' has no attribute {name!r}")
    import importlib

    value: object = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

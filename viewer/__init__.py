"""What you see and touch: pictures, live windows and the command line ``wingedge``.

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
    from viewer.gl import NoPicture
    from viewer.live import replay, show, watch
    from viewer.movie import movie
    from viewer.polydata import to_polydata
    from viewer.scene import Scene
    from viewer.still import picture

__all__ = [
    "NoPicture",
    "Scene",
    "movie",
    "picture",
    "replay",
    "show",
    "to_polydata",
    "watch",
]

_HOMES = {
    "NoPicture": "viewer.gl",
    "Scene": "viewer.scene",
    "movie": "viewer.movie",
    "picture": "viewer.still",
    "replay": "viewer.live",
    "show": "viewer.live",
    "to_polydata": "viewer.polydata",
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

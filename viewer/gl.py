"""Find out whether pictures can be drawn here.

Without a GL library the first picture ends the process, and no exception can be caught:
VTK is asked first which window it would draw into.
"""

import ctypes.util
import importlib.util
import os
import platform
import warnings
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import NamedTuple

from viewer.timeline import interruptible

INSTALL_VIEWER = "pip install 'wingedge[viewer]'"
INSTALL_GL = "apt install libegl1 libgl1-mesa-dri libxrender1"

_ON_LINUX = platform.system() == "Linux"
_DISPLAY_FIX = "start a desktop session or use xvfb-run"


class Gl(NamedTuple):
    """How pictures are drawn here."""

    works: bool
    renderer: str  # as the driver calls itself; empty if nothing was drawn
    reason: str  # why nothing was drawn, one clause; empty if it works
    fix: str  # what to do about it; empty if it works
    window: bool = False  # whether a window can be opened on a screen

    @property
    def no_window(self) -> str:
        """Why no window can be opened, and what to do about it; empty if one can."""
        if not self.works:
            return f"{self.reason}; {self.fix}"
        return "" if self.window else f"there is no display; {_DISPLAY_FIX}"

    @property
    def is_software(self) -> bool:
        """Whether the processor draws: anti-aliasing is 80 % of its time."""
        name = self.renderer.lower()
        return any(word in name for word in ("llvmpipe", "softpipe", "swiftshader"))


class NoPicture(RuntimeError):
    """Say why no picture can be drawn here, and what to do about it."""


def has_pyvista() -> bool:
    """Tell whether pyvista is installed, without loading it."""
    return importlib.util.find_spec("pyvista") is not None


def has_display() -> bool:
    """Tell whether this session has a screen that a window could open on."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return platform.system() in ("Windows", "Darwin") or bool(display)


def require_pyvista() -> ModuleType:
    """Import pyvista; ImportError says how to install it."""
    if not has_pyvista():
        raise ImportError(f"pictures need pyvista; install it: {INSTALL_VIEWER}")
    with warnings.catch_warnings(), interruptible(twice=False):  # else VTK crashes
        # pyvista's downloads bring tqdm, which misses its own bar in a notebook
        warnings.filterwarnings("ignore", "IProgress not found")
        pyvista = importlib.import_module("pyvista")
        with suppress(Exception):  # whoever draws is told
            pyvista.Plotter  # noqa: B018  its module loads more of VTK, and matplotlib
    return pyvista


def require_gl() -> Gl:
    """Return what draws here; NoPicture says why nothing can be drawn."""
    gl = probe()
    if not gl.works:
        raise NoPicture(f"no picture can be drawn here: {gl.reason}; {gl.fix}")
    return gl


@cache
def probe() -> Gl:
    """Find out, once per process, whether and with what pictures are drawn here."""
    if not has_pyvista():
        return Gl(False, "", "pyvista is not installed", INSTALL_VIEWER)
    fix = f"on Debian: {INSTALL_GL}" if _ON_LINUX else "update the graphics driver"
    try:
        kind, report = _asked()
    except ImportError as error:  # of a library of the system
        return Gl(False, "", str(error).splitlines()[-1].rstrip(".;"), fix)
    if report is None:
        return Gl(False, "", "the GL library is missing or broken", fix)
    names = (line.split(":", 1)[1] for line in report if "renderer string" in line)
    on_screen = has_display() and not kind.startswith(("vtkEGL", "vtkOS"))
    if _ON_LINUX and not on_screen:  # else VTK looks for a screen each time, and warns
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", kind)
    renderer = next(names, "").strip() or "unknown renderer"
    return Gl(True, renderer, "", "", on_screen)


def _asked() -> tuple[str, list[str] | None]:
    """Return VTK's kind of window and what the driver says of itself; None: no GL."""
    require_pyvista()
    importlib.import_module("vtkmodules.vtkRenderingOpenGL2")
    core = importlib.import_module("vtkmodules.vtkRenderingCore")
    log = importlib.import_module("vtkmodules.vtkCommonCore").vtkLogger
    log.SetStderrVerbosity(log.VERBOSITY_OFF)  # it warns of all that it tries in vain
    try:
        window = core.vtkRenderWindow()
        kind = window.GetClassName()
        # the last that it tries on Linux, and takes though its library is not there
        is_lost = kind.startswith("vtkOS") and not ctypes.util.find_library("OSMesa")
        if is_lost or not window.SupportsOpenGL():
            return kind, None
        window.SetOffScreenRendering(True)
        window.Initialize()
        report = window.ReportCapabilities().splitlines()
        window.Finalize()
        return kind, report
    finally:
        log.SetStderrVerbosity(log.VERBOSITY_INFO)

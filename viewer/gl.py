"""Find out whether pictures can be drawn here.

Without a GL library the first render ends the process with a segmentation fault, and
no exception can be caught: so a child process draws first.
"""

import importlib.util
import os
import platform
import subprocess
import sys
import warnings
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import NamedTuple

from viewer.timeline import interruptible

INSTALL_VIEWER = "pip install 'wingedge[viewer]'"
INSTALL_GL = "apt install libegl1 libgl1-mesa-dri libxrender1"

_ON_LINUX = platform.system() == "Linux"
_WINDOW, _EGL = "VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow"
_DISPLAY_FIX = "start a desktop session or use xvfb-run"
_SECONDS = 60.0  # a cold disk takes 10 s to load VTK
_DRAW = """
import pyvista
plotter = pyvista.Plotter(off_screen=True, window_size=(32, 32))
plotter.show(auto_close=False)
print(plotter.render_window.GetClassName())
print(plotter.render_window.ReportCapabilities())
"""


class Gl(NamedTuple):
    """What the child process found."""

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
    told = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return platform.system() in ("Windows", "Darwin") or bool(told)


def require_pyvista() -> ModuleType:
    """Import pyvista; ImportError says how to install it."""
    if not has_pyvista():
        raise ImportError(f"pictures need pyvista; install it: {INSTALL_VIEWER}")
    if _ON_LINUX and not has_display():  # spares the search for an X server
        os.environ.setdefault(_WINDOW, _EGL)
    with warnings.catch_warnings(), interruptible(twice=False):  # else VTK crashes
        # pyvista's downloads bring tqdm, which misses its own bar in a notebook
        warnings.filterwarnings("ignore", "IProgress not found")
        pyvista = importlib.import_module("pyvista")
        with suppress(Exception):  # whoever draws is told
            pyvista.Plotter  # noqa: B018  its module loads more of VTK, and matplotlib
    return pyvista


def require_gl() -> Gl:
    """Return what draws here; NoPicture says why nothing can be drawn."""
    found = probe()
    if found.works and not found.window and _ON_LINUX:
        os.environ.setdefault(_WINDOW, _EGL)  # else VTK looks for a screen and warns
    if not found.works:
        raise NoPicture(f"no picture can be drawn here: {found.reason}; {found.fix}")
    return found


@cache
def started_probe() -> "subprocess.Popen[str]":
    """Start a child process that tries to draw; a head start hides two seconds."""
    look = {} if has_display() or not _ON_LINUX else {_WINDOW: _EGL}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _DRAW],
        env={**look, **os.environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # Ctrl-C is for the parent, not for the probe
    )


@cache
def probe() -> Gl:
    """Find out, once per process, whether and with what pictures are drawn here.

    While the child loads VTK this process does too: the first window is there at once.
    """
    if not has_pyvista():
        return Gl(False, "", "pyvista is not installed", INSTALL_VIEWER)
    child = started_probe()
    with suppress(Exception):  # whoever draws is told
        require_pyvista()
    fix = f"on Debian: {INSTALL_GL}" if _ON_LINUX else "update the graphics driver"
    try:
        out, err = child.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        return Gl(False, "", f"drawing took more than {_SECONDS:.0f} s", fix)
    if child.returncode < 0:
        reason = "the GL library is missing or broken (drawing crashed)"
        return Gl(False, "", reason, fix)
    if child.returncode:
        last = (err.strip().splitlines() or ["drawing failed"])[-1]
        return Gl(False, "", last.rstrip(".;"), fix)
    kind, *told = out.splitlines()
    names = (line.split(":", 1)[1] for line in told if "renderer string" in line)
    on_screen = has_display() and not kind.startswith(("vtkEGL", "vtkOS"))
    renderer = next(names, "").strip() or "unknown renderer"
    return Gl(True, renderer, "", "", on_screen)

"""Run ``wingedge doctor``: say what works here, and the fix for the rest."""

import importlib.metadata
import platform
import sys
from collections.abc import Iterator
from typing import NamedTuple

from viewer.cli import NO, YES
from viewer.gl import INSTALL_VIEWER, probe
from viewer.web.server import INSTALL_WEB

PACKAGES = "numpy", "scipy", "networkx", "h5py", "trimesh", "cyclopts", "rich"


class Finding(NamedTuple):
    """One line of the report."""

    status: str  # "ok", "--" (optional, not there) or "FAIL"
    what: str
    found: str
    fix: str = ""

    def __str__(self) -> str:
        line = f"{self.status:<4}  {self.what:<9} {self.found}"
        return f"{line}\n      fix: {self.fix}" if self.fix else line


def examine() -> Iterator[Finding]:
    """Look at everything that wingedge uses, one finding at a time."""
    yield Finding("ok", "python", f"{platform.python_version()} at {sys.executable}")
    yield Finding("ok", "platform", platform.platform())
    for name in PACKAGES:
        absent = Finding("FAIL", name, "not installed", f"pip install {name}")
        version = _version(name)
        yield Finding("ok", name, version) if version else absent
    yield _compiled()
    viser, no_page = _version("viser"), "viser not installed: no page"
    page = f"viser {viser}: --web, --html"
    yield _optional(viser, "browser", page, no_page, INSTALL_WEB)
    pyvista, vtk = _version("pyvista"), _version("vtk") or "0"
    if pyvista is None:
        why = "not installed: no pictures, no windows"
        yield Finding("--", "pyvista", why, INSTALL_VIEWER)
        return
    yield Finding("ok", "pyvista", f"{pyvista}, VTK {vtk}")
    reads = ".vtkhdf is read by VTK 9.5, ParaView 6 and newer"
    newer = "pip install 'vtk>=9.5'"
    is_new = [int(n) for n in vtk.split(".")[:2]] >= [9, 5]
    yield _optional(is_new, "ParaView", reads, f"{reads}; this VTK is older", newer)
    yield from _pictures()
    yield _movies()


def _optional(there: object, what: str, found: str, missing: str, fix: str) -> Finding:
    return Finding("ok", what, found) if there else Finding("--", what, missing, fix)


def _compiled() -> Finding:
    """Say which engine runs, and where it comes from."""
    from sim.engine import library

    try:
        library.linked()
    except library.NoCompiledKernels as error:
        words = f"{error}: {library.SLOW}"
        return Finding("--", "compiled", words, library.REMEDY)
    return Finding("ok", "compiled", f"kernels from {library.path()}")


def _pictures() -> Iterator[Finding]:
    gl = probe()
    if not gl.works:
        yield Finding("FAIL", "pictures", gl.reason, gl.fix)
        return
    how = "software" if gl.is_software else "hardware"
    yield Finding("ok", "pictures", f"off screen, {how} rendering by {gl.renderer}")
    reason, _, fix = gl.no_window.partition("; ")
    can, cannot = "a live window can be opened", f"{reason}: no live windows"
    yield _optional(gl.window, "windows", can, cannot, fix)


def _movies() -> Finding:
    """Look for the encoder itself: its package may be there without it."""
    without = ".gif and .webp, but no .mp4"
    try:
        from imageio_ffmpeg import get_ffmpeg_version

        made = f".mp4 by ffmpeg {get_ffmpeg_version()}; .gif and .webp"
    except ImportError:
        words = f"imageio-ffmpeg is not installed: {without}"
        return Finding("--", "movies", words, INSTALL_VIEWER)
    except (RuntimeError, OSError):
        words = f"imageio-ffmpeg finds no ffmpeg: {without}"
        return Finding("--", "movies", words, "on Debian: apt install ffmpeg")
    return Finding("ok", "movies", made)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def doctor() -> int:
    """Check what works on this machine, and say how to fix what does not."""
    code = YES
    for finding in examine():
        print(finding, flush=True)
        code = NO if finding.status == "FAIL" else code
    return code

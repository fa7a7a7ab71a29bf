"""Run ``wingedge doctor``: say what works here, and the fix for the rest."""

import importlib.metadata
import platform
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from viewer.cli import NO, YES
from viewer.gl import INSTALL_VIEWER, probe
from viewer.web.server import INSTALL_WEB

# as in pyproject.toml; what is older, or has a bound and is newer, was never tried
NEEDED = {
    "numpy": ">=1.26",
    "scipy": ">=1.11",
    "h5py": ">=3.11",
    "trimesh": ">=4.5",
    "cyclopts": ">=4.13",
    "rich": ">=13.6",
}
OPTIONAL = {"pyvista": ">=0.49,<0.50", "vtk": ">=9.4", "viser": ">=1.1,<1.2"}
# measured on two cores that others used too; benchmarks/bench_viewer.py
_SLOW = (
    "the processor draws: some 20 frames/s for 2 bodies of 5000 faces at 1280 x 720; "
    "anti-aliasing is off in windows"
)
_FASTER = (
    "install the driver of the graphics card, or draw smaller; pictures and movies are "
    "smooth all the same"
)


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
    for name, wanted in NEEDED.items():
        yield _package(name, f"pip install '{name}{wanted}'")
    yield _compiled()
    works, viser = _package("viser", INSTALL_WEB)[::2]
    page, missing = f"viser {viser}: --web, --html", f"viser {viser}: no page, no .html"
    yield _optional(works == "ok", "browser", page, missing, INSTALL_WEB)
    if _version("pyvista") is None:
        absent = "not installed: no pictures, no windows"
        yield Finding("--", "pyvista", absent, INSTALL_VIEWER)
        return
    yield _package("pyvista", INSTALL_VIEWER)
    yield _package("vtk", INSTALL_VIEWER)
    reads = ".vtkhdf is read by VTK 9.5, ParaView 6 and newer"
    newer = "pip install 'vtk>=9.5'"
    is_new = _fits(_version("vtk") or "0", ">=9.5")
    yield _optional(is_new, "ParaView", reads, f"{reads}; this VTK is older", newer)
    yield from _pictures()
    yield _movies()


def _optional(there: bool, what: str, found: str, missing: str, fix: str) -> Finding:
    return Finding("ok", what, found) if there else Finding("--", what, missing, fix)


def _package(name: str, fix: str) -> Finding:
    version, wanted = _version(name), (NEEDED | OPTIONAL)[name]
    if version is None:
        return Finding("FAIL", name, "not installed", fix)
    if not _fits(version, wanted):
        return Finding("FAIL", name, f"{version}, but {wanted} is needed", fix)
    return Finding("ok", name, version)


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
    found = probe()
    if not found.works:
        yield Finding("FAIL", "pictures", found.reason, found.fix)
        return
    how = "software" if found.is_software else "hardware"
    yield Finding("ok", "pictures", f"off screen, {how} rendering by {found.renderer}")
    if found.is_software:
        yield Finding("--", "speed", _SLOW, _FASTER)
    reason, _, fix = found.no_window.partition("; ")
    can, cannot = "a live window can be opened", f"{reason}: no live windows"
    yield _optional(found.window, "windows", can, cannot, fix)


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


def _fits(version: str, wanted: str) -> bool:
    """Tell whether a version is one of those wanted, as in ">=1.1,<1.2"."""
    have = _numbers(version)
    return all((have < _numbers(b)) == b.startswith("<") for b in wanted.split(","))


def _numbers(version: str) -> list[int]:
    release = re.split(r"[^\d.]", version.lstrip("<>="))[0]
    return [int(part) for part in re.findall(r"\d+", release)]


def doctor() -> int:
    """Check what works on this machine, and say how to fix what does not."""
    failed = False
    for finding in examine():
        print(finding, flush=True)
        failed |= finding.status == "FAIL"
    return NO if failed else YES

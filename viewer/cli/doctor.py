"""Run ``wingedge doctor``: say what works here, and the fix for the rest."""

import importlib.metadata
import importlib.util
import platform
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from viewer.cli.codes import NO, YES
from viewer.gl import INSTALL_VIEWER, probe
from viewer.live import has_trame
from viewer.web.server import INSTALL_WEB

# as in pyproject.toml; what is older was never tried
NEEDED = {
    "numpy": (1, 26),
    "scipy": (1, 11),
    "networkx": (3, 4),
    "h5py": (3, 11),
    "trimesh": (4, 5),
    "cyclopts": (4, 13),
    "rich": (13, 6),
}
PYTHON = (3, 11)
# of what is optional: the oldest that was tried, and the first that was not
BOUNDS: dict[str, tuple[tuple[int, ...], tuple[int, ...] | None]] = {
    "pyvista": ((0, 49), (0, 50)),
    "vtk": ((9, 3), None),
    "viser": ((1, 1), (1, 2)),
}


# measured on two cores that others used too; benchmarks/bench_viewer.py
_SLOW = (
    "the processor draws: some 50 frames/s for 2 bodies of 5000 faces at 1280 x 720; "
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
    version, fix = platform.python_version(), "install Python 3.11 or newer"
    if sys.version_info[:2] < PYTHON:
        yield Finding("FAIL", "python", version, fix)
    else:
        yield Finding("ok", "python", f"{version} at {sys.executable}")
    yield Finding("ok", "platform", platform.platform())
    for name in NEEDED:
        yield _package(name, f"pip install '{name}{_wanted(name)}'")
    yield _compiled()
    viser = _package("viser", INSTALL_WEB)
    found = f"viser {viser.found}" + (": --web, --html" if viser.status == "ok" else "")
    if _version("viser") is None:
        found = "viser is not installed: no page in a browser, no .html"
    status = "ok" if viser.status == "ok" else "--"
    yield Finding(status, "browser", found, viser.fix)
    if importlib.util.find_spec("pyvista") is None:
        found = "not installed: no pictures, no windows"
        yield Finding("--", "pyvista", found, INSTALL_VIEWER)
        return
    yield _package("pyvista", INSTALL_VIEWER)
    yield _package("vtk", INSTALL_VIEWER)
    yield _recordings()
    yield from _pictures()
    yield _movies()
    if has_trame():
        yield Finding("ok", "notebooks", "live views, by trame")
    else:
        words = "trame is not installed: pictures below the cell, no live views"
        yield Finding("--", "notebooks", words, "pip install 'pyvista[jupyter]'")


def _package(name: str, fix: str) -> Finding:
    version = _version(name)
    if version is None:
        return Finding("FAIL", name, "not installed", fix)
    if not _fits(name, version):
        found = f"{version}, but {_wanted(name)} is needed"
        return Finding("FAIL", name, found, fix)
    return Finding("ok", name, version)


def _compiled() -> Finding:
    """Say which engine runs, and where it comes from."""
    from sim.engine import library

    name = "compiled"
    try:
        library.linked()
        return Finding("ok", name, f"kernels from {library.path()}")
    except library.NoCompiledKernels as error:
        return Finding("--", name, f"{error}: {library.SLOW}", library.REMEDY)


def _pictures() -> Iterator[Finding]:
    found = probe()
    if not found.works:
        yield Finding("FAIL", "pictures", found.reason, found.fix)
        return
    how = "software" if found.is_software else "hardware"
    yield Finding("ok", "pictures", f"off screen, {how} rendering by {found.renderer}")
    if found.is_software:
        yield Finding("--", "speed", _SLOW, _FASTER)
    if found.window:
        yield Finding("ok", "windows", "a live window can be opened")
    else:
        reason, _, fix = found.no_window.partition("; ")
        yield Finding("--", "windows", f"{reason}: no live windows", fix)


def _recordings() -> Finding:
    """Say whether the VTK that is here reads recordings."""
    words = ".vtkhdf is read by VTK 9.5, ParaView 6 and newer"
    here = _numbers(_version("vtk") or "0")
    if here >= (9, 5):
        return Finding("ok", "ParaView", words)
    fix = "pip install 'vtk>=9.5', or for others: wingedge export FILE --vtm"
    return Finding("--", "ParaView", f"{words}; this VTK is older", fix)


def _movies() -> Finding:
    """Look for the encoder itself: its package may be there without it."""
    if _version("imageio-ffmpeg") is None:
        words = "imageio-ffmpeg is not installed: .gif and .webp, but no .mp4"
        return Finding("--", "movies", words, INSTALL_VIEWER)
    from imageio_ffmpeg import get_ffmpeg_version

    try:
        version = get_ffmpeg_version()
    except (RuntimeError, OSError):
        words = "imageio-ffmpeg finds no ffmpeg: .gif and .webp, but no .mp4"
        return Finding("--", "movies", words, "on Debian: apt install ffmpeg")
    return Finding("ok", "movies", f".mp4 by ffmpeg {version}; .gif and .webp")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _bounds(name: str) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    return BOUNDS.get(name) or (NEEDED[name], None)


def _wanted(name: str) -> str:
    """Write which versions of a package were tried, as pip does."""
    least, below = (bound and ".".join(map(str, bound)) for bound in _bounds(name))
    return f">={least}" + (f",<{below}" if below else "")


def _fits(name: str, version: str) -> bool:
    numbers, (least, below) = _numbers(version), _bounds(name)
    return numbers >= least and (below is None or numbers < below)


def _numbers(version: str) -> tuple[int, ...]:
    release = re.split(r"[^\d.]", version)[0]
    return tuple(map(int, re.findall(r"\d+", release)))


def doctor() -> int:
    """Check what works on this machine, and say how to fix what does not.

    Pictures are tried in a child process. Exit code 1 if something that wingedge needs
    is missing or broken; "--" marks what is optional.
    """
    failed = False
    for finding in examine():
        print(finding, flush=True)
        failed |= finding.status == "FAIL"
    return NO if failed else YES

"""Run ``wingedge doctor``: say what works here, and the fix for the rest."""

import importlib.metadata
import importlib.util
import platform
import sys
import time
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
    "networkx": (3, 2),
    "h5py": (3, 11),
    "trimesh": (4, 5),
    "cyclopts": (4,),
    "rich": (13,),
}
PYTHON = (3, 11)
PYVISTA = (0, 48)
PYVISTA_BELOW = (0, 50)
VISER = (1, 1)
VISER_BELOW = (1, 2)
LLVMLITE = (0, 50)
LLVMLITE_BELOW = (0, 51)


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
    """Look at everything that wingedge uses, one finding at a time.

    GL is tried in a child process, because a missing library ends the process.
    """
    yield _python()
    yield Finding("ok", "platform", platform.platform())
    for name, least in NEEDED.items():
        yield _package(name, least)
    yield _compiled()
    yield _browser()
    if importlib.util.find_spec("pyvista") is None:
        yield Finding(
            "--", "pyvista", "not installed: no pictures, no windows", INSTALL_VIEWER
        )
        return
    yield _package("pyvista", PYVISTA, PYVISTA_BELOW, INSTALL_VIEWER)
    yield _package("vtk", (9, 3), fix=INSTALL_VIEWER)
    yield from _pictures()
    yield _movies()
    yield _notebooks()


def _python() -> Finding:
    version = platform.python_version()
    if sys.version_info[:2] < PYTHON:
        return Finding("FAIL", "python", version, "install Python 3.11 or newer")
    return Finding("ok", "python", f"{version} at {sys.executable}")


def _package(
    name: str,
    least: tuple[int, ...],
    below: tuple[int, ...] | None = None,
    fix: str | None = None,
) -> Finding:
    wanted = f">={_dotted(least)}" + (f",<{_dotted(below)}" if below else "")
    fix = fix or f"pip install '{name}{wanted}'"
    version = _version(name)
    if version is None:
        return Finding("FAIL", name, "not installed", fix)
    numbers = _numbers(version)
    if numbers < least or (below is not None and numbers >= below):
        return Finding("FAIL", name, f"{version}, but {wanted} is needed", fix)
    return Finding("ok", name, version)


def _compiled() -> Finding:
    """Try the compiled engine for real: what it costs is paid for later programs."""
    from sim.engine import build
    from sim.engine.policy import ENGINE

    version = _version("llvmlite")
    if version is None:
        return Finding(
            "--",
            "compiled",
            "llvmlite is not installed: kernels are interpreted, some 100 times slower",
            "pip install 'wingedge[compiled]'",
        )
    begin = time.perf_counter()
    reason = ENGINE.try_out()
    seconds = time.perf_counter() - begin
    if reason:
        wanted = f">={_dotted(LLVMLITE)},<{_dotted(LLVMLITE_BELOW)}"
        return Finding(
            "--",
            "compiled",
            f"llvmlite {version}, but {reason}: kernels are interpreted",
            f"pip install 'llvmlite{wanted}'",
        )
    key = build.fingerprint()
    path = build.path_of(key)
    if build.read(path, key) is None:
        folder = "no folder" if path is None else path.parent
        return Finding(
            "--",
            "compiled",
            f"llvmlite {version}, ready in {seconds:.2f} s, but {folder} cannot be "
            f"written: every program compiles anew",
            "set WINGEDGE_CACHE to a folder of yours that can be written",
        )
    return Finding(
        "ok",
        "compiled",
        f"llvmlite {version}, ready in {seconds:.2f} s, kept in {path}",
    )


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


def _browser() -> Finding:
    """Look for viser, which serves the page and writes the file."""
    version = _version("viser")
    if version is None:
        words = "viser is not installed: no page in a browser, no .html"
        return Finding("--", "browser", words, INSTALL_WEB)
    if not VISER <= _numbers(version) < VISER_BELOW:
        wanted = f">={_dotted(VISER)},<{_dotted(VISER_BELOW)}"
        words = f"viser {version}, but {wanted} is needed"
        return Finding("--", "browser", words, INSTALL_WEB)
    return Finding("ok", "browser", f"viser {version}: --web, --html")


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


def _notebooks() -> Finding:
    if has_trame():
        return Finding("ok", "notebooks", "live views, by trame")
    words = "trame is not installed: pictures below the cell, no live views"
    return Finding("--", "notebooks", words, "pip install 'pyvista[jupyter]'")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    found = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        found.append(int(digits))
    return tuple(found)


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))


def doctor() -> int:
    """Say what works here, and the fix for what does not.

    Pictures are tried in a child process. Exit code 1 if something that wingedge needs
    is missing or broken; "--" marks what is optional.
    """
    failed = False
    for finding in examine():
        print(finding, flush=True)
        failed |= finding.status == "FAIL"
    return NO if failed else YES

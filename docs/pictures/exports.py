"""An export as VTK alone shows it: the oldest version that reads it, and the newest."""

import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from pictures.entry import ROOT, LegendEntry
from sim import scenes
from viewer.export import export

OLDEST = "vtk==9.3.1"
FRAME = 104  # the demo at its deepest


def _draw(path: Path, interpreter: str) -> None:
    """Export the demo and draw it by ``docs/open_export.py``."""
    with TemporaryDirectory() as folder:
        written = Path(folder, "demo.pvd")
        frames = list(scenes.load("demo").run(FRAME + 1))
        export(frames, written, frame=FRAME)
        source = next(written.with_suffix("").glob("*.vtm"))
        program = str(ROOT / "docs" / "open_export.py")
        # no path to this project: the other Python has its own packages
        clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        subprocess.run([interpreter, program, source, path], check=True, env=clean)


def _draw_by_oldest(path: Path) -> None:
    """Install the oldest VTK for the time; it draws into a window, so needs a display.

    Its wheels are for Python 3.8 to 3.12.
    """
    with TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        interpreter = str(Path(folder, "bin", "python"))
        subprocess.run([interpreter, "-m", "pip", "install", "-q", OLDEST], check=True)
        _draw(path, interpreter)


_LINE = "wingedge export demo.vtkhdf --vtm; python docs/open_export.py FILE.vtm PICTURE"

ENTRIES = {
    "export_vtk93.png": LegendEntry(
        "an export in VTK 9.3, at its default view: the contact is seen",
        _LINE,
        _draw_by_oldest,
    ),
    "export_vtk97.png": LegendEntry(
        "the same file in VTK 9.7", _LINE, lambda path: _draw(path, sys.executable)
    ),
}

"""Where keys lead the two examples of the plane."""

import sys
from importlib import import_module
from pathlib import Path

from pictures.entry import ROOT, LegendEntry

DISK = "L*30 K*12 L*10 K*30 L*30 J*12"
SEGMENTS = "R*60 J*8 H*5"


def draw(name: str, kind: str, keys: str, path: Path) -> None:
    """Play keys, and draw the last frame."""
    sys.path.insert(0, str(ROOT / "examples"))
    demo = getattr(import_module(name), kind)()
    example = import_module("disk_triangle")
    for held in example.parsed(keys, demo.KEYS):
        demo.step(held)
    example.Plane(demo).draw().screenshot(str(path))


ENTRIES = {
    "disk_triangle.png": LegendEntry(
        "a disk over a triangle: seven regions, the nearest edge lit",
        "examples/disk_triangle.py",
        lambda path: draw("disk_triangle", "Disk", DISK, path),
    ),
    "two_segments.png": LegendEntry(
        "two segments that cross, with both parameters",
        "examples/two_segments.py",
        lambda path: draw("two_segments", "Segments", SEGMENTS, path),
    ),
}

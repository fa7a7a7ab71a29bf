"""The two demos of the plane. The keys are those that lead to what is seen."""

from pictures.entry import LegendEntry
from viewer.demos.play import picture

DISK = "L*30 K*12 L*10 K*30 L*30 J*12"
SEGMENTS = "R*60 J*8 H*5"

ENTRIES = {
    "disk_triangle.png": LegendEntry(
        "a disk over a triangle: seven regions, the nearest edge lit",
        f'picture("disk", "{DISK}", "disk_triangle.png")',
        lambda path: picture("disk", DISK, path),
    ),
    "two_segments.png": LegendEntry(
        "two segments that cross, with both parameters",
        f'picture("segments", "{SEGMENTS}", "two_segments.png")',
        lambda path: picture("segments", SEGMENTS, path),
    ),
}

"""Draw the pictures of the two demos of the plane.

Usage: python docs/draw_planar.py. Writes docs/gallery/disk_triangle.png and
docs/gallery/two_segments.png; needs pyvista, but no display. The keys beside a picture
are the keys that lead to it.
"""

from pathlib import Path

from viewer.demos.still import picture_disk, picture_segments

GALLERY = Path(__file__).parent / "gallery"
DISK = "L*30 K*12 L*10 K*30 L*30 J*12"
SEGMENTS = "R*60 J*8 H*5"


def main() -> None:
    """Draw both."""
    picture_disk(DISK, GALLERY / "disk_triangle.png")
    picture_segments(SEGMENTS, GALLERY / "two_segments.png")


if __name__ == "__main__":
    main()

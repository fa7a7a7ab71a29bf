"""Closest points and crossings of simple pieces, for many pairs at once; one file each.

Written with elementwise + - * / and square root only, so that the same input gives the
same bits on every machine. Every degenerate input (segments of no length, triangles of
no area) has a defined answer: that of the smaller piece that it is.
"""

from wingedge.primitives import (
    disk_triangle,
    point_line,
    point_segment,
    point_triangle,
    segment_segment,
    segment_segment_2d,
    segment_triangle,
)

__all__ = [
    "disk_triangle",
    "point_line",
    "point_segment",
    "point_triangle",
    "segment_segment",
    "segment_segment_2d",
    "segment_triangle",
]

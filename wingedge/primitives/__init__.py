"""Closest points and crossings of simple pieces, for many pairs at once; one file each.

Written with elementwise + - * / and square root only, so that the same input gives the
same bits on every machine. Every degenerate input (segments of no length, triangles of
no area) has a defined answer: that of the smaller piece that it is.
"""

from wingedge.primitives import (
    line_sphere,
    point_triangle,
    segment_plane,
    segment_segment,
    segment_sphere,
    segment_triangle,
    sphere_triangle,
)

__all__ = [
    "line_sphere",
    "point_triangle",
    "segment_plane",
    "segment_segment",
    "segment_sphere",
    "segment_triangle",
    "sphere_triangle",
]

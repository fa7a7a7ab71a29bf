"""Find closest points and crossings of simple pieces, many pairs at once; a file each.

Written with elementwise + - * / and square root only, so that the same input gives the
same bits on every machine. Every degenerate input (segments of no length, triangles of
no area) has a defined answer: that of the smaller piece that it is.

Every function raises ValueError, naming the argument and the row, where a number is not
finite, a shape does not fit, a length is negative or a direction is 0.
"""

import typing

if typing.TYPE_CHECKING:
    from wingedge.primitives import (
        disk_rectangle,
        disk_triangle,
        line_sphere,
        point_line,
        point_segment,
        point_triangle,
        rectangle_rectangle,
        segment_body,
        segment_plane,
        segment_segment,
        segment_segment_2d,
        segment_sphere,
        segment_triangle,
        sphere_triangle,
        triangle_triangle,
        triangle_triangle_2d,
    )
else:

    def __getattr__(name):
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"'wingedge.primitives' has no attribute {name!r}")
        return import_module(f"wingedge.primitives.{name}")


__all__ = [
    "disk_rectangle",
    "disk_triangle",
    "line_sphere",
    "point_line",
    "point_segment",
    "point_triangle",
    "rectangle_rectangle",
    "segment_body",
    "segment_plane",
    "segment_segment",
    "segment_segment_2d",
    "segment_sphere",
    "segment_triangle",
    "sphere_triangle",
    "triangle_triangle",
    "triangle_triangle_2d",
]

"""Find closest points and crossings of simple pieces, many pairs at once; a file each.

Written with elementwise + - * / and square root only, so that the same input gives the
same bits on every machine. Every degenerate input (segments of no length, triangles of
no area) has a defined answer: that of the smaller piece that it is.

Every function raises ValueError, naming the argument and the row, where a number is not
finite, a shape does not fit or a length is negative.
"""

import typing

from wingedge import registry as _registry

__all__ = [
    "disk_triangle",
    "line_sphere",
    "moving_orientation",
    "moving_point_triangle",
    "moving_segment_segment",
    "point_line",
    "point_segment",
    "point_triangle",
    "segment_plane",
    "segment_segment",
    "segment_segment_2d",
    "segment_sphere",
    "segment_triangle",
    "sphere_triangle",
]

if typing.TYPE_CHECKING:
    from wingedge.primitives import (
        disk_triangle,
        line_sphere,
        moving_orientation,
        moving_point_triangle,
        moving_segment_segment,
        point_line,
        point_segment,
        point_triangle,
        segment_plane,
        segment_segment,
        segment_segment_2d,
        segment_sphere,
        segment_triangle,
        sphere_triangle,
    )
else:
    __getattr__, __dir__ = _registry.export(__name__, __all__, {})

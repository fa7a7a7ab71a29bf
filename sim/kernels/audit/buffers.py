"""The buffers of a convexity check: one surface in, what was found out."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints

# What an audit comes to.
CONVEX = 0
DENTED = 1
UNSURE = 2

# Where ``AuditBuffers.found`` holds what.
SIZE = 0  # largest extent about the middle of the bounding box
TOLERANCE = 1  # dents up to here count as none
VOLUME = 2  # six times
WORST = 3  # the deepest dent: its square, with its sign
FOUND_FLOATS = 4

# Where ``AuditBuffers.told`` holds what.
SIDE = 0  # of the deepest dent: 3 * triangle + k
STAR = 1  # 1 if every face looks away from the mean
FRONT = 2  # how often the surface is met from the mean along +x
BACK = 3  # and along -x, counted downwards
THIN = 4  # faces that may part two others unseen
BORDER = 5  # polygons that may be flat or not
SIGN = 6  # 1, or -1 for a body that is inside-out
TOLD_INTS = 7


class AuditBuffers(NamedTuple):
    """One surface: its topology, and room that every audit fills anew."""

    points: Floats  # 3 per vertex, body frame
    vertices: int
    faces: int
    triangles: int  # of the fans of all faces
    polygons: int  # 1: some face has more than one triangle
    planar: float  # how far a polygon may leave its plane, per unit of size
    fan: Ints  # F + 1: where the triangles of a face begin
    corner: Ints  # 3 per triangle
    across: Ints  # 3 per triangle: the third corner across the side k to k + 1
    apex: Ints  # 3 per triangle: the vertex across that is farthest off, at rest
    face: Ints  # 3 per triangle: the face across
    tail: Ints  # 3 per triangle: where the edge of the side begins
    tip: Ints  # 3 per triangle: and ends
    diagonal: Ints  # 3 per triangle: 1 where the side is a diagonal of its face
    bend: Ints  # room: 1 per face, how it leaves its plane
    area: Floats  # room: 3 per face, twice its vector area
    local: Floats  # room: 3 per vertex, about the mean
    found: Floats  # room, see above
    told: Ints  # room, see above

"""What a frame started from, put back so that it can be run again."""

from typing import NamedTuple

from sim.body.body import Body
from sim.contact import Numbers
from sim.kernels.result import Part, name_part
from sim.kernels.view import BodyView
from sim.tracking.buffers import Buffers, kept_of, part_vertices


class Start(NamedTuple):
    """The ids that an answer starts from."""

    simplex: bytes
    last: bytes
    known: bool  # the named parts of the answer before are tried first
    overlap: bool  # its axis is kept among equals
    hull: tuple[bytes, ...]  # the polytope's ids and connectivity, where it has one
    hulls: int  # 1 where both bodies were taken for their hulls at last


def restore(buffers: Buffers, numbers: Numbers, started: Start) -> None:
    """Put an answer back, in kernel order, as the next frame finds it."""
    a, b = buffers.bodies
    result = buffers.result
    _put_back(buffers.first, a, numbers.dimension_a, numbers.parts_a, result.part_a)
    _put_back(buffers.second, b, numbers.dimension_b, numbers.parts_b, result.part_b)
    result.normal = numbers.normal
    result.known = int(started.known)
    result.by_hull = int(started.overlap)
    for ids, kept in zip(kept_of(buffers.workspace.hull), started.hull, strict=False):
        ids[:] = memoryview(kept).cast("i")


def _put_back(
    side: BodyView, body: Body, dimension: int, parts: tuple[int, ...], part: Part
) -> None:
    """Write one named part into a side's scratch, as naming it would have."""
    mesh = body.mesh
    vertices: set[int] = set()
    for number in parts:
        vertices.update(part_vertices(mesh, dimension, number))
    for k, v in enumerate(sorted(vertices)):
        side.members[k] = v
        side.mark[v] = 1
    side.mark[side.size] = len(vertices)
    for k, number in enumerate(parts):
        (side.edges if dimension == 1 else side.faces)[k] = number
    edges = len(parts) if dimension == 1 else 0
    faces = len(parts) if dimension == 2 else 0
    name_part(part, dimension, parts[0], len(vertices), edges, faces)

"""The answer of one frame as the kernels write it: one record, by names."""

from sim.kernels.language import Record, Vec, kernel, record


@record
class Part(Record):
    """The support feature of one body; its lists lie in the scratch of that body."""

    dimension: int  # 0 a vertex, 1 a line, 2 an area
    name: int  # its lowest number
    members: int  # how many vertices
    edges: int
    faces: int


@record
class Result(Record):
    """What one frame of a pair answers, in kernel order; relative to the first body.

    Only ``part_a`` and ``part_b``, while they are ``known``, and ``normal`` are read
    before they are written: the features of the frame before.
    """

    distance: float
    lower: float
    upper: float
    size: float
    normal: Vec
    point_a: Vec
    point_b: Vec
    miss: float  # how far the parts lie beside each other, 0 where only by rounding
    dent: float  # how far hulls may reach beyond the bodies that are taken for them
    part_a: Part
    part_b: Part
    corners: int  # of the patch
    chosen: int  # which of them carries the points
    parallel: int  # 1 where the closest points are not unique
    blur: float  # how much higher parts may seem for what turns a normal of lines
    by_points: int  # 1 where the normal comes from a difference of points
    known: int  # 1 while the parts may be tried again in the next frame
    by_hull: int  # 1 where a polytope proves the upper bound
    doubt: int  # how much must be told apart: TRUSTING, LENIENT, STRICT
    close: int  # 1 where it was close what is level: a size more would tell it apart
    twice: int  # 1 where a scan saw others than the named part stand as high
    upright: int  # 1 where the answer shows that no open body is inside-out
    sink: float  # gathers every height, so that nothing unfinite passes unseen
    steps: int  # vertices stood on while climbing
    vertices: int  # ring neighbours looked at
    level_faces: int  # faces of the level parts; pairs of leaves that a search tested
    scans: int  # scans over all vertices
    fallbacks: int  # exhaustive searches


@kernel
def start_counting(result: Result) -> None:
    """Forget what the frame before cost, and whether it met what is no number."""
    result.sink = 0.0
    result.close = 0
    result.steps = 0
    result.vertices = 0
    result.level_faces = 0
    result.scans = 0
    result.fallbacks = 0


@kernel
def name_part(
    part: Part, dimension: int, name: int, members: int, edges: int, faces: int
) -> None:
    """Write what was found."""
    part.dimension = dimension
    part.name = name
    part.members = members
    part.edges = edges
    part.faces = faces

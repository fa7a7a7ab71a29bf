"""The tables that kernels read and write: bodies, what is remembered, the answer."""

from typing import NamedTuple

from sim.kernels.audit.hinges import Hinges
from sim.kernels.language import Floats, Ints, Record, Vec, kernel, record
from sim.kernels.overlap.polytope import Polytope


class Tree(NamedTuple):
    """The triangles of a body in leaves, and room for this frame's boxes.

    A full binary tree in heap order: node i has the children 2 i + 1 and 2 i + 2, and
    the last ``leaves`` nodes are the leaves.  Ids belong to the mesh and are shared;
    the scratch belongs to the pair and is written anew in every frame that reads it.
    Every vertex and every segment (edges and the inner diagonals of fans) is owned by
    one leaf.  V, T, S count vertices, triangles and segments.
    """

    leaves: int  # a power of two
    size: int  # V
    triangle_start: Ints  # leaves + 1
    triangle: Ints  # 3 T corners, leaf by leaf
    number: Ints  # T the triangle's place in the mesh's fan
    vertex_start: Ints  # leaves + 1
    vertex: Ints  # the corners of each leaf's triangles, once per leaf
    own_start: Ints  # leaves + 1
    own: Ints  # V vertices, each in one leaf
    segment_start: Ints  # leaves + 1
    segment: Ints  # 2 S ends, each segment in one leaf
    leaf_of: Ints  # V the leaf that owns a vertex
    leaf_start: Ints  # V + 1
    leaf: Ints  # the leaves that each vertex is in
    placed: Floats  # 3 V scratch: positions in the pair's frame; 3 more: any point
    turned: Floats  # 3 V + 3 scratch: the same in a frame whose first axis is chosen
    boxes: Floats  # 6 (2 leaves - 1) scratch: least and greatest turned coordinates
    heights: Floats  # V scratch: along the chosen axis
    awake: Ints  # 2 leaves - 1 scratch: 1 for nodes with a box


BOX = 6  # floats of a box: least x y z, greatest x y z


@record
class Progress(Record):
    """Where a search stands; read before they are written: leaves, ``told``."""

    square: float  # of the least distance so far
    limit: float  # squared distance beyond which nothing can matter any more
    tie: float  # distances this near to the least are equal to it
    pad: float  # what turning a coordinate may have rounded
    left_out: float  # the least squared distance of a tie that the list had no room for
    ties: int  # how many pairs are in the list; some may be stale until ``drop_stale``
    leaf_a: int  # the leaves that hold the nearest pair; -1 before the first
    leaf_b: int
    here_a: int  # the leaves that are being tested
    here_b: int
    pierced: int  # 1: an edge goes through a triangle of the other; -1: exactly asked
    short_a: int  # how many segments are shortlisted
    short_b: int
    others: int  # 1 where another place of the two surfaces is as near
    told: int  # 1 while ``kept`` says where the frame before was, if there was one


KEY = 6  # ints that name a pair: up to three vertices of A, three of B, else -1
TIE_ROOM = 64
FRESH = TIE_ROOM + 1  # where a pair stands that is not in the list
KEPT = 32  # vertices of a part that is to be kept among equals
SHORTLIST = 64  # ints: the ends of the segments of a leaf, for A and for B


class TreeSearch(NamedTuple):
    """The buffers of one search over two trees; read before it is written: ``kept``."""

    stack: Ints  # two nodes per entry
    below: Floats  # per entry the squared distance of their boxes
    state: Progress
    best: Ints  # KEY: the nearest pair
    kept: Ints  # 2 KEPT: vertices of A and of B to stay at among equals, or -1
    ties: Ints  # KEY (FRESH + 1): the equally near, the least of them, by their names
    squares: Floats  # FRESH + 1: their squared distances
    away: Ints  # FRESH + 1: 1 for what is not at ``kept``
    shortlist: Ints  # 2 SHORTLIST
    pair_only: int = 0  # 1: a pair that tells its normal is enough, no more is proven


# How a body proves a support.
BY_RINGS = 0
BY_SCAN = 1  # of all vertices: rings prove nothing
NEW = 2  # the same: nobody asked what rings of positions prove that are new

# How far a hull reaches beyond a body that is not known to be nearly convex.
UNKNOWN = -1.0
UNASKED = -2.0  # of NEW ones in this frame


@record
class Proofs(Record):
    """What is known of the positions of a body; written in place when that changes."""

    scanned: int  # BY_RINGS, BY_SCAN, NEW
    edges_prove: int  # 1: where rings prove, what lies beside an edge proves it
    spread: float  # no vertex is farther out, squared; below 0: ask all vertices
    far: float  # of NEW ones that signs show convex the largest coordinate, else 0
    audited: int  # 1, and 1 more if it is convex within tolerance; 0: nobody asked


class BodyView(NamedTuple):
    """The flat buffers of one body in a pair.

    Topology belongs to the mesh and is shared; scratch belongs to the pair: two
    bodies on one mesh must not write on each other's.  V, E, F count
    vertices, edges, faces.
    """

    points: Floats  # 3 V, body frame
    pose: Floats  # 12, the (3, 4) affine map
    size: int  # V
    proofs: Proofs
    sag: Floats  # 3: how far its hull reaches beyond it; below 0: see above; 3 audited
    hinges: Hinges  # what shows that positions are convex
    start: Ints  # V + 1, rings as CSR, counter-clockwise
    star: Ints  # 2 E neighbours
    star_edge: Ints  # 2 E edges to them
    star_face: Ints  # 2 E faces left of the way to them
    corner_start: Ints  # F + 1, faces as CSR
    corner_vertex: Ints  # 2 E
    beyond: Ints  # 2 E, per corner the vertex beyond the side that leaves it
    flank: Ints  # 2 E, per edge the vertices after it in its left and right face
    mark: Ints  # V + 1 scratch: members of the level part
    members: Ints  # V scratch
    edges: Ints  # E scratch
    faces: Ints  # F scratch
    successor: Ints  # V scratch
    leaving: Ints  # V scratch
    rim_vertex: Ints  # 2 V scratch
    rim_edge: Ints  # 2 V scratch
    corners: Floats  # 6 V scratch
    tree: Tree  # over its triangles


@kernel
def origin_of(a: BodyView, b: BodyView) -> Vec:
    """Return the second translation relative to the first.

    Far from the origin this is subtracted before anything else is computed.
    """
    p = a.pose
    q = b.pose
    return (q[3] - p[3], q[7] - p[7], q[11] - p[11])


@record
class Part(Record):
    """The support feature of one body; its lists lie in the scratch of that body."""

    dimension: int  # 0 a vertex, 1 a line, 2 an area
    name: int  # its lowest number
    edges: int
    faces: int


@kernel
def clear(side: BodyView) -> None:
    """Unmark the members of a part, for the next one in this scratch."""
    for m in range(side.mark[side.size]):
        side.mark[side.members[m]] = 0
    side.mark[side.size] = 0


@kernel
def name_part(side: BodyView, part: Part, edges: int, faces: int) -> None:
    """Name the members of a side and so many edges and faces, listed in its scratch."""
    part.edges = edges
    part.faces = faces
    part.dimension = 0
    part.name = side.members[0]
    if faces > 0:
        part.dimension = 2
        part.name = side.faces[0]
    elif edges > 0:
        part.dimension = 1
        part.name = side.edges[0]


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
    parallel: int  # 1 where the closest points are not unique
    turned: float  # by what angle rounding may turn a normal of points or lines
    by_points: int  # 1 where the normal comes from a difference of points
    known: int  # 1 while the parts may be tried again in the next frame
    by_hull: int  # 1 where a polytope proves the upper bound, 2: a search of surfaces
    strict: int  # 1: no vertex is beyond a side of its face, by however little
    borderline: int  # 1 where what is level was close: a size more would tell
    other_support: int  # 1 where a scan saw others than the named part stand as high
    outward_seen: int  # 1 where the answer shows that no open body is inside-out
    nan_sum: float  # gathers every height, so that nothing unfinite passes unseen
    steps: int  # vertices stood on while climbing
    vertices: int  # ring neighbours looked at
    level_faces: int  # faces of the level parts; pairs of leaves that a search tested
    scans: int  # over all vertices, or in their place a ring: see ``is_ringed``
    fallbacks: int  # exhaustive searches


@kernel
def start_counting(result: Result) -> None:
    """Forget what the frame before cost, and whether it met what is no number."""
    result.nan_sum = 0.0
    result.borderline = result.scans = result.fallbacks = 0
    result.steps = result.vertices = result.level_faces = 0


class Workspace(NamedTuple):
    """The flat buffers of one pair, beside those of its two sides.

    Only ``simplex``, ``last``, ``leaves`` and what ``result`` says of itself are read
    before they are written: ids from the frame before.
    """

    tolerance: float  # heights within this, per unit of size, are level
    simplex: Ints  # 9: how many, then up to four ids on A, four on B
    difference: Floats  # 12: the points of the simplex, B minus A
    patch: Floats  # 4 per corner
    labels: Ints  # 4 per corner
    capacity: int  # corners that fit
    last: Ints  # 4: the corner that carried the points in the last frame
    leaves: Ints  # 2: where the last search of the surfaces ended; -1 before the first
    hint: Ints  # 8: per side how many vertices, and up to three, to step to
    hull: Polytope  # of the difference, while the bodies touch or overlap
    note: Ints  # 3: see ``layout``, NOTE_TEST
    heights: Floats  # 3: within what parts are level; told: least and greatest gap
    result: Result
    search: TreeSearch

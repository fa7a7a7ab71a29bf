"""Where the numbers of an answer lie in the two rows that a kernel fills in."""

# The row of floats.
DISTANCE = 0
LOWER = 1
UPPER = 2
SIZE = 3
NORMAL = 4  # 4, 5, 6
POINT_A = 7  # 7, 8, 9
POINT_B = 10  # 10, 11, 12
MISS = 13  # how far the parts lie beside each other, 0 where only by rounding
DENT = 14  # how far hulls may reach beyond the bodies that are taken for them
ROW_FLOATS = 15

# The row of ints.  The part of a side: where its five ints begin, and which is which.
SIDE_A = 0
SIDE_B = 5
DIMENSION = 0  # 0 a vertex, 1 a line, 2 an area
NAME = 1  # its lowest number
MEMBERS = 2  # how many vertices
EDGES = 3
FACES = 4
DIMENSION_A = SIDE_A + DIMENSION
NAME_A = SIDE_A + NAME
EDGES_A = SIDE_A + EDGES
FACES_A = SIDE_A + FACES
DIMENSION_B = SIDE_B + DIMENSION
NAME_B = SIDE_B + NAME
EDGES_B = SIDE_B + EDGES
FACES_B = SIDE_B + FACES
PATCH = 10  # how many corners
CHOSEN = 11  # which of them carries the points
PARALLEL = 12  # 1 where the closest points are not unique
BY_POINTS = 13  # 1 where the normal comes from a difference of points
KNOWN = 14  # 1 while the parts may be tried again in the next frame
BY_HULL = 15  # 1 where a polytope proves the upper bound
DOUBT = 16  # how much must be told apart, see below
TWICE = 17  # 1 where a scan saw others than the named part stand as high
UPRIGHT = 18  # 1 where the answer shows that no open body is inside-out
ROW_INTS = 19

# What two features that rounding can hardly tell apart must show, least first.
TRUSTING = 0  # that the parts are level parts
LENIENT = 1  # and that no other part lies within the blur of a normal from points
STRICT = 2  # and that no vertex is beyond a side of its face, by however little

# The hint: where the vertices of each side begin, their count first.
HINT_A = 0
HINT_B = 4

# The note: the test that the named parts took last, and two vertices where it is no
# test of parts.  Every exit writes it; ``explain`` runs a frame again and listens.
NOTE_TEST = 0
NOTE_FIRST = 1
NOTE_SECOND = 2
FACING = 1  # the parts do not face each other
LEVEL = 2  # a part is not level along the normal of the other
OUTLINES = 3  # level parts do not overlap
BEHIND = 4  # the parts are past each other
BESIDE = 5  # the points lie beside the parts
SUPPORT_A = 6  # a neighbour stands as high as the part, or higher
SUPPORT_B = 7
BOUNDS = 8  # all holds, but the bounds are too wide
SETTLED = 9  # this is the answer
WALKED = 10  # the walk ended at these two supports
MET = 11  # or inside, without a direction
STRAYED = 12  # or nowhere
GUESSED = 13  # the simplex is no part
FLOODED = 14  # the supports are none
AXIS = 15  # an axis of overlap

# What a kernel says about its own answer.
CERTIFIED = 0
OVERLAP = 1  # meeting: no direction from points alone
UNPROVEN = 2
LOST = 3
BOUNDED = 4  # bounds that hold, too far apart to certify
APART = 5  # not overlapping after all
SEARCHED = 6  # apart, proven by a search of both surfaces
REFUSED = 7  # no frame was run: a transform is none, or a body too far or small
TURNED = 8  # nor here: the other body comes first
"""Status of an answer: only CERTIFIED, BOUNDED and SEARCHED rows are complete."""

ALLOWANCE = 16.0 * 2.220446049250313e-16
"""Rounding allowance of a bound per unit of size (docs/algorithms.md#bounds)."""

RELATIVE = 1e-9
ABSOLUTE = 1e-14
"""Certified: the bounds are no farther apart than RELATIVE d + ABSOLUTE size."""

BLUR = 8.0 * 2.220446049250313e-16
"""Angle by which a normal from points may be off, times distance per unit of size."""

TOUCH = 4e-15
"""Bounds this near to zero, per unit of size, count as touching."""

BLIND = 1e-12
"""Nearer than this, per unit of size, neither crossing nor side of surfaces is sure."""

NEAR = 1e-6
"""Nearer than this, per unit of size, hulls know the normal better than points do."""

EQUAL = 8.0 * 2.220446049250313e-16
"""Distances and heights this near to each other, per unit of size, are a tie."""

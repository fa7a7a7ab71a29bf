"""What statuses, hints and notes of a frame mean, and the tolerances of an answer."""

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
REMARKED = 8  # certified, and more must be said of the bodies than a row can
WANTED = 9  # audits of the bodies, trees, or the last answer must be laid out first
PLAIN = 10  # certified, and all of it in the row; the regime is added to this status
"""Status of an answer: only CERTIFIED, BOUNDED and SEARCHED rows are complete."""

ALLOWANCE = 16.0 * 2.220446049250313e-16
"""Rounding allowance of a bound per unit of size (docs/algorithms.md#bounds)."""

RELATIVE = 1e-9  # of the distance
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

"""Where the numbers of an answer lie in the two rows that a kernel fills in."""

# The row of floats.
DISTANCE = 0
LOWER = 1
UPPER = 2
SIZE = 3
NORMAL = 4  # 4, 5, 6
POINT_A = 7  # 7, 8, 9
POINT_B = 10  # 10, 11, 12
ROW_FLOATS = 13

# The row of ints; a part has a dimension (0, 1, 2) and a name (its lowest number).
DIMENSION_A = 0
NAME_A = 1
MEMBERS_A = 2
EDGES_A = 3
FACES_A = 4
CORNERS_A = 5
DIMENSION_B = 6
NAME_B = 7
MEMBERS_B = 8
EDGES_B = 9
FACES_B = 10
CORNERS_B = 11
PATCH = 12  # how many corners
CHOSEN = 13  # which of them carries the points
PARALLEL = 14  # 1 where the closest points are not unique
BY_POINTS = 16  # 1 where the normal comes from a difference of points
KNOWN = 15  # 1 while the parts may be tried again in the next frame
ROW_INTS = 17

# What a kernel says about its own answer.
CERTIFIED = 0
OVERLAP = 1  # meeting: no direction from points alone
UNPROVEN = 2
LOST = 3
"""Status of an answer: only CERTIFIED rows are complete."""

ALLOWANCE = 16.0 * 2.220446049250313e-16
"""Rounding allowance of a bound per unit of size (docs/algorithms.md#bounds)."""

RELATIVE = 1e-9
ABSOLUTE = 1e-14
"""Certified: the bounds are no farther apart than RELATIVE d + ABSOLUTE size."""

BLUR = 8.0 * 2.220446049250313e-16
"""Angle by which a normal from points may be off, times distance per unit of size."""

TOUCH = 4e-15
"""Bounds this near to zero, per unit of size, count as touching."""

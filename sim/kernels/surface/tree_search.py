"""The state of a search over two trees: its stack, the best pair, the ties."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints

# The floats of ``state``.
SQUARE = 0  # of the least distance so far
LIMIT = 1  # squared distance beyond which nothing can matter any more
TIE = 2  # distances this near to the least are equal to it
PAD = 3  # what turning a coordinate may have rounded
LEFT_OUT = 4  # the least squared distance of a tie that the list had no room for
STATE = 5

# The ints of ``counts``.
TIES = 0  # how many pairs are in the list; some may be stale until ``drop_stale``
LEAF_A = 1  # the leaves that hold the nearest pair; -1 before the first
LEAF_B = 2
HERE_A = 3  # the leaves that are being tested
HERE_B = 4
PIERCED = 5  # 1 where an edge of one surface goes through a triangle of the other
SHORT_A = 6  # how many segments are shortlisted
SHORT_B = 7
OTHERS = 8  # 1 where another place of the two surfaces is as near
COUNTS = 9

KEY = 6  # ints that name a pair: up to three vertices of A, three of B, else -1
TIE_ROOM = 64
KEPT = 32  # vertices of a part that is to be kept among equals
SHORTLIST = 64  # ints: the ends of the segments of a leaf, for A and for B


class TreeSearch(NamedTuple):
    """The buffers of one search over a pair of trees.

    Read before they are written: ``kept``, and ``LEAF_A``, ``LEAF_B`` of ``counts``:
    ids from the frame before.
    """

    stack: Ints  # two nodes per entry
    below: Floats  # per entry the squared distance of their boxes
    room: int  # entries that fit
    state: Floats  # STATE
    counts: Ints  # COUNTS
    best: Ints  # KEY: the nearest pair
    kept: Ints  # 2 KEPT: vertices of A and of B to stay at among equals, or -1
    ties: Ints  # KEY (TIE_ROOM + 1): the pairs that are equally near, the least of them
    squares: Floats  # TIE_ROOM: their squared distances
    shortlist: Ints  # 2 SHORTLIST

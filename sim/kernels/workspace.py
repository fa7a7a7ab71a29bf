"""The workspace of a pair: ids from the frame before, scratch, and the answer."""

from typing import NamedTuple

from sim.kernels.language import Floats, Ints
from sim.kernels.overlap.polytope import Polytope
from sim.kernels.result import Result


class Workspace(NamedTuple):
    """The flat buffers of one pair, beside those of its two sides.

    Only ``simplex``, ``last`` and what ``result`` says of itself are read before they
    are written: ids from the frame before.
    """

    tolerance: float  # heights within this, per unit of size, are level
    simplex: Ints  # 9: how many, then up to four ids on A, four on B
    difference: Floats  # 12: the points of the simplex, B minus A
    patch: Floats  # 4 per corner
    labels: Ints  # 4 per corner
    capacity: int  # corners that fit
    last: Ints  # 4: the corner that carried the points in the last frame
    hint: Ints  # 8: per side how many vertices, and up to three, to step to
    hull: Polytope  # of the difference, while the bodies touch or overlap
    note: Ints  # 3: see ``layout``, NOTE_TEST
    result: Result

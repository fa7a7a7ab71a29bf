"""Whether the bounds of an answer certify it, and why not."""

from sim.kernels import layout
from sim.result.answer import Numbers
from sim.result.rows import Rows


def is_certified(numbers: Numbers | Rows) -> bool:
    """Say whether the bounds of an answer are near enough to each other."""
    wanted = layout.RELATIVE * abs(numbers.distance) + layout.ABSOLUTE * numbers.size
    return numbers.upper - numbers.lower <= wanted


def explained(numbers: Numbers) -> Numbers:
    """Say why an answer is not certified."""
    if numbers.reason or is_certified(numbers):
        return numbers
    width = numbers.upper - numbers.lower
    wanted = layout.RELATIVE * abs(numbers.distance) + layout.ABSOLUTE * numbers.size
    return numbers._replace(
        reason=f"the bounds are {width:.3g} apart, {wanted:.3g} would certify"
    )

"""Sine and cosine with the same bits on every machine.

They are summed from their series by + - * / in a fixed order, which IEEE arithmetic
rounds the same way everywhere.
"""

from math import floor, pi

import numpy as np
from numpy.typing import NDArray

from wingedge.columns import sine_cosine

Floats = NDArray[np.float64]

LARGEST = 8e5  # radians: up to here the parts of a quarter turn multiply exactly

# a quarter turn in three parts of 33 bits (Cody and Waite, "Software Manual for the
# Elementary Functions", 1980); the digits are those of fdlibm
_QUARTER = (
    1.57079632673412561417e00,
    6.07710050630396597660e-11,
    2.02226624871116645580e-21,
)


def on_circle(turns: float) -> tuple[float, float]:
    """Return cosine and sine of so many turns, within 3e-16."""
    eighths = 8.0 * (turns - floor(turns))
    octant = int(eighths)
    rest = eighths - octant
    sine, cosine = sine_cosine((1.0 - rest if octant % 2 else rest) * (pi / 4))
    x, y = (sine, cosine) if octant % 8 in (1, 2, 5, 6) else (cosine, sine)
    return (-x if octant in (2, 3, 4, 5) else x), (-y if octant in (4, 5, 6, 7) else y)


def sincos(angles: Floats) -> tuple[Floats, Floats]:
    """Return sines and cosines of angles in radians, within 1e-15.

    Raises ValueError if an angle is beyond 8e5 radians, where the digits of pi run out.
    """
    if angles.size and not float(np.abs(angles).max()) <= LARGEST:
        raise ValueError(
            f"an angle of {float(np.abs(angles).max()):g} radians; give at most "
            f"{LARGEST:g}"
        )
    quarters = np.floor(angles * (2.0 / pi) + 0.5)
    rest = angles
    for part in _QUARTER:
        rest = rest - quarters * part
    sine, cosine = sine_cosine(rest)
    quadrant = quarters - 4.0 * np.floor(quarters / 4.0)
    odd = (quadrant == 1.0) | (quadrant == 3.0)
    y, x = np.where(odd, cosine, sine), np.where(odd, sine, cosine)
    return (
        np.where(quadrant >= 2.0, -y, y),
        np.where((quadrant == 1.0) | (quadrant == 2.0), -x, x),
    )

"""Which axes of the world keys move along, as they are seen in the picture."""

import numpy as np
from numpy.typing import NDArray

from viewer.layout.camera import View

Floats = NDArray[np.float64]


def seen_axes(view: View) -> tuple[Floats, Floats, Floats]:
    """Return the axes of the world that point right, up and towards the eye.

    Signed unit vectors, each of another axis: those that the picture shows best, the
    one nearest to the eye first. Along them keys move by numbers that can be read, and
    faces that are parallel stay so.
    """
    free = [0, 1, 2]
    found = []
    right, up, back = view.axes()
    for wanted in (back, up, right):
        axis = max(free, key=lambda k, w=wanted: abs(w[k]))  # type: ignore[misc]
        free.remove(axis)
        unit = np.zeros(3)
        unit[axis] = -1.0 if wanted[axis] < 0 else 1.0
        found.append(unit)
    return found[2], found[1], found[0]

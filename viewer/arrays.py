"""Name the types of the arrays that the viewer hands on."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]  # (height, width, 3), top row first

"""From a plotter to a picture: pixels, averaged where it was drawn larger."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def pixels_of(plotter: Any, ratio: int) -> NDArray[np.uint8]:
    """Draw what a plotter shows; return it, averaged over ratio x ratio pixels."""
    plotter.render()
    return shrunk(np.asarray(plotter.screenshot(return_img=True))[..., :3], ratio)


def shrunk(image: NDArray[np.uint8], ratio: int) -> NDArray[np.uint8]:
    """Average blocks of ratio x ratio pixels."""
    if ratio == 1:
        return np.ascontiguousarray(image)
    height, width = image.shape[0] // ratio, image.shape[1] // ratio
    blocks = image[: height * ratio, : width * ratio].astype(np.uint16)
    total = blocks.reshape(height, ratio, width, ratio, 3).sum(axis=(1, 3))
    mean: NDArray[np.uint8] = (total / ratio**2 + 0.5).astype(np.uint8)
    return mean

"""Pictures of the demos of the plane, off screen: the last frame of a log of keys."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.planar.disk import DiskDemo
from sim.planar.keys import KeyLog
from sim.planar.segments import SegmentDemo
from viewer.demos.disk import DiskBoard
from viewer.demos.segments import SegmentBoard
from viewer.files import check_place
from viewer.still import check_format, check_size, save

Image = NDArray[np.uint8]
Place = str | os.PathLike[str]

_SUPERSAMPLE = 2


def picture_disk(
    log: KeyLog | str,
    path: Place | None = None,
    *,
    size: tuple[int, int] = (1280, 720),
) -> Image:
    """Draw where a log of keys leads the disk and the triangle; needs no display.

    Parameters
    ----------
    log : KeyLog or str
    path : str or path, optional
        Where to save it; the ending says how (.png, .jpg, .webp).
    size : (width, height)
        In pixels.

    Returns
    -------
    (height, width, 3) uint8
        The picture, top row first.

    Raises
    ------
    ImportError, NoPicture
        If pyvista or GL is missing; says what to install.
    ValueError
        If the log cannot be read, or ``path`` or ``size`` makes no picture.
    OSError
        If nothing can be written there.
    """
    return _drawn(DiskBoard, DiskDemo(), log, path, size)


def picture_segments(
    log: KeyLog | str,
    path: Place | None = None,
    *,
    size: tuple[int, int] = (1280, 720),
) -> Image:
    """Draw where a log of keys leads the two segments; as `picture_disk`."""
    return _drawn(SegmentBoard, SegmentDemo(), log, path, size)


def _drawn(
    board: Any,
    demo: DiskDemo | SegmentDemo,
    log: KeyLog | str,
    path: Place | None,
    size: tuple[int, int],
) -> Image:
    if path is not None:
        check_format(path)
        check_place(Path(path))
    check_size(size)
    events: list[object] = []
    for frame in demo.play(log):
        events += getattr(frame, "events", ())
    scene = board(size=size, supersample=_SUPERSAMPLE)
    try:
        scene.draw(demo.frame, events)
        image: Image = scene.image()
    finally:
        scene.close()
    if path is not None:
        save(image, path)
    return image

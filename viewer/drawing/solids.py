"""Collect balls, tubes and arrows, with their sizes and colours."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.tables import Floats

HEAD_LENGTH = 0.28  # of an arrow
HEAD_RADIUS = 2.6  # shaft radii


class Batch:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self, *shape: int) -> None:
        self.at: list[Floats] = [np.empty((0, *shape))]
        self.radii: list[Floats] = [np.empty(0)]
        self.tones: list[NDArray[np.uint8]] = [np.empty((0, 3), np.uint8)]

    def add(self, at: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Take more, with one radius and one colour or one for each."""
        self.at.append(at)
        self.radii.append(np.broadcast_to(np.asarray(radius, float), len(at)))
        tones = np.broadcast_to(np.asarray(colour, np.uint8), (len(at), 3))
        self.tones.append(tones)

    def arrays(self) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return places, (n, 3) or (n, 2, 3), radii and colours, (n, 3)."""
        places, radii = np.concatenate(self.at), np.concatenate(self.radii)
        return places, radii, np.concatenate(self.tones)


class SolidBuilder:
    """Balls (k, 3), open tubes and arrows (m, 2, 3), drawn all at once."""

    def __init__(self) -> None:
        self.balls, self.tubes, self.arrows = Batch(3), Batch(2, 3), Batch(2, 3)

    def add_rods(self, segments: Floats, radius: float, colour: ArrayLike) -> None:
        """Add a tube with round ends along each of (m, 2, 3) segments."""
        self.tubes.add(segments, radius, colour)
        self.balls.add(np.unique(segments.reshape(-1, 3), axis=0), radius, colour)

    def segments(self) -> Floats:
        """Return the middle lines of everything, (m, 2, 3); those of balls are points.

        What is written beside must not cover them.
        """
        dots = [np.stack([at, at], axis=1) for at in self.balls.at]
        return np.concatenate([*self.tubes.at, *self.arrows.at, *dots])

    def cones(self) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return what has a length: (m, 2, 3) ends, (m, 2) radii, (m, 3) colours.

        Tubes, then the shafts of arrows, then their heads.
        """
        ends, thick, tones = self.tubes.arrays()
        flown, thin, inks = self.arrows.arrays()
        start, tip = flown[:, 0], flown[:, 1]
        neck = tip + HEAD_LENGTH * (start - tip)
        pairs = [np.stack(each, axis=1) for each in ((start, neck), (neck, tip))]
        radii = [np.stack([each, each], axis=1) for each in (thick, thin)]
        heads = np.stack([HEAD_RADIUS * thin, np.zeros_like(thin)], axis=1)
        every = np.concatenate([ends, *pairs])
        long = (every[:, 0] != every[:, 1]).any(axis=1)
        shades = np.concatenate([tones, inks, inks])
        return every[long], np.concatenate([*radii, heads])[long], shades[long]

"""Collect balls, tubes and arrows, with their sizes and colours."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wingedge.tables import Floats

HEAD_LENGTH = 0.28  # of an arrow
HEAD_RADIUS = 2.6  # shaft radii


class Batch:
    """Pieces of one kind: where they are, how thick, and their colours."""

    def __init__(self) -> None:
        self.at: list[Floats] = []
        self.radii: list[Floats] = []
        self.tones: list[NDArray[np.uint8]] = []

    def add(self, at: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Take more, with one radius and one colour or one for each."""
        self.at.append(at)
        self.radii.append(np.broadcast_to(np.asarray(radius, float), len(at)))
        tones = np.broadcast_to(np.asarray(colour, np.uint8), (len(at), 3))
        self.tones.append(tones)

    def arrays(self, *shape: int) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return places, (n, *shape), radii and colours, (n, 3)."""
        at = np.concatenate([np.empty((0, *shape)), *self.at])
        inks = np.concatenate([np.empty((0, 3), np.uint8), *self.tones])
        return at, np.concatenate([np.empty(0), *self.radii]), inks


class SolidBuilder:
    """Balls, tubes and arrows, collected first and drawn all at once.

    Radius and colour are one for all that are added together, or one for each.
    """

    def __init__(self) -> None:
        self.balls, self.straight, self.arrowed = Batch(), Batch(), Batch()

    def spheres(self, centres: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Add one ball around each of (k, 3) centres."""
        self.balls.add(centres, radius, colour)

    def tubes(self, segments: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Add one open tube along each of (m, 2, 3) segments."""
        self.straight.add(segments, radius, colour)

    def rods(self, segments: Floats, radius: float, colour: ArrayLike) -> None:
        """Add a tube with round ends along each of (m, 2, 3) segments."""
        self.straight.add(segments, radius, colour)
        self.balls.add(np.unique(segments.reshape(-1, 3), axis=0), radius, colour)

    def arrows(self, segments: Floats, radius: ArrayLike, colour: ArrayLike) -> None:
        """Add an arrow along each of (m, 2, 3) segments."""
        self.arrowed.add(segments, radius, colour)

    def segments(self) -> Floats:
        """Return the middle lines of everything, (m, 2, 3); those of balls are points.

        What is written beside must not cover them.
        """
        dots = [np.stack([at, at], axis=1) for at in self.balls.at]
        every = *self.straight.at, *self.arrowed.at, *dots
        return np.concatenate([np.empty((0, 2, 3)), *every])

    def cones(self) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return what has a length: (m, 2, 3) ends, (m, 2) radii, (m, 3) colours.

        Tubes, then the shafts of arrows, then their heads.
        """
        ends, thick, tones = self.straight.arrays(2, 3)
        flown, thin, inks = self.arrowed.arrays(2, 3)
        start, tip = flown[:, 0], flown[:, 1]
        neck = tip + HEAD_LENGTH * (start - tip)
        pairs = [np.stack(each, axis=1) for each in ((start, neck), (neck, tip))]
        radii = [np.stack([each, each], axis=1) for each in (thick, thin)]
        heads = np.stack([HEAD_RADIUS * thin, np.zeros_like(thin)], axis=1)
        every = np.concatenate([ends, *pairs])
        long = (every[:, 0] != every[:, 1]).any(axis=1)
        shades = np.concatenate([tones, inks, inks])
        return every[long], np.concatenate([*radii, heads])[long], shades[long]

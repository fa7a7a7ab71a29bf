"""What the keys of the two demos do: whole steps are counted, nothing adds up rounding.

0.10, 0.02 and half a degree are none of float64's numbers.  A position that 0.10 is
added to forty times misses 0, and a scale that 0.02 is taken from a hundred times does
too; a count of steps, divided once, meets both.
"""

from typing import NamedTuple, Self

from sim.angles import on_circle
from sim.planar.keys import SHIFT, Keys

Point = tuple[float, float]
Triangle = tuple[Point, Point, Point]
Segment = tuple[Point, Point]

PER_UNIT = 10  # steps of 0.10 to one unit of length
PER_TURN = 720  # steps of half a degree
PER_SCALE = 50  # steps of 0.02 to one unit of scale

RADIUS = 1.0
CORNERS: Triangle = ((0.0, 0.0), (0.8, 1.8), (2.4, 0.0))  # A, B, C: clockwise
DISK_KEYS = ("H", "J", "K", "L", "R", "S", "T")

SEGMENT: Segment = ((-1.0, 0.0), (1.0, 0.0))  # of scale 1, before it is placed
SEGMENT_KEYS = ("1", "2", "H", "J", "K", "L", "R", "S")


class DiskSetting(NamedTuple):
    """Where the disk is and how the triangle lies, in whole steps.

    What the listing of Redpoll's 60, section 2-23 (Code1), starts with and does on a
    key, its precedence included: H before L, J before K, R before S before T; its other
    keys are ``Shift`` with R, S and T.  Its angle is taken to be counter-clockwise.
    """

    right: int = -40  # of 0.10: the disk starts at (-4, 0)
    up: int = 0
    turns: int = 0  # of half a degree
    wide: int = 100  # of 0.02: the triangle starts at scale (2, 2)
    high: int = 100

    def pressed(self, keys: Keys) -> Self:
        """Return the setting after one frame in which these keys are held."""
        right, up, turns, wide, high = self
        if "H" in keys:
            right -= 1
        elif "L" in keys:
            right += 1
        if "J" in keys:
            up -= 1
        elif "K" in keys:
            up += 1
        step = -1 if SHIFT in keys else 1
        if "R" in keys:
            turns += step
        elif "S" in keys:
            wide += step
        elif "T" in keys:
            high += step
        return type(self)(right, up, turns, wide, high)

    @property
    def center(self) -> Point:
        """The centre of the disk."""
        return self.right / PER_UNIT, self.up / PER_UNIT

    @property
    def degrees(self) -> float:
        """By how much the triangle is turned, counter-clockwise, 0 to 359.5."""
        return (self.turns % PER_TURN) * 0.5

    @property
    def scale(self) -> Point:
        """By how much the triangle is stretched along its own x and y."""
        return self.wide / PER_SCALE, self.high / PER_SCALE

    @property
    def corners(self) -> Triangle:
        """A, B and C: the corners at rest, scaled first and then turned."""
        cosine, sine = rotation(self.turns)
        wide, high = self.scale
        a, b, c = (_turned((wide * x, high * y), cosine, sine) for x, y in CORNERS)
        return a, b, c


class Bar(NamedTuple):
    """One of two segments, in whole steps."""

    right: int  # of 0.10
    up: int
    turns: int = 0  # of half a degree
    long: int = 100  # of 0.02, half the length

    def pressed(self, keys: Keys) -> Self:
        """Return it after one frame in which these keys are held."""
        moved = DiskSetting(self.right, self.up, self.turns, self.long).pressed(keys)
        return type(self)(moved.right, moved.up, moved.turns, moved.wide)

    @property
    def ends(self) -> Segment:
        """Start and end; behind scale 0 the segment points backwards."""
        cosine, sine = rotation(self.turns)
        size = self.long / PER_SCALE
        x, y = self.right / PER_UNIT, self.up / PER_UNIT
        (ax, ay), (bx, by) = (
            _turned((size * u, size * v), cosine, sine) for u, v in SEGMENT
        )
        return (x + ax, y + ay), (x + bx, y + by)


class SegmentSetting(NamedTuple):
    """Two segments, and which of them the keys move.

    The keys are those of the disk and the triangle: H, J, K, L move by 0.10, R turns by
    half a degree, S stretches by 0.02 of what is 2 long, Shift turns R and S round; 1
    and 2 choose the segment, at once.
    """

    first: Bar = Bar(0, 0)
    second: Bar = Bar(0, 15, 180)
    chosen: int = 2

    def pressed(self, keys: Keys) -> Self:
        """Return the setting after one frame in which these keys are held."""
        chosen = 1 if "1" in keys else 2 if "2" in keys else self.chosen
        if chosen == 1:
            return type(self)(self.first.pressed(keys), self.second, chosen)
        return type(self)(self.first, self.second.pressed(keys), chosen)


def rotation(turns: int) -> Point:
    """Return cosine and sine of so many half degrees, the same bits everywhere."""
    cosine, sine = on_circle((turns % PER_TURN) / PER_TURN)
    return cosine + 0.0, sine + 0.0  # no -0.0


def _turned(point: Point, cosine: float, sine: float) -> Point:
    x, y = point
    return cosine * x - sine * y + 0.0, sine * x + cosine * y + 0.0

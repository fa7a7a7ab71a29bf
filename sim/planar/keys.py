"""Read and write keys held over time, ``L*20 Shift+S*40``, and move the demos by them.

A word is what is held, and for how many frames: ``L`` is one frame, ``L*20`` twenty,
``H+K*5`` both for five, ``Shift+S*40`` with Shift, ``-*10`` nothing for ten.  Words are
separated by blanks or ends of lines.  Written back, a log has one form: Shift first,
then digits and letters in their order, and no two words in a row that hold the same.

Whole steps are counted: 0.10, 0.02 and half a degree are none of float64's numbers.  A
position that 0.10 is added to forty times misses 0, and a scale that 0.02 is taken from
a hundred times does too; a count of steps, divided once, meets both.
"""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Self, TypeVar

from sim.angles import on_circle
from wingedge.primitives import segment_segment_2d

Keys = frozenset[str]

SHIFT = "Shift"
NOTHING = "-"
LONGEST = 10**6  # frames of one log: more than four hours of them


@dataclass(frozen=True, repr=False)
class KeyLog:
    """Which keys were held in which frame: a value with one written form.

    Raises ValueError if a key is none, or a run has no frames.

    Attributes
    ----------
    runs : tuple of (frozenset of str, int)
        What was held, and for how many frames.

    Examples
    --------
    >>> log = KeyLog.parse("L*20 L L S+Shift*3 -")
    >>> print(log, len(log))
    L*22 Shift+S*3 - 26
    """

    runs: tuple[tuple[Keys, int], ...] = ()

    def __post_init__(self) -> None:
        for keys, count in self.runs:
            for key in keys:
                if not _is_key(key):
                    raise ValueError(
                        f"{key!r} is no key; keys are Shift, A to Z and 0 to 9"
                    )
            if count < 1:
                raise ValueError(f"{_held(keys)} for {count} frames; at least 1")
        merged = tuple(
            (keys, sum(count for _, count in same))
            for keys, same in itertools.groupby(self.runs, key=lambda run: run[0])
        )
        object.__setattr__(self, "runs", merged)
        if len(self) > LONGEST:
            raise ValueError(f"the keys of {len(self)} frames; give at most {LONGEST}")

    @classmethod
    def of(cls, frames: Iterable[Iterable[str]]) -> Self:
        """Sum up the keys of one frame after the other."""
        return cls(tuple((frozenset(keys), 1) for keys in frames))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a log from its text.

        Raises ValueError naming the word that cannot be read.
        """
        return cls(tuple(_run(word) for word in text.split()))

    def known(self, keys: Iterable[str]) -> Self:
        """Return the log; ``ValueError`` if it holds a key that is not among these."""
        allowed = {SHIFT, *keys}
        for held, _ in self.runs:
            if held - allowed:
                raise ValueError(
                    f"{_held(held)}: nothing is done by {_held(held - allowed)}; the "
                    f"keys are {' '.join(keys)}, and {SHIFT} with them"
                )
        return self

    def __iter__(self) -> Iterator[Keys]:
        """Give the keys of one frame after the other."""
        for keys, count in self.runs:
            for _ in range(count):
                yield keys

    def __len__(self) -> int:
        """Return the number of frames."""
        return sum(count for _, count in self.runs)

    def __add__(self, other: "KeyLog") -> "KeyLog":
        """Play one after the other."""
        return KeyLog(self.runs + other.runs)

    def __str__(self) -> str:
        return " ".join(
            _held(keys) if count == 1 else f"{_held(keys)}*{count}"
            for keys, count in self.runs
        )

    def __repr__(self) -> str:
        return f"KeyLog({str(self)!r})"


def _held(keys: Keys) -> str:
    """Write what is held at once: Shift first."""
    return "+".join(sorted(keys, key=lambda key: (key != SHIFT, key))) or NOTHING


def _is_key(key: str) -> bool:
    one = len(key) == 1 and key.isascii()
    return key == SHIFT or (one and (key.isdigit() or key.isupper()))


def _run(word: str) -> tuple[Keys, int]:
    held, star, count = word.partition("*")
    names = [] if held == NOTHING else held.split("+")
    if not all(map(_is_key, names)) or len(set(names)) < len(names):
        raise ValueError(
            f"{word!r} names no keys; write them as in 'L', 'H+K' or 'Shift+S', and "
            f"'{NOTHING}' for none"
        )
    if star and not (count.isascii() and count.isdigit() and 0 < len(count) < 8):
        raise ValueError(f"{word!r}: write a number of frames after the star, 'L*20'")
    frames = int(count) if star else 1
    if not frames:
        raise ValueError(f"{word!r} lasts no frame; leave it out")
    return frozenset(names), frames


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
        step = -1 if SHIFT in keys else 1
        effects = {"H": (0, -1), "L": (0, 1)}, {"J": (1, -1), "K": (1, 1)}
        values = list(self)
        for group in (*effects, {"R": (2, step), "S": (3, step), "T": (4, step)}):
            held = next((group[key] for key in group if key in keys), None)
            if held is not None:
                values[held[0]] += held[1]
        return type(self)(*values)

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
        wide, high = self.scale
        a, b, c = (_turned((wide * x, high * y), self.turns) for x, y in CORNERS)
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
        size = self.long / PER_SCALE
        x, y = self.right / PER_UNIT, self.up / PER_UNIT
        turned = (_turned((size * u, size * v), self.turns) for u, v in SEGMENT)
        start, end = ((x + u, y + v) for u, v in turned)
        return start, end


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


def _turned(point: Point, turns: int) -> Point:
    (x, y), (cosine, sine) = point, rotation(turns)
    return cosine * x - sine * y + 0.0, sine * x + cosine * y + 0.0


Setting = TypeVar("Setting", DiskSetting, SegmentSetting)
Frame = TypeVar("Frame")


class KeyDemo(ABC, Generic[Setting, Frame]):
    """Play what keys move, frame by frame, without a screen."""

    def __init__(self, setting: Setting, keys: Iterable[str]) -> None:
        self._setting: Setting = setting
        self._keys = tuple(keys)
        self.frame = self._shown(setting, frozenset())

    def step(self, keys: Iterable[str] = ()) -> Frame:
        """Go on by one frame in which these keys are held; others do nothing."""
        held = frozenset(keys)
        self._setting = self._setting.pressed(held)
        self.frame = self._shown(self._setting, held)
        return self.frame

    def play(self, log: KeyLog | str) -> Iterator[Frame]:
        """Give the present frame, then one for every frame of a log of keys.

        Raises ValueError if the log holds a key that does nothing here, or is none.
        """
        keys = (KeyLog.parse(log) if isinstance(log, str) else log).known(self._keys)
        yield self.frame
        for held in keys:
            yield self.step(held)

    @abstractmethod
    def _shown(self, setting: Setting, keys: Keys) -> Frame:
        """Answer for one frame."""


# across the first segment, then onto the line that it is on
TOUR = "J*8 H*5 R*60 Shift+R*240 J*7 L*30"


@dataclass(frozen=True, slots=True)
class SegmentFrame:
    """One frame of the two segments.

    What they have in common is that of `wingedge.primitives.segment_segment_2d.meet`,
    as plain numbers.
    """

    index: int
    keys: Keys  # what was held
    setting: SegmentSetting
    kind: str  # apart, touching, crossing, overlap; exact
    t1: float  # where the point is along the first segment, in [0, 1]
    t2: float
    point: Point  # common; of the first, nearest to the second, where there is none
    distance: float
    t1_range: Point  # the common piece along the first segment, ascending
    t2_range: Point  # the same along the second
    ends: tuple[Point, Point]  # the same as points


class SegmentDemo(KeyDemo[SegmentSetting, SegmentFrame]):
    """Two segments that keys move, turn and stretch.

    The function of Marupeke's 2-D collision page no. 10 at work; what the keys do, for
    which the page has none, is `sim.planar.keys.SegmentSetting`.
    """

    def __init__(self) -> None:
        self._frames = itertools.count()
        super().__init__(SegmentSetting(), SEGMENT_KEYS)

    def _shown(self, setting: SegmentSetting, keys: Keys) -> SegmentFrame:
        first, second = setting.first.ends, setting.second.ends
        found = segment_segment_2d.meet(*first, *second)
        point, t1, t2, start, end = (
            (float(x), float(y))
            for x, y in (found.point, found.s_range, found.t_range, *found.ends)
        )
        return SegmentFrame(
            next(self._frames),
            keys,
            setting,
            str(found.kind),
            float(found.s),
            float(found.t),
            point,
            float(found.distance),
            t1,
            t2,
            (start, end),
        )

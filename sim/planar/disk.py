"""Track the feature of a triangle nearest to a disk, and play both as a story."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple, cast

from numpy.typing import ArrayLike

from sim.events.event import Event
from sim.events.touch import Chain, Touch, kinds_between, linked
from sim.kernels.trajectory import regime_after
from sim.planar import walk
from sim.planar.keys import DISK_KEYS, RADIUS, DiskSetting, KeyDemo, KeyLog, Keys
from sim.result.answers import REGIMES
from sim.story.readings import Reading
from sim.story.story import Story
from sim.tracking.options import band, check_length
from wingedge import Feature

CENTER = Feature("vertex", 0)  # the disk is its centre, rounded off
FEATURES = (
    *(Feature("vertex", k) for k in range(3)),
    *(Feature("edge", k) for k in range(3)),
    Feature("face", 0),
)


class DiskState(NamedTuple):
    """What is closest in one frame; a value that never changes.

    ``distance`` is positive apart, exactly 0.0 touching, negative overlapping (minus
    the least shift that separates); ``point_b == point_a + distance * normal`` up to
    rounding, and the unit ``normal`` points from the disk to the triangle, also at 0.
    Where the centre is inside the triangle, ``point_b`` is where it comes out.
    """

    frame: int
    regime: str  # "separated", "contact" or "penetrating", with hysteresis
    hit: bool  # whether they have a point in common; exact, as feature and region are
    region: int  # of the centre, 1 to 7; 0 where the triangle has no area
    feature_b: Feature  # v0 v1 v2, e0 = AB, e1 = BC, e2 = CA, or f0: centre inside
    distance: float
    size: float  # the scale of rounding
    point_a: walk.Point  # of the disk
    point_b: walk.Point  # of the triangle
    normal: walk.Point
    unique: bool  # whether no other edge is as near from inside
    work: walk.WalkWork
    events: tuple[Event, ...] = ()

    @property
    def feature_a(self) -> Feature:
        """The feature of the disk: its centre, a vertex that is rounded off."""
        return CENTER

    @property
    def kind(self) -> str:
        """VV, VE or VF, the disk's letter first."""
        return f"V{self.feature_b.letter}"

    @property
    def touch(self) -> Touch:
        """The closest features, as they are written: ``VE v0 e1(1-2)``."""
        kind, k = self.feature_b
        ends = (k, (k + 1) % 3) if kind == "edge" else None
        return Touch(self.kind, CENTER, self.feature_b, None, ends)


class DiskTriangleTracker:
    """Track the feature of a triangle that is closest to a disk, frame after frame.

    The little brother of ``sim.PairTracker``: both bodies may move, and the triangle
    may change its shape, turn over or collapse.  What is closest is found by a walk
    over the seven regions of Redpoll's 60, section 2-23, from where the centre was in
    the last frame (`sim.planar.walk`), at a constant cost; region, feature and ``hit``
    are those of exact arithmetic whatever came before.  History decides the regime, the
    identity of contacts, and the way out where several edges are equally near.

    Raises ValueError if a number is not finite, a length is negative, or a shape is
    another.

    Parameters
    ----------
    radius : float
        Of the disk; 0 for a point.
    corners : (3, 2) array_like
        The triangle at rest, any winding; also where it is until ``update`` says else.
    contact_distance, release_distance : float, optional
        Where contact begins and ends. Left out: 1e-3 of the extent of the smaller body
        at rest, and twice the distance at which it begins.
    names : (str, str)
        How events call the disk and the triangle.

    Examples
    --------
    >>> tracker = DiskTriangleTracker(1.0, [(0, 0), (1.6, 3.6), (4.8, 0)])
    >>> for x in (-4.0, -1.0, -0.9):
    ...     state = tracker.update((x, 0.0))
    ...     print(state.feature_b, state.distance, *state.events)
    v0 3.0
    v0 0.0 1 begin disk/triangle VV v0 v0
    v0 -0.09999999999999998 2 penetrate disk/triangle VV v0 v0
    """

    def __init__(
        self,
        radius: float,
        corners: ArrayLike,
        *,
        contact_distance: float | None = None,
        release_distance: float | None = None,
        names: tuple[str, str] = ("disk", "triangle"),
    ) -> None:
        self._radius = check_length("radius", radius)
        self._corners = _triangle(corners)
        if contact_distance is None:
            axes = zip(*self._corners, strict=True)
            extent = max(max(axis) - min(axis) for axis in axes)
            contact_distance = 1e-3 * min(2.0 * self._radius, extent)
        self._contact, self._release = band(contact_distance, release_distance)
        self.names = names
        self.reset()

    def reset(self) -> None:
        """Forget everything; the next frame is frame 0."""
        self.state: DiskState | None = None
        self._found = walk.NearestFeature(walk.INSIDE, -1, 0, walk.WalkWork())
        self._exit = -1
        self._contacts = 0

    def update(self, center: ArrayLike, corners: ArrayLike | None = None) -> DiskState:
        """Answer for the next frame.

        Parameters: ``center`` (2,): of the disk, y up; ``corners`` (3, 2): of the
        triangle; where it was if left out.

        Raises ValueError if a number is not finite or a shape is another; nothing is
        lost then.
        """
        p = _point("center", center)
        triangle = self._corners if corners is None else _triangle(corners)
        found = walk.find(p, triangle, self._found.region, self._found.feature)
        measured = walk.measure(p, self._radius, triangle, found, self._exit)
        state = self._state(p, triangle, found, measured)
        self._corners, self._found, self._exit = triangle, found, measured.exit
        self.state = state._replace(events=self._events(self.state, state))
        return self.state

    def _state(
        self,
        p: walk.Point,
        triangle: walk.Triangle,
        found: walk.NearestFeature,
        measured: walk.Measured,
    ) -> DiskState:
        distance, (x, y) = measured.distance, measured.normal
        gaps = (abs(c[k] - p[k]) for c in triangle for k in (0, 1))
        size = max(self._radius, *gaps)
        before = "separated" if self.state is None else self.state.regime
        regime = regime_after(
            REGIMES.index(before), distance, size, self._contact, self._release
        )
        return DiskState(
            0 if self.state is None else self.state.frame + 1,
            REGIMES[regime],
            distance < 0.0
            or (distance == 0.0 and walk.touches(p, self._radius, triangle, found)),
            found.region,
            FEATURES[found.feature],
            distance,
            size,
            (p[0] + self._radius * x, p[1] + self._radius * y),
            measured.point,
            measured.normal,
            measured.unique,
            found.work,
        )

    def _events(self, before: DiskState | None, after: DiskState) -> tuple[Event, ...]:
        old = "separated" if before is None else before.regime
        if old == after.regime == "separated":
            return ()
        was, now = None if before is None else before.touch, after.touch
        kinds = kinds_between(old, after.regime, was != now)
        self._contacts += "begin" in kinds
        told = []
        for kind in kinds:
            first = was if kind in ("change", "end") else None
            last = None if kind == "end" else now
            path: tuple[Chain, ...] = ()
            if first and last:
                ends = first.feature_b, last.feature_b
                path = (CENTER,), linked(*ends, *map(_neighbours, ends))
            who = (*self.names, self._contacts - 1)
            told.append(Event(after.frame, kind, *who, first, last, path=path))
        return tuple(told)


def readings(states: Iterable[DiskState]) -> tuple[Reading, ...]:
    """Read off the numbers that a story keeps of its events: the plane is z = 0."""
    found = []
    for state in states:
        if state.events:
            x, y = state.normal
            point = (*state.point_a, 0.0) if state.unique else ()
            event = state.events[-1]
            numbers = state.distance, state.size, (x, y, 0.0), point
            found.append(Reading.measured(event, *numbers))
    return tuple(found)


def _neighbours(feature: Feature) -> tuple[Feature, ...]:
    """List neighbours in the order of `wingedge.neighbours`."""
    kind, k = feature
    edges, face = FEATURES[3:6], FEATURES[6]
    if kind == "face":
        return edges
    if kind == "edge":
        return face, edges[k - 1], edges[(k + 1) % 3]
    return edges[k], edges[k - 1], face


def _triangle(corners: ArrayLike) -> walk.Triangle:
    given = list(cast("Sequence[ArrayLike]", corners))
    if len(given) != 3:
        raise ValueError(f"corners: expected 3 points of the plane, got {len(given)}")
    a, b, c = (_point(f"corners[{k}]", corner) for k, corner in enumerate(given))
    return a, b, c


def _point(name: str, point: ArrayLike) -> walk.Point:
    given = [float(x) for x in cast("Sequence[float]", point)]
    if len(given) != 2 or not all(map(isfinite, given)):
        raise ValueError(f"{name} is {point!r}: expected two finite numbers, x and y")
    return given[0], given[1]


DT = 1.0 / 60.0  # seconds that a frame is shown
NAMES = ("disk", "triangle")
# half a step of the disk: else it would hardly ever stop in contact
CONTACT = 0.05
# past A, AB and B onto BC; then the triangle turns, collapses, and is a mirrored one
TOUR = (
    "L*30 K*12 L*10 K*30 L*30 J*10 R*60 Shift+S*150 Shift+T*120 H*60 J*22 "
    "Shift+R*90 L*40 -*3"
)


@dataclass(frozen=True, slots=True)
class DiskFrame:
    """One frame of the disk and the triangle."""

    keys: Keys  # what was held
    setting: DiskSetting
    state: DiskState

    @property
    def index(self) -> int:
        """The number of the frame, from 0."""
        return self.state.frame

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened in this frame."""
        return self.state.events


class DiskDemo(KeyDemo[DiskSetting, DiskFrame]):
    """A disk that keys move past a triangle that keys turn and stretch.

    The program of Redpoll's 60, section 2-23 (Code1), without its screen; what its keys
    do is `sim.planar.keys.DiskSetting`, what is told of it `DiskTriangleTracker`.

    Parameters: ``contact_distance``, ``release_distance``: as the tracker takes them.
    """

    def __init__(
        self,
        *,
        contact_distance: float | None = CONTACT,
        release_distance: float | None = None,
    ) -> None:
        setting = DiskSetting()
        self._tracker = DiskTriangleTracker(
            RADIUS,
            setting.corners,
            contact_distance=contact_distance,
            release_distance=release_distance,
            names=NAMES,
        )
        super().__init__(setting, DISK_KEYS)

    def _shown(self, setting: DiskSetting, keys: Keys) -> DiskFrame:
        state = self._tracker.update(setting.center, setting.corners)
        return DiskFrame(keys, setting, state)


def story(
    log: KeyLog | str,
    *,
    contact_distance: float | None = CONTACT,
    release_distance: float | None = None,
) -> Story:
    r"""Play a log of keys from the start, and tell what happened, with its numbers.

    The same log tells the same story on every machine, to the digest.

    Raises ValueError if the log cannot be read, or holds a key that does nothing here.

    Parameters
    ----------
    log : KeyLog or str
        Keys that are held, and for how many frames: ``"L*40 Shift+S*3"``.
    contact_distance, release_distance : float, optional
        Where a contact begins and ends, as for `DiskTriangleTracker`.

    Examples
    --------
    >>> print(*story("L*40").lines, sep="\n")
    30 begin disk/triangle VV v0 v0
    31 penetrate disk/triangle VV v0 v0
    """
    demo = DiskDemo(
        contact_distance=contact_distance, release_distance=release_distance
    )
    states = [frame.state for frame in demo.play(log)]
    events = tuple(event for state in states for event in state.events)
    return Story(NAMES, len(states), 0, DT, events, readings(states))

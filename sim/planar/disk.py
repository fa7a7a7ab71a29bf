"""The disk and the triangle without a screen: keys in, frames and a story out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sim.planar.controls import (
    DISK_KEYS,
    RADIUS,
    DiskSetting,
)
from sim.planar.keys import KeyLog, Keys
from sim.planar.tracker import DiskState, DiskTriangleTracker, readings
from sim.story.events import Event
from sim.story.story import Story

DT = 1.0 / 60.0  # seconds that a frame is shown
NAMES = ("disk", "triangle")
IDLE: Keys = frozenset()
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


class DiskDemo:
    """A disk that keys move past a triangle that keys turn and stretch.

    The program of Redpoll's 60, section 2-23 (Code1), without its screen; what its keys
    do is `sim.planar.controls.DiskSetting`, what is told of it `DiskTriangleTracker`.

    Parameters
    ----------
    contact_distance, release_distance : float, optional
        As the tracker takes them.
    """

    def __init__(
        self,
        *,
        contact_distance: float | None = CONTACT,
        release_distance: float | None = None,
    ) -> None:
        self._setting = DiskSetting()
        self._tracker = DiskTriangleTracker(
            RADIUS,
            self._setting.corners,
            contact_distance=contact_distance,
            release_distance=release_distance,
            names=NAMES,
        )
        self.frame = self._shown(IDLE)

    def step(self, keys: Iterable[str] = ()) -> DiskFrame:
        """Go on by one frame in which these keys are held; others do nothing."""
        held = frozenset(keys)
        self._setting = self._setting.pressed(held)
        self.frame = self._shown(held)
        return self.frame

    def play(self, log: KeyLog | str) -> Iterator[DiskFrame]:
        """Give the present frame, then one for every frame of a log of keys.

        Raises
        ------
        ValueError
            If the log holds a key that does nothing here, or is none.
        """
        keys = (KeyLog.parse(log) if isinstance(log, str) else log).known(DISK_KEYS)
        yield self.frame
        for held in keys:
            yield self.step(held)

    def _shown(self, keys: Keys) -> DiskFrame:
        setting = self._setting
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

    Raises
    ------
    ValueError
        If the log cannot be read, or holds a key that does nothing here.

    Examples
    --------
    >>> print(*story("L*40").lines, sep="\n")
    30 begin disk/triangle VV v0 v0
    31 penetrate disk/triangle VV v0 v0
    """
    demo = DiskDemo(
        contact_distance=contact_distance, release_distance=release_distance
    )
    frames = 0
    told: list[DiskState] = []
    for frame in demo.play(log):
        frames += 1
        if frame.events:
            told.append(frame.state)
    events = tuple(event for state in told for event in state.events)
    return Story(NAMES, frames, 0, DT, events, readings(told))

"""How often a search that proves nothing is wrong, frame by frame."""

from collections.abc import Iterable
from typing import NamedTuple

from sim.body.pose import Pose
from sim.tracking.pair import PairTracker

RELATIVE = 1e-9  # of the distance: more is a miss
ABSOLUTE = 1e-13  # and per unit of size


class Misses(NamedTuple):
    """What a comparison with the certified tracker found.

    A frame is missed where the two distances differ by more than
    ``1e-9 |distance| + 1e-13 size``.
    """

    frames: int  # how many were compared
    missed: tuple[int, ...]  # those that are wrong, counted from 0
    overlapping: tuple[int, ...]  # those of them in which the bodies overlap
    unproven: tuple[int, ...]  # frames left out: the tracker itself was not certified
    worst: float  # the greatest difference [length unit of the input]
    examined: float  # elements and pairs of features examined per frame, on average
    algorithms: tuple[int, int]  # frames answered by the non-contact, contact algorithm

    @property
    def rate(self) -> float:
        """The share of the compared frames that are wrong."""
        return len(self.missed) / self.frames if self.frames else 0.0

    def __str__(self) -> str:
        """Say it in one line."""
        return (
            f"{len(self.missed)} of {self.frames} frames wrong ({self.rate:.1%}), "
            f"{len(self.overlapping)} of them overlapping, worst by {self.worst:.3g}, "
            f"{self.examined:.0f} examined per frame"
        )


def compare_with_certificate(tracker: PairTracker, motion: Iterable[object]) -> Misses:
    """Count the frames in which a tracker differs from the certified one.

    Cost: both trackers, once per frame.

    Parameters
    ----------
    tracker : PairTracker
        One with ``strategy="paper"``; it is updated once per frame.
    motion : iterable
        Moves the bodies: each item drawn from it is one frame.  An item that is a
        ``Pose`` is put on body B; otherwise drawing it moves the bodies, as a generator
        may, and as ``world.run(120)`` does for the bodies of a world.
    """
    truth = PairTracker(
        tracker.a,
        tracker.b,
        contact_distance=tracker.contact_distance,
        release_distance=tracker.release_distance,
    )
    missed, overlapping, unproven = [], [], []
    compared = examined = frame = in_contact = 0
    worst = 0.0
    for frame, item in enumerate(motion):
        if isinstance(item, Pose):
            tracker.b.pose = item
        before = tracker.state
        state, right = tracker.update(), truth.update()
        examined += state.work.steps
        in_contact += before is not None and before.regime != "separated"
        if not right.certified:
            unproven.append(frame)
            continue
        compared += 1
        off = abs(state.distance - right.distance)
        size = max(state.size, right.size)
        if off > RELATIVE * abs(right.distance) + ABSOLUTE * size:
            missed.append(frame)
            if right.distance < 0.0:
                overlapping.append(frame)
            worst = max(worst, off)
    total = compared + len(unproven)
    return Misses(
        compared,
        tuple(missed),
        tuple(overlapping),
        tuple(unproven),
        worst,
        examined / total if total else 0.0,
        (total - in_contact, in_contact),
    )

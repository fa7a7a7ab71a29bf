"""What is true of a sweep, by a fine subdivision.

Distances fall no faster than vertices move.  So what lies between two times is free
where their distances add up to more than that; what is not is divided again, until it
is, or is less than 2^-24 of a frame.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sim import Body, PairTracker
from sim.between.passage import Passage
from stories.sweeps import Array, Sweep, drawn

FIRST = 17  # times that are looked at in any case
PARTS = 4  # that a stretch is divided into
FINEST = 2.0**-24
OPEN = 600  # stretches that may be left: a graze has no end
ROUNDING = 64.0 * 2.0**-52  # of the size: a distance that may be 0
WIDE = 1e-9
STEP = 2.0**-20  # of a frame, over which a closing speed is seen
ALLOWED = 64.0  # allowances, over the closing speed


class Seen(NamedTuple):
    """What a subdivision found out: times, distances, and what it left open."""

    times: Array
    gaps: Array  # distance less what is asked for
    open_: Array  # (n, 2) stretches in which nothing is proven
    slack: float  # of a gap


class Watch:
    """Both bodies of a sweep at any times, by trackers that know of no way."""

    def __init__(self, sweep: Sweep) -> None:
        self.ends = sweep.world()
        self.asked = sweep.distance
        pair = (
            Body(mesh, name=name) for mesh, name in zip(sweep.meshes, "ab", strict=True)
        )
        self._tracker = PairTracker(*pair)
        self.size = max(float(np.abs(x).max()) for way in self.ends for x in way)
        steps = [end - start for start, end in self.ends]
        mean = steps[0].mean(axis=0)
        speeds = [np.sqrt(((s - mean) ** 2).sum(axis=1).max()) for s in steps]
        self.speed = float(sum(speeds)) * (1.0 + 1e-9)

    def gaps(self, times: Array) -> Array:
        """Return by how much bodies are farther apart than asked, (T,)."""
        t = times[:, None, None]
        a, b = ((1.0 - t) * start + t * end for start, end in self.ends)
        self._tracker.reset()
        out: Array = self._tracker.track(points_a=a, points_b=b).distance - self.asked
        return out

    def seen(self) -> Seen:
        """Divide the frame as far as it takes."""
        slack = ROUNDING * self.size
        times = np.linspace(0.0, 1.0, FIRST)
        gaps = self.gaps(times)
        known, kept = [times], [gaps]
        ends = np.stack([times[:-1], times[1:], gaps[:-1], gaps[1:]], axis=1)
        while True:
            falls = self.speed * (ends[:, 1] - ends[:, 0])
            ends = ends[
                (ends[:, 2] + ends[:, 3] <= falls) & (ends[:, 2:4] > slack).any(1)
            ]
            fine = len(ends) == 0 or ends[0, 1] - ends[0, 0] < FINEST
            if fine or len(ends) > OPEN:
                break
            t = np.linspace(ends[:, 0], ends[:, 1], PARTS + 1, axis=1)
            inner = t[:, 1:-1]
            found = self.gaps(inner.ravel()).reshape(inner.shape)
            known.append(inner.ravel())
            kept.append(found.ravel())
            d = np.column_stack([ends[:, 2], found, ends[:, 3]])
            columns = t[:, :-1], t[:, 1:], d[:, :-1], d[:, 1:]
            ends = np.stack([x.ravel() for x in columns], axis=1)
        times, gaps = np.concatenate(known), np.concatenate(kept)
        return Seen(times, gaps, ends[:, :2], slack)


def faults(sweep: Sweep, passage: Passage) -> list[str]:
    """Say what is wrong with a passage."""
    watch = Watch(sweep)
    return [*_times(passage, watch.seen(), watch), *_widths(passage)]


def follow(family: str, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield what is wrong with one sweep."""
    sweep = drawn(family, seed)
    passage, _ = sweep.passage()
    seen[f"{family} {word(passage)}"] += 1
    for fault in faults(sweep, passage):
        yield f"{family}:{seed} {fault}"


def word(passage: Passage) -> str:
    if "graze" in passage.reason:
        return "grazes"
    if "at the start" in passage.reason:
        return "near at the start"
    touch, parting = passage.touch is not None, passage.parting is not None
    return ("misses", "", "touches", "touches and parts")[2 * touch + parting]


def _times(passage: Passage, seen: Seen, watch: Watch) -> Iterator[str]:
    """Say where what was seen contradicts what was told, of touch and parting."""
    t, gaps, slack = seen.times, seen.gaps, seen.slack
    near, start = gaps < -slack, "at the start" in passage.reason
    touch, parting = passage.touch, passage.parting
    if start and gaps[0] > slack:
        yield "apart at the start, and told to be near"
    first = touch.lower if touch else 0.0 if start else 1.0
    if (near & (t < first)).any():
        yield f"missed: near at {t[near].min()!r}, first told at {first!r}"
    met = touch is not None or start
    last = parting.upper if parting else 1.0 if met else 0.0
    if met and (near & (t > last)).any():
        yield f"missed: near at {t[near].max()!r}, last told at {last!r}"
    if met and parting is None and gaps[FIRST - 1] > slack:
        yield "apart at the end, and no parting told"
    for instant, inner in ((touch, 1), (parting, 0)):
        if instant is None:
            continue
        d = watch.gaps(np.array([instant.lower, instant.upper]))
        if "graze" not in passage.reason and d[inner] > slack:
            yield f"invented: {d} apart in {instant}"
        if d[1 - inner] < -slack:
            yield f"late: {d} in {instant}"


def _widths(passage: Passage) -> Iterator[str]:
    """Say whose interval is too wide for its closing speed."""
    for instant in (passage.touch, passage.parting):
        if instant is not None and "graze" not in passage.reason:
            width, ahead = instant.upper - instant.lower, instant is passage.touch
            apart = instant.lower if ahead else instant.upper
            step = min(STEP, apart if ahead else 1.0 - apart)
            away = passage.at(apart - step if ahead else apart + step).distance
            speed = (away - passage.at(apart).distance) / step if step > 0.0 else 0.0
            allowance = passage._paths.allowance
            bar = max(WIDE, ALLOWED * allowance / speed if speed > 0.0 else 1.0)
            if width > bar + 2.0**-50:
                yield f"wide: {width:.3g}, over {bar:.3g}, {instant}"

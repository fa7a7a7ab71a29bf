"""Let pass what is no difference: features that are equally close in every frame."""

from bisect import bisect_right
from functools import cache, lru_cache

import numpy as np

from sim.events.event import Event
from sim.events.touch import Touch, ends_of
from sim.frame import Frame
from sim.story.comparing.difference import Difference, in_words
from sim.story.comparing.histories import OVERLAPS, TOUCHED, History, Match, Side
from wingedge.faces import distance_sq, has_feature, triangles_of
from wingedge.graph import corners_of


def is_tie(
    frame: Frame, names: tuple[str, str], touch: Touch, tolerance: float
) -> bool | None:
    """Say whether features might have been named for the closest of a pair.

    They are a tie where, within ``tolerance`` times ``state.size``, both are level with
    the closest points along the normal, and as far apart as the bodies; of bodies that
    overlap, once the least translation has parted them.  A feature among the level
    parts of the answer stands for all of these.

    Parameters: ``names``: of the bodies, A's first as in ``touch``.

    Returns None where the frame does not report the pair.  Cost: about 1 ms; with level
    parts of n faces O(n^2).
    """
    try:
        state = frame.pair(*names)
    except KeyError:
        return None
    d, n, slack = state.distance, state.normal, tolerance * state.size
    level, found = True, []
    for name, feature, ends, parts, height in (
        (names[0], touch.feature_a, touch.ends_a, state.parts_a, 0.0),
        (names[1], touch.feature_b, touch.ends_b, state.parts_b, d),
    ):
        body = frame.body(name)
        mesh, points = body.mesh, body.world_points() - state.point_a
        if not has_feature(mesh, feature) or ends_of(mesh, feature) != ends:
            return False
        heights = points[corners_of(mesh, feature)] @ n
        level = level and bool(abs(heights - height).max() <= slack)
        alike = [part for part in parts if part.kind == feature.kind]
        stand = alike if feature in alike else [feature]
        corners = [c for part in stand for c in triangles_of(mesh, part)]
        found.append(points[np.array(corners)] - min(height, 0.0) * n)
    a, b = found
    i, j = np.repeat(np.arange(len(a)), len(b)), np.tile(np.arange(len(b)), len(a))
    excess = float(np.sqrt(distance_sq(a[i], b[j]).min())) - max(d, 0.0)
    return level and abs(excess) <= slack


class TieFilter:
    """Judge ties between two histories by the positions of one run, or of both.

    Features that only one of two stories names are a tie where they are equally close
    in every run of which the positions are known: from one change of the closest
    features to the next, in either story.

    Attributes
    ----------
    excused : list of Difference
        What was let pass.
    """

    def __init__(
        self, sides: tuple[Side, Side], tolerance: float, a: History, b: History
    ) -> None:
        self.excused: list[Difference] = []
        self._histories, self._tolerance = (a, b), tolerance
        known = len(a.key) == 2
        self._runs = [k for k in (0, 1) if known and sides[k].run is not None]
        moves = [[e for e in h.events if e.kind in TOUCHED] for h in (a, b)]
        self._frames = [[event.frame for event in some] for some in moves]
        self._touches = [
            [some[0].before if some else None, *(event.after for event in some)]
            for some in moves
        ]
        self._turns = sorted({*self._frames[0], *self._frames[1]})
        self._end = max(side.end for side in sides)
        self._parted = cache(self._first_parted)
        self._frame = lru_cache(2)(lambda k, index: sides[k].frame(index))

    def left(self, match: Match) -> Match:
        """Take out of a match what differs by ties alone."""
        if not self._runs:
            return match
        a, b = (history.events for history in self._histories)
        paired = [(i, j) for i, j in match.paired if not self._passes(a[i], b[j])]
        lost = [i for i in match.lost if not self._passes(a[i])]
        inserted = [j for j in match.inserted if not self._passes(b[j])]
        return Match(paired, lost, inserted)

    def _passes(self, first: Event, second: Event | None = None) -> bool:
        """Judge events by the frames from the one before them to the next change.

        An overlap that begins or ends has features of its own, in its one frame.
        """
        start, last = sorted((first.frame, (second or first).frame))
        x, y = first.after, second.after if second else None
        words = in_words(first)
        if second and x == y:
            if start == last:
                return False  # they say the same
            words += f" in frame {first.frame} or {second.frame}"
        elif second:
            words = f"{x} or {y}" if first.kind == "change" else f"{words} or {y}"
        if second and first.kind in OVERLAPS:
            tied = start == last and self._tied(start, x, y)
        else:
            judged = first.kind == "change" or (second and first.kind == "begin")
            end = next((turn for turn in self._turns if turn > last), self._end)
            window = (start, last) if x == y else (start - 1, end)
            tied = bool(judged) and self._parted(*window) is None
        if tied:
            who = (self._histories[0].name,)
            self.excused.append(Difference(start, "tie", who, words, first, second))
        return tied

    def _at(self, frame: int) -> list[Touch | None]:
        """Return the closest features of a frame in either story; None: apart."""
        both = zip(self._frames, self._touches, strict=True)
        return [touches[bisect_right(frames, frame)] for frames, touches in both]

    def _first_parted(self, start: int, end: int) -> int | None:
        """Return the first frame in which the features are no tie; None: none."""
        for frame in range(start, end):
            ours, theirs = self._at(frame)
            if ours != theirs and not self._tied(frame, ours, theirs):
                return frame
        return None

    def _tied(self, frame: int, ours: Touch | None, theirs: Touch | None) -> bool:
        """Ask each run about both, as what a story says of positions need not be so."""
        if ours is None or theirs is None:
            return False
        a, b = self._histories[0].key[:2]
        runs = filter(None, (self._frame(k, frame) for k in self._runs))
        both = [(run, touch) for run in runs for touch in (ours, theirs)]
        asked = {is_tie(run, (a, b), touch, self._tolerance) for run, touch in both}
        return asked - {None} == {True}

"""Let pass what is no difference: features that are equally close in every frame."""

from bisect import bisect_right
from functools import cache

import numpy as np

from sim.events.event import Event
from sim.events.touch import Touch
from sim.frame import Frame
from sim.story.comparing.difference import Difference, in_words
from sim.story.comparing.histories import OVERLAPS, TOUCHED, History, Match, Side
from wingedge.faces import distance_sq
from wingedge.mesh import corners_of, ends_of, has_feature, triangles_of


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
        self._key, self._tolerance = a.key, tolerance
        known = len(a.key) == 2
        self._runs = [side for side in sides if known and side.run is not None]
        self._moves = [[e for e in h.events if e.kind in TOUCHED] for h in (a, b)]
        self._turns = sorted({e.frame for moves in self._moves for e in moves})
        self._end = max(side.end for side in sides)
        self._is_tied_in = cache(self._tied_in)

    def left(self, a: History, b: History, match: Match) -> Match:
        """Take out of a match what differs by ties alone."""
        if not self._runs:
            return match
        x, y = a.events, b.events
        paired = [(i, j) for i, j in match.paired if not self._passes(x[i], y[j])]
        lost = [i for i in match.lost if not self._passes(x[i])]
        inserted = [j for j in match.inserted if not self._passes(y[j])]
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
        elif first.kind == "change" or (second and first.kind == "begin"):
            end = next((turn for turn in self._turns if turn > last), self._end)
            window = range(start, last) if x == y else range(start - 1, end)
            tied = all(map(self._is_tied_in, window))
        else:
            tied = False
        if tied:
            who = ("/".join(self._key),)
            self.excused.append(Difference(start, "tie", who, words, first, second))
        return tied

    def _tied_in(self, frame: int) -> bool:
        """Say whether what either story names for closest is the same, or a tie."""
        touches = []
        for moves in self._moves:
            k = bisect_right(moves, frame, key=lambda event: event.frame)
            before = moves[0].before if moves else None
            touches.append(moves[k - 1].after if k else before)
        return touches[0] == touches[1] or self._tied(frame, *touches)

    def _tied(self, frame: int, ours: Touch | None, theirs: Touch | None) -> bool:
        """Ask each run about both, as what a story says of positions need not be so."""
        if ours is None or theirs is None:
            return False
        a, b = self._key[:2]
        runs = filter(None, (side.frame(frame) for side in self._runs))
        both = [(run, touch) for run in runs for touch in (ours, theirs)]
        asked = {is_tie(run, (a, b), touch, self._tolerance) for run, touch in both}
        return asked - {None} == {True}

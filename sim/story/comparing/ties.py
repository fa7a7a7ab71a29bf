"""Let pass what is no difference: features that are equally close in every frame."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events.event import Event
from sim.events.touch import Touch
from sim.frame import Frame
from sim.result.state import PairState
from sim.story.comparing.difference import Difference
from sim.story.comparing.histories import OVERLAPS, TOUCHED, History, Side
from sim.story.comparing.matching import Match
from sim.story.comparing.telling import in_words
from wingedge import Feature, WingedEdgeMesh
from wingedge.faces import distance_sq, has_feature, triangles_of
from wingedge.graph import corners_of

Array = NDArray[np.float64]


class Nearness(NamedTuple):
    """How near two features are, and whether they might have been named instead."""

    tie: bool
    excess: float  # by how much they are farther apart than the bodies; nan: unknown


class Located(NamedTuple):
    """A feature of a body in a frame."""

    mesh: WingedEdgeMesh
    points: Array  # (V, 3) of the body
    feature: Feature

    def triangles(self, ids: list[int]) -> Array:
        """Take features of its kind as triangles, (n, 3, 3)."""
        kind = self.feature.kind
        every = [c for i in ids for c in triangles_of(self.mesh, Feature(kind, i))]
        return np.asarray(self.points[np.array(every)])

    def level(self, n: Array, slack: float) -> list[int]:
        """List the faces, or the edges of one line, at one height with the feature.

        None at all where it is not level itself.
        """
        kind, start = self.feature
        if kind == "vertex":
            return [start]
        first, second, *_ = corners_of(self.mesh, self.feature)
        off = self.points - self.points[first]
        level = abs(off @ n) <= slack
        if kind == "edge":
            line = _unit(off[second])
            level &= np.linalg.norm(off - np.outer(off @ line, line), axis=1) <= slack
        around = self.mesh.face_faces if kind == "face" else self.mesh.edge_edges
        ids = [start] if level[corners_of(self.mesh, self.feature)].all() else []
        for k in ids:  # grows
            for i in around(k).tolist():
                corners = corners_of(self.mesh, Feature(kind, i))
                if i not in ids and level[corners].all():
                    ids.append(i)
        return ids


def nearness(
    frame: Frame, names: tuple[str, str], touch: Touch, tolerance: float
) -> Nearness | None:
    """Compare features with the closest ones of a pair in a frame.

    They are a tie where everything that would be said of them is true within
    ``tolerance`` times ``state.size``: along some direction both are level, their level
    parts are as far apart as the bodies, and so are their nearest points; for bodies
    that overlap, that direction separates them by the same least translation.

    Parameters: ``names``: of the bodies, A's first as in ``touch``.

    Returns None where the frame does not report the pair.  Cost: about 1 ms; with level
    parts of n faces O(n^2).
    """
    try:
        state = frame.pair(*names)
    except KeyError:
        return None
    slack = tolerance * state.size
    bodies = [frame.body(name) for name in names]
    named = (touch.feature_a, touch.ends_a), (touch.feature_b, touch.ends_b)
    for body, (feature, ends) in zip(bodies, named, strict=True):
        if not has_feature(body.mesh, feature) or ends not in (
            None,
            tuple(body.mesh.edge_vertices[feature.index].tolist()),
        ):
            return Nearness(False, np.nan)
    # Far from the origin, positions keep their digits relative to a local one.
    origin = bodies[0].pose.translation
    a, b = (
        Located(body.mesh, body.world_points() - origin, feature)
        for body, (feature, _) in zip(bodies, named, strict=True)
    )
    alone = a.triangles([a.feature.index]), b.triangles([b.feature.index])
    if any(_fits(state, a, b, n, slack) for n in _directions(state, *alone)):
        return Nearness(True, 0.0)
    overlap = state.distance < -slack
    return Nearness(False, np.nan if overlap else apart(*alone) - state.distance)


def apart(a: Array, b: Array) -> float:
    """Return the distance of two parts that do not cross."""
    i, j = np.repeat(np.arange(len(a)), len(b)), np.tile(np.arange(len(b)), len(a))
    return float(np.sqrt(distance_sq(a[i], b[j]).min()))


def _fits(state: PairState, a: Located, b: Located, n: Array, slack: float) -> bool:
    """Say whether the level parts of two features are the closest ones, along n."""
    ids = a.level(n, slack), b.level(n, slack)
    if not all(ids):
        return False
    level_a, level_b = a.triangles(ids[0]), b.triangles(ids[1])
    d, high, low = state.distance, (level_a @ n).max(), (level_b @ n).min()
    off = abs(low - high - d)
    if d < -slack:
        top, bottom = (a.points @ n).max(), (b.points @ n).min()
        off = max(abs(bottom - top - d), abs(high - top), abs(low - bottom))
        level_b, d = level_b - d * n, 0.0
    return bool(off <= slack) and abs(apart(level_a, level_b) - d) <= slack


def _directions(state: PairState, a: Array, b: Array) -> Iterator[Array]:
    """List the normals that two features may have: their own, and the answer's."""
    yield state.normal
    lines = [_unit(p[0, 1] - p[0, 0]) * (p[0, 1] == p[0, 2]).all() for p in (a, b)]
    faces = [np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]).sum(axis=0) for p in (a, b)]
    for n in (*faces, np.cross(*lines)):
        if n.any():
            yield _unit(n)
            yield -_unit(n)
    way = b[0, 0] - a[0, 0]
    for line in lines:
        way = way - (way @ line) * line
    if way.any():
        yield _unit(way)


def _unit(way: Array) -> Array:
    length = np.linalg.norm(way)
    return way / length if length > 0.0 else way


class TieFilter:
    """Judge ties between two histories by the positions of one run, or of both.

    Features that only one of two stories names are a tie where they are equally close
    in every run of which the positions are known: from one change of the closest
    features to the next, in either story.

    Attributes
    ----------
    excused : list of Difference
        What was let pass.
    remarks : dict
        What else is known of changed events, by their places.
    """

    def __init__(
        self, sides: tuple[Side, Side], tolerance: float, a: History, b: History
    ) -> None:
        self._sides, self._histories, self._tolerance = sides, (a, b), tolerance
        moves = [[e for e in h.events if e.kind in TOUCHED] for h in (a, b)]
        self._frames = [[event.frame for event in some] for some in moves]
        self._touches = [
            [some[0].before if some else None, *(event.after for event in some)]
            for some in moves
        ]
        self._turns = sorted({*self._frames[0], *self._frames[1]})
        self._end = max(side.end for side in sides)
        self._parted = cache(self._first_parted)
        self._frame = lru_cache(2)(lambda side, index: sides[side].frame(index))
        self.excused: list[Difference] = []
        self.remarks: dict[tuple[int, int], str] = {}

    def left(self, match: Match) -> Match:
        """Take out of a match what differs by ties alone."""
        a, b = self._histories
        if len(a.key) != 2 or all(side.run is None for side in self._sides):
            return match
        same, changed, moved = (
            [(i, j) for i, j in pairs if not self._passes(a.events[i], b.events[j])]
            for pairs in match[:3]
        )
        for i, j in changed:
            self.remarks[i, j] = self._remark(a.events[i], b.events[j])
        lost = [i for i in match.lost if not self._passes(a.events[i])]
        inserted = [j for j in match.inserted if not self._passes(b.events[j])]
        return Match(same, changed, moved, lost, inserted)

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
            window = (start, last) if x == y else (start - 1, self._next(last))
            tied = bool(judged) and self._parted(*window) is None
        if tied:
            who = (self._histories[0].name,)
            self.excused.append(Difference(start, "tie", who, words, first, second))
        return tied

    def _at(self, frame: int) -> tuple[Touch | None, Touch | None]:
        """Return the closest features of a frame in either story; None: apart."""
        ours, theirs = (
            touches[bisect_right(frames, frame)]
            for frames, touches in zip(self._frames, self._touches, strict=True)
        )
        return ours, theirs

    def _next(self, frame: int) -> int:
        """Return when the closest features change next in either story."""
        return next((turn for turn in self._turns if turn > frame), self._end)

    def _first_parted(self, start: int, end: int) -> int | None:
        """Return the first frame in which the features are no tie; None: none."""
        for frame in range(start, end):
            ours, theirs = self._at(frame)
            if ours != theirs and not self._tied(frame, ours, theirs):
                return frame
        return None

    def _look(self, side: int, frame: int, touch: Touch) -> Nearness | None:
        shown = self._frame(side, frame)
        a, b = self._histories[0].key[:2]
        return nearness(shown, (a, b), touch, self._tolerance) if shown else None

    def _tied(self, frame: int, ours: Touch | None, theirs: Touch | None) -> bool:
        """Ask each run about both, as what a story says of positions need not be so."""
        if ours is None or theirs is None:
            return False
        asked = [
            self._look(k, frame, touch) for k in (0, 1) for touch in (ours, theirs)
        ]
        return any(asked) and all(near.tie for near in asked if near)

    def _remark(self, first: Event, second: Event) -> str:
        """Say since when, or by how much, features are not equally close."""
        start, last = sorted((first.frame, second.frame))
        parted = self._parted(start, self._next(last))
        if parted is None or first.kind not in ("begin", "change"):
            return ""
        if parted > start:
            return f"equally close until frame {parted}"
        ours, theirs = self._at(parted)
        for side, touch in ((0, theirs), (1, ours)):
            near = self._look(side, parted, touch) if touch else None
            if near and not near.tie and near.excess > 0.0:
                run = ("first", "second")[side]
                return f"in the {run} run {touch} is {near.excess:.3g} farther"
        return ""

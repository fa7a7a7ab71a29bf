"""Let pass what is no difference: features that are equally close in every frame."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events.event import Event
from sim.events.touch import Touch
from sim.frame import Frame
from sim.result.state import PairState
from sim.story.comparing.difference import Difference
from sim.story.comparing.matching import Match
from sim.story.comparing.telling import said
from sim.story.comparing.threads import OVERLAPS, TOUCHED, Side, Thread
from wingedge import Feature, WingedEdgeMesh
from wingedge.faces import distance_sq, has_feature, triangles_of
from wingedge.graph import corners_of

Array = NDArray[np.float64]


class Nearness(NamedTuple):
    """How near two features are, and whether they might have been named instead."""

    tie: bool
    excess: float  # by how much they are farther apart than the bodies; nan: unknown


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
    places = [frame.body(name) for name in names]
    said = (touch.feature_a, touch.ends_a), (touch.feature_b, touch.ends_b)
    for place, (feature, ends) in zip(places, said, strict=True):
        known = has_feature(place.mesh, feature)
        if known and ends is not None:
            known = tuple(place.mesh.edge_vertices[feature.index].tolist()) == ends
        if not known:
            return Nearness(False, np.nan)
    # Far from the origin, positions keep their digits relative to a local one.
    origin = places[0].pose.translation
    whole = [place.world_points() - origin for place in places]
    sides = [
        (place.mesh, points, feature)
        for place, points, (feature, _) in zip(places, whole, said, strict=True)
    ]
    named = [_part(mesh, points, [f.index], f.kind) for mesh, points, f in sides]
    for n in _directions(state, *named):
        ids = [_level_ids(*side, n, slack) for side in sides]
        if all(ids):
            a, b = (
                _part(mesh, points, level, feature.kind)
                for (mesh, points, feature), level in zip(sides, ids, strict=True)
            )
            if _fits(state, whole, a, b, n, slack):
                return Nearness(True, 0.0)
    if state.distance < -slack:
        return Nearness(False, np.nan)
    return Nearness(False, apart(*named) - state.distance)


def apart(a: Array, b: Array) -> float:
    """Return the distance of two parts that do not cross."""
    i, j = np.repeat(np.arange(len(a)), len(b)), np.tile(np.arange(len(b)), len(a))
    return float(np.sqrt(distance_sq(a[i], b[j]).min()))


def _fits(
    state: PairState, whole: list[Array], a: Array, b: Array, n: Array, slack: float
) -> bool:
    """Say whether two level parts are the closest ones, along n."""
    d = state.distance
    high, low = _heights(a, n).max(), _heights(b, n).min()
    if d < -slack:
        top, bottom = _heights(whole[0], n).max(), _heights(whole[1], n).min()
        off = max(abs(bottom - top - d), abs(high - top), abs(low - bottom))
        b = b - d * n
        d = 0.0
    else:
        off = abs(low - high - d)
    return bool(off <= slack) and abs(apart(a, b) - d) <= slack


def _directions(state: PairState, a: Array, b: Array) -> Iterator[Array]:
    """List the normals that two features may have: their own, and the answer's."""
    yield state.normal
    lines = _line(a), _line(b)
    for n in (_normal(a), _normal(b), _unit(np.cross(lines[0], lines[1]))):
        if n.any():
            yield n
            yield -n
    way = b[0, 0] - a[0, 0]
    for line in lines:
        way = way - _heights(way, line) * line
    if way.any():
        yield _unit(way)


def _part(mesh: WingedEdgeMesh, points: Array, ids: list[int], kind: str) -> Array:
    """Take a level part as triangles, (n, 3, 3)."""
    every = [corners for i in ids for corners in triangles_of(mesh, Feature(kind, i))]
    return np.asarray(points[np.array(every)])


def _level_ids(
    mesh: WingedEdgeMesh, points: Array, feature: Feature, n: Array, slack: float
) -> list[int]:
    """List the faces, or the edges of one line, at one height with a feature.

    None at all where it is not level itself.
    """
    kind, start = feature
    if kind == "vertex":
        return [start]
    first = corners_of(mesh, feature)
    height = float(_heights(points[first[0]], n))
    line = _unit(points[first[1]] - points[first[0]])

    def belongs(i: int) -> bool:
        at = points[corners_of(mesh, Feature(kind, i))]
        if abs(_heights(at, n) - height).max() > slack:
            return False
        if kind == "face":
            return True
        off = at - points[first[0]]
        off = off - _heights(off, line)[:, None] * line
        return float(_heights(off * off, np.ones(3)).max()) <= slack * slack

    if not belongs(start):
        return []
    found, todo = {start}, [start]
    while todo:
        k = todo.pop()
        around = mesh.face_faces(k) if kind == "face" else mesh.edge_edges(k)
        for i in around.tolist():
            if i not in found and belongs(i):
                found.add(i)
                todo.append(i)
    return sorted(found)


def _line(part: Array) -> Array:
    """Return the direction of an edge; zero for a vertex or a face."""
    p, q, r = part[0]
    return _unit(q - p) if (q == r).all() else np.zeros(3)


def _normal(part: Array) -> Array:
    """Return the normal of a face, the sum over its triangles; zero for others."""
    p, q, r = part.swapaxes(0, 1)
    return _unit(np.cross(q - p, r - p).sum(axis=0))


def _unit(way: Array) -> Array:
    length = np.sqrt((way * way).sum())
    return way / length if length > 0.0 else way


def _heights(points: Array, n: Array) -> Array:
    heights: Array = (points * n).sum(axis=-1)
    return heights


class TieFilter:
    """Judge ties between two threads by the positions of one run, or of both.

    Features that only one of two stories names are a tie where they are equally close
    in every run of which the positions are known.

    Attributes
    ----------
    found : list of Difference
        What was let pass.
    remarks : dict
        What else is known of changed events, by their places.
    """

    def __init__(
        self, sides: tuple[Side, Side], tolerance: float, a: Thread, b: Thread
    ) -> None:
        self._sides, self._threads, self._tolerance = sides, (a, b), tolerance
        self._last: list[tuple[int, Frame | None]] = [(-1, None), (-1, None)]
        self._lines = _Timeline(a), _Timeline(b)
        end = max(side.story.first + side.story.frames for side in sides)
        self._turns = sorted({*self._lines[0].frames, *self._lines[1].frames, end})
        self.found: list[Difference] = []
        self.remarks: dict[tuple[int, int], str] = {}

    def left(self, match: Match) -> Match:
        """Take out of a match what differs by ties alone."""
        a, b = self._threads
        known = any(side.run is not None for side in self._sides)
        if not known or len(a.key) != 2:
            return match
        same, moved = (
            [(i, j) for i, j in pairs if not self._in_time(i, j)]
            for pairs in (match.same, match.moved)
        )
        changed = [(i, j) for i, j in match.changed if not self._instead(i, j)]
        lost = [i for i in match.lost if not self._alone(a.events[i], None)]
        inserted = [j for j in match.inserted if not self._alone(None, b.events[j])]
        return Match(same, changed, moved, lost, inserted)

    def _look(self, frame: int, ours: Touch, theirs: Touch) -> list[Nearness | None]:
        """Ask each run how near the features are that the other story names.

        And then those of its own: what a story, or even the answer of a frame, says of
        positions need not be so.
        """
        found = []
        a, b = self._threads[0].key[:2]
        for side, touch in ((0, theirs), (1, ours), (0, ours), (1, theirs)):
            if self._last[side][0] != frame:
                self._last[side] = frame, self._sides[side].frame(frame)
            shown = self._last[side][1]
            near = nearness(shown, (a, b), touch, self._tolerance) if shown else None
            found.append(near)
        return found

    def _in_time(self, i: int, j: int) -> bool:
        """Judge the same change at two times: between them both may be named.

        And an overlap that begins or ends in one frame, with features of its own.
        """
        a, b = self._threads
        first, second = a.events[i], b.events[j]
        start, end = sorted((first.frame, second.frame))
        implied = a.implied[i] and b.implied[j]
        if first.kind in OVERLAPS and start == end and not implied:
            x, y = first.after, second.after
            if x and y and x != y and self._tied(start, x, y):
                self._pass(first, second, f"{first.kind} {x} or {y}")
                return True
        if start == end or first.kind != "change" or self._parted(start, end):
            return False
        self._pass(first, second, f"{said(first)} in frame {first.frame} or later")
        return True

    def _instead(self, i: int, j: int) -> bool:
        """Judge two events that name other features, until the next ones."""
        first, second = self._threads[0].events[i], self._threads[1].events[j]
        if first.kind not in ("begin", "change"):
            return False
        start, last = sorted((first.frame, second.frame))
        parted = self._parted(start, self._next(last))
        if parted is None:
            self._pass(first, second, f"{first.after} or {second.after}")
            return True
        if parted > start:
            self.remarks[i, j] = f"equally close until frame {parted}"
        else:
            self.remarks[i, j] = self._farther(parted)
        return False

    def _alone(self, first: Event | None, second: Event | None) -> bool:
        """Judge a change that only one story has, until the next one of either."""
        event = first or second
        if event is None or event.kind != "change":
            return False
        # the frame before, too: what leads back from a difference is part of it
        if self._parted(event.frame - 1, self._next(event.frame)) is not None:
            return False
        self._pass(first, second, said(event))
        return True

    def _pass(self, first: Event | None, second: Event | None, words: str) -> None:
        events = [event for event in (first, second) if event is not None]
        frame = min(event.frame for event in events)
        pair = (self._threads[0].name,)
        self.found.append(Difference(frame, "tie", pair, words, first, second))

    def _next(self, frame: int) -> int:
        """Return when the closest features change next in either story."""
        k = bisect_right(self._turns, frame)
        return self._turns[min(k, len(self._turns) - 1)]

    def _parted(self, start: int, end: int) -> int | None:
        """Return the first frame in which the features are no tie; None: none."""
        for frame in range(start, end):
            ours, theirs = (line.at(frame) for line in self._lines)
            if ours == theirs:
                continue
            if not (ours and theirs and self._tied(frame, ours, theirs)):
                return frame
        return None

    def _tied(self, frame: int, ours: Touch, theirs: Touch) -> bool:
        known = [near.tie for near in self._look(frame, ours, theirs) if near]
        return bool(known) and all(known)

    def _farther(self, frame: int) -> str:
        """Say by how much the features that are named instead are farther apart."""
        ours, theirs = (line.at(frame) for line in self._lines)
        if ours is None or theirs is None:
            return ""
        found = self._look(frame, ours, theirs)
        for near, touch, run in zip(
            found[:2], (theirs, ours), ("first", "second"), strict=True
        ):
            if near is not None and not near.tie and near.excess > 0.0:
                return f"in the {run} run {touch} is {near.excess:.3g} farther"
        return ""


class _Timeline:
    """The closest features of a pair, frame by frame, as its events say."""

    def __init__(self, thread: Thread) -> None:
        told = zip(thread.events, thread.now, strict=True)
        moves = [(event, now) for event, now in told if event.kind in TOUCHED]
        self.frames = [event.frame for event, _ in moves]
        start = moves[0][0].before if moves else None
        self._touches = [start, *(now for _, now in moves)]

    def at(self, frame: int) -> Touch | None:
        """Return them; None where the pair is apart."""
        return self._touches[bisect_right(self.frames, frame)]

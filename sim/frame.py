"""One frame of a world, as values that stay true when the bodies move on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, compress, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.judged import BodyScan
from sim.body.pose import Pose
from sim.events.event import Event
from sim.events.touch import Late
from sim.result.answers import PairAnswers
from sim.result.state import PairState
from sim.table import Table
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import frozen

Float = np.float64
Copies = tuple[tuple[NDArray[Float], ...], object, NDArray[Float], list[slice], Any]
NOTHING: Any = (), np.empty(0), [], ()  # of whom, last, where each is


@dataclass(frozen=True, eq=False)
class BodySnapshot:
    """Where one body was in one frame, and what shape it had.

    Attributes: ``points`` (V, 3): positions, body frame, read-only; shared with the
    frame before where the body did not change; ``pose``: body frame to world.
    """

    name: str
    mesh: WingedEdgeMesh
    points: NDArray[Float]
    pose: Pose

    def world_points(self) -> NDArray[Float]:
        """Return the positions in the world, (V, 3), a fresh array."""
        return self.pose.apply(self.points)


class Snapshots(Sequence[BodySnapshot]):
    """The bodies of one frame: snapshots, made when they are asked for.

    Attributes: ``places``: the place of each body by its name; ``meshes``, ``points``:
    of each body; ``poses`` (B, 3, 4): body frame to world, read-only.
    """

    def __init__(
        self,
        places: dict[str, int],
        meshes: tuple[WingedEdgeMesh, ...],
        points: tuple[NDArray[Float], ...],
        poses: NDArray[Float],
    ) -> None:
        self.meshes = meshes
        self.points = points
        self.poses = frozen(poses)
        self.places = places

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, k: Any) -> Any:
        """Return the snapshot of a body by its place, or those of a slice."""
        if isinstance(k, slice):
            return tuple(self[i] for i in range(*k.indices(len(self))))
        name = next(islice(self.places, range(len(self))[k], None))
        shape = self.meshes[k], self.points[k]
        return BodySnapshot(name, *shape, Pose.of_row(self.poses[k]))

    def __repr__(self) -> str:
        return f"Snapshots({', '.join(self.places)})"


class Undecided(NamedTuple):
    """When before a frame it is not known whether a pair was in contact, and why."""

    a: str  # names of the bodies
    b: str
    when: tuple[float, float]  # 0: the frame before, 1: this one
    reason: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Frame(Late):
    """What a world looked like at one time, and what happened then.

    Attributes
    ----------
    index : int
        The number of the frame, from 0.
    time : float
        ``index * dt``.
    pairs : PairAnswers
        The reported pairs, in the order of the bodies: a sequence of ``PairState``,
        and columns of their numbers, ``pairs.distance``, ``pairs.normal`` ...
    events : sequence of Event
        What happened in this frame: to the bodies in their order, then pair by pair,
        in the one order of `sim.story.order`.
    bodies : sequence of BodySnapshot
        Every body, in the order that the world was given.
    cut : tuple of str
        The names of those that jumped here on purpose, and passed nothing on the way.
    undecided : tuple of Undecided
        Of a world that looks between frames: the pairs of which something could not be
        proven on the way to this one; empty where everything was.  Computed when first
        read.
    law : mapping of name to array
        What the law said after this frame that it remembers, ``state()``; empty where
        there is none.
    """

    index: int
    time: float
    pairs: PairAnswers
    events: Sequence[Event]
    bodies: Sequence[BodySnapshot]
    cut: tuple[str, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    law: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def pair(self, a: str, b: str) -> PairState:
        """Return the state of two bodies by name, with A and B as asked for.

        Raises KeyError if there is no such body, or the pair was not reported in this
        frame.
        """
        i, j = self._place(a), self._place(b)
        row = self.pairs.row_of(i, j)
        if row >= 0:
            return self.pairs.state(row)
        row = self.pairs.row_of(j, i)
        if row >= 0:
            return self.pairs.state(row).swapped()
        raise KeyError(
            f"frame {self.index} does not report {a}/{b}: the pair is ignored, farther "
            f"apart than the margin, or one body"
        )

    def table(self) -> Table:
        """Return the reported pairs as a table, a row each.

        Columns: frame, time, a, b, distance, depth, area, lower, upper, certified,
        regime, kind, feature_a, feature_b, point_a, point_b, normal (vectors, world).
        """
        count, names = len(self.pairs), np.array([b.name for b in self.bodies], str)
        of_frame = {
            "frame": np.full(count, self.index),
            "time": np.full(count, self.time),
            "a": names[self.pairs.a],
            "b": names[self.pairs.b],
        }
        return Table({**of_frame, **self.pairs.columns()})

    def __repr__(self) -> str:
        counts = f"{len(self.pairs)} pairs, {len(self.events)} events"
        names = ", ".join(body.name for body in self.bodies[:4])
        more = ", ..." if len(self.bodies) > 4 else ""
        return f"Frame({self.index}, t={self.time:g}; {counts}; {names}{more})"

    def body(self, name: str) -> BodySnapshot:
        """Return the snapshot of a body by name.

        Raises KeyError if there is no such body.
        """
        return self.bodies[self._place(name)]

    def _place(self, name: str) -> int:
        places = getattr(self.bodies, "places", None)
        if places is None:
            places = {body.name: k for k, body in enumerate(self.bodies)}
        if name not in places:
            known = ", ".join(places)
            raise KeyError(f"frame {self.index} has no body {name!r}; it has {known}")
        return int(places[name])


class SnapshotRecorder:
    """Take snapshots of bodies frame after frame, copying only what changed."""

    def __init__(self, bodies: Sequence[Body], scan: BodyScan | None = None) -> None:
        self._bodies = bodies
        self._scan = BodyScan(bodies) if scan is None else scan
        self._editions: tuple[object, ...] = ()
        self._places = {body.name: k for k, body in enumerate(bodies)}
        self._meshes = tuple(body.mesh for body in bodies)
        self._last: Copies = tuple(x.points for x in self._meshes), *NOTHING
        self._known: tuple[int, ...] = (0,) * len(bodies)  # their versions

    def go_on(self, last: Snapshots) -> None:
        """Share positions with a frame that another recorder took, while they stay."""
        self._last = last.points, *NOTHING

    def take(self, poses: NDArray[Float] | None = None) -> Snapshots:
        """Return the bodies as they are now; ``poses`` (B, 3, 4) says where, if known.

        Cost: nothing for a closed body that was given no positions since; else one
        comparison, and one copy where a bit differs.
        """
        scan, known = self._scan, self._known
        scan.look()
        versions, opened = scan.versions, scan.is_open
        changed = scan.open
        if versions is not known:
            changed = [k for k in scan.changed if versions[k] != known[k] or opened[k]]
        if changed:
            self._last = self._copied(changed)
        self._known = versions
        here = [x.transform for x in self._bodies] if poses is None else poses
        at = np.array(here).reshape(-1, 3, 4)
        return Snapshots(self._places, self._meshes, self._last[0], at)

    def _copied(self, changed: list[int]) -> Copies:
        """Return the positions of all bodies, of these a copy where a bit differs."""
        if self._editions != self._scan.editions:  # else the arrays are those of before
            self._live = [body.positions for body in self._bodies]
            self._meshes = tuple(body.mesh for body in self._bodies)
            self._editions = self._scan.editions
        key = changed, self._editions
        (*points,), whose, copy, parts, starts = self._last
        now = frozen(np.concatenate([self._live[k] for k in changed]))
        if whose != key:
            was = [points[k] for k in changed]
            counts = [len(self._live[k]) for k in changed]
            ends = list(accumulate(counts, initial=0))
            parts, starts = list(map(slice, ends, ends[1:])), np.array(ends[:-1])
            copy = np.concatenate(was) if [*map(len, was)] == counts else now * np.nan
        new, old = now.view(np.int64), copy.view(np.int64)
        news = new[starts, 0] != old[starts, 0]  # mostly that will do
        if not news.all():
            news = np.logical_or.reduceat((new != old).ravel(), 3 * starts)
        for k, part in compress(zip(changed, parts, strict=True), news.tolist()):
            points[k] = now[part]
        return tuple(points), key, now, parts, starts

"""A whole trajectory of a pair: many frames in one call, their answers row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.pose import Pose, check_matrix
from sim.engine.bound import Bound, floats
from sim.kernels import trajectory
from sim.kernels.layout import PLAIN, REFUSED
from sim.kernels.limits import are_maps
from sim.kernels.pairs import ASKED
from sim.kernels.trajectory import AnswerRows, Placements, Shapes, Trajectory
from sim.result.answers import Answers, Whose
from sim.result.state import PairState
from sim.table import Table
from wingedge.positions import refuse_masked

Float = np.float64
CHUNK = 16384  # frames per call, so that an interrupt is heard


class Track(Answers):
    """One answer per frame of a trajectory, T in all; a value that never changes.

    World frame, length unit of the input.  ``track[t]`` is the ``PairState`` of frame
    t, the same to the bit as that of a loop over ``update``; the attributes are the
    same numbers as arrays.
    """

    def __init__(self, a: Body, b: Body, first: int, frames: int) -> None:
        super().__init__(frames)
        self._whose = a, b, (a.edition, b.edition)
        self.editions = self._whose[2]
        self._first = first  # number of the first frame

    def whose(self, k: int) -> Whose:
        """Return the number of a frame, the bodies, and which meshes they had."""
        return self._first + k, *self._whose

    def __getitem__(self, t: int) -> PairState:  # type: ignore[override]  # no slices
        """Return the state of frame t, counted from the first of the trajectory."""
        try:
            k = range(self._length)[t]
        except IndexError:
            raise IndexError(f"frame {t} of a track of {self._length} frames") from None
        except TypeError:
            k = None
        if not isinstance(k, int):
            raise TypeError(
                f"a track takes one frame number, got {t!r}; slice its arrays instead"
            )
        return self.state(k)

    def table(self) -> Table:
        """Return the frames as a table, a row each; see ``Frame.table``."""
        return Table({"frame": self._first + np.arange(len(self)), **self.columns()})

    def __repr__(self) -> str:
        a, b, _ = self._whose
        return f"Track({a.name}/{b.name}, {self._length} frames)"

    def took(self, rows: AnswerRows) -> None:
        """Note how far the kernels got."""
        self._length = rows.cursor[trajectory.FRAME]
        self.parts_used = rows.cursor[trajectory.PARTS_USED]
        self.corners_used = rows.cursor[trajectory.CORNERS_USED]

    def append(self, state: PairState) -> None:
        """Add the row of one more frame."""
        self.put(self._length, state)
        self._length += 1


def follow(tracker: Any, given: Mapping[str, Any], exact: bool) -> Track:
    """Answer for every frame; see ``PairTracker.track``."""
    a, b = tracker.a, tracker.b
    bodies, maps = {"a": a, "b": b}, {"a": trajectory.STILL, "b": trajectory.STILL}
    rows: dict[str, NDArray[Float]] = {}
    for name, values in given.items():
        if values is not None:
            rows[name] = _read(name, values, bodies[name[-1]])
            if name[:-1] == "poses_" and len(rows[name]):
                maps[name[-1]] = _maps(name, rows[name])
    if not rows:
        raise ValueError(
            "nothing moves: give poses_a, poses_b, points_a or points_b, one row per "
            "frame"
        )
    lengths = {name: len(array) for name, array in rows.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} {n}" for name, n in lengths.items())
        raise ValueError(f"trajectories of different lengths: {said} frames")
    frames = next(iter(lengths.values()))
    track = Track(a, b, tracker.next_frame, frames)
    moving = {
        c: rows[f"points_{x}"] for x, c in bodies.items() if f"points_{x}" in rows
    }
    singly = not tracker.uses_kernels or tracker._regions is not None
    singly |= any(not x.takes_at_once or x.convexity == "flag" for x in moving)
    asked = False
    while (t := len(track)) < frames:
        # The first frame may start cold, the last leaves what a tracker remembers.
        if not (asked := singly or asked or t in (0, frames - 1)):
            for body, new in zip((a, b), tracker.news, strict=True):
                still = new and not (body.is_open or body in moving)  # a frame from now
                asked = asked or still or (not new and bool(body.remarks()))
        if asked:
            asked = False  # of the next one
            for x, body in bodies.items():
                if f"poses_{x}" in rows:
                    body.transform[...] = rows[f"poses_{x}"][t]
                if body in moving:
                    body.take(moving[body][t], tracker.next_frame)
            track.append(tracker.update(exact))
        else:
            end = min(frames - 1, t + CHUNK)
            asked = _many(tracker, track, (maps["a"], maps["b"]), moving, end, exact)
    return track


def _many(
    tracker: Any,
    track: Track,
    maps: tuple[Placements, Placements],
    moving: Mapping[Body, NDArray[Float]],
    end: int,
    exact: bool,
) -> bool:
    """Answer up to a frame by the kernels; say whether the next one must be asked."""
    a, b = tracker.a, tracker.b
    begun, rows = len(track), track.laid_out()
    known = {body: body.forget() for body in moving}
    shapes = [
        Shapes(floats(moving[x]), len(moving[x]), int(x.convexity == "trust"))
        if x in moving
        else trajectory.STIFF
        for x in (a, b)
    ]
    ways = Trajectory(end - begun, *maps, *shapes)
    status = tracker.run_trajectory(rows, ways)
    track.took(rows)
    done = len(track) - begun
    went = done + int(status < PLAIN and status != ASKED)
    news = dict(zip((a, b), tracker.news, strict=True))
    for body, before in known.items():
        if went and (news[body] or body.convexity == "trust"):
            body.took(went)
        else:
            body.recall(before)
    tracker.saw = a.version, b.version
    if status == REFUSED:  # the last positions were not answered for
        tracker.saw = a.version - (a in moving), b.version - (b in moving)
    kept = status >= PLAIN or status in (ASKED, REFUSED)
    if done > 0:
        tracker.went_on(track[-2])  # the first frame is never among these
        tracker.went_on(track[-1])
        if not kept:
            tracker.remember(track[-1])
    if status == REFUSED:  # the walk has not been asked for this frame
        track.append(tracker.update(exact))
    elif not kept:
        track.append(tracker.conclude(status, exact))
    return bool(status == ASKED)


def _read(name: str, given: Any, body: Body) -> NDArray[Float]:
    """Return poses as (T, 3, 4), positions as (T, V, 3): floats, C-contiguous."""
    v = body.mesh.n_vertices
    shape, wanted = (v, 3), f"body '{body.name}' needs (T, {v}, 3)"
    if name[:-1] == "poses_":
        shape, wanted = (3, 4), "give (T, 3, 4), or a list of T Pose"
        if isinstance(given, Pose):
            raise TypeError(f"{name} must be one pose per frame, got a single Pose")
        if isinstance(given, Sequence) and any(isinstance(x, Pose) for x in given):
            for t, pose in enumerate(given):
                if not isinstance(pose, Pose):
                    said = f"{name}[{t}] must be a sim.Pose like the others"
                    raise TypeError(f"{said}, got {type(pose).__name__}")
            given = [pose.matrix for pose in given]
    refuse_masked(given, name)
    try:
        array = np.asarray(given)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths") from None
    if array.ndim == 0:
        raise TypeError(f"{name} must have one row per frame, got {given!r}")
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be real numbers, got {array.dtype}")
    if len(array) and array.shape[1:] != shape:
        raise ValueError(f"{name} has shape {array.shape}; {wanted}")
    rows = np.ascontiguousarray(array, Float).reshape(len(array), *shape)
    if name[:-1] == "points_" and not (finite := np.isfinite(rows)).all():
        t, vertex = (int(k[0]) for k in np.nonzero(~finite.all(axis=2)))
        said = f"{name}[{t}]: vertex v{vertex} is at {rows[t, vertex].tolist()}"
        raise ValueError(f"{said}; every coordinate must be finite")
    return rows


def _maps(name: str, poses: NDArray[Float]) -> Placements:
    """Lay poses out for the kernels, and refuse what is none."""
    maps = Placements(floats(poses), len(poses), floats(np.zeros(3)))
    if Bound(are_maps)(maps) == 0:
        for t, pose in enumerate(poses):
            try:
                check_matrix(pose)
            except ValueError as error:
                raise ValueError(f"{name}[{t}]: {error}") from None
    return maps

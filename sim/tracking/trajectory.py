"""Track a pair along a whole trajectory: many frames in one call."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.pose import Pose, check_matrix
from sim.engine.bound import Bound, floats
from sim.kernels.frames import ASKED, DONE
from sim.kernels.layout import REFUSED
from sim.kernels.limits import are_maps
from sim.kernels.trajectory import END, STILL, Placements, Shapes, Trajectory
from sim.tracking.track import Track
from wingedge.positions import refuse_masked

Float = np.float64
STIFF = Shapes(floats(np.zeros(3)), 0, 0)  # of a body that stays as it is
Progress = Callable[[int, int], None]
CHUNK = 16384  # frames per call, so that an interrupt is heard


def follow(
    tracker: Any,
    poses_a: Sequence[Pose] | ArrayLike | None,
    poses_b: Sequence[Pose] | ArrayLike | None,
    points_a: ArrayLike | None,
    points_b: ArrayLike | None,
    exact: bool,
    progress: Progress | None = None,
) -> Track:
    """Answer for every frame; see ``PairTracker.track``."""
    a, b = tracker.a, tracker.b
    given: dict[str, NDArray[Float]] = {}
    if poses_a is not None:
        given["poses_a"] = _poses("poses_a", poses_a)
    if poses_b is not None:
        given["poses_b"] = _poses("poses_b", poses_b)
    maps = _maps("poses_a", given), _maps("poses_b", given)
    if points_a is not None:
        given["points_a"] = _points("points_a", points_a, a)
    if points_b is not None:
        given["points_b"] = _points("points_b", points_b, b)
    frames = _length(given)
    track = Track(a, b, tracker.next_frame, frames)
    if not tracker.uses_kernels or tracker.finds_regions:
        for t in range(frames):
            _one(tracker, track, given, t, exact)
            if progress is not None:
                progress(t + 1, frames)
    elif frames > 0:
        # The first frame may start cold, the last leaves what a tracker remembers.
        _one(tracker, track, given, 0, exact)
        _many(tracker, track, maps, given, frames - 1, exact, progress)
        if frames > 1:
            _one(tracker, track, given, frames - 1, exact)
        if progress is not None:
            progress(frames, frames)
    return track


def _one(
    tracker: Any, track: Track, given: dict[str, NDArray[Float]], t: int, exact: bool
) -> None:
    """Answer one frame by ``update``."""
    for name, body in (("a", tracker.a), ("b", tracker.b)):
        if f"poses_{name}" in given:
            body.transform[...] = given[f"poses_{name}"][t]
        if f"points_{name}" in given:
            body.take(given[f"points_{name}"][t], tracker.next_frame)
    state = tracker.update(exact)
    track.append(state)


def _many(
    tracker: Any,
    track: Track,
    maps: tuple[Placements, Placements],
    given: dict[str, NDArray[Float]],
    end: int,
    exact: bool,
    progress: Progress | None,
) -> None:
    """Answer up to a frame by the kernels; finish those that they cannot."""
    distances = tracker.contact_distance, tracker.release_distance
    a, b = tracker.a, tracker.b
    names = {a: "points_a", b: "points_b"}
    moving = {body: given[name] for body, name in names.items() if name in given}
    while (begun := len(track)) < end:
        if progress is not None:
            progress(begun, end + 1)
        new = {x for x, is_new in zip((a, b), tracker.news, strict=True) if is_new}
        if any(_is_asked(body, moving, new) for body in (a, b)):
            _one(tracker, track, given, begun, exact)
            continue
        one, two = (_shapes(body, moving) for body in (a, b))
        rows = track.rows()
        rows.cursor[END] = min(end, begun + CHUNK)
        pools = Trajectory(*maps, one, two, *distances, rows)
        known = {body: body.forget() for body in moving}
        status = tracker.run_trajectory(pools)
        track.took(rows)
        done = len(track) - begun
        went = done + int(status not in (DONE, ASKED))
        for body, before in known.items():
            if went and (body in new or body.convexity == "trust"):
                body.took(went)
            else:
                body.recall(before)
        tracker.saw = a.version, b.version
        if status == REFUSED:  # the last positions were not answered for
            tracker.saw = a.version - (a in moving), b.version - (b in moving)
        if done > 0:
            previous = track[-2] if len(track) > 1 else None
            tracker.went_on(previous, track[-1])
        if status == ASKED:
            _one(tracker, track, given, len(track), exact)
        elif status != DONE:
            refused = status == REFUSED  # the walk has not been asked for this frame
            state = (
                tracker.update(exact) if refused else tracker.conclude(status, exact)
            )
            track.append(state)


def _is_asked(body: Body, moving: Container[Body], new: Container[Body]) -> bool:
    """Say whether a body must be asked before the next frame is answered.

    One that refuses positions or gets others than the kernel may take, or has a flaw to
    tell; one whose positions are about to last a frame; and of one that is no solid
    every answer says so.
    """
    if body in moving:
        if not body.takes_at_once or body.convexity == "flag":
            return True
    elif body in new and not body.is_open:
        return True
    return body not in new and bool(body.remarks())


def _shapes(body: Body, moving: Mapping[Body, NDArray[Float]]) -> Shapes:
    """Lay new positions out for the kernels."""
    if body not in moving:
        return STIFF
    rows = moving[body]
    return Shapes(floats(rows), len(rows), int(body.convexity == "trust"))


def _poses(name: str, given: Sequence[Pose] | ArrayLike) -> NDArray[Float]:
    """Return poses as a (T, 3, 4) array of their own."""
    if isinstance(given, Pose):
        raise TypeError(f"{name} must be one pose per frame, got a single Pose")
    if isinstance(given, Sequence) and any(isinstance(pose, Pose) for pose in given):
        matrices = []
        for t, pose in enumerate(given):
            if not isinstance(pose, Pose):
                raise TypeError(
                    f"{name}[{t}] must be a sim.Pose like the others, got "
                    f"{type(pose).__name__}"
                )
            matrices.append(pose.matrix)
        return np.array(matrices)
    array = _real(name, given)
    if len(array) == 0:
        return np.zeros((0, 3, 4))
    if array.shape[1:] != (3, 4):
        raise ValueError(
            f"{name} has shape {array.shape}; give (T, 3, 4), or a list of T Pose"
        )
    return array


def _maps(name: str, given: dict[str, NDArray[Float]]) -> Placements:
    """Lay poses out for the kernels, and refuse what is none."""
    if name not in given or len(given[name]) == 0:
        return STILL
    poses = given[name]
    maps = Placements(floats(poses), len(poses), floats(np.zeros(3)))
    if Bound(are_maps)(maps) == 0:
        for t, pose in enumerate(poses):
            try:
                check_matrix(pose)
            except ValueError as error:
                raise ValueError(f"{name}[{t}]: {error}") from None
    return maps


def _points(name: str, given: ArrayLike, body: Body) -> NDArray[Float]:
    """Return positions as a (T, V, 3) array."""
    array = _real(name, given)
    v = body.mesh.n_vertices
    if len(array) == 0:
        return np.zeros((0, v, 3))
    if array.shape[1:] != (v, 3):
        raise ValueError(
            f"{name} has shape {array.shape}; body '{body.name}' needs (T, {v}, 3)"
        )
    finite = np.isfinite(array)
    if not finite.all():
        t, vertex = (int(k[0]) for k in np.nonzero(~finite.all(axis=2)))
        raise ValueError(
            f"{name}[{t}]: vertex v{vertex} is at {array[t, vertex].tolist()}; every "
            f"coordinate must be finite"
        )
    return array


def _real(name: str, given: object) -> NDArray[Float]:
    """Return real numbers as C-contiguous float64, one row per frame; read only."""
    refuse_masked(given, name)
    try:
        array = np.asarray(given)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths") from None
    if array.ndim == 0:
        raise TypeError(f"{name} must have one row per frame, got {given!r}")
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be real numbers, got {array.dtype}")
    return np.ascontiguousarray(array, Float)


def _length(given: dict[str, NDArray[Float]]) -> int:
    if not given:
        raise ValueError(
            "nothing moves: give poses_a, poses_b, points_a or points_b, one row per "
            "frame"
        )
    lengths = {name: len(array) for name, array in given.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} {n}" for name, n in lengths.items())
        raise ValueError(f"trajectories of different lengths: {said} frames")
    return next(iter(lengths.values()))

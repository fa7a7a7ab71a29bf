"""Track a pair along a whole trajectory: many frames in one call."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.body.body import Body
from sim.body.pose import Pose, check_matrix
from sim.engine.bound import Bound, floats
from sim.kernels.layout import PLAIN, REFUSED
from sim.kernels.limits import are_maps
from sim.kernels.pairs import ASKED
from sim.kernels.trajectory import STIFF, STILL, Placements, Shapes, Trajectory
from sim.tracking.track import Track
from wingedge.positions import refuse_masked

Float = np.float64
CHUNK = 16384  # frames per call, so that an interrupt is heard


def follow(
    tracker: Any,
    poses_a: Sequence[Pose] | ArrayLike | None,
    poses_b: Sequence[Pose] | ArrayLike | None,
    points_a: ArrayLike | None,
    points_b: ArrayLike | None,
    exact: bool,
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
    names = {a: "points_a", b: "points_b"}
    moving = {body: given[name] for body, name in names.items() if name in given}
    singly = not tracker.uses_kernels or tracker.finds_regions
    asked = False
    while (t := len(track)) < frames:
        # The first frame may start cold, the last leaves what a tracker remembers.
        if singly or asked or t in (0, frames - 1) or _is_asked(tracker, moving):
            asked = False  # of the next one
            _one(tracker, track, given, t, exact)
        else:
            asked = _many(
                tracker, track, maps, moving, min(frames - 1, t + CHUNK), exact
            )
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
    track.append(tracker.update(exact))


def _many(
    tracker: Any,
    track: Track,
    maps: tuple[Placements, Placements],
    moving: Mapping[Body, NDArray[Float]],
    end: int,
    exact: bool,
) -> bool:
    """Answer up to a frame by the kernels; finish one that they cannot.

    Returns whether the bodies must be asked before the next frame.
    """
    a, b = tracker.a, tracker.b
    begun, rows = len(track), track.lay_out()
    known = {body: body.forget() for body in moving}
    ways = Trajectory(end - begun, *maps, _shapes(a, moving), _shapes(b, moving))
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
        tracker.went_on(track[-2] if len(track) > 1 else None, track[-1], kept)
    if status == REFUSED:  # the walk has not been asked for this frame
        track.append(tracker.update(exact))
    elif not kept:
        track.append(tracker.conclude(status, exact))
    return bool(status == ASKED)


def _is_asked(tracker: Any, moving: Container[Body]) -> bool:
    """Say whether a body must be asked before the next frame is answered.

    One that refuses positions or gets others than the kernel may take, or has a flaw to
    tell; one whose positions are about to last a frame; and of one that is no solid
    every answer says so.
    """
    for body, is_new in zip((tracker.a, tracker.b), tracker.news, strict=True):
        if body in moving:
            if not body.takes_at_once or body.convexity == "flag":
                return True
        elif is_new and not body.is_open:
            return True
        if not is_new and body.remarks():
            return True
    return False


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
    return _rows(name, given, (3, 4), "give (T, 3, 4), or a list of T Pose")


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
    v = body.mesh.n_vertices
    array = _rows(name, given, (v, 3), f"body '{body.name}' needs (T, {v}, 3)")
    finite = np.isfinite(array)
    if not finite.all():
        t, vertex = (int(k[0]) for k in np.nonzero(~finite.all(axis=2)))
        raise ValueError(
            f"{name}[{t}]: vertex v{vertex} is at {array[t, vertex].tolist()}; every "
            f"coordinate must be finite"
        )
    return array


def _rows(
    name: str, given: object, shape: tuple[int, int], wanted: str
) -> NDArray[Float]:
    """Return real numbers, (T, *shape), C-contiguous float64; read only."""
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
    return np.ascontiguousarray(array, Float).reshape(len(array), *shape)


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

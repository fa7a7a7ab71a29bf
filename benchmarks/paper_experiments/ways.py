"""The bodies and the ways on which the paper's search is tried."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose
from sim.result.state import PairState
from wingedge import WingedEdgeMesh, shapes

BODIES = {
    "ball": shapes.icosphere(2),
    "box": shapes.box(),
    "grid": shapes.grid_box(4),
    "hull": shapes.random_hull(1, 50),
    "needle 10": shapes.needle(ratio=10.0),
    "needle 100": shapes.needle(ratio=100.0),
    "plate": shapes.plate(),
}
PAIRS = (
    ("ball", "box"),
    ("hull", "hull"),
    ("grid", "box"),
    ("needle 10", "needle 10"),
    ("needle 100", "needle 100"),
    ("needle 100", "plate"),
)
CONTACT_DISTANCE = 0.002  # unless an experiment is about it
GAPS = {"apart": 0.1, "contact": 0.001}


class Way(NamedTuple):
    """Where body B is in each frame, and what is true there."""

    poses: list[Pose]
    truths: list[PairState]  # the certified answers
    moved: (
        float  # how far B travels per frame, per size of the smaller body, on average
    )


class Pace(NamedTuple):
    """How much B moves in a frame."""

    spin: float  # degrees about its own axis
    travel: float  # degrees round A


def followed(
    each: Way, mesh_a: WingedEdgeMesh, mesh_b: WingedEdgeMesh, **options: Any
) -> Iterator[tuple[PairState, PairState, PairState]]:
    """Yield last state, state and truth, where there is one, after the first frame."""
    a, b = Body(mesh_a), Body(mesh_b)
    options = {"contact_distance": CONTACT_DISTANCE, **options}
    tracker = PairTracker(a, b, strategy="paper", **options)
    for b.pose, truth in zip(each.poses, each.truths, strict=True):
        before, state = tracker.state, tracker.update()
        if before is not None:  # the paper compares all at first, and is right
            yield before, state, truth


def way(
    mesh_a: WingedEdgeMesh,
    mesh_b: WingedEdgeMesh,
    frames: int,
    pace: Pace,
    gap: float,
    seed: int,
) -> Way:
    """Lead B round A at a distance that stays, turning about a fixed axis of its own.

    In every frame B is moved along the line to A's origin until its distance is
    ``gap``, to a thousandth of it; all that is drawn, is drawn from the seed.
    """
    draw = np.random.default_rng(seed)
    first = Rotation.random(random_state=seed)
    axis, out = (v / np.linalg.norm(v) for v in draw.normal(size=(2, 3)))
    side = np.cross(out, axis)
    side /= np.linalg.norm(side)
    a, b = Body(mesh_a), Body(mesh_b)
    guide = PairTracker(a, b, contact_distance=CONTACT_DISTANCE)
    poses, truths = [], []
    for k in range(frames):
        turn = Rotation.from_rotvec(np.radians(pace.spin) * k * axis) * first
        angle = np.radians(pace.travel) * k
        to_b = np.cos(angle) * out + np.sin(angle) * side
        t = 3.0
        linear = Pose.rigid(turn).linear
        for _ in range(200):
            b.pose = Pose(linear, t * to_b)
            state = guide.update()
            off = state.distance - gap
            if abs(off) < 1e-3 * gap:
                break
            slope = abs(float(state.normal @ to_b))
            t -= off if off > 0.0 else off / max(slope, 0.1)
        poses.append(b.pose)
        truths.append(state)
    at = np.array([pose.translation for pose in poses])
    steps = np.linalg.norm(np.diff(at, axis=0), axis=1)
    size = min(float(np.ptp(m.points, axis=0).max()) for m in (mesh_a, mesh_b))
    return Way(poses, truths, float(steps.mean()) / size)

"""Count how often the paper's own search is wrong, beside the certified tracker.

    python benchmarks/count_misses.py [--frames 120] [--ways 4]

B rolls round A at a constant distance, 0.1 (apart) or 0.001 (in contact: the contact
distance is 0.002).
A frame is wrong if the distance differs by more than 1e-9 of itself and 1e-13 size.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator

import numpy as np
from bench import Say, main
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose
from sim.tracking.proof.misses import compare_with_certificate
from wingedge import shapes

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
OPTIONS: dict[str, dict[str, int | bool]] = {
    "as printed": {},
    "vertex rule": {"vertex_rule": True},
    "range 3, repeat": {"vertex_rule": True, "search_range": 3, "repeat": True},
}


def rolling(
    a: Body, b: Body, frames: int, degrees: float, gap: float, seed: int
) -> Iterator[int]:
    """Turn B about a fixed axis while it goes round A, at a distance that stays.

    It is pushed along the line to A's origin until its distance is ``gap``.
    """
    draw = np.random.default_rng(seed)
    first = Rotation.random(random_state=seed)
    axis, way = (v / np.linalg.norm(v) for v in draw.normal(size=(2, 3)))
    round_ = np.cross(way, axis)
    round_ /= np.linalg.norm(round_)
    truth = PairTracker(a, b)
    for k in range(frames):
        angle = np.radians(degrees) * k
        turn = Pose.rigid(Rotation.from_rotvec(angle * axis) * first).linear
        out = np.cos(0.7 * angle) * way + np.sin(0.7 * angle) * round_
        t = 3.0
        for _ in range(200):
            b.pose = Pose(turn, t * out)
            state = truth.update()
            off = state.distance - gap
            if abs(off) < 1e-3 * gap:
                break
            slope = abs(float(state.normal @ out))
            t -= off if off > 0.0 else off / max(slope, 0.1)
        yield k


def run(options: Namespace, say: Say) -> None:
    """Print a line per pair, distance and step."""
    say(f"{'':34}" + "".join(f"{name:>24}" for name in OPTIONS))
    for gap in (0.1, 0.001):
        for pair in PAIRS:
            for degrees in (1.0, 10.0):
                cells = [
                    cell(pair, gap, degrees, rules, options)
                    for rules in OPTIONS.values()
                ]
                label = f"{gap:<6g} {', '.join(pair)}, {degrees:g} deg"
                say(f"{label:34}" + "".join(f"{text:>24}" for text in cells))


def cell(
    pair: tuple[str, str],
    gap: float,
    degrees: float,
    rules: dict[str, int | bool],
    options: Namespace,
) -> str:
    """Count along all ways: share that is wrong, worst error, features examined."""
    frames = wrong = 0
    worst = examined = 0.0
    for seed in range(options.ways):
        a, b = (Body(BODIES[name]) for name in pair)
        tracker = PairTracker(a, b, strategy="paper", contact_distance=0.002, **rules)
        motion = rolling(a, b, options.frames, degrees, gap, seed)
        found = compare_with_certificate(tracker, motion)
        frames += found.frames
        wrong += len(found.missed)
        worst = max(worst, found.worst)
        examined += found.examined / options.ways
    return f"{wrong / frames:7.1%} {worst:8.1e} {examined:5.0f}"


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=120, ways=4))

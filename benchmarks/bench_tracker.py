"""Time one tracked pair-frame: ours beside peers from PyPI, in the same run.

    python benchmarks/bench_tracker.py [--frames 2000] [--apart 2.5] [--save FILE]

Two random hulls of V vertices each; one tumbles in place, 1 degree per frame, half a
radius from the other; ``--apart 0.5`` lets them overlap.  Ours runs in both engines,
called frame by frame, and compiled as one trajectory (``track``).  Peers (``pip install
coal python-fcl``) are called from Python in the same loop on the same positions; those
that are not installed are left out.  All run in one thread, interleaved, and the best
of five rounds counts: what else the machine does can only add.
"""

import sys
from argparse import Namespace
from collections.abc import Callable

import numpy as np
from bench import Say, best, installed, main
from peers import coal_hull, fcl_hull
from scipy.spatial.transform import Rotation

import wingedge
from sim import Body, PairTracker, Pose, exhaustive, set_engine
from wingedge import WingedEdgeMesh, shapes

SIZES = (8, 50, 200, 1000)
ROUNDS = 5
Step = Callable[[Pose], float]  # place B, return the distance


def tumble(frames: int, apart: float = 2.5) -> list[Pose]:
    """Turn by 1 degree per frame about an axis that wanders."""
    turn = Rotation.identity()
    poses = []
    for k in range(frames):
        axis = np.array([np.sin(0.01 * k), np.cos(0.013 * k), 0.5])
        axis /= np.linalg.norm(axis)
        turn = Rotation.from_rotvec(np.deg2rad(1.0) * axis) * turn
        poses.append(Pose.rigid(turn, (apart, 0.1 * np.sin(0.01 * k), 0.1)))
    return poses


def ours(a: WingedEdgeMesh, b: WingedEdgeMesh) -> Step:
    """Track with last frame's features."""
    still, moving = Body(a), Body(b)
    tracker = PairTracker(still, moving)

    def step(pose: Pose) -> float:
        moving.pose = pose
        return tracker.update().distance

    def track(poses: list[Pose]) -> float:
        rows = np.array([pose.matrix for pose in poses])
        return best(lambda: tracker.track(poses_b=rows), 1) / len(poses) * 1e6

    step.track = track
    return step


def coal(a: WingedEdgeMesh, b: WingedEdgeMesh) -> Step:
    """Ask coal, warm-started from its own cached guess."""
    import coal as engine

    still, moving = coal_hull(a.points), coal_hull(b.points)
    at_a, at_b = engine.Transform3s.Identity(), engine.Transform3s.Identity()
    request, result = engine.DistanceRequest(), engine.DistanceResult()
    request.gjk_initial_guess = engine.GJKInitialGuess.CachedGuess

    def step(pose: Pose) -> float:
        at_b.setRotation(pose.linear)
        at_b.setTranslation(pose.translation)
        result.clear()
        found = engine.distance(still, at_a, moving, at_b, request, result)
        request.updateGuess(result)
        return float(found)

    return step


def python_fcl(a: WingedEdgeMesh, b: WingedEdgeMesh) -> Step:
    """Ask FCL, cold every frame: its Python wrapper keeps no guess."""
    import fcl

    still, moving = (fcl_hull(mesh.points, mesh.fan.vertex) for mesh in (a, b))
    request = fcl.DistanceRequest()

    def step(pose: Pose) -> float:
        moving.setTransform(fcl.Transform(pose.linear, pose.translation))
        return float(fcl.distance(still, moving, request, fcl.DistanceResult()))

    return step


ENGINES = {
    "wingedge": ours,
    "compiled": ours,
    "track": ours,
    "coal": coal,
    "python-fcl": python_fcl,
}


def present() -> dict[str, str]:
    """Return the engines that can run here, with their versions."""
    ours_ = {name: wingedge.__version__ for name, e in ENGINES.items() if e is ours}
    return ours_ | installed("coal", "python-fcl")


def worst_error(
    step: Step, a: WingedEdgeMesh, b: WingedEdgeMesh, poses: list[Pose]
) -> float:
    """Return the largest difference from the exhaustive answer in a few frames."""
    worst = 0.0
    still, moving = Body(a), Body(b)
    for pose in poses[:100:10]:
        moving.pose = pose
        worst = max(worst, abs(step(pose) - exhaustive(still, moving).distance))
    return worst


def timed(name: str, step: Step, poses: list[Pose]) -> float:
    """Return microseconds per frame, by the engine that the name says."""
    set_engine("python" if name == "wingedge" else "compiled")
    if name == "track":
        return step.track(poses)

    def all_of_them() -> None:
        for pose in poses:
            step(pose)

    return best(all_of_them, 1) / len(poses) * 1e6


def run(options: Namespace, say: Say) -> None:
    """Print the table; write it as CSV if asked."""
    engines = present()
    poses = tumble(options.frames, options.apart)
    say(
        f"{'vertices':>8} {'engine':>12} {'us/frame':>9} {'ratio':>6} "
        f"{'worst error':>12}"
    )
    rows = [["vertices", "engine", "version", "us_per_frame", "worst_error"]]
    for count in SIZES:
        a = shapes.box() if count == 8 else shapes.random_hull(1, count)
        b = shapes.box() if count == 8 else shapes.random_hull(2, count)
        steps = {name: ENGINES[name](a, b) for name in engines}
        errors = {name: worst_error(step, a, b, poses) for name, step in steps.items()}
        least = dict.fromkeys(steps, float("inf"))
        for _ in range(ROUNDS):
            for name, step in steps.items():
                least[name] = min(least[name], timed(name, step, poses))
        for name, us in least.items():
            ratio = us / least["wingedge"]
            say(f"{count:8} {name:>12} {us:9.2f} {ratio:6.2f} {errors[name]:12.1e}")
            rows.append(
                [str(count), name, engines[name], f"{us:.2f}", f"{errors[name]:.1e}"]
            )
    if options.save:
        text = "".join(",".join(row) + "\n" for row in rows)
        options.save.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(
        main(__doc__, run, "coal", "python-fcl", frames=2000, apart=2.5, save=None)
    )

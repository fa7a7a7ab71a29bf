"""The live cover against a new hull in every frame: how much faster.

    python benchmarks/bench_cover.py [--frames 60] [--rounds 7] [--log FILE]

A dented sphere, its vertices spread at random, moves smoothly: twisted, bent, its dent
deepened, every vertex trembling.  Each frame is asked of ``body.cover()`` from Python,
compiled, and of ``scipy.spatial.ConvexHull``; both get positions that are in place.
Several rounds over the same frames, the best processor time of each counts; the rounds
of the two take turns.  Exit code 1 if the cover is less than 50 times as fast.
"""

import sys
import time
from argparse import Namespace

import numpy as np
from bench import Say, best, main, sphere
from scipy.spatial import ConvexHull

from sim import Body, set_engine

SIZES = (1000, 10_000)
MOTIONS = ("twist", "bend", "dent", "noise")
SPEED_BAR = 50.0


def dented(points: np.ndarray, depth: float) -> np.ndarray:
    """Push a cap of the sphere in."""
    out = points.copy()
    out[:, 2] -= depth * np.clip((points[:, 2] - 0.8) / 0.2, 0.0, 1.0)
    return out


def moved(rest: np.ndarray, motion: str, k: int, wave: np.ndarray) -> np.ndarray:
    """Return the positions of frame k: what changes from one to the next is small."""
    t = 0.005 * k
    if motion == "dent":
        return dented(rest, 0.3 + t)
    x, y, z = dented(rest, 0.3).T
    if motion == "twist":
        c, s = np.cos(t * z), np.sin(t * z)
        return np.stack([c * x - s * y, s * x + c * y, z], axis=1)
    if motion == "bend":
        return np.stack([x + t * z * z, y, z - 0.5 * t * x * z], axis=1)
    tremble = 1e-4 * np.sin(0.2 * k + wave)[:, None]
    return np.stack([x, y, z], axis=1) * (1.0 + tremble)


def rounds(
    body: Body, frames: list[np.ndarray], count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best seconds per frame of the cover and of Qhull."""
    ours, theirs = np.full((2, len(frames)), np.inf)
    clock = time.thread_time  # both use one thread; other programs do not count
    live = body.points
    for _ in range(count):
        for k, points in enumerate(frames):
            live[...] = points
            ours[k] = min(ours[k], best(body.cover, 1, clock=clock))
        for k, points in enumerate(frames):
            spent = best(lambda points=points: ConvexHull(points), 1, clock=clock)
            theirs[k] = min(theirs[k], spent)
    return ours, theirs


def run(options: Namespace, say: Say) -> bool:
    """Print the table; say whether the bars are met."""
    set_engine("compiled")
    say(f"{'vertices':>8} {'motion':8}{'cover us':>10}{'Qhull us':>10}{'ratio':>8}")
    good = True
    for size in SIZES:
        mesh = sphere(size, size)
        wave = np.random.default_rng(1).uniform(0.0, 6.0, size)
        for motion in MOTIONS:
            body = Body(mesh)
            frames = [
                moved(mesh.points, motion, k, wave) for k in range(options.frames)
            ]
            body.points[...] = frames[0]
            body.cover()
            ours, theirs = rounds(body, [*frames, *frames[::-1]], options.rounds)
            ratio = theirs.mean() / ours.mean()
            good &= ratio >= SPEED_BAR
            say(
                f"{size:8} {motion:8}{1e6 * ours.mean():10.1f}"
                f"{1e6 * theirs.mean():10.0f}{ratio:8.0f}"
            )
    say("bars met" if good else "BARS MISSED")
    return bool(good)


if __name__ == "__main__":
    sys.exit(main(__doc__, run, "scipy", frames=60, rounds=7))

"""Time the two engines: frames of a track, and the way to compiled code.

    python benchmarks/bench_engine.py [--frames 5000]

The bodies and the tumble are those of ``bench_tracker.py``.
"""

import subprocess
import sys
from argparse import Namespace

import numpy as np
from bench import Say, best, main
from bench_tracker import SIZES, tumble

from sim import Body, PairTracker, set_engine
from wingedge import shapes

ROUNDS = 30
BARS = {8: 90, 50: 130, 200: 200, 1000: 400}

# Prints: seconds from asking for compiled code to its first answer, a digest.
FIRST = """
import hashlib, time
from sim import Body, PairTracker, Pose, set_engine
from wingedge import shapes
set_engine("python")
a, b = Body(shapes.box()), Body(shapes.box())
tracker = PairTracker(a, b)
b.pose = Pose.rigid((0.1, 0.2, 0.3, 1.0), (0.0, 0.2, 2.5))
tracker.update()
begin = time.perf_counter()
set_engine("compiled")
tracker.update()
print(time.perf_counter() - begin, end=" ")
digest = hashlib.sha256()
for k in range(2000):
    b.pose = Pose.rigid((0.1, 0.2, 0.001 * k, 1.0), (0.0, 0.2, 2.5))
    digest.update(repr(tracker.update().numbers).encode())
print(digest.hexdigest())
"""


def python(code: str) -> "subprocess.Popen[str]":
    """Start a program."""
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    )


def said(program: "subprocess.Popen[str]") -> list[str]:
    """Wait for a program; return the words that it printed."""
    out, _ = program.communicate()
    return out.split()


def pair(count: int) -> tuple[Body, Body]:
    """Return two bodies of so many vertices."""
    if count == 8:
        return Body(shapes.box()), Body(shapes.box())
    return Body(shapes.random_hull(1, count)), Body(shapes.random_hull(2, count))


def frame_times(frames: int, say: Say) -> None:
    """Print nanoseconds per frame of a track, compiled, and of a loop, interpreted."""
    moves = tumble(frames)
    matrices = np.array([pose.matrix for pose in moves])
    say(f"{'vertices':>8} {'compiled ns':>12} {'bar':>5} {'interpreted us':>15}")
    for count in SIZES:
        set_engine("python")
        a, b = pair(count)
        tracker = PairTracker(a, b)

        def loop(tracker: PairTracker = tracker, b: Body = b) -> None:
            for pose in moves[:500]:
                b.pose = pose
                tracker.update()

        slow = best(loop) / 500
        set_engine("compiled")
        track = PairTracker(*pair(count)).track
        fast = best(lambda track=track: track(poses_b=matrices), ROUNDS) / frames
        say(f"{count:8} {fast * 1e9:12.0f} {BARS[count]:5} {slow * 1e6:15.1f}")


def start_times(say: Say) -> None:
    """Print what it takes to get compiled code, and whether engines agree."""
    compiled = [said(python(FIRST)) for _ in range(5)]
    plain = said(python(FIRST.replace("compiled", "python")))
    digests = {digest for _, digest in [*compiled, plain]}
    same = "the same bits" if len(digests) == 1 else "DIFFERENT BITS"
    first = min(float(seconds) for seconds, _ in compiled)
    say(f"first compiled answer after {1e3 * first:.1f} ms, {same}")


def run(options: Namespace, say: Say) -> None:
    """Print the tables."""
    frame_times(options.frames, say)
    start_times(say)


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=5000))

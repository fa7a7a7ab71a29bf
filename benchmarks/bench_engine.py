"""Time the two engines: frames of a track, the way to compiled code, and its pauses.

    python benchmarks/bench_engine.py [--frames 5000]

The bodies and the tumble are those of ``bench_tracker.py``.  Cold: no compiled kernels
on disk; warm: they are there.  Besides,
the longest frame of a running loop while compiled code is being got aside.
"""

import os
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

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

# Prints: when compiled code took over, the longest frame meanwhile and otherwise.
LOOP = """
import sys, time, sim
from sim import Body, PairTracker, Pose
from sim.engine.policy import ENGINE
from wingedge import shapes
a, b = Body(shapes.box()), Body(shapes.box())
tracker = PairTracker(a, b)
poses = [Pose.rigid((0.1, 0.2, 0.001 * k, 1.0), (0.0, 0.2, 2.5)) for k in range(500)]
begin = last = time.perf_counter()
aside = plain = 0.0
while ENGINE.is_waiting and last - begin < 60.0:
    for pose in poses:
        b.pose = pose
        busy = ENGINE._thread is not None
        tracker.update()
        now = time.perf_counter()
        if busy or ENGINE._thread is not None:
            aside = max(aside, now - last)
        else:
            plain = max(plain, now - last)
        last = now
print(time.perf_counter() - begin, aside, plain, ENGINE.compiled is not None)
"""


def python(code: str, cache: Path, **variables: str) -> "subprocess.Popen[str]":
    """Start a program that keeps its kernels in a folder."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | {"WINGEDGE_CACHE": str(cache)} | variables,
        stdout=subprocess.PIPE,
        text=True,
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
    """Print what it takes to get compiled code: cold, warm, aside, four at once."""
    with tempfile.TemporaryDirectory() as folder:
        cold = float(said(python(FIRST, Path(folder)))[0])
        warm = min(float(said(python(FIRST, Path(folder)))[0]) for _ in range(5))
        say(f"first compiled answer: cold {cold:.2f} s, warm {warm:.3f} s")
        _, aside, plain, done = said(python(LOOP, Path(folder)))
        slow = late(aside, plain)
        say(f"longest frame while loading aside {slow}, taken over: {done}")
    with tempfile.TemporaryDirectory() as folder:
        after, aside, plain, done = said(python(LOOP, Path(folder)))
        say(
            f"longest frame while compiling aside {late(aside, plain)}, "
            f"taken over after {float(after):.1f} s: {done}"
        )
    with tempfile.TemporaryDirectory() as folder:
        digests = set()

        def four() -> None:
            programs = [python(FIRST, Path(folder)) for _ in range(4)]
            digests.update(said(program)[1] for program in programs)

        took = best(four, 1)
        digests.add(said(python(FIRST.replace("compiled", "python"), Path(folder)))[1])
        same = "the same bits" if len(digests) == 1 else "DIFFERENT BITS"
        say(f"four cold processes at once: {took:.1f} s, {same}")


def late(aside: str, plain: str) -> str:
    """Say how long a frame took at worst, and how long otherwise."""
    return f"{1e3 * float(aside):.1f} ms (otherwise {1e3 * float(plain):.1f} ms)"


def run(options: Namespace, say: Say) -> None:
    """Print the tables."""
    frame_times(options.frames, say)
    start_times(say)


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=5000))

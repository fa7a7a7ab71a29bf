"""Time a large recording: 10 bodies of 1000 vertices, all rewritten in every frame.

    python benchmarks/bench_recording.py [--frames 1000] [--log FILE]

The bodies stand apart in a row and swell, so what is timed is the file and not the
search.  Best and median of what the recorder adds to a frame, processor time, and the
wall clock beside it; bytes on disk; then frames at random places of the closed file.
Exit code 1 above 6 ms a frame, 250 MB (or 270 kB a frame), or 5 ms for a frame.
"""

import random
import statistics
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path

from bench import Say, breathing, main, sphere

from sim import Recording
from sim.story.file.recorder import Recorder

BODIES, VERTICES = 10, 1000
WRITE, BYTES, SEEK = 6e-3, 250e6 / 1000, 5e-3


def written(path: Path, frames: int) -> tuple[list[float], list[float]]:
    """Record so many frames; return what each took to write, processor and wall."""
    spent, waited = [], []
    write = Recorder.written

    def timed(self, whole, frame, carry):
        begin = time.process_time(), time.perf_counter()
        after = write(self, whole, frame, carry)
        spent.append(time.process_time() - begin[0])
        waited.append(time.perf_counter() - begin[1])
        return after

    Recorder.written = timed
    try:
        mesh = sphere(VERTICES)
        grown = lambda t, k: 1.0 + 0.1 * t / (1.0 + t)  # noqa: E731
        world = breathing(mesh, BODIES, 3.0, grown, margin=0.01)
        with world.record(path):
            for _ in world.run(frames):
                pass
    finally:
        Recorder.written = write
    return spent, waited


def sought(path: Path, count: int) -> tuple[list[float], float]:
    """Read frames at random places; return what each took, and what opening took."""
    chance = random.Random(5)
    begin = time.process_time()
    recording = Recording.open(path)
    opened = time.process_time() - begin
    spent = []
    for _ in range(count):
        k = chance.randrange(len(recording))
        begin = time.process_time()
        frame = recording[k]
        spent.append(time.process_time() - begin)
        assert frame.index == k
        assert len(frame.bodies) == BODIES
    return spent, opened


def run(options: Namespace, say: Say) -> bool:
    """Print what writing and reading took; say whether it is within the promise."""
    say(f"{BODIES} bodies x {VERTICES} vertices x {options.frames} frames, all new")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crowd.vtkhdf"
        spent, waited = written(path, options.frames)
        size = path.stat().st_size
        seeks, opened = sought(path, 200)
    rows = [("write", spent), ("write, wall clock", waited), ("seek", seeks)]
    for name, times in rows:
        say(
            f"{name:18} best {min(times) * 1e3:6.2f}  median "
            f"{statistics.median(times) * 1e3:6.2f}  worst {max(times) * 1e3:7.2f} ms"
        )
    say(f"open               {opened * 1e3:6.2f} ms (first one, with imports)")
    each = size / options.frames
    say(f"size               {size / 1e6:6.1f} MB, {each / 1e3:.1f} kB a frame")
    fits = (
        statistics.median(spent) <= WRITE
        and statistics.median(seeks) <= SEEK
        and each <= BYTES
    )
    say("all within the promise" if fits else "OUTSIDE THE PROMISE")
    return fits


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=1000))

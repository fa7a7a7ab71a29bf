"""Interrupt a recorded step at any line, and fill the disk under a recording.

An interrupt (Ctrl-C) is raised at a line of the step of a run in which most happens;
the step is asked for again, and the run goes on.  The recording must be that of a run
that was never interrupted: opened at once, every frame, every bit, event and identity.

A disk that is full is a limit to the size of files (``RLIMIT_FSIZE``) in a child: at
any size from the first byte to the whole recording, with room again afterwards or not.
What is refused is refused in words, HDF5 goes on working, the child ends well, and
every frame that was handed over can be read.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

from sim import Body, Pose, Recording, RecordingError, World, motion, scenes
from sim.story.compare import first_difference
from wingedge import shapes

AFTER = 3  # frames that follow the interrupted one
IGNORED = "weakref", "kernels"  # where exceptions are only printed; not Python's
SIZES = 12  # within the head of a recording, and as many beyond
FULL = """
import json, resource, sys
import h5py
from sim import RecordingError, scenes
path, size, again = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
world = scenes.load("spin")
said, refused = "", 0
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
try:
    with world.record(path):
        for _ in range(300):
            try:
                world.step()
            except RecordingError as error:
                said = said or str(error)
                refused += 1
                if again:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
except RecordingError as error:
    said = said or str(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
with h5py.File(path + ".other", "w") as other:  # what broke the process
    other["x"] = 1
print(json.dumps([world.index, refused, said]))
"""


def regions() -> World:
    """Let a block sink between a floor and a foot, and look at all contacts."""
    block = Body(shapes.box(), name="block")
    feet = Body(shapes.box(), name="foot", pose=Pose(None, (0.9, 0.0, -1.02)))
    fall = motion.linear((0.0, 0.0, -0.6), start=(0.0, 0.0, 0.02))
    turn = motion.stack(motion.spin((0.1, 0.3, 1.0), 2.0), fall)
    floor = Body(shapes.box((4.0, 4.0, 1.0)), name="floor", pose=Pose(None, (0, 0, -1)))
    return World([block, feet, floor], motion={"block": turn}, regions=True)


RUNS: dict[str, Callable[[], World]] = {
    **{n: (lambda n=n: scenes.load(n)) for n in ("knead", "hail", "collapse")},
    "regions": regions,
}


@cache
def whole(name: str) -> tuple[Path, int, int]:
    """Record a run that is not interrupted: where, at which step, in how many lines."""
    folder = Path(tempfile.mkdtemp())
    events = [len(frame.events) for frame in RUNS[name]().run(60)]
    step = 1 + int(np.argmax(events[1:]))
    recorded(folder / "first.vtkhdf", name, step)  # what is imported late
    return folder, step, recorded(folder / "whole.vtkhdf", name, step)


def interrupted(call: Callable[[], object], at: int) -> int:
    """Raise KeyboardInterrupt at a line of what a call runs; return the lines seen."""
    seen = 0

    def trace(frame, event, arg):
        nonlocal seen
        if event == "line" and not any(x in frame.f_code.co_filename for x in IGNORED):
            seen += 1
            if seen == at:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return seen


def recorded(path: Path, name: str, step: int, at: int = 0) -> int:
    """Record a run with an interrupt at a line of its step, 0: none; count lines."""
    world = RUNS[name]()
    with world.record(path):
        while world.index < step:
            world.step()
        lines = interrupted(world.step, at)
        while world.index <= step + AFTER:
            world.step()
    return lines


def amiss(path: Path, truth: Recording) -> str:
    """Say what is wrong with the recording of a run that was interrupted."""
    try:
        recording = Recording.open(path)
    except RecordingError as error:
        return f"refused: {error}"
    with recording:
        if len(recording) != len(truth):
            return f"lost: {len(recording)} frames of {len(truth)}"
        if recording.events != truth.events:
            return "events: others"
        if recording.digest != truth.digest:
            return f"bits: {first_difference(recording, truth)}"
        return ""


def interrupt(family: str, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield what is lost by an interrupt at one line of a step."""
    folder, step, lines = whole(family)
    at = 1 + seed % lines
    path = folder / f"{at}.vtkhdf"
    recorded(path, family, step, at)
    seen[family] += 1
    with Recording.open(folder / "whole.vtkhdf") as truth:
        if fault := amiss(path, truth):
            yield f"{family}:{seed} line {at} of {lines}: {fault}"
    for left in folder.glob(f"{at}.*"):
        left.unlink()


@cache
def sizes() -> tuple[Path, list[int]]:
    """Record what `fill` does; list sizes within the head of the file, and beyond."""
    folder, world = Path(tempfile.mkdtemp()), scenes.load("spin")
    path = folder / "whole.vtkhdf"
    with world.record(path):
        world.step()
        head = path.stat().st_size
        list(world.run(299))
    rest = path.stat().st_size - head
    begins = [head * k // SIZES + 1 for k in range(SIZES)]
    return folder, begins + [head + rest * k // SIZES for k in range(SIZES)]


def fill(family: str, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield what is lost where a disk is full at a size, "for ever" or "a while"."""
    folder, every = sizes()
    size = every[seed % len(every)]
    told, fault = filled(size, folder, again=family == "a while")
    seen[f"{size:9} bytes: {told}"] += 1
    if fault:
        yield f"{family}:{seed} {size} bytes: {fault}"


def filled(size: int, folder: Path, *, again: bool) -> tuple[str, str]:
    """Record onto a disk of a size; return what happened, and what is wrong."""
    path = folder / f"full-{size}-{again}.vtkhdf"
    command = [sys.executable, "-c", FULL, str(path), str(size), str(int(again))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"exit {done.returncode}", done.stderr.strip() or "ended the process"
    index, refused, said = json.loads(done.stdout.replace(f"{folder}/", ""))
    if said and "vtkhdf" not in said:
        return said, "unnamed"
    if not path.exists():
        return f"not begun: {said}", "" if index == 0 and said else "no file"
    try:
        with Recording.open(path) as left, Recording.open(folder / "whole.vtkhdf") as t:
            whole = len(left)
            parted = first_difference(left, t[:whole])
    except RecordingError as error:
        return said, f"refused: {error}"
    fault = parted or ("" if whole == index else f"{whole} frames of {index}")
    left_over = [p.name for p in folder.glob("*.part")]
    return f"{whole:3} frames, {refused:2} refused", fault or " ".join(left_over)

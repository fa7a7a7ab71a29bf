"""Interrupt a recorded step at every line, and fill the disk under a recording.

    python tests/fuzz/break_recordings.py [--every 1] [--sizes 12] [--engine compiled]
                                          [--case NAME] [--log FILE]

An interrupt (Ctrl-C) is raised at one line after the other of the step of a run in
which most happens; the step is asked for again, and the run goes on.  The recording
must be that of a run that was never interrupted: opened at once, every frame, every
bit, event and identity, and the same lines in the log.

A disk that is full is a limit to the size of files (``RLIMIT_FSIZE``) in a child: at so
many sizes from the first byte to the whole recording, with room again afterwards or
not.  What is refused is refused in words, HDF5 goes on working, the child ends well,
and every frame that was handed over can be read.  Exit code 1 if anything is amiss.
"""

import json
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from runner import Say, main

from sim import (
    Body,
    Pose,
    Recording,
    RecordingError,
    Story,
    World,
    motion,
    scenes,
    set_engine,
)
from sim.story.compare import first_difference
from wingedge import shapes

AFTER = 3  # frames that follow the interrupted one
PRINTED = "weakref"  # where objects are removed, exceptions are only printed
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
    with world.record(path, log=path + ".jsonl"):
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


class Case(NamedTuple):
    """A run, and the step in it that is interrupted."""

    make: Callable[[], World]
    step: int


def regions() -> World:
    """Let a block sink between a floor and a foot, and look at all contacts."""
    block = Body(shapes.box(), name="block")
    feet = Body(shapes.box(), name="foot", pose=Pose(None, (0.9, 0.0, -1.02)))
    fall = motion.linear((0.0, 0.0, -0.6), start=(0.0, 0.0, 0.02))
    turn = motion.stack(motion.spin((0.1, 0.3, 1.0), 2.0), fall)
    floor = Body(shapes.box((4.0, 4.0, 1.0)), name="floor", pose=Pose(None, (0, 0, -1)))
    return World([block, feet, floor], motion={"block": turn}, regions=True)


def hulls() -> World:
    """Let a box meet a cup that stands for its hull, deforms and is moved."""
    solid = np.ones((3, 3, 2), bool)
    solid[1, 1, 1] = False
    cup = Body(shapes.polycube(solid), name="cup", convexity="hull")
    ball = Body(shapes.box(0.8), name="ball")
    fall = motion.linear((0.2, 0.1, -2.0), start=(0.1, 0.2, 2.6))
    return World(
        [cup, ball],
        motion={"ball": fall, "cup": motion.spin((0.1, 0.2, 1.0), 1.0)},
        deform={"cup": lambda rest, t: rest * (1.0, 1.0 + 0.2 * t, 1.0)},
        contact_distance=0.02,
    )


RUNS: dict[str, Callable[[], World]] = {
    **{n: (lambda n=n: scenes.load(n)) for n in ("knead", "hail", "hinge", "collapse")},
    "regions": regions,
    "hulls": hulls,
}


def case_of(name: str, longest: int = 60) -> Case:
    make = RUNS[name]
    events = [len(frame.events) for frame in make().run(longest)]
    return Case(make, 1 + int(np.argmax(events[1:])))


def interrupted(call: Callable[[], object], at: int, beside: str = PRINTED) -> int:
    """Raise KeyboardInterrupt at a line of what a call runs; return the lines seen.

    Lines of files whose names have ``beside`` in them count for nothing.
    """
    seen = 0

    def trace(frame, event, arg):
        nonlocal seen
        name = frame.f_code.co_filename
        if event == "line" and PRINTED not in name and beside not in name:
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


def recorded(path: Path, case: Case, at: int = 0, beside: str = PRINTED) -> int:
    """Record a run with an interrupt at a line of its step, 0: none; count lines."""
    world = case.make()
    with world.record(path, log=f"{path}.jsonl"):
        while world.index < case.step:
            world.step()
        lines = interrupted(world.step, at, beside)
        while world.index <= case.step + AFTER:
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
        log = Path(f"{path}.jsonl").read_text()
        return "" if log == Story.of(truth).json_lines() else "log: another"


def interrupt(
    name: str, every: int, offset: int, folder: Path, beside: str = PRINTED
) -> list[tuple[int, str]]:
    """Interrupt a step at every so many lines; list (line, fault, or nothing)."""
    case = case_of(name)
    whole = folder / f"{name}.vtkhdf"
    recorded(whole, case)
    lines = recorded(folder / "counted.vtkhdf", case, beside=beside)
    found = []
    with Recording.open(whole) as truth:
        for at in range(1 + offset, lines + 1, every):
            path = folder / f"{name}-{at}.vtkhdf"
            recorded(path, case, at, beside)
            found.append((at, amiss(path, truth)))
            for left in folder.glob(f"{name}-{at}.*"):
                left.unlink()
    return found


def sizes(folder: Path, count: int) -> list[int]:
    """Record what `fill` does; list sizes within the head of the file, and beyond."""
    world = scenes.load("spin")
    whole = folder / "whole.vtkhdf"
    with world.record(whole):
        head = whole.stat().st_size
        list(world.run(300))
    rest = whole.stat().st_size - head
    begins = [head * k // count + 1 for k in range(count)]
    return begins + [head + rest * k // count for k in range(count)]


def fill(size: int, folder: Path, *, again: bool) -> tuple[str, str]:
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


def run(options: Namespace, say: Say) -> bool:
    set_engine(options.engine)
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in options.case:
            found = interrupt(case, options.every, 0, folder)
            bad = [(at, fault) for at, fault in found if fault]
            faults += len(bad)
            say(f"{case:9} interrupted {len(found):5} times, {len(bad)} amiss")
            for at, fault in bad[:12]:
                say(f"    line {at}: {fault}")
        for size in sizes(folder, options.sizes) if options.sizes else []:
            for again in (False, True):
                told, fault = fill(size, folder, again=again)
                faults += bool(fault)
                room = "room again" if again else "full for ever"
                say(f"{size:9} bytes, {room:13} {told}  {fault or 'well'}")
    say(f"{faults} amiss")
    return not faults


if __name__ == "__main__":
    options = {"every": 1, "sizes": 12, "engine": "compiled", "case": list(RUNS)}
    sys.exit(main(__doc__, run, **options))

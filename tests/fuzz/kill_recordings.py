"""Kill recording processes at random moments; read and resume what they left.

    python tests/fuzz/kill_recordings.py [--kills 60] [--seed 1] [--log FILE]

A child records a scene and says after every frame that it was handed over; it is killed
(SIGKILL) within a frame drawn by chance.  What it left must hold every frame that it
had said, with the bits of a run that was never killed; then a fresh world resumes it to
the end of the scene, and every bit, event, identity and line of the log must be that of
the unbroken run.  Exit code 1 if one is amiss.
"""

import random
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path

from runner import Say, main

from sim import Recording, Story, World, scenes
from sim.story.compare import first_difference

NAMES = ("spin", "tip", "wring", "hop", "face_on_face", "knead")
CHILD = """
import sys, time
from sim import scenes
world = scenes.load(sys.argv[2])
with world.record(sys.argv[1], log=sys.argv[1] + ".jsonl"):
    for frame in world.run(scenes.length(sys.argv[2])):
        print(frame.index, flush=True)
    time.sleep(60)
"""


def unbroken(name: str, folder: Path) -> Recording:
    path = folder / f"{name}.vtkhdf"
    world: World = scenes.load(name)
    with world.record(path):
        list(world.run(scenes.length(name)))
    return Recording.open(path)


def killed(path: Path, name: str, chance: random.Random) -> int:
    last = chance.randrange(scenes.length(name))
    command = [sys.executable, "-c", CHILD, str(path), name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        begin = time.perf_counter()
        frame = 0.0
        for line in child.stdout:
            frame, begin = time.perf_counter() - begin, time.perf_counter()
            if int(line) >= last:
                break
        time.sleep(chance.uniform(0.0, 2.0 * min(frame, 0.1)))
        child.kill()
        rest = child.stdout.read().split()
    return int(rest[-1]) if rest else last


def amiss(path: Path, name: str, said: int, truth: Recording) -> tuple[str, int]:
    """Say what is wrong with what a kill left; and how many frames were whole."""
    with Recording.open(path) as left:
        whole = len(left)
        if whole <= said:
            return f"{whole} frames, and {said + 1} were handed over", whole
        parted = first_difference(left, truth[:whole])
    if parted:
        return parted, whole
    world = scenes.load(name)
    log = Path(f"{path}.jsonl")
    with world.record(path, resume=True, log=log):
        list(world.run(len(truth) - whole))
    with Recording.open(path) as again:
        parted = first_difference(again, truth)
        if parted or again.digest != truth.digest:
            return f"resumed: {parted or 'another digest'}", whole
    if log.read_text() != Story.of(truth).json_lines():
        return "resumed: the log is another", whole
    return "", whole


def run(options: Namespace, say: Say) -> bool:
    chance = random.Random(options.seed)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        truths = {name: unbroken(name, Path(folder)) for name in NAMES}
        for k in range(options.kills):
            name = NAMES[k % len(NAMES)]
            path = Path(folder) / f"{k}.vtkhdf"
            said = killed(path, name, chance)
            fault, whole = amiss(path, name, said, truths[name])
            faults += bool(fault)
            say(
                f"{k:3} {name:13} handed over {said + 1:4}  whole {whole:4}  of "
                f"{len(truths[name]):4}  {fault or 'read, resumed, the same bits'}"
            )
            path.unlink()
    say(f"{options.kills} kills, {faults} amiss")
    return not faults


if __name__ == "__main__":
    sys.exit(main(__doc__, run, kills=60, seed=1))

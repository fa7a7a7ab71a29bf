"""Damage recordings in all ways and read them: refused, or read right, nothing else.

Recordings of several kinds (closed, killed, with regions, joined midway) get bits
flipped, blocks zeroed or exchanged, the end cut off, rubbish at an end; and another
file comes under their name.  A reading is right if what is read is what was written:
every frame to the bit, all events, notes; a frame may be refused by a
``RecordingError`` that names the file.  All else is a fault: another exception, other
frames, fewer frames, a crash, a hang, and anything that was unpickled or run.
"""

import io
import os
import pickle
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import h5py
import numpy as np

from sim import Body, Recording, RecordingError, World, motion, scenes
from sim.story.compare import difference
from sim.story.file.journal import FORMAT
from wingedge import shapes

SOURCES = [
    f"{name}{end}"
    for name in ("plain", "regions", "joined", "soft")
    for end in ("", "-killed")
]
FOREIGN = 0.08  # of the files are another program's
WAYS = [
    *("bits flipped", "tables of HDF5 hit", "a block zeroed", "a block of noise"),
    *("blocks exchanged", "cut off", "bytes lost", "bytes doubled"),
    "rubbish at an end",
]
FRAMES = 6


class Canary:
    """Leaves a file behind where somebody unpickles it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return (os.system, (f"touch {self.path}",))


@cache
def originals() -> Path:
    """Record the sources, whole and as they are when a process is killed."""
    folder = Path(tempfile.mkdtemp())

    def boxes(**options) -> World:
        bodies = [Body(shapes.box(), name=name) for name in ("left", "right", "still")]
        fall = motion.linear((0.0, 0.0, -3.0), start=(0.1, 0.2, 1.12))
        script = {"left": motion.stack(motion.spin((0.1, 0.3, 1.0), 2.0), fall)}
        return World(bodies, motion=script, margin=2.0, **options)

    for name, world, skipped in (
        ("plain", boxes(), 0),
        ("regions", boxes(regions=True), 0),
        ("joined", boxes(), 3),
        ("soft", scenes.load("press"), 30),
    ):
        list(world.run(skipped))
        path = folder / f"{name}.vtkhdf"
        with world.record(path, notes={"seed": 7, "kind": name}):
            list(world.run(FRAMES))
            copy = folder / f"{name}-killed.vtkhdf"
            copy.write_bytes(path.read_bytes())
    return folder


def damaged(data: bytearray, chance: random.Random) -> str:
    """Damage bytes in place, in one way of many; return in which."""
    size = min(chance.choice((1, 8, 64, 512, 4096, 65536)), len(data) // 2)
    at, there = (chance.randrange(len(data) - size) for _ in range(2))
    here, other = slice(at, at + size), slice(there, there + size)
    what = chance.choice(WAYS)
    if what == "bits flipped":
        for _ in range(chance.choice((1, 1, 2, 64))):
            k = chance.randrange(chance.choice((4096, len(data))))
            data[k] ^= 1 << chance.randrange(8)
    elif what == "tables of HDF5 hit":
        mark = chance.choice((b"TREE", b"SNOD", b"HEAP", b"GCOL", b"OHDR", b"\x01\x00"))
        k = max(data.find(mark, at), 0) + chance.randrange(64)
        data[min(k, len(data) - 1)] = chance.choice((0, 255, chance.randrange(256)))
    elif what == "a block zeroed":
        data[here] = bytes(size)
    elif what == "a block of noise":
        data[here] = chance.randbytes(size)
    elif what == "blocks exchanged":
        data[here], data[other] = data[other], data[here]
    elif what == "cut off":
        del data[at:]
    elif what == "bytes lost":
        del data[here]
    elif what == "bytes doubled":
        data[at:at] = data[here]
    elif what == "rubbish at an end":
        end = chance.choice((0, len(data)))
        data[end:end] = chance.randbytes(size)
    return what


def foreign(canary: Path) -> bytes:
    """Make another HDF5 file under our name, with something to be unpickled."""
    buffer, bait = io.BytesIO(), pickle.dumps(Canary(canary))
    with h5py.File(buffer, "w") as file:
        group = file.create_group("wingedge")
        group.attrs.update({"format": FORMAT, "wingedge": np.void(bait)})
        group["journal"] = np.frombuffer(bait, np.uint8)
        file["elsewhere"] = h5py.ExternalLink("/etc/passwd", "/")
    return buffer.getvalue()


def judge(path: Path, truth: Recording) -> str:
    """Read a damaged file as a caller would; return what came of it."""
    try:
        recording = Recording.open(path, untrusted=True)
    except RecordingError as error:
        return "refused" if str(path) in str(error) else f"FAULT unnamed: {error}"
    except Exception as error:
        return f"FAULT {type(error).__name__}: {error}"
    with recording:
        count = len(recording)  # what a kill left is read up to the damage
        if count > len(truth) or (count < len(truth) and "killed" not in repr(truth)):
            return f"FAULT {count} frames of {len(truth)}"
        if recording.notes != truth.notes or recording.bodies != truth.bodies:
            return "FAULT another head"
        refused = 0
        for k in range(count):
            try:
                parted = difference(truth[k], recording[k])
            except RecordingError:
                refused += 1
                continue
            if parted:
                return f"FAULT frame {k}: {parted}"
        with suppress(RecordingError):
            if recording.events != truth.events[: len(recording.events)]:
                return "FAULT another story"
        return "read in part" if refused or count < len(truth) else "read whole"


def follow(family: str, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Damage a recording, read it as a caller would; yield what is wrong with that."""
    folder, chance = originals(), random.Random(seed)
    path, canary = folder / "damaged.vtkhdf", folder / "executed"
    source = folder / f"{family}.vtkhdf"
    data, what = bytearray(source.read_bytes()), "another file"
    if chance.random() < FOREIGN:
        data[:] = foreign(canary)
    else:
        what = damaged(data, chance)
    path.write_bytes(data)
    with Recording.open(source) as truth:
        said = judge(path, truth)
    seen[f"{what}: {said.split(' ')[0] if 'FAULT' in said else said}"] += 1
    if said.startswith("FAULT"):
        yield f"{family}:{seed} {what}: {said}"
    if canary.exists():
        canary.unlink()
        yield f"{family}:{seed} {what}: something was executed"

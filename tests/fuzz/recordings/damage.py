"""Damage recordings in all ways and read them: refused, or read right, nothing else.

Recordings of several kinds (closed, killed, with regions, joined midway) get bits
flipped, bytes overwritten, blocks zeroed or exchanged, the end cut off, rubbish in
front of them or behind; and other files come under their names.  A reading is right if
what is read is what was written: every frame to the bit, all events, notes; a frame may
be refused by a ``RecordingError`` that names the file.  All else is a fault: another
exception, other frames, fewer frames, a crash, a hang, and anything that was unpickled
or run.
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
from sim.story.file import SIGNATURE
from wingedge import shapes

SOURCES = [
    f"{name}{end}"
    for name in ("plain", "regions", "joined", "soft")
    for end in ("", "-killed")
]
FOREIGN = 0.08  # of the files are another program's
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


def struck(data: bytearray, chance: random.Random) -> str:
    count = chance.choice((1, 1, 1, 2, 8, 64))
    early = chance.random() < 0.3  # where HDF5 keeps its own tables
    whole = chance.random() < 0.3
    for _ in range(count):
        k = chance.randrange(min(len(data), 4096) if early else len(data))
        byte = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
        data[k] = byte if whole else data[k] ^ 1 << chance.randrange(8)
    return "bytes overwritten" if whole else "bits flipped"


def replaced(data: bytearray, chance: random.Random) -> str:
    size = min(chance.choice((8, 64, 512, 4096, 65536)), len(data) // 2)
    first, other = (chance.randrange(len(data) - size) for _ in range(2))
    at, there = slice(first, first + size), slice(other, other + size)
    what = chance.choice(("zeroed", "of noise", "exchanged"))
    noise = chance.randbytes(size) if what == "of noise" else bytes(size)
    if what == "exchanged":
        noise, data[there] = data[there], data[at]
    data[at] = noise
    return f"block {what}"


def shifted(data: bytearray, chance: random.Random) -> str:
    at, size = chance.randrange(len(data)), chance.choice((1, 8, 512, 4096))
    what = chance.randrange(4)
    if what == 0:
        del data[at:]
    elif what == 1:
        del data[at : at + size]
    elif what == 2:
        data[at:at] = data[at : at + size]
    else:
        end = chance.choice((0, len(data)))
        data[end:end] = chance.randbytes(size)
    return ("cut off", "bytes lost", "bytes doubled", "rubbish at an end")[what]


def rotten(data: bytearray, chance: random.Random) -> str:
    """Flip numbers of HDF5 itself: near its signatures."""
    marks = (b"TREE", b"SNOD", b"HEAP", b"GCOL", b"\x89HDF", b"OHDR", b"\x01\x00")
    places = []
    mark = chance.choice(marks)
    at = data.find(mark)
    while at >= 0 and len(places) < 5000:
        places.append(at)
        at = data.find(mark, at + 1)
    if not places:
        return struck(data, chance)
    for _ in range(chance.choice((1, 1, 4))):
        k = chance.choice(places) + chance.randrange(64)
        if k < len(data):
            data[k] = chance.choice((0, 255, data[k] ^ 1, chance.randrange(256)))
    return "tables of HDF5 hit"


def foreign(canary: Path, chance: random.Random) -> tuple[str, bytes]:
    kind = chance.randrange(6)
    if kind == 0:
        buffer = io.BytesIO()
        np.savez(buffer, a=np.array([Canary(canary)], object), allow_pickle=True)
        return "npz with a pickle", buffer.getvalue()
    if kind == 1:
        return "a pickle", pickle.dumps(Canary(canary))
    if kind == 2:
        lines = f"47 change jelly/table VF v{chance.randrange(99)} f5\n" * 9
        return "text", lines.encode()
    if kind == 3:
        return "noise", chance.randbytes(chance.randrange(1, 5000))
    if kind == 4:
        return "signature and noise", SIGNATURE + chance.randbytes(3000)
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        if chance.random() < 0.5:
            group = file.create_group("wingedge")
            group.attrs["format"] = chance.choice([1, 3, 99, "three", -1, [1, 2]])
            group.attrs["wingedge"] = np.void(pickle.dumps(Canary(canary)))
        file["data"] = np.frombuffer(pickle.dumps(Canary(canary)), np.uint8)
        file["elsewhere"] = h5py.ExternalLink("/etc/passwd", "/")
    return "another HDF5 file", buffer.getvalue()


DAMAGES = struck, struck, replaced, replaced, shifted, shifted, rotten, rotten


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
    data = bytearray(source.read_bytes())
    if chance.random() < FOREIGN:
        what, data = foreign(canary, chance)
    else:
        what = chance.choice(DAMAGES)(data, chance)
    path.write_bytes(data)
    with Recording.open(source) as truth:
        said = judge(path, truth)
    seen[f"{what}: {said.split(' ')[0] if 'FAULT' in said else said}"] += 1
    if said.startswith("FAULT"):
        yield f"{family}:{seed} {what}: {said}"
    if canary.exists():
        canary.unlink()
        yield f"{family}:{seed} {what}: something was executed"

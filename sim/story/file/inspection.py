"""Look at a file in a process of its own first, which may crash or hang over it.

HDF5 trusts the numbers in a file: a damaged or hostile one can end the process or keep
it busy for ever.  So whoever closes a recording writes a mark behind the end that HDF5
knows: what its skeleton, all but the rows of tables, sums up to, which can be checked
without HDF5.  What this process did not write and close itself is looked at by a child
with limits to its time and memory, which dies with its parent; only what the child came
through is opened here.  Of a file with a mark the child reads the skeleton only, rows
are plain bytes then and have seals; of one that was not closed, or was changed since,
it reads everything.

The mark, from the end of the file: 16 bytes BLAKE2 of the skeleton and of all that
follows here; ``MAGIC``; three little-endian 64-bit numbers, frames, bytes of the HDF5
file, gaps; the gaps, a first byte and a length each.
"""

import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from io import SEEK_END
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from sim.errors import RecordingError
from sim.story.file.replacing import put

SIGNATURE = b"\x89HDF\r\n\x1a\n"  # how a file of HDF5 begins
MAGIC = b"wingedge"
TAIL = struct.Struct("<8sqqq16s")
SIZE = 16  # bytes of the digest
BLOCK = 1 << 20

Gaps = NDArray[np.int64]  # (n, 2) first byte and length, ascending, apart


def gaps_between(chunks: Iterable[tuple[int, int]]) -> Gaps:
    """Join pieces of a file, first byte and length each, that follow each other."""
    found: list[list[int]] = []
    for first, length in sorted(chunks):
        if found and sum(found[-1]) == first:
            found[-1][1] += length
        else:
            found.append([first, length])
    return np.array(found, np.int64).reshape(-1, 2)


def write_mark(file: IO[bytes], frames: int, gaps: Gaps) -> None:
    """Put the mark behind a whole file; ``gaps`` are the rows of its tables."""
    size = file.seek(0, SEEK_END)
    digest = _digest(file, frames, size, gaps)
    file.seek(size)
    try:
        put(file, gaps.tobytes() + TAIL.pack(MAGIC, frames, size, len(gaps), digest))
    except OSError:
        file.truncate(size)  # half a mark is none
        raise


def read_mark(file: IO[bytes]) -> int | None:
    """Return how many frames a file has whose skeleton is as it was when closed.

    None if it was not closed, or was changed since.
    """
    whole = file.seek(0, SEEK_END)
    if whole < TAIL.size:
        return None
    file.seek(whole - TAIL.size)
    magic, frames, size, count, digest = TAIL.unpack(file.read(TAIL.size))
    if magic != MAGIC or size + 16 * count + TAIL.size != whole:
        return None
    if not 0 <= 128 * count <= size:
        return None  # more gaps than tables ever have: it would only cost memory
    file.seek(size)
    gaps = np.frombuffer(file.read(16 * count), np.int64).reshape(-1, 2)
    if digest != _digest(file, frames, size, gaps):
        return None
    return int(frames)


def _digest(file: IO[bytes], frames: int, size: int, gaps: Gaps) -> bytes:
    """Sum up all bytes of the HDF5 file but the gaps, and the gaps themselves."""
    total = blake2b(struct.pack("<qq", frames, size) + gaps.tobytes(), digest_size=SIZE)
    at = 0
    for first, length in [*gaps.tolist(), (size, 0)]:
        if not at <= first <= size or length < 0:
            return b""  # no such gaps: the mark itself is damaged
        file.seek(at)
        for start in range(at, first, BLOCK):
            total.update(file.read(min(BLOCK, first - start)))
        at = first + length
    return total.digest()


PATIENCE = 20.0  # seconds of the processor, before the first byte is read
BUSY = 10  # times as long on the clock: other processes may run, too
SLOWEST = 10e6  # bytes per second
MEMORY = 1 << 30  # bytes, and twice as much as the file has

# -P: the current folder must not bring another ``sim``; the path says which it is.
CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sim.story.file.inspection import child; child(*sys.argv[2:])"
)
Identity = tuple[int, int, int, int]
_known: set[Identity] = set()  # closed files that were written, or looked at, here


def check(path: Path) -> int | None:
    """Refuse what cannot be read here, without risk; return its number of frames.

    None where the file was not closed, and its frames are to be counted.

    Raises RecordingError saying what is wrong with the file, and what to do.
    """
    if not path.exists():
        raise RecordingError(f"{path}: there is no such file; check the name")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no file but a pipe or a device"
        raise RecordingError(f"{path}: is {what}; give the name of a recording")
    try:
        with path.open("rb") as file:
            identity = _identity(file.fileno())
            head = file.read(len(SIGNATURE))
            if not head:
                raise RecordingError(f"{path}: the file is empty; record the run again")
            if head != SIGNATURE:
                raise RecordingError(
                    f"{path}: is no recording; give a .vtkhdf file written by "
                    f"world.record"
                )
            frames = read_mark(file)
    except OSError as error:
        raise RecordingError(
            f"{path}: cannot be read ({error.strerror}); check who may read it"
        ) from error
    if frames is None or identity not in _known:
        inspect(path)
    if frames is not None:
        _known.add(identity)
    return frames


def trust(descriptor: int) -> None:
    """Remember a file that was written and closed here; it may be renamed."""
    _known.add(_identity(descriptor))


def _identity(descriptor: int) -> Identity:
    told = os.fstat(descriptor)
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns


def inspect(path: Path) -> None:
    """Let a child look at a file.

    Cost: 0.5 s to start it, and reading a file that was not closed.

    Raises
    ------
    RecordingError
        What the child found, or that it did not survive.
    """
    root = str(Path(__file__).resolve().parents[3])
    limit = PATIENCE + path.stat().st_size / SLOWEST
    told = [root, os.fspath(path), str(round(limit))]
    command = [sys.executable, "-P", "-c", CHILD, *told]
    environment = {
        **os.environ,
        "HDF5_PLUGIN_PRELOAD": "::",  # no code of others
        "OPENBLAS_NUM_THREADS": "1",  # every thread would take its part of the memory
    }
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=BUSY * limit,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise RecordingError(
            f"{path}: is damaged: reading it did not end within {BUSY * limit:.0f} s; "
            "take a copy from elsewhere, or record the run again"
        ) from None
    except (OSError, TypeError, subprocess.SubprocessError) as error:
        raise RecordingError(
            f"{path}: the process to look at it first could not be started "
            f"({error}); start Python from its own executable"
        ) from error
    said = None
    with suppress(ValueError, LookupError, TypeError):
        said = json.loads(done.stdout.splitlines()[-1])["said"]
    if said is None:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        ended = lines[-1] if lines else f"exit status {done.returncode}"
        raise RecordingError(
            f"{path}: is damaged: reading it ended the process that tried ({ended}); "
            "take a copy from elsewhere, or record the run again"
        )
    if said:
        raise RecordingError(str(said))


def child(name: str, seconds: str) -> None:
    """Look at a recording and print what is wrong with it; the child's side."""
    die_with_parent()
    limit(CORE=0, AS=MEMORY + 2 * os.stat(name).st_size, CPU=int(seconds))
    print(json.dumps({"said": read_all(Path(name))}), flush=True)


def die_with_parent() -> None:
    """Let this process end when its parent does, where the system can do that.

    Elsewhere the limit to its time ends it.
    """
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def limit(**resources: int) -> None:
    """Let this process have no more of what ``resource`` calls RLIMIT_CPU, ..."""
    for name, most in resources.items():
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def read_all(path: Path) -> str:
    """Look at all of a file; return what is wrong with it as a whole, or nothing.

    Damage in single frames is told when they are read.
    """
    from sim.story.file.reader import Reader

    try:
        with path.open("rb") as file:
            closed = read_mark(file) is not None
        reader = Reader.open(path, os.fspath(path), wary=True)
        if closed:
            reader.find_rows()
        else:
            for k in range(len(reader)):
                with suppress(RecordingError), reader.reading():
                    reader.raw(k)
        reader.file.close()
    except RecordingError as error:
        return str(error)
    return ""

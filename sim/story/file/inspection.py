"""Open a file that may be damaged in a process of its own, which may crash or hang.

HDF5 trusts the numbers in a file: a damaged one can end the process or keep it busy for
ever.  What was not closed, or was changed since it was (``sim.story.file.closing``), is
therefore read from end to end by a child with limits to its time and memory; only what
the child came through is opened here.  A file that was closed needs none of that.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import sim
from sim.errors import RecordingError
from sim.story.file.closing import SIGNATURE, read_mark

PATIENCE = 20.0  # seconds, before the first byte is read
SLOWEST = 10e6  # bytes per second
MEMORY = 4 << 30  # bytes, and as much as the file again

# -P: the current folder must not bring another ``sim``; the path says which it is.
CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sim.story.file.inspection import child; child(sys.argv[2])"
)


def check(path: Path) -> int | None:
    """Refuse what cannot be read here, without risk; return its number of frames.

    None where the file was not closed, and its frames are to be counted.

    Raises
    ------
    RecordingError
        Saying what is wrong with the file, and what to do.
    """
    if not path.exists():
        raise RecordingError(f"{path}: there is no such file; check the name")
    if path.is_dir():
        raise RecordingError(f"{path}: is a folder; give the name of a recording")
    try:
        with path.open("rb") as file:
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
    if frames is None:
        inspect(path)
    return frames


def inspect(path: Path) -> None:
    """Let a child read all of a file.

    Cost: 0.5 s to start it, and reading the whole file.

    Raises
    ------
    RecordingError
        What the child found, or that it did not survive.
    """
    size = path.stat().st_size
    root = str(Path(sim.__file__).resolve().parents[1])
    command = [sys.executable, "-P", "-c", CHILD, root, os.fspath(path)]
    environment = {**os.environ, "HDF5_PLUGIN_PRELOAD": "::"}  # no code of others
    limit = PATIENCE + size / SLOWEST
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise RecordingError(
            f"{path}: is damaged: reading it did not end within {limit:.0f} s; take a "
            f"copy from elsewhere, or record the run again"
        ) from None
    except (OSError, TypeError, subprocess.SubprocessError) as error:
        raise RecordingError(
            f"{path}: was not closed, and the process to look at it could not be "
            f"started ({error}); start Python from its own executable"
        ) from error
    said = None
    with suppress(ValueError, LookupError, TypeError):
        said = json.loads(done.stdout.splitlines()[-1])["said"]
    if said is None:
        raise RecordingError(
            f"{path}: is damaged: reading it ended the process that tried "
            f"({_ended(done)}); take a copy from elsewhere, or record the run again"
        )
    if said:
        raise RecordingError(str(said))


def child(name: str) -> None:
    """Read a whole recording and print what is wrong with it; the child's side."""
    limit_memory(os.stat(name).st_size)
    print(json.dumps({"said": read_all(Path(name))}), flush=True)


def limit_memory(size: int) -> None:
    """Let this process fail where a file of this size asks for far too much memory."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        room = MEMORY + 2 * size
        resource.setrlimit(resource.RLIMIT_AS, (room, room))


def read_all(path: Path) -> str:
    """Read everything once; return what is wrong with the file as a whole, or nothing.

    Damage in single frames is told when they are read.
    """
    from sim.story.file.reader import Reader

    try:
        reader = Reader.open(path, os.fspath(path))
        for k in range(len(reader)):
            with suppress(RecordingError), reader.reading():
                reader.raw(k)
        reader.file.close()
    except RecordingError as error:
        return str(error)
    return ""


def _ended(done: "subprocess.CompletedProcess[bytes]") -> str:
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"

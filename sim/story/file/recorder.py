"""Write a run to a file while it runs.

Frames are appended to a file that holds a journal alone (`sim.story.file.journal`).
When the recording ends, that is put into one HDF5 file, beside what ParaView and VTK
show (`sim.story.file.vtkhdf`), which takes its name.
"""

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from glob import escape
from io import BytesIO
from pathlib import Path
from time import time
from typing import NamedTuple, Self, cast

import numpy as np

import wingedge
from sim.contact_manager import ContactManager, FrameRecord
from sim.errors import FULL, RecordingError, advice, reason
from sim.frame import Frame, Snapshots
from sim.scripts import Notes
from sim.story.file import MAGIC, hdf5, journal, vtkhdf
from sim.story.file.header import ARRAYS, PARTS, Header, write_header
from sim.story.file.reader import Reader
from sim.story.file.rows import Raw, Shared, carried_on
from sim.story.story import check_name, check_replaced

OLD = 3600.0  # seconds without a change after which nobody writes to a part
PIECE = 1 << 20  # bytes to write at once
# Room to take for what VTK reads: of contacts not more than this share of the journal,
# beside positions, some numbers of each frame, and the surface.
SHARE, SMALL, FIRST = 4, 1024, 1 << 20


class Replacement:
    """A new file in the folder of another, whose name it takes when that is asked.

    It is written under a name of its own, which no link can lead away, and what a kill
    has left of an earlier one, untouched for an hour, is removed.  In a ``with`` block
    it is closed and removed if anything is raised before it took the name.

    Raises OSError if it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        start = path.name[:40]
        for left in path.parent.glob(f"{escape(start)}.{8 * '[0-9a-f]'}.part"):
            with suppress(OSError):
                if not left.is_symlink() and time() - left.stat().st_mtime > OLD:
                    left.unlink()
        self.path = path
        self.made: Path | None = path.with_name(f"{start}.{secrets.token_hex(4)}.part")
        self.file = self.made.open("x+b", buffering=0)

    def put(self, data: bytes | memoryview) -> None:
        """Write all of it: to a file without a buffer a part may be written."""
        left = memoryview(data)
        while left:
            left = left[self.file.write(left) :]

    def take_name(self) -> None:
        """Replace the file of that name, once, after this one is on the disk."""
        if self.made is not None:
            os.fsync(self.file.fileno())
            if os.name != "posix":  # where open files are not renamed
                self.file.close()
            self.made.replace(self.path)
            self.made = None
            if self.file.closed:
                self.file = self.path.open("r+b", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None and self.made is not None:
            self.file.close()
            with suppress(OSError):
                self.made.unlink()


class Whole(NamedTuple):
    """How far a recording is whole; whatever is behind is written anew."""

    frames: int
    end: int  # in bytes
    shared: Shared


class Recorder:
    """Append frames to a recording; each is whole before the next one begins.

    What an interrupt leaves of a frame counts for nothing: the frame can be written
    again.  What the system refuses ends the recording with the frame before.

    The file that was there is replaced when ``frames`` or, without, the first frame are
    written.

    Parameters: ``start``: what the first frame goes on with; ``frames``: numbers, times
    and rows of those to begin with.

    Raises RecordingError if it cannot be written there.
    """

    def __init__(
        self,
        path: Path,
        header: Header,
        start: Raw,
        frames: Iterable[tuple[int, float, Raw]] = (),
    ) -> None:
        self._name, self._casts = str(path), header.casts
        self._over = ""  # why it ended, where it did
        self.next_frame: int | None = None  # with which a resumed world goes on
        head = journal.sealed(b"", journal.HEAD, write_header(header), 0, 0.0, 0)
        self._key = head[journal.BLOCK.itemsize - journal.SIZE : journal.BLOCK.itemsize]
        begun = Whole(journal.START - journal.AHEAD, len(MAGIC + head), {})
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            with Replacement(path) as self._part:
                self._part.put(MAGIC + head)
                self.whole = self.append(begun, 0, 0.0, start)._replace(shared={})
                for frame in frames:
                    self.whole = self.append(self.whole, *frame)
                if self.whole.frames:
                    self._part.take_name()
        except OSError as error:
            raise RecordingError(
                f"{path}: cannot be written ({reason(error)}); {advice(error)}"
            ) from error

    def append(self, whole: Whole, index: int, time: float, raw: Raw) -> Whole:
        """Write a frame behind what is whole, and return what is whole then."""
        place = whole.frames + journal.AHEAD
        rest = [cast.mesh.points for cast in self._casts]
        data, shared = raw.packed(place, whole.shared, rest)
        told = index, time, raw.next_contact
        block = journal.sealed(self._key, place, data, *told)
        self._part.file.seek(whole.end)
        self._part.put(block)
        return Whole(whole.frames + 1, whole.end + len(block), shared)

    def written(self, stage: ContactManager, told: FrameRecord, frame: Frame) -> Whole:
        """Write what a stage told of a frame, and return what is whole then.

        Raises RecordingError if the file refuses it, now or before, or a body has
        another mesh than at the beginning: a recording holds the topology once. The
        frames before can still be read.
        """
        whole, what = told.written or self.whole, f"{self._name}: frame {frame.index}"
        meshes = cast("Snapshots", frame.bodies).meshes
        for one, now in zip(self._casts, meshes, strict=True):
            if now is not one.mesh:
                raise RecordingError(
                    f"{what} cannot be written, since body '{one.name}' has another "
                    "mesh now and a recording holds one; end the recording before "
                    "replace(), and begin another one after"
                )
        if self._over:
            raise RecordingError(
                f"{what} is not written, since the recording ended after "
                f"{whole.frames} frames ({self._over}); end it, and resume it when "
                "there is room"
            )
        raw = Raw.of(stage, told, frame)
        try:
            self.whole = self.append(whole, frame.index, frame.time, raw)
            self._part.take_name()
        except OSError as error:
            self._over = reason(error)
            with suppress(OSError):
                self._part.file.truncate(whole.end)
            raise RecordingError(
                f"{what} could not be written ({self._over}); is the disk full?"
            ) from error
        return self.whole

    def close(self) -> None:
        """Leave the journal alone."""
        self._part.take_name()
        self._part.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """End the file; where a run broke off before its first frame there is none."""
        part = self._part
        if kind is not None and part.made:
            part.__exit__(kind)
            return
        try:
            part.take_name()
            part.file.truncate(self.whole.end)
            here = os.fstat(part.file.fileno())
            os.fsync(part.file.fileno())
            if os.name == "posix" and not here.st_nlink:
                raise RecordingError(
                    f"{self._name}: was replaced or removed while it was recorded, and "
                    f"its {self.whole.frames} frames are lost; record two runs to two "
                    "names"
                )
            part.file.close()
            path = part.path  # of another file, where it was moved meanwhile
            if path.exists() and os.path.samestat(here, path.stat()):
                complete(path)
        except (OSError, RuntimeError) as trouble:
            if kind is None:
                raise RecordingError(
                    f"{self._name}: could not be completed ({reason(trouble)}); the "
                    f"frames that were written can be read"
                ) from trouble
        finally:
            part.file.close()


def resumed(path: Path, stage: ContactManager, header: Header) -> Recorder:
    """Put a stage where a recording ends; return what writes on.

    The whole frames are written anew, into a file beside the old one that then takes
    its name.

    Raises RecordingError if the recording cannot be read or written, is of another run,
    or the world was stepped already; nothing has changed then.
    """
    with closing(Reader(path, os.fspath(path))) as source:
        if said := difference(source.header, header):
            raise RecordingError(
                f"{path}: is of another run ({said}); resume it with the world that "
                "was recorded, or give another name"
            )
        if stage.told.next_frame:
            raise RecordingError(
                f"{path}: is resumed by a world that was stepped to frame "
                f"{stage.told.next_frame}; resume it with one that was not"
            )
        # equal, and from here on the same: the recorder asks whether a mesh changed
        source.header = source.header._replace(casts=header.casts)
        count, told = len(source), source.carried(stage, len(source))
        merged = source.header._replace(notes={**source.header.notes, **header.notes})
        recorder = Recorder(path, merged, *source.part(range(count)))
        stage.told = told
        if count:
            recorder.next_frame = int(source.indices[-1]) + 1
            with source.reading(count - 1):
                source.raw(count - 1).put(stage.bodies)
            stage.lasted(False for _ in stage.bodies)
            last = source.frame(count - 1) if header.rules.law else None
            stage.told = stage.told._replace(law=(told.law[0], last))
        return recorder


def difference(old: Header, new: Header) -> str:
    """Say in what two runs cannot be one."""
    names, wanted = ([cast.name for cast in header.casts] for header in (old, new))
    if names != wanted:
        return f"its bodies are {', '.join(names)}, not {', '.join(wanted)}"
    for was, now in zip(old.casts, new.casts, strict=True):
        arrays = ([getattr(x.mesh, n) for n in ARRAYS + PARTS] for x in (was, now))
        if not all(map(np.array_equal, *arrays)):
            return f"body '{was.name}' has another mesh"
        if was[2:] != now[2:]:
            return f"body '{was.name}' was made with other options"
    rules, others = ({"dt": h.dt, **h.rules._asdict()} for h in (old, new))
    unlike = [name for name in rules if rules[name] != others[name]]
    return "".join(f"its {x} is {rules[x]!r}, not {others[x]!r}" for x in unlike[:1])


@contextmanager
def recorded(
    file: Path, stage: ContactManager, dt: float, *, notes: Notes, resume: bool
) -> Iterator[tuple[Recorder, Callable[[Frame, FrameRecord], Whole]]]:
    """Open the file of a recording, and close it; see ``World.record``.

    Yields what writes, and how it writes a frame behind what was written before.
    """
    check_name(file)
    header = Header.of(stage, dt, notes)
    if resume and file.exists():
        recorder = resumed(file, stage, header)
    else:
        check_replaced(file)
        # what is remembered refuses before an old file is replaced
        recorder = Recorder(file, header, Raw.of(stage, carried_on(stage)))
    with recorder:
        yield recorder, lambda frame, told: recorder.written(stage, told, frame)


def complete(path: Path) -> None:
    """Make an HDF5 file of a journal that is whole, and give it its name.

    Raises OSError if there is no room; the journal is as it was.
    """
    h5py = hdf5()
    data = np.memmap(path, np.uint8, "r")
    reader = Reader(path, str(path))
    vertices = sum(cast.mesh.n_vertices for cast in reader.header.casts)
    with Replacement(path) as part:
        # HDF5 does not survive a full disk: what it cannot write ends the process
        frame = 24 * vertices + SMALL
        empty = BytesIO()
        h5py.File(empty, "w", libver="earliest").close()
        part.put(empty.getbuffer())
        reserve(part, FIRST + SHARE * len(data) + len(reader) * frame)
        with h5py.File(part.made, "r+", libver="earliest", locking=False) as file:
            group = file.create_group("wingedge")
            group.attrs.update(format=journal.FORMAT, read_by=journal.READER)
            group.attrs.update(frames=len(reader), wingedge=wingedge.__version__)
            names = np.array(reader.names, object)
            group.create_dataset("bodies", data=names, dtype=h5py.string_dtype())
            group["journal"] = data
            vtkhdf.write(file, reader)
        reader.close()
        del data
        part.take_name()
        part.file.close()


def reserve(part: Replacement, size: int) -> None:
    """Give a file so much room behind what is written: that will find its place.

    Raises OSError if there is none.
    """
    try:
        os.posix_fallocate(part.file.fileno(), part.file.tell(), size)
    except (AttributeError, OSError) as error:  # or the call is none here
        if getattr(error, "errno", None) in FULL:
            raise
        for _ in range(0, size, PIECE):
            part.put(bytes(PIECE))

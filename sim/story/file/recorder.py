"""Write a run to a file while it runs.

Frames are appended to a file that holds a journal alone (`sim.story.file.journal`).
When the recording ends, that is put into one HDF5 file, beside what ParaView and VTK
show (`sim.story.file.vtkhdf`), which takes its name.
"""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, Self, cast

import numpy as np

import wingedge
from sim.contact_manager import ContactManager, FrameRecord
from sim.errors import RecordingError, advice, reason
from sim.frame import Frame, Snapshots
from sim.scripts import Notes
from sim.story.checkpoint import Checkpoint
from sim.story.file import MAGIC, hdf5, journal, vtkhdf
from sim.story.file.header import ARRAYS, PARTS, Header, write_header
from sim.story.file.inspection import check
from sim.story.file.reader import Reader
from sim.story.file.replacing import Replacement
from sim.story.file.rows import Shared, pack, rows_of
from sim.story.story import check_name, check_replaced

PIECE = 1 << 20  # bytes to copy at once
# Room to take for what VTK reads: of contacts not more than this share of the journal,
# beside positions, some numbers of each frame, and the surface.
SHARE, SMALL, FIRST = 4, 1024, 1 << 20
UNKNOWN = (errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)  # the call is none here


class Whole(NamedTuple):
    """How far a recording is whole; whatever is behind is written anew."""

    frames: int
    end: int  # in bytes
    shared: Shared


Write = Callable[[Frame, FrameRecord], Whole]


class Recorder:
    """Append frames to a recording; each is whole before the next one begins.

    What an interrupt leaves of a frame counts for nothing: the frame can be written
    again.  What the system refuses ends the recording with the frame before.

    Parameters: ``part``: what is written to.
    """

    def __init__(self, part: Replacement, header: Header, start: Checkpoint) -> None:
        self._part, self._name = part, str(part.path)
        self._meshes = {body.name: body.mesh for body in header.casts}
        self._regions = header.rules.regions
        head = journal.sealed(b"", journal.HEAD, write_header(header), 0, 0.0, 0)
        self._key = head[journal.BLOCK.itemsize - journal.SIZE : journal.BLOCK.itemsize]
        carried, _ = rows_of(start, journal.START, {}, regions=self._regions)
        told = pack(carried), 0, 0.0, start.next_contact
        head = MAGIC + head + journal.sealed(self._key, journal.START, *told)
        part.put(head)
        self._over = ""  # why it ended, where it did
        self.whole = Whole(0, len(head), {})
        self.next_frame: int | None = None  # with which a resumed world goes on

    @classmethod
    def create(
        cls,
        path: Path,
        header: Header,
        start: Checkpoint,
        frames: Iterable[tuple[Frame, Checkpoint]] = (),
    ) -> Self:
        """Create a recording.

        It replaces the file that was there when ``frames`` or, without, its first frame
        are written.

        Raises RecordingError if it cannot be written there.
        """
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            with Replacement(path) as part:
                recorder = cls(part, header, start)
                for frame, carry in frames:
                    recorder.written(recorder.whole, frame, carry, named=False)
                if recorder.whole.frames:
                    part.take_name()
        except OSError as error:
            raise RecordingError(
                f"{path}: cannot be written ({reason(error)}); {advice(error)}"
            ) from error
        return recorder

    def written(
        self, whole: Whole, frame: Frame, carry: Checkpoint, *, named: bool = True
    ) -> Whole:
        """Write a frame behind what is whole, and return what is whole then.

        Raises RecordingError if the file refuses it, now or before, or a body has
        another mesh than at the beginning: a recording holds the topology once. The
        frames before can still be read.

        Parameters: ``named``: whether the file takes its name.
        """
        meshes = cast("Snapshots", frame.bodies).meshes
        for (name, mesh), now in zip(self._meshes.items(), meshes, strict=True):
            if now is not mesh:
                raise RecordingError(
                    f"{self._name}: frame {frame.index} cannot be written, since body "
                    f"'{name}' has another mesh now and a recording holds one; "
                    "end the recording before replace(), and begin another one after"
                )
        if self._over:
            raise RecordingError(
                f"{self._name}: frame {frame.index} is not written, since the "
                f"recording ended after {whole.frames} frames ({self._over}); end it, "
                "and resume it when there is room"
            )
        place = whole.frames + journal.AHEAD
        rows, shared = rows_of(carry, place, whole.shared, frame, regions=self._regions)
        told = frame.index, frame.time, carry.next_contact
        block = journal.sealed(self._key, place, pack(rows), *told)
        try:
            self._part.file.seek(whole.end)
            self._part.put(block)
            if named:
                self._part.take_name()
        except OSError as error:
            self._over = reason(error)
            with suppress(OSError):
                self._part.file.truncate(whole.end)
            raise RecordingError(
                f"{self._name}: frame {frame.index} could not be written "
                f"({self._over}); is the disk full?"
            ) from error
        self.whole = Whole(whole.frames + 1, whole.end + len(block), shared)
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
    check(path, untrusted=False)
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
        count = len(source)
        carry = source.carried_into(count, stage.bodies)
        notes = {**source.header.notes, **header.notes}
        start = source.carried_into(0, stage.bodies)
        frames = map(source.whole, range(count))
        merged = source.header._replace(notes=notes)
        recorder = Recorder.create(path, merged, start, frames)
        carry.put(stage)
        recorder.next_frame = source.index(count - 1) + 1 if count else 0
        if not count:
            return recorder
        with source.reading(frame=count - 1):
            source.raw(count - 1).put(stage.bodies)
        stage.lasted(False for _ in stage.bodies)
        last = source.frame(count - 1) if header.rules.law else None
        stage.told = stage.told._replace(law=(carry.law, last))
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
) -> Iterator[tuple[Recorder, Write]]:
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
        recorder = Recorder.create(file, header, Checkpoint.into_next(stage))

    def write(frame: Frame, told: FrameRecord) -> Whole:
        return recorder.written(told.written, frame, Checkpoint.out_of(stage, told))

    with recorder:
        yield recorder, write


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
            whole = group.create_dataset("journal", data.shape, np.uint8)
            for at in range(0, len(data), PIECE):
                whole[at : at + PIECE] = data[at : at + PIECE]
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
    except (AttributeError, OSError) as error:
        if getattr(error, "errno", None) not in (None, *UNKNOWN):
            raise
        for _ in range(0, size, PIECE):
            part.put(bytes(PIECE))

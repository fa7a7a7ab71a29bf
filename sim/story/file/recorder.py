"""Write a run to a file while it runs.

Frames are appended to a file that holds a journal alone (`sim.story.file.journal`).
When the recording ends, that is put into one HDF5 file, beside what ParaView and VTK
show (`sim.story.file.vtkhdf`), which takes its name.
"""

import errno
import os
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self, cast

import h5py
import numpy as np

import wingedge
from sim.errors import RecordingError, advice, reason
from sim.frame import Frame, Snapshots
from sim.story.checkpoint import Checkpoint
from sim.story.file import MAGIC, layout, vtkhdf
from sim.story.file.header import Header, write_header, write_start
from sim.story.file.journal import AHEAD, BLOCK, FORMAT, READER, Journal, sealed
from sim.story.file.reader import Reader
from sim.story.file.replacing import beside, put, take_name
from sim.story.file.rows import Shared, rows_of_frame

PIECE = 1 << 20  # bytes to copy at once
# Room to take for what VTK reads: of contacts not more than this share of the journal,
# beside positions, some numbers of each frame, and the surface.
SHARE, SMALL, HEAD = 4, 1024, 1 << 20
UNKNOWN = (errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)  # the call is none here


class Whole(NamedTuple):
    """How far a recording is whole; whatever is behind is written anew."""

    frames: int
    end: int  # in bytes
    shared: Shared


class Recorder:
    """Append frames to a recording; each is whole before the next one begins.

    What an interrupt leaves of a frame counts for nothing: the frame can be written
    again.  What the system refuses ends the recording with the frame before.

    Parameters: ``raw``: an empty file, without a buffer.
    """

    def __init__(
        self, raw: IO[bytes], path: Path | None, header: Header, start: Checkpoint
    ) -> None:
        self._raw, self._path = raw, path
        self._name = "in memory" if path is None else str(path)
        self._meshes = {body.name: body.mesh for body in header.casts}
        self._regions = header.rules.regions
        head = sealed(b"", 0, write_header(header), 0, 0.0, 0)
        self._key = head[BLOCK.itemsize - 8 : BLOCK.itemsize]
        carried = write_start(start, regions=self._regions)
        head = MAGIC + head + sealed(self._key, 1, carried, 0, 0.0, start.next_contact)
        put(raw, head)
        self._over = ""  # why it ended, where it did
        self._made: Path | None = None  # its name, while it has none of its own
        self._files = ExitStack()
        self.whole = Whole(0, len(head), {})

    @classmethod
    def create(
        cls,
        path: Path | None,
        header: Header,
        start: Checkpoint,
        frames: Iterable[tuple[Frame, Checkpoint]] = (),
    ) -> Self:
        """Create a recording; ``path`` None: in memory.

        It replaces the file that was there when ``frames`` or, without, its first frame
        are written.

        Raises RecordingError if it cannot be written there.
        """
        if path is None:
            return cls(BytesIO(), None, header, start)
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            with ExitStack() as files:
                made, raw = files.enter_context(beside(path))
                recorder = cls(raw, path, header, start)
                for frame, carry in frames:
                    recorder.write(frame, carry)
                recorder._made = made
                if recorder.whole.frames:
                    recorder._take_name()
                recorder._files = files.pop_all()
        except OSError as error:
            raise RecordingError(
                f"{path}: cannot be written ({reason(error)}); {advice(error)}"
            ) from error
        return recorder

    def _take_name(self) -> None:
        """Replace the file that was there, once."""
        if self._made and self._path:
            take_name(self._made, self._raw, self._path)
            self._made = None
            if self._raw.closed:
                self._raw = self._path.open("r+b", buffering=0)

    def write(self, frame: Frame, carry: Checkpoint) -> None:
        """Append a frame, and what is carried out of it; hand both to the system."""
        self.written(self.whole, frame, carry)

    def written(self, whole: Whole, frame: Frame, carry: Checkpoint) -> Whole:
        """Write a frame behind what is whole, and return what is whole then.

        Raises RecordingError if the file refuses it, now or before, or a body has
        another mesh than at the beginning: a recording holds the topology once. The
        frames before can still be read.
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
        rows, shared = rows_of_frame(
            frame, carry, whole.frames, whole.shared, regions=self._regions
        )
        told = frame.index, frame.time, carry.next_contact
        block = sealed(self._key, whole.frames + AHEAD, layout.pack(rows), *told)
        try:
            self._raw.seek(whole.end)
            put(self._raw, block)
            self._take_name()
        except OSError as error:
            self._over = reason(error)
            with suppress(OSError):
                self._raw.truncate(whole.end)
            raise RecordingError(
                f"{self._name}: frame {frame.index} could not be written "
                f"({self._over}); is the disk full?"
            ) from error
        self.whole = Whole(whole.frames + 1, whole.end + len(block), shared)
        return self.whole

    def reader(self, name: str) -> Reader:
        """Read what is whole, of a recording in memory."""
        data = cast("BytesIO", self._raw).getbuffer()[: self.whole.end]
        return Reader(Journal(np.frombuffer(data, np.uint8)), name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the file; where a run broke off before its first frame there is none."""
        if error is not None and self._made:
            with suppress(type(error)):
                self._files.__exit__(kind, error, trace)
            return
        try:
            self._take_name()
            self._raw.truncate(self.whole.end)
            os.fsync(self._raw.fileno())
            if os.name == "posix" and not os.fstat(self._raw.fileno()).st_nlink:
                raise RecordingError(
                    f"{self._name}: was replaced or removed while it was recorded, and "
                    f"its {self.whole.frames} frames are lost; record two runs to two "
                    "names"
                )
            here = os.fstat(self._raw.fileno())
            self._raw.close()
            path = self._path  # of another file, where it was moved meanwhile
            if path and path.exists() and os.path.samestat(here, path.stat()):
                complete(path)
        except (OSError, RuntimeError) as trouble:
            if error is None:
                raise RecordingError(
                    f"{self._name}: could not be completed ({reason(trouble)}); the "
                    f"frames that were written can be read"
                ) from trouble
        finally:
            self._raw.close()


def complete(path: Path) -> None:
    """Make an HDF5 file of a journal that is whole, and give it its name.

    Raises OSError if there is no room; the journal is as it was.
    """
    data = np.memmap(path, np.uint8, "r")
    reader = Reader(Journal(data), str(path))
    vertices = sum(cast.mesh.n_vertices for cast in reader.header.casts)
    with beside(path) as (made, raw):
        # HDF5 does not survive a full disk: what it cannot write ends the process
        frame = 24 * vertices + SMALL
        empty = BytesIO()
        h5py.File(empty, "w", libver="earliest").close()
        put(raw, empty.getbuffer())
        reserve(raw, HEAD + SHARE * len(data) + len(reader) * frame)
        with h5py.File(made, "r+", libver="earliest", locking=False) as file:
            group = file.create_group("wingedge")
            said = {"format": FORMAT, "read_by": READER, "frames": len(reader)}
            group.attrs.update(said | {"wingedge": wingedge.__version__})
            names = np.array(reader.names, object)
            group.create_dataset("bodies", data=names, dtype=h5py.string_dtype())
            journal = group.create_dataset("journal", data.shape, np.uint8)
            for at in range(0, len(data), PIECE):
                journal[at : at + PIECE] = data[at : at + PIECE]
            vtkhdf.write(file, reader)
        reader.close()
        del data
        take_name(made, raw, path)
        raw.close()


def reserve(raw: IO[bytes], size: int) -> None:
    """Give a file so much room behind what is written: that will find its place.

    Raises OSError if there is none.
    """
    try:
        os.posix_fallocate(raw.fileno(), raw.tell(), size)
    except (AttributeError, OSError) as error:
        if getattr(error, "errno", None) not in (None, *UNKNOWN):
            raise
        for _ in range(0, size, PIECE):
            put(raw, bytes(PIECE))

"""Record a world while it runs."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sim.contact_manager import ContactManager, FrameRecord
from sim.errors import RecordingError
from sim.frame import Frame
from sim.scripts import Notes
from sim.story.checkpoint import Checkpoint
from sim.story.file.header import Header, same_mesh
from sim.story.file.inspection import check
from sim.story.file.reader import Reader
from sim.story.file.recorder import Recorder, Whole
from sim.story.story import check_replaced

Write = Callable[[Frame, FrameRecord], Whole]


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
        if not same_mesh(was.mesh, now.mesh):
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

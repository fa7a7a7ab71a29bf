"""Record a world while it runs: the file and the log of its frames."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from sim.contact_manager import ContactManager, FrameRecord
from sim.errors import RecordingError
from sim.events.event import Event
from sim.frame import Frame
from sim.scripts import Notes
from sim.story.checkpoint import LEFT, Checkpoint
from sim.story.file.header import Header, same_mesh
from sim.story.file.inspection import check
from sim.story.file.reader import Reader
from sim.story.file.recorder import Recorder, Whole
from sim.story.story import check_replaced
from sim.story.writing import Tell, logged


def resumed(
    path: Path, stage: ContactManager, header: Header, following: int
) -> tuple[Recorder, int, list[Event]]:
    """Put a stage where a recording ends; return what writes on.

    And the number of the next frame, and the events of all frames before.

    The whole frames are written anew, into a file beside the old one that then takes
    its name: what a kill left of HDF5's own tables can be read, but not be trusted to
    grow, and the old file is there until the new one is whole.

    Parameters: ``following``: the frame that the stage would answer for next: 0, or the
    one after the last that was recorded, of a world that goes on with its own
    recording.

    Raises RecordingError if the recording cannot be read or written, is of another run,
    or was left by a world that is elsewhere now; nothing has changed then.
    """
    if os.name != "posix":
        raise RecordingError(
            f"{path}: cannot be resumed here, since this system keeps open files from "
            "being replaced; record on into another file"
        )
    check(path, untrusted=False)
    source = Reader.open(path, os.fspath(path))
    with source.file:
        if said := difference(source.header, header):
            raise RecordingError(
                f"{path}: is of another run ({said}); resume it with the world that "
                "was recorded, or give another name"
            )
        # equal, and from here on the same: the recorder asks whether a mesh changed
        source.header = source.header._replace(casts=header.casts)
        count = len(source)
        index = source.index(count - 1) + 1 if count else following
        carry = source.carried_into(count, stage.bodies)
        here = _way_on(Checkpoint.into_next(stage))
        if following and (following != index or here != _way_on(carry)):
            raise RecordingError(
                f"{path}: goes on with frame {index}, and the world with frame "
                f"{following} of another past; resume it with a world that was not "
                "stepped"
            )
        told: list[Event] = []
        last: Frame | None = None

        def frames() -> Iterator[tuple[Frame, Checkpoint]]:
            nonlocal last
            for last, carry in map(source.whole, range(count)):
                told.extend(last.events)
                yield last, carry

        # the head of both runs: who answered from this frame on is noted too
        made_by = dict(source.header.versions)
        if not header.versions.items() <= made_by.items():
            said = ", ".join(f"{name} {x}" for name, x in header.versions.items())
            made_by[f"from frame {index}"] = said
        notes = {**source.header.notes, **header.notes}
        merged = source.header._replace(notes=notes, versions=made_by)
        start = source.start(stage.bodies)
        recorder = Recorder.create(path, merged, start, frames())
        if not following:
            carry.put(stage)
            if count:
                with source.reading(frame=count - 1):
                    source.raw(count - 1).put(stage.bodies)
                stage.lasted(False for _ in stage.bodies)
            law = last if header.rules.law else None
            stage.told = stage.told._replace(law=(carry.law, law))
        return recorder, index, told


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


def _way_on(carry: Checkpoint) -> tuple[object, ...]:
    """Return what says how a stage goes on."""
    memories = [
        (pair, contact, region, state.regime, state.numbers)
        for pair, state, contact, region in carry.rows()
        if contact != LEFT
    ]
    return memories, carry.statuses, carry.next_contact


Written = tuple[Whole, int]  # how far the recording is whole, and where the log ends


class Session(NamedTuple):
    """Write the frames of a world, as they are stepped."""

    stage: ContactManager
    recorder: Recorder
    tell: Tell
    written: Written  # before the first frame
    next_frame: int | None  # with which a resumed world goes on

    def write(self, frame: Frame, told: FrameRecord) -> Written:
        """Write a frame behind what was written before."""
        whole, end = told.written
        carry = Checkpoint.out_of(self.stage, told)
        whole = self.recorder.written(whole, frame, carry)
        return whole, self.tell(end, frame.events)

    def end(self, written: Written) -> None:
        """Say how far the recording is whole before it is closed."""
        self.recorder.whole, _ = written


@contextmanager
def recorded(
    file: Path,
    stage: ContactManager,
    dt: float,
    *,
    notes: Notes,
    resume: bool,
    log: str | PathLike[str] | None,
) -> Iterator[Session]:
    """Open the file of a recording, and close it; see ``World.record``."""
    header = Header.of(stage, dt, notes)
    with logged(log) as tell:
        before: Iterable[Event] = ()
        index = None
        if resume and file.exists():
            following = stage.told.next_frame
            recorder, index, before = resumed(file, stage, header, following)
        else:
            check_replaced(file)
            # what is remembered refuses before an old file is replaced
            recorder = Recorder.create(file, header, Checkpoint.into_next(stage))
        with recorder:
            written = recorder.whole, tell(0, before)
            yield Session(stage, recorder, tell, written, index)

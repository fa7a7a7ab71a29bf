"""Run ``wingedge run``: step the world of a script and print its events."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from sim.progress import progress
from sim.study.script import ScriptError, blamed, importing_beside, load
from viewer.cli.codes import YES
from viewer.cli.options import (
    PLAIN,
    Watching,
    Whole,
    read_settings,
    waiting,
    write_settings,
)
from viewer.files import check_place, replacing
from viewer.timeline import interruptible

if TYPE_CHECKING:
    from sim import Frame, World

Keeping = AbstractContextManager[Callable[[], None]]
RECORDINGS = (".vtkhdf", ".hdf", ".h5", ".hdf5")


def run(
    script: Path,
    /,
    *,
    frames: Whole = 120,
    set_: Annotated[list[str] | None, Parameter(name="--set", negative="")] = None,
    record: Path | None = None,
    resume: bool = False,
    log: Path | None = None,
    view: bool = False,
    watching: Watching = PLAIN,
) -> int:
    """Run the world of a script and print one line per event.

    Parameters
    ----------
    script : Path
        A Python file with a function `world()` that returns a `sim.World`.
    frames : int
        Number of frames, including those of a recording that is resumed.
    set_ : list of str
        A keyword argument K=V of `world()`, V a Python value or else text; may be
        repeated. The recording stores it.
    record : Path
        A VTKHDF file to write. It opens in ParaView, and stays readable even if this
        process is killed.
    resume : bool
        Continue the existing recording after its last complete frame.
    log : Path
        A text file to write beside the recording: one JSON object per event.
    view : bool
        Watch the run in a window; closing the window ends the run.
    """
    if view and watching.web:
        raise ValueError("--view and --web are two places to watch; choose one")
    watched = watching if view or watching.web else None
    if watched is None and watching.given():
        raise ValueError(f"{watching.given()[0]} goes with --view or --web; say which")
    if record is None and (resume or log):
        raise ValueError("--resume and --log go with --record FILE; name the file")
    if frames < 0:
        raise ValueError(f"--frames {frames}: give the number of frames, 0 or more")
    if record is not None:
        check_record(record)
    settings = read_settings("--set", set_ or [])
    if outside := [name for name in settings if name.isupper()]:
        raise ValueError(
            f"--set {outside[0]}: a name in upper case is a variable of the "
            f"environment; write {outside[0]}={settings[outside[0]]} before wingedge"
        )
    with importing_beside(script):
        world = load(script, settings)
        world.notes.setdefault("script", str(script))
        if settings:
            world.notes["settings"] = write_settings(settings)
        if record is not None and resume:
            _check_settings(record, write_settings(settings))
        keeping = recorded(world, record, resume=resume, log=log)
        told, done = _step(world, script, frames, keeping, record, watched)
    if resume and not done:
        print(f"{record} has {world.index} frames already", file=sys.stderr)
    elif not told:
        more = "more " if resume and world.index > done else ""
        print(f"no {more}events in {done} {more}frames", file=sys.stderr)
    return YES


def _check_settings(path: Path, settings: str) -> None:
    """Refuse to go on with a recording that was made with other settings."""
    from sim import Recording

    if not path.exists():
        return
    with waiting(f"reading {path}"), Recording.open(path) as recording:
        before = str(recording.notes.get("settings", ""))
    if before != settings:
        raise ValueError(
            f"{path}: was recorded with --set {before or 'nothing'}, this is "
            f"{settings or 'nothing'}; give the same, or record into another file"
        )


def check_record(path: Path) -> None:
    """Refuse a place for a recording before the script has run."""
    check_place(path)
    if path.suffix.lower() not in RECORDINGS:
        raise ValueError(
            f"--record {path}: give a name that ends in {RECORDINGS[0]}, which "
            f"ParaView opens"
        )
    from sim.story.story import check_replaced

    check_replaced(path)


def _step(
    world: "World",
    script: Path,
    frames: int,
    keeping: Keeping,
    record: Path | None,
    watched: Watching | None,
) -> tuple[int, int]:
    """Step the world and print its events; count these, and the frames stepped."""
    from viewer.live import watch

    told = done = 0
    started = world.index
    screen = "" if watched is None else watched.screen()

    def tell(frame: "Frame") -> None:
        nonlocal told, done
        keep()
        done += 1
        for event in frame.events:
            print(event)
        told += len(frame.events)

    try:
        with (
            blamed(script),
            keeping as keep,
            # a window and a page have an end of their own for Ctrl-C
            interruptible() if watched is None else nullcontext() as end_if_asked,
        ):
            missing = max(0, frames - world.index)
            if missing and world.index > started:
                there = f"the {world.index} frames that are there"
                print(f"{record}: goes on after {there}", file=sys.stderr)
            if watched is not None:
                loop, look = watched.loop, watched.look
                watch(world, missing, each=tell, screen=screen, loop=loop, **look)
            else:
                for frame in progress(world.run(missing), missing, script.name):
                    tell(frame)
                    if end_if_asked is not None:
                        end_if_asked()
    except ScriptError as error:
        words = str(error)
        if f"frame {world.index}" not in words:
            words = f"{words}, in frame {world.index}"
        if record is not None and done:
            words = f"{words}; {record} has the {world.index} frames before"
        raise ScriptError(words) from error
    return told, done


@contextmanager
def recorded(
    world: "World", path: Path | None, *, resume: bool = False, log: Path | None = None
) -> Iterator[Callable[[], None]]:
    """Record what is stepped in the block; call what is given after every frame.

    The file appears with its first whole frame; before, an older one stays as it was.
    """
    if path is None:
        yield lambda: None
        return
    if resume and path.exists():
        with ExitStack() as stack:
            with waiting(f"reading {path}"):
                stack.enter_context(world.record(path, resume=True, log=log))
            yield lambda: None
        return
    with replacing(path) as temporary, world.record(temporary, log=log):

        def keep() -> None:
            # Windows renames no open file: there it happens at the end
            if temporary.exists() and os.name != "nt":
                os.replace(temporary, path)

        yield keep

"""Run ``wingedge run`` and ``track``: step a script's world, or what files hold."""

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from sim.progress import counting, progress
from sim.study.script import ScriptError, blamed, load
from viewer.cli import TIMES, YES, tell_undecided, timed_line
from viewer.cli.options import PLAIN, Texts, Watching, Whole, read_settings
from viewer.files import check_place
from viewer.timeline import interruptible

if TYPE_CHECKING:
    from sim import Event, Frame, World
    from sim.sequence import Sequence as Source

Recording = AbstractContextManager[object]
Names = Annotated[list[str] | None, Parameter(negative="", consume_multiple=True)]


def run(
    script: Path,
    /,
    *,
    frames: Whole = 120,
    set_: Annotated[Texts, Parameter(name="--set")] = None,
    record: Path | None = None,
    resume: bool = False,
    view: bool = False,
    watching: Watching = PLAIN,
) -> int:
    """Run the world of a script and print one line per event.

    Args:
        script: A Python file with a function `world()` that returns a `sim.World`.
        frames: Number of frames, including those of a recording that is resumed.
        set_: A keyword argument K=V of `world()`, V a Python value or else text; may be
            repeated. The recording stores it.
        record: A VTKHDF file to write. It opens in ParaView, and stays readable even if
            this process is killed.
        resume: Continue the existing recording after its last complete frame.
        view: Watch the run in a window; closing the window ends the run.
    """
    if view and watching.web:
        raise ValueError("--view and --web are two places to watch; choose one")
    watched = watching if view or watching.web else None
    if watched is None and watching.given():
        raise ValueError(f"{watching.given()[0]} goes with --view or --web; say which")
    if record is None and resume:
        raise ValueError("--resume goes with --record FILE; name the file")
    if frames < 0:
        raise ValueError(f"--frames {frames}: give the number of frames, 0 or more")
    if record is not None:
        check_record(record)
    settings = read_settings("--set", set_)
    if outside := [name for name in settings if name.isupper()]:
        raise ValueError(
            f"--set {outside[0]}: a name in upper case is a variable of the "
            f"environment; write {outside[0]}={settings[outside[0]]} before wingedge"
        )
    words = ", ".join(f"{name}={settings[name]!r}" for name in sorted(settings))
    world = load(script, settings)
    world.notes.setdefault("script", str(script))
    if settings:
        world.notes["settings"] = words
    if record is not None and resume and record.exists():
        _check_settings(record, words)
    recording = recorded(world, record, resume=resume)
    events, done, near = _step(world, script, frames, recording, record, watched)
    if resume and not done:
        print(f"{record} has {world.index} frames already", file=sys.stderr)
    elif not events:
        more = "more " if resume and world.index > done else ""
        print(f"no {more}events in {done} {more}frames{near}", file=sys.stderr)
    return YES


def _check_settings(path: Path, settings: str) -> None:
    """Refuse to go on with a recording that was made with other settings."""
    from sim import Recording

    with counting(f"reading {path}"), Recording.open(path) as recording:
        before = str(recording.notes.get("settings", ""))
    if before != settings:
        raise ValueError(
            f"{path}: was recorded with --set {before or 'nothing'}, this is "
            f"{settings or 'nothing'}; give the same, or record into another file"
        )


def check_record(path: Path) -> None:
    """Refuse a place for a recording before the script has run."""
    from sim.story.story import check_name, check_replaced

    check_place(path)
    check_name(path, "--record ")
    check_replaced(path)


def _step(
    world: "World",
    script: Path,
    frames: int,
    recording: Recording,
    record: Path | None,
    watched: Watching | None,
) -> tuple[int, int, str]:
    """Step the world, print its events; count these and frames, name the nearest."""
    from sim.story.order import NOBODY, nearest_pair
    from viewer.live import watch

    events, done, near = 0, 0, NOBODY
    started = world.index
    screen = "" if watched is None else watched.screen()

    def tell(frame: "Frame") -> None:
        nonlocal events, done, near
        done += 1
        near = min(near, nearest_pair(frame))
        for event in frame.events:
            print(event)
        events += len(frame.events)

    try:
        with blamed(script), recording:
            missing = max(0, frames - world.index)
            if missing and world.index > started:
                there = f"the {world.index} frames that are there"
                print(f"{record}: goes on after {there}", file=sys.stderr)
            if watched is not None:  # which has an end of its own for Ctrl-C
                loop, look = watched.loop, watched.look
                watch(world, missing, each=tell, screen=screen, loop=loop, **look)
                return events, done, near[-1]
            with interruptible() as end_if_asked:
                for frame in progress(world.run(missing), missing, script.name):
                    tell(frame)
                    end_if_asked()
    except ScriptError as error:
        words = str(error)
        if f"frame {world.index}" not in words:
            words = f"{words}, in frame {world.index}"
        if record is not None and done:
            words = f"{words}; {record} has the {world.index} frames before"
        raise ScriptError(words) from error
    return events, done, near[-1]


def recorded(world: "World", path: Path | None, **options: Any) -> Recording:
    """Record what is stepped in a ``with`` block, if there is a file for it."""
    return nullcontext() if path is None else world.record(path, **options)


def track(
    *files: str,
    name: Names = None,
    record: Path | None = None,
    when: bool = False,
    dt: float | None = None,
    contact_distance: float | None = None,
    resolution: float | Literal["float32"] | None = None,
) -> int:
    """Track bodies whose positions are in files, and print one line per event.

    Args:
        files: Each is one body: a file with all frames (.npz, .vtkhdf, .pvd, USD,
            glTF), a quoted pattern of files with one frame each ('ball_*.obj'), or a
            single mesh, which stays at rest. The frame of an event is its place in the
            series, from 0.
        name: Names of the bodies, in order; by default those of the files, without
            trailing digits.
        record: A VTKHDF file to write. It opens in ParaView.
        when: Print when each event was, as @0.25+-1e-10: a quarter of the way from the
            frame before, proven to 1e-10 of it; then in seconds. Also brushes (pairs
            that touch and part between two frames).
        dt: Time between two frames in seconds, instead of that in the files. Where the
            files tell no times, it is 1 s.
        contact_distance: Distance at which a contact begins; by default 1e-3 of the
            size of the smaller body.
        resolution: How far each vertex may be off, a length in the world or float32;
            what that cannot tell is not told. By default what the files tell.
    """
    import viewer.series  # noqa: F401  (registers what VTK reads)
    from sim.sequence import read

    if not files:
        raise ValueError("name at least one file")
    if record is not None:
        check_record(record)
        if record.absolute() in [Path(file).absolute() for file in files]:
            raise ValueError(
                f"--record {record}: is one of the files; give another name"
            )
    source = read(*files, names=name or (), dt=dt, resolution=resolution)
    for note in source.notes:
        print(note, file=sys.stderr)
    options = {"contact_distance": contact_distance, "between": when}
    options |= {"resolution": resolution if resolution != "float32" else None}
    if not source.is_even and (when or record is not None):
        print("the times are uneven: a recording has their mean step", file=sys.stderr)
    events, near = _track(source, record, options)
    if not events:
        print(f"no events in {len(source)} frames{near}", file=sys.stderr)
    elif when:
        print(TIMES, file=sys.stderr)
    return YES


def _track(
    source: "Source", record: Path | None, options: dict[str, Any]
) -> tuple[int, str]:
    """Step bodies and print the events; count these, and say which pair was nearest."""
    from sim import World
    from sim.story.order import NOBODY, nearest_pair

    world = World(source.bodies, dt=source.dt, **options)
    events, left, near = 0, [], NOBODY
    with recorded(world, record), interruptible() as end_if_asked:
        for _ in progress(range(len(source)), len(source), "tracking"):
            frame = world.step()
            for event in frame.events:
                print(_line(source, event))
            events += len(frame.events)
            near = min(near, nearest_pair(frame))
            left += [(frame.index, gap) for gap in frame.undecided]
            source.advance()
            end_if_asked()
        tell_undecided(left)
    return events, near[-1]


def _line(source: "Source", event: "Event") -> str:
    """Write an event, and when it was by the files' own times."""
    time = event.time
    if event.when is not None and event.frame and source.times is not None:
        before, after = source.times[event.frame - 1 : event.frame + 1]
        time = float(before + sum(event.when) / 2 * (after - before))
    return timed_line(replace(event, time=time))

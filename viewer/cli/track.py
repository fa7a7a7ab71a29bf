"""Run ``wingedge track``: files of positions, told."""

import sys
from collections.abc import Sequence as Several
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from sim.progress import progress
from viewer.cli.codes import YES
from viewer.cli.run import check_record, recorded
from viewer.timeline import interruptible

if TYPE_CHECKING:
    from sim import Event
    from sim.sequence import Sequence

Names = Annotated[list[str] | None, Parameter(negative="", consume_multiple=True)]


def track(
    *files: str,
    pairs: Names = None,
    name: Names = None,
    record: Path | None = None,
    when: bool = False,
    dt: float | None = None,
    contact_distance: float | None = None,
) -> int:
    """Track bodies whose positions are in files, and print one line per event.

    Parameters
    ----------
    files : str
        Each is one body: a file with all frames (.npz, .vtkhdf, .pvd, USD, glTF), a
        quoted pattern of files with one frame each ('ball_*.obj'), or a single mesh,
        which stays at rest. The frame of an event is its place in the series, from 0.
    pairs : list of str
        Track only these pairs, for example ball/table.
    name : list of str
        Names of the bodies, in order; by default those of the files, without trailing
        digits.
    record : Path
        A VTKHDF file to write. It opens in ParaView.
    when : bool
        Print the time between two frames of each event, and brushes (pairs that touch
        and part between two frames).
    dt : float
        Time between two frames in seconds, instead of that in the files. Where the
        files tell no times, it is 1 s.
    contact_distance : float
        Distance at which a contact begins; by default 1e-3 of the size of the smaller
        body.
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
    source: Sequence | None = read(*files, names=name or (), dt=dt)
    assert source is not None
    for note in source.notes:
        print(note, file=sys.stderr)
    options = {
        "ignore": _others([body.name for body in source.bodies], pairs or []),
        "contact_distance": contact_distance,
        "between": when,
    }
    if not source.is_even and (when or record is not None):
        print("the times are uneven: a recording has their mean step", file=sys.stderr)
    told = frames = 0
    while source is not None:
        told += _tell(source, _named(record, source.start), options)
        frames += len(source)
        if source.change is not None:
            print(source.change, file=sys.stderr)
        source = source.rest
    if not told:
        print(f"no events in {frames} frames", file=sys.stderr)
    return YES


def _named(record: Path | None, start: int) -> Path | None:
    """Name the recording of what begins with a frame."""
    if record is None or not start:
        return record
    later = record.with_stem(f"{record.stem}_from_{start}")
    check_record(later)
    return later


def _others(names: Several[str], pairs: Several[str]) -> list[tuple[str, str]]:
    """List the pairs that were not asked for."""
    wanted = set()
    for text in pairs:
        a, slash, b = text.partition("/")
        if not slash or a == b:
            raise ValueError(f"--pairs {text}: write two names, as in ball/table")
        for one in (a, b):
            if one not in names:
                raise ValueError(
                    f"--pairs {text}: there is no body {one!r}, only {', '.join(names)}"
                )
        wanted.add(frozenset((a, b)))
    if not wanted:
        return []
    return [pair for pair in combinations(names, 2) if frozenset(pair) not in wanted]


def _tell(source: "Sequence", record: Path | None, options: dict[str, Any]) -> int:
    """Step bodies through their frames and print the events; count these."""
    from sim import World
    from viewer.cli.files import tell_undecided

    world = World(source.bodies, dt=source.dt, **options)
    told, left = 0, []
    with recorded(world, record) as keep, interruptible() as end_if_asked:
        for _ in progress(range(len(source)), len(source), "tracking"):
            frame = world.step()
            keep()
            for event in frame.events:
                print(_line(source, event))
            told += len(frame.events)
            left += [(source.start + frame.index, gap) for gap in frame.undecided]
            source.advance()
            end_if_asked()
        tell_undecided(left)
    return told


def _line(source: "Sequence", event: "Event") -> str:
    """Write an event with the files' own number of its frame, and when it was."""
    from viewer.cli.files import timed_line

    time = event.time
    if event.when is not None and event.frame and source.times is not None:
        before, after = source.times[event.frame - 1 : event.frame + 1]
        time = float(before + sum(event.when) / 2 * (after - before))
    shifted = replace(event, frame=event.frame + source.start, time=time)
    return timed_line(shifted)

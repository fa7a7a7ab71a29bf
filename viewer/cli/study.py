"""Run ``wingedge study``: a script over many settings, as a file says."""

import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from sim.story.comparing.difference import counted
from viewer.cli.codes import FAILED, NO, YES
from viewer.cli.options import Whole
from viewer.files import check_place

if TYPE_CHECKING:
    from sim.study import Study

NEEDED = {
    "script": (str, "text"),
    "frames": (int, "whole number"),
    "folder": (str, "text"),
    "cases": (dict, "table"),
}


def study(
    file: Path,
    /,
    *,
    workers: Whole = 0,
    scheduler: str | None = None,
    explain: bool = False,
    map_: Annotated[str | None, Parameter(name="--map")] = None,
    output: Path | None = None,
) -> int:
    """Run a script for many settings; what is finished is not run again.

    Exit code 1 if a case failed or was given up.

    Parameters
    ----------
    file : Path
        A TOML file: script, frames, folder, and under [cases] a list for each parameter
        of world(), or { grid = [low, high, count] }, { steps = [low, high, step] }.
        With [sample] (count, method, seed) each parameter has a range [low, high].
    workers : int
        Number of processes; 0 runs one case after the other in this process.
    scheduler : str
        The address of a dask scheduler to use instead of --workers.
    explain : bool
        Only print which cases would be run.
    map_ : str
        Two parameters, for example depth,start: draw into --output which story each
        pair of values has. Not every case is run.
    output : Path
        The picture of --map (.png, .svg, .pdf), else a table (.csv, with pyarrow
        .parquet too); by default named after FILE.
    """
    from sim.study import StudyError

    if workers < 0:
        raise ValueError(f"--workers {workers}: give 0 or more")
    if workers and scheduler is not None:
        raise ValueError("--workers and --scheduler are two ways to run; choose one")
    if map_ is not None and (explain or scheduler is not None):
        raise ValueError("--map goes with neither --explain nor --scheduler")
    try:
        made = read(file, scheduler)
        if explain:
            print(made.explain())
            return YES
        if map_ is not None:
            return _map(made, map_, workers, output or file.with_suffix(".png"))
        before = sum(made.folder.is_finished(case.id) for case in made.cases)
        target = output or file.with_suffix(".csv")
        check_place(target)
        table = made.run(workers, scheduler, progress=True)
    except StudyError as error:
        for mistake in error.mistakes:
            print(f"wingedge study: {mistake}", file=sys.stderr)
        return FAILED
    table.to_csv(target)
    if find_spec("pyarrow"):
        table.to_parquet(target.with_suffix(".parquet"))
    states = table["status"].tolist()
    counts = ", ".join(f"{states.count(s)} {s}" for s in dict.fromkeys(states))
    new = sum(made.folder.is_finished(case.id) for case in made.cases) - before
    since = f"; {before} finished before, {new} run" if before else ""
    print(f"{target}: {counted(len(table), 'case')}, {counts}{since}")
    for group in made.stories():
        print(group)
    for row in table:
        if row["error"]:
            print(f"{row['id']}: {row['status']}: {row['error']}", file=sys.stderr)
    return YES if set(states) <= {"done"} else NO


def read(file: Path, scheduler: str | None = None) -> "Study":
    """Make the study that a file describes; StudyError lists all that is wrong."""
    from sim.study import Study, StudyError, sample

    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise StudyError([f"{file}: {error.strerror}; check the name"]) from None
    except (ValueError, RecursionError) as error:
        raise StudyError([f"{file}: is no TOML: {error}"]) from None
    missing = {
        name: f"{file}: {name} = ... is missing, or is no {word}"
        for name, (kind, word) in NEEDED.items()
        if not isinstance(told.get(name), kind)
    }
    mistakes = [*missing.values()] + [
        f"{file}: does not know {name!r}; it takes {', '.join((*NEEDED, 'sample'))}"
        for name in told
        if name not in (*NEEDED, "sample")
    ]
    cases: Any = {} if "cases" in missing else told["cases"]
    if "sample" in told:
        try:
            cases = sample(cases, **told["sample"])
        except (TypeError, ValueError) as error:
            mistakes.append(f"{file}: [sample]: {error}")
    else:
        cases = {name: _values(name, cases[name], mistakes) for name in cases}
    if scheduler is not None:
        from sim.study.run import connected

        try:
            connected(scheduler).close()
        except StudyError as error:
            mistakes += error.mistakes
    if not missing.keys() - {"frames"}:
        script, folder = (file.parent / told[name] for name in ("script", "folder"))
        frames = 1 if missing else told["frames"]
        try:
            made = Study(script, cases, frames=frames, folder=folder)
        except StudyError as error:
            mistakes += error.mistakes
    if mistakes:
        raise StudyError(mistakes)
    return made


def _values(name: str, given: Any, mistakes: list[str]) -> Any:
    """Return the values of a parameter; add to the mistakes where there are none."""
    from sim.study import grid, steps

    if not isinstance(given, dict):
        return given
    kinds = {"grid": grid, "steps": steps}
    kind, *more = given or [""]
    if more or kind not in kinds:
        mistakes.append(f"{name}: give a list, or one of {', '.join(kinds)}")
        return [0]
    try:
        return kinds[kind](*given[kind])
    except (TypeError, ValueError) as error:
        mistakes.append(f"{name}: {kind}: {error}")
        return [0]


def _map(made: "Study", names: str, workers: int, path: Path) -> int:
    from viewer.graph import ENDINGS
    from viewer.plot import check_map, draw_map

    across, comma, up = names.partition(",")
    if not comma:
        raise ValueError(f"--map {names}: name two parameters, as in depth,start")
    pair = across.strip(), up.strip()
    if path.suffix.lower() in ENDINGS:
        made.beside(*pair)  # before what draws is missed
    check_map(path)
    found = made.map(*pair, workers=workers)
    draw_map(found, path)
    size = found.cells.size
    print(f"{path}: {len(found.stories)} stories, {found.runs} of {size} cases run")
    return YES

"""Run ``wingedge study``: a script over many settings, as a file says."""

import sys
import tomllib
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from viewer.cli.codes import FAILED, NO, YES

KINDS = {"grid": 3, "steps": 3}  # numbers that they take


def study(
    file: Path,
    /,
    *,
    workers: int = 0,
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
    workers : int
        0: one case after the other; else so many processes, by dask.
    scheduler : str
        The address of a dask scheduler to run on instead.
    explain : bool
        Only say what would be run.
    map_ : str
        Two parameters, as in depth,start: draw which story each pair of values has,
        with few runs, into --output.
    output : Path
        The picture of --map (.png, .svg, .pdf), else a table (.csv); FILE's name if
        left out.
    """
    from sim.study import StudyError

    try:
        made = _read(file)
        if explain:
            print(made.explain())
            return YES
        if map_ is not None:
            return _map(made, map_, workers, output or file.with_suffix(".png"))
        table = made.run(workers, scheduler, progress=True)
    except StudyError as error:
        for mistake in error.mistakes:
            print(f"wingedge study: {mistake}", file=sys.stderr)
        return FAILED
    target = output or file.with_suffix(".csv")
    table.to_csv(target)
    states = table["status"].tolist()
    counts = ", ".join(f"{states.count(s)} {s}" for s in dict.fromkeys(states))
    print(f"{target}: {len(table)} cases, {counts}")
    for group in made.stories():
        print(group)
    for row in table:
        if row["error"]:
            print(f"{row['id']}: {row['status']}: {row['error']}", file=sys.stderr)
    return YES if set(states) <= {"done"} else NO


def _read(file: Path) -> Any:
    """Make the study that a file describes; StudyError lists all that is wrong."""
    from sim.study import Study, StudyError, grid, steps

    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise StudyError([f"{file}: {error.strerror}; check the name"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError([f"{file}: is no TOML: {error}"]) from None
    needed = {"script": str, "frames": int, "folder": str, "cases": dict}
    mistakes = [
        f"{file}: {name} = ... is missing, or is no {kind.__name__}"
        for name, kind in needed.items()
        if not isinstance(told.get(name), kind)
    ]
    mistakes += [f"{file}: does not know {n!r}" for n in told if n not in needed]
    cases: dict[str, Any] = {}
    for name, values in told["cases"].items() if not mistakes else ():
        if isinstance(values, dict):
            kind = next(iter(values), "")
            given = values.get(kind)
            if len(values) != 1 or kind not in KINDS or not isinstance(given, list):
                mistakes.append(f"{name}: give a list, or one of {', '.join(KINDS)}")
                continue
            try:
                values = {"grid": grid, "steps": steps}[kind](*given)
            except (TypeError, ValueError) as error:
                mistakes.append(f"{name}: {kind}: {error}")
                continue
        cases[name] = values
    if mistakes:
        raise StudyError(mistakes)
    script, folder = (file.parent / told[name] for name in ("script", "folder"))
    return Study(script, cases, frames=told["frames"], folder=folder)


def _map(made: Any, names: str, workers: int, path: Path) -> int:
    across, comma, up = names.partition(",")
    if not comma:
        raise ValueError(f"--map {names}: name two parameters, as in depth,start")
    found = made.map(across.strip(), up.strip(), workers=workers)
    found.picture(path)
    print(
        f"{path}: {len(found.stories)} stories, {found.runs} of {found.cells.size} run"
    )
    return YES

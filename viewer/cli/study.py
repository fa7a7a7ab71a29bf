"""Run ``wingedge study``: a script over many settings, as a file says."""

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from sim.story.comparing.difference import counted
from viewer.cli import NO, YES
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
    output: Path | None = None,
) -> int:
    """Run a script for many settings; what is finished is not run again.

    Args:
        file: A TOML file: script, frames, folder, and under [cases] a list for each
            parameter of world(), or { grid = [low, high, count] }, { steps = [low,
            high, step] }. With [sample] (count, seed) each parameter has a
            range [low, high].
        workers: Number of processes; 0 runs one case after the other in this process.
        scheduler: The address of a dask scheduler to use instead of --workers.
        explain: Only print which cases would be run.
        output: The table (.csv); by default named after FILE.
    """
    if workers < 0:
        raise ValueError(f"--workers {workers}: give 0 or more")
    if workers and scheduler is not None:
        raise ValueError("--workers and --scheduler are two ways to run; choose one")
    made = read(file)
    plan = made.explain()
    if explain:
        print(plan)
        return YES
    target = output or file.with_suffix(".csv")
    check_place(target)
    table = made.run(workers, scheduler, progress=True)
    table.to_csv(target)
    states = table["status"].tolist()
    counts = ", ".join(f"{states.count(s)} {s}" for s in dict.fromkeys(states))
    before, after = plan.finished, made.explain().finished
    since = f"; {before} finished before, {after - before} run" if before else ""
    print(f"{target}: {counted(len(table), 'case')}, {counts}{since}")
    for group in made.stories(of="kinds"):
        print(group)
    for row in table:
        if row["error"]:
            print(f"{row['id']}: {row['status']}: {row['error']}", file=sys.stderr)
    return YES if set(states) <= {"done"} else NO


def read(file: Path) -> "Study":
    """Make the study that a file describes; StudyError says what is wrong first."""
    from sim.study import Study, StudyError, grid, sample, steps

    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise StudyError(f"{file}: {error.strerror}; check the name") from None
    except (ValueError, RecursionError) as error:
        raise StudyError(f"{file}: is no TOML: {error}") from None
    known = (*NEEDED, "sample")
    for name in [name for name in given if name not in known]:
        said = f"does not know {name!r}; it takes {', '.join(known)}"
        raise StudyError(f"{file}: {said}")
    for name, (type_, word) in NEEDED.items():
        if not isinstance(given.get(name), type_):
            raise StudyError(f"{file}: {name} = ... is missing, or is no {word}")
    cases, kinds = given["cases"], {"grid": grid, "steps": steps}
    where = f"{file}: [sample]"
    try:
        if "sample" in given:
            cases = sample(cases, **given["sample"])
        else:
            for name, values in cases.items():
                if isinstance(values, dict):
                    kind, *more = values or [""]
                    where = name
                    if more or kind not in kinds:
                        raise ValueError(f"give a list, or one of {', '.join(kinds)}")
                    where = f"{name}: {kind}"
                    cases[name] = kinds[kind](*values[kind])
    except (TypeError, ValueError) as error:
        raise StudyError(f"{where}: {error}") from None
    script, folder = (file.parent / given[k] for k in ("script", "folder"))
    return Study(script, cases, frames=given["frames"], folder=folder)

"""A study: one script, many settings, a folder of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing, nullcontext
from copy import copy
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.arguments import check_above_zero, check_count
from sim.progress import counting
from sim.story.comparing.difference import counted
from sim.story.recording import Recording
from sim.story.story import Story
from sim.study import map as maps
from sim.study import run as runs
from sim.study.cases import Settings, StudyError, check_settings, listed
from sim.table import Table

RESULTS = (
    *("id", "status", "events", "digest", "story_digest", "least_distance"),
    *("seconds", "error"),
)
Cases = Mapping[str, Iterable[Any]] | Iterable[Settings]


class Plan(NamedTuple):
    """What a study would run."""

    cases: int
    finished: int

    @property
    def missing(self) -> int:
        """How many cases are to run."""
        return self.cases - self.finished

    def __str__(self) -> str:
        """Say it in a sentence."""
        left = f"{self.missing} to run" if self.missing else "nothing to run"
        return f"{counted(self.cases, 'case')}, {self.finished} finished, {left}"


class Study:
    """Run a script that defines ``world(**settings)`` for many settings, once each.

    Raises StudyError for the first mistake: of parameters, values, script, folder.

    Parameters
    ----------
    script : str or path
        A Python file with a function ``world`` that returns a World.
    cases : mapping of name to list, or list of dict
        The product of the lists in the order given (``grid``, ``steps``), or cases as
        they stand (``sample``); each runs ``frames`` frames.
    folder : str or path
        Where results are kept; made if it is not there.  A case that is finished there
        is not run again; studies of one script may share it.
    """

    def __init__(
        self,
        script: str | PathLike[str],
        cases: Cases,
        *,
        frames: int,
        folder: str | PathLike[str],
    ) -> None:
        path = Path(script)
        columns, rows = listed(cases)
        check_settings(path, columns, rows)
        try:
            frames = check_count("frames", frames, least=1)
        except ValueError as error:
            raise StudyError(str(error)) from None
        runs.check_folder(Path(folder), path)
        self.folder = runs.StudyFolder.of(Path(folder), path, frames)
        self.lists = columns if isinstance(cases, Mapping) else {}
        # each once, in order
        self.cases = {self.folder.id(row): row for row in rows}
        self.given_up: dict[str, str] = {}  # by id, why; of the last run

    def explain(self) -> Plan:
        """Say how many cases there are, how many are finished; runs nothing."""
        return Plan(len(self.cases), sum(map(self.folder.is_finished, self.cases)))

    def run(
        self, workers: int = 0, scheduler: str | None = None, *, progress: bool = False
    ) -> Table:
        """Run the cases that are not finished, and return the table.

        Parameters: ``workers``: 0 runs them in this process, in order; else so many
        processes of this machine, of which any may be killed; ``scheduler``: the
        address of a dask scheduler, to run on its workers instead, which need the same
        folder under the same name; ``progress``: show a bar with the time left.

        Files are the same whoever runs them, in any order, but for ``seconds``.  A case
        whose script raises is finished, with ``status`` "failed"; one that ended its
        process again and again is in ``given_up`` and not finished.

        Raises StudyError if the scheduler does not answer; ImportError if dask is
        needed and not there, saying what to install.
        """
        workers, folder = check_count("workers", workers), self.folder
        missing = [c for id_, c in self.cases.items() if not folder.is_finished(id_)]
        if not missing:
            return self.table()
        if scheduler is not None:
            ended = runs.run_on_dask(folder, missing, scheduler)
        elif workers:
            ended = runs.run_on_processes(folder, missing, workers)
        else:
            ended = runs.run_here(folder, missing)
        name = folder.script.name
        bar = counting(name) if progress else nullcontext(lambda done, of: None)
        folder.make()
        with closing(ended), bar as show:
            for done, (id_, error) in enumerate(ended, 1):
                if error:
                    self.given_up[id_] = error
                show(done, len(missing))
        return self.table()

    def table(self) -> Table:
        """Return a row a case: its settings, then what came of them.

        Columns: each setting; ``id``, ``status`` ("done", "failed", "given up", "not
        run"), ``events`` (how many), ``digest``, ``story_digest``, ``least_distance``,
        ``seconds``, ``error``.
        """
        rows, names = [], dict.fromkeys(n for case in self.cases.values() for n in case)
        for id_, case in self.cases.items():
            error = self.given_up.get(id_)
            status = "given up" if error else "not run"
            row = {**case, "id": id_, "status": status, "error": error}
            rows.append(self.folder.row(id_) if self.folder.is_finished(id_) else row)
        return Table.of_rows(rows, [*names, *RESULTS])

    def recording(self, **settings: Any) -> Recording:
        """Open the recording of the finished case with these settings.

        Raises KeyError if there is none.
        """
        id_ = self.folder.id(settings)
        if not self.folder.is_finished(id_):
            raise KeyError(f"no case with {settings} is finished; run it first")
        return Recording.open(self.folder.file(id_, "vtkhdf"))

    def story(self, settings: Settings) -> Story:
        """Return the story of a case that is finished."""
        with self.recording(**settings) as recording:
            return recording.story

    def stories(self) -> tuple[maps.StoryGroup, ...]:
        """Group the finished cases by their story, the largest group first."""
        groups: dict[str, list[Settings]] = {}
        for row, case in zip(self.table(), self.cases.values(), strict=True):
            if row["status"] == "done":
                groups.setdefault(row["story_digest"], []).append(case)
        told: list[maps.StoryGroup] = []
        for cases in sorted(groups.values(), key=len, reverse=True):
            story = self.story(cases[0])
            words = f"{len(story.events)} events"
            if told:
                differ = maps.difference(told[0].story, story) or "the same events"
                words = f"against the first group: {differ}"
            told.append(maps.StoryGroup(story, tuple(cases), words))
        return tuple(told)

    def border(
        self,
        name: str,
        *,
        tolerance: float = 1e-6,
        of: maps.Key = "story",
        workers: int = 0,
        **fixed: Any,
    ) -> maps.StoryBorder:
        """Find a value of one setting where the story changes, by bisection.

        The first two neighbours of its listed values that tell different stories are
        bisected, until they are no farther apart than ``tolerance``.

        Parameters: ``of``: what must change: "story", any word of it, frames and
        features too; "kinds", which kinds of events each pair had, whenever; or what a
        function of a Story returns, as in ``of=lambda story: len(story.events)``;
        ``workers``: as for `run`; ``fixed``: the other settings, the first of their
        list where they are left out.

        Raises ValueError if all values tell the same story, or a setting is unknown.
        """
        rest = self.beside(name, **fixed)
        tolerance = check_above_zero("tolerance", tolerance)

        def keys(*values: Any) -> list[Any]:
            return self._keys([rest | {name: value} for value in values], of, workers)

        values = sorted(self.lists[name])
        told, runs = keys(*values), len(values)
        change = next((k for k, (a, b) in enumerate(pairwise(told)) if a != b), None)
        if change is None:
            raise ValueError(
                f"all {len(values)} values of {name} tell the same story; give values "
                f"on both sides of a border"
            )
        lower, upper = values[change : change + 2]
        # until two floats follow one another
        while upper - lower > tolerance and lower < (lower + upper) / 2 < upper:
            middle, runs = (lower + upper) / 2, runs + 1
            same = keys(middle) == [told[change]]
            lower, upper = (middle, upper) if same else (lower, middle)
        below, above = (self.story(rest | {name: value}) for value in (lower, upper))
        return maps.StoryBorder(name, lower, upper, below, above, runs)

    def map(
        self,
        across: str,
        up: str,
        *,
        of: maps.Key = "kinds",
        workers: int = 0,
        **fixed: Any,
    ) -> maps.StoryMap:
        """Tell for each pair of listed values which story they have.

        Stories differ in the kinds of the events of each pair, whenever they happen,
        or in what ``of`` says.

        Parameters: ``across``, ``up``: names of two settings, whose listed values make
        the grid; the others as for `border`.

        Raises ValueError if a setting is unknown, or both are the same one.
        """
        rest = self.beside(across, up, **fixed)
        columns, rows = sorted(self.lists[across]), sorted(self.lists[up])
        cases = [rest | {across: x, up: y} for y in rows for x in columns]
        told = self._keys(cases, of, workers)
        place = {key: k for k, key in enumerate(dict.fromkeys(told))}
        stories = tuple(self.story(cases[told.index(key)]) for key in place)
        cells = np.reshape([place[key] for key in told], (len(rows), len(columns)))
        return maps.StoryMap((across, up), columns, rows, stories, cells)

    def beside(self, *free: str, **fixed: Any) -> Settings:
        """Return settings to vary the free ones of; ValueError for unknown names."""
        if len({*free}) < len(free):
            raise ValueError(f"a map needs two settings, not {free[0]} twice")
        known = ", ".join(self.lists) or "none, since cases were given as a list"
        for name in (*free, *fixed):
            if name not in self.lists:
                raise ValueError(f"{name} is no list of this study; there are {known}")
        return {name: values[0] for name, values in self.lists.items()} | fixed

    def _keys(self, cases: list[Settings], of: maps.Key, workers: int) -> list[Any]:
        """Run cases, and return what tells their stories apart."""
        key, part = maps.key_of(of), copy(self)
        part.cases = {self.folder.id(case): case for case in cases}
        for row, case in zip(part.run(workers), part.cases.values(), strict=True):
            if row["status"] != "done":
                raise ValueError(f"{case}: {row['status']}, {row['error']}")
        return [key(self.story(case)) for case in cases]

    def __repr__(self) -> str:
        """Say what it is of, and how far it is."""
        return f"Study({self.folder.script.name!r}, {self.explain()})"

"""A study: one script, many settings, a folder of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.arguments import check_count
from sim.progress import counting
from sim.story.comparing.difference import counted
from sim.story.recording import Recording
from sim.story.story import Story
from sim.study import map as maps
from sim.study.cases import Script, StudyError, check_settings, listed
from sim.study.run import StudyFolder, run_here, run_on_dask, run_on_processes
from sim.table import Table

RESULTS = (
    *("id", "status", "events", "digest", "story_digest", "least_distance"),
    *("seconds", "error"),
)
Settings = dict[str, Any]
Cases = Mapping[str, Iterable[Any]] | Iterable[Settings]


class Plan(NamedTuple):
    """What a study would run.

    Attributes: ``seconds``: an estimate for what is to do on one worker, by the mean of
    the finished cases; None before the first.
    """

    cases: int
    finished: int
    seconds: float | None

    @property
    def missing(self) -> int:
        """How many cases are to run."""
        return self.cases - self.finished

    def __str__(self) -> str:
        """Say it in a sentence."""
        seconds = self.seconds
        time = "no estimate yet" if seconds is None else f"about {seconds:.3g} s"
        left = f"{self.missing} to run ({time} on one worker)"
        left = left if self.missing else "nothing to run"
        return f"{counted(self.cases, 'case')}, {self.finished} finished, {left}"


class StoryGroup(NamedTuple):
    """Cases that tell the same story.

    Attributes: ``story``: their story; ``cases``: their settings; ``words``: how the
    story differs from that of the largest group.
    """

    story: Story
    cases: tuple[dict[str, Any], ...]
    words: str

    def __str__(self) -> str:
        """Count the cases and say what is different."""
        told = []
        for name in self.cases[0]:
            values = [case[name] for case in self.cases]
            try:
                low, high = min(values), max(values)
            except TypeError:  # values that have no order
                continue
            told.append(f"{name}={low}" if low == high else f"{name}={low} .. {high}")
        count = counted(len(self.cases), "case")
        return f"{count}, {', '.join(told) or 'no settings'}: {self.words}"


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

    Examples
    --------
    ::

        study = Study("jelly.py", {"depth": grid(0.1, 0.6, 11)}, frames=120, folder="f")
        study.run(workers=2)
        study.table().to_pandas()
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
        self.folder = StudyFolder(Path(folder))
        columns, rows = listed(cases)
        check_settings(path, columns, rows)
        try:
            frames = check_count("frames", frames, least=1)
        except ValueError as error:
            raise StudyError(str(error)) from None
        self.folder.check(path)
        self.script = Script.read(path, frames)
        self.lists = columns if isinstance(cases, Mapping) else {}
        # each once, in order
        self.cases = tuple({c.id: c for c in map(self.script.case, rows)}.values())
        self.given_up: dict[str, str] = {}  # by id, why; of the last run

    def explain(self) -> Plan:
        """Say how many cases there are, how many are finished; runs nothing."""
        rows = [self.folder.row(case.id) for case in self.cases]
        seconds = [row["seconds"] for row in rows if row]
        left = len(rows) - len(seconds)
        estimate = left * sum(seconds) / len(seconds) if seconds else None
        return Plan(len(rows), len(seconds), estimate)

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
        settings = [case.settings for case in self.cases]
        self._run(settings, check_count("workers", workers), scheduler, progress)
        return self.table()

    def _run(
        self,
        settings: Sequence[Settings],
        workers: int = 0,
        scheduler: str | None = None,
        progress: bool = False,
    ) -> None:
        """Run the cases with these settings that are not finished."""
        folder, cases = self.folder, map(self.script.case, settings)
        missing = [case for case in cases if not folder.is_finished(case.id)]
        if not missing:
            return
        if scheduler is not None:
            ended = run_on_dask(folder, missing, scheduler)
        elif workers:
            ended = run_on_processes(folder, missing, workers)
        else:
            ended = run_here(folder, missing)
        name = self.script.path.name
        bar = counting(name) if progress else nullcontext(lambda done, of: None)
        folder.make(self.script)
        with closing(ended), bar as show:
            for done, (id_, error) in enumerate(ended, 1):
                if error:
                    self.given_up[id_] = error
                show(done, len(missing))

    def _row(self, settings: Settings) -> dict[str, Any]:
        """Return the row of a case, finished or not."""
        id_ = self.script.case(settings).id
        if row := self.folder.row(id_):
            return row
        error = self.given_up.get(id_)
        status = "given up" if error else "not run"
        return {**settings, "id": id_, "status": status, "error": error}

    def table(self) -> Table:
        """Return a row a case: its settings, then what came of them.

        Columns: each setting; ``id``, ``status`` ("done", "failed", "given up", "not
        run"), ``events`` (how many), ``digest``, ``story_digest``, ``least_distance``,
        ``seconds``, ``error``.
        """
        names = dict.fromkeys(name for case in self.cases for name in case.settings)
        rows = (self._row(case.settings) for case in self.cases)
        return Table.of_rows(rows, [*names, *RESULTS])

    def recording(self, **settings: Any) -> Recording:
        """Open the recording of the finished case with these settings.

        Raises KeyError if there is none.
        """
        id_ = self.script.case(settings).id
        if not self.folder.is_finished(id_):
            raise KeyError(f"no case with {settings} is finished; run it first")
        return Recording.open(self.folder.file(id_, "vtkhdf"))

    def story(self, settings: Settings) -> Story:
        """Return the story of a case that is finished."""
        with self.recording(**settings) as recording:
            return recording.story

    def stories(self) -> tuple[StoryGroup, ...]:
        """Group the finished cases by their story, the largest group first."""
        groups: dict[str, list[Settings]] = {}
        for case in self.cases:
            row = self._row(case.settings)
            if row["status"] == "done":
                groups.setdefault(row["story_digest"], []).append(case.settings)
        told: list[StoryGroup] = []
        for cases in sorted(groups.values(), key=len, reverse=True):
            story = self.story(cases[0])
            words = f"{len(story.events)} events"
            if told:
                differ = maps.difference(told[0].story, story) or "the same events"
                words = f"against the first group: {differ}"
            told.append(StoryGroup(story, tuple(cases), words))
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

        def keys(values: list[Any]) -> list[Any]:
            return self._keys([rest | {name: value} for value in values], of, workers)

        values = sorted(self.lists[name])
        lower, upper, runs = maps.bisected(name, values, keys, tolerance)
        below, above = (self.story(rest | {name: value}) for value in (lower, upper))
        words = maps.difference(below, above)
        return maps.StoryBorder(name, lower, upper, below, above, words, runs)

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
        key = maps.key_of(of)
        self._run(cases, check_count("workers", workers))
        for case in cases:
            if (row := self._row(case))["status"] != "done":
                raise ValueError(f"{case}: {row['status']}, {row['error']}")
        return [key(self.story(case)) for case in cases]

    def __repr__(self) -> str:
        """Say what it is of, and how far it is."""
        return f"Study({self.script.path.name!r}, {self.explain()})"

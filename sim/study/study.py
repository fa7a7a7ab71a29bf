"""A study: one script, many settings, a folder of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from copy import copy
from itertools import chain, pairwise, product
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.arguments import check_above_zero, check_count
from sim.progress import progress as shown
from sim.story.compare import compare
from sim.story.comparing.difference import counted
from sim.story.recording import Recording
from sim.story.story import Story
from sim.study import run as runs
from sim.study.cases import Cases, Settings, StudyError, check_settings, listed
from sim.table import Table

RESULTS = "id status events digest story_digest least_distance seconds error"
Key = str | Callable[[Story], Any]


def kinds(story: Story) -> tuple[str, ...]:
    """Return the kinds of events of each pair and body in order, whenever they were."""
    by_pair: dict[str, list[str]] = {}
    for event in story.events:
        who = "/".join(filter(None, (event.a, event.b)))
        by_pair.setdefault(who, []).append(event.kind)
    return tuple(f"{who} {', '.join(by_pair[who])}" for who in sorted(by_pair))


KEYS: dict[str, Any] = {"story": attrgetter("digest"), "kinds": kinds}


def _key(of: Key) -> Callable[[Story], Any]:
    if isinstance(of, str) and of not in KEYS:
        raise ValueError(f"of={of!r} is not one of {', '.join(KEYS)}")
    return KEYS[of] if isinstance(of, str) else of


def difference(a: Story, b: Story) -> str:
    """Say in what two stories differ, but for numbers."""
    return "; ".join(map(str, compare(a, b, numbers=False).differences[:3]))


class StoryGroup(NamedTuple):
    """Cases that tell the same story, or one alike."""

    story: Story  # that of the first
    cases: tuple[dict[str, Any], ...]  # their settings
    words: str  # the kinds of its events, or how it differs from the largest group

    def __str__(self) -> str:
        spans = []
        for name in self.cases[0]:
            values = [case[name] for case in self.cases if name in case]
            with suppress(TypeError):  # values that have no order
                low, high = min(values), max(values)
                spans += [f"{name}={low}" if low == high else f"{name}={low} .. {high}"]
        count = counted(len(self.cases), "case")
        return f"{count}, {', '.join(spans) or 'no settings'}: {self.words}"


class StoryBorder(NamedTuple):
    """Two values of a setting, near each other, with different stories."""

    name: str
    lower: float
    upper: float
    below: Story
    above: Story
    words: str  # what is different
    runs: int  # how many cases it took

    def __str__(self) -> str:
        return f"{self.name} between {self.lower!r} and {self.upper!r}: {self.words}"


class StoryMap(NamedTuple):
    """Which story each pair of values has; ``viewer.plot.draw_map`` draws it."""

    names: tuple[str, str]  # of the settings across and up
    across: list[Any]  # values
    up: list[Any]
    stories: tuple[Story, ...]  # those that were met, in the order in which they were
    cells: NDArray[np.intp]  # (len(up), len(across)), the place of each story in these

    def __repr__(self) -> str:
        size, count = " x ".join(map(str, self.cells.T.shape)), len(self.stories)
        return f"StoryMap({' x '.join(self.names)}, {size}: {count} stories)"


class Plan(NamedTuple):
    """What a study would run."""

    cases: int
    finished: int
    missing: int  # to run

    def __str__(self) -> str:
        cases = counted(self.cases, "case")
        return f"{cases}, {self.finished} finished, {self.missing or 'nothing'} to run"


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
        self.lists, rows = listed(cases)
        check_settings(path, self.lists, rows)
        try:
            frames = check_count("frames", frames, least=1)
        except ValueError as error:
            raise StudyError(str(error)) from None
        self.folder = runs.StudyFolder.of(Path(folder), path, frames)
        self.cases = {self.folder.id(row): row for row in rows}  # each once, in order
        self.given_up: dict[str, str] = {}  # by id, why; of the last run

    def explain(self) -> Plan:
        """Say how many cases there are, how many are finished; runs nothing."""
        count, finished = len(self.cases), sum(map(self.folder.is_finished, self.cases))
        return Plan(count, finished, count - finished)

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
            ended = runs.on_dask(folder, missing, scheduler)
        elif workers:
            ended = runs.on_processes(folder, missing, workers)
        else:
            ended = (runs.outcome(folder, case) for case in missing)
        folder.make()
        bar: Iterable[tuple[str, str]] = ended
        if progress:  # which counts those that came before
            bar = shown(chain([("", "")], ended), len(missing), folder.script.name)
        with closing(ended):
            self.given_up.update((id_, error) for id_, error in bar if error)
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
        return Table.of_rows(rows, [*names, *RESULTS.split()])

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

    def stories(self, of: Key = "story") -> tuple[StoryGroup, ...]:
        """Group the finished cases by their story, or as in `border`, largest first."""
        key = _key(of)
        groups: dict[Any, tuple[Story, list[Settings]]] = {}
        for row, case in zip(self.table(), self.cases.values(), strict=True):
            if row["status"] == "done":
                story = self.story(case)
                groups.setdefault(key(story), (story, []))[1].append(case)
        grouped: list[StoryGroup] = []
        for story, cases in sorted(groups.values(), key=lambda g: -len(g[1])):
            words = f"{len(story.events)} events"
            if of == "kinds":
                words = "; ".join(kinds(story)) or words
            elif grouped:
                differ = difference(grouped[0].story, story) or "the same events"
                words = f"against the first group: {differ}"
            grouped.append(StoryGroup(story, tuple(cases), words))
        return tuple(grouped)

    def border(
        self,
        name: str,
        *,
        tolerance: float = 1e-6,
        of: Key = "story",
        workers: int = 0,
        **fixed: Any,
    ) -> StoryBorder:
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
        tolerance = check_above_zero("tolerance", tolerance)
        cases, keys = self._vary([name], fixed, of, workers)
        change = next((k for k, (a, b) in enumerate(pairwise(keys)) if a != b), None)
        if change is None:
            said = f"all {len(cases)} values of {name} tell the same story"
            raise ValueError(f"{said}; give values on both sides of a border")
        lower, upper = (case[name] for case in cases[change : change + 2])
        count = len(cases)
        # until two floats follow one another
        while upper - lower > tolerance and lower < (lower + upper) / 2 < upper:
            middle, count = (lower + upper) / 2, count + 1
            _, [key] = self._vary([], fixed | {name: middle}, of, workers)
            lower, upper = (middle, upper) if key == keys[change] else (lower, middle)
        below, above = (self.story(cases[0] | {name: v}) for v in (lower, upper))
        words = difference(below, above)
        return StoryBorder(name, lower, upper, below, above, words, count)

    def map(
        self, across: str, up: str, *, of: Key = "kinds", workers: int = 0, **fixed: Any
    ) -> StoryMap:
        """Tell for each pair of listed values which story they have.

        Stories differ in the kinds of the events of each pair, whenever they happen,
        or in what ``of`` says.

        Parameters: ``across``, ``up``: names of two settings, whose listed values make
        the grid; the others as for `border`.

        Raises ValueError if a setting is unknown, or both are the same one.
        """
        if across == up:
            raise ValueError(f"a map needs two settings, not {up} twice")
        cases, keys = self._vary([up, across], fixed, of, workers)
        columns, rows = sorted(self.lists[across]), sorted(self.lists[up])
        place = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        stories = tuple(self.story(cases[keys.index(key)]) for key in place)
        cells = np.reshape([place[key] for key in keys], (len(rows), len(columns)))
        return StoryMap((across, up), columns, rows, stories, cells)

    def _vary(
        self, names: list[str], fixed: Settings, of: Key, workers: int
    ) -> tuple[list[Settings], list[Any]]:
        """Run all listed values of these, the others fixed or the first of their list.

        Return the cases, in order, and what tells their stories apart; ValueError for
        unknown names, or a case that fails.
        """
        known = ", ".join(self.lists) or "none, since cases were given as a list"
        for name in (*names, *fixed):
            if name not in self.lists:
                raise ValueError(f"{name} is no list of this study; there are {known}")
        key, part = _key(of), copy(self)
        rest = {name: values[0] for name, values in self.lists.items()} | fixed
        every = product(*(sorted(self.lists[name]) for name in names))
        cases = [rest | dict(zip(names, row, strict=True)) for row in every]
        part.cases = {self.folder.id(case): case for case in cases}
        for row, case in zip(part.run(workers), part.cases.values(), strict=True):
            if row["status"] != "done":
                raise ValueError(f"{case}: {row['status']}, {row['error']}")
        return cases, [key(self.story(case)) for case in cases]

    def __repr__(self) -> str:
        return f"Study({self.folder.script.name!r}, {self.explain()})"

"""A study: one script, many settings, a folder of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from sim.arguments import check_count
from sim.progress import counting
from sim.story.compare import compare
from sim.story.comparing.difference import counted
from sim.story.recording import Recording
from sim.story.story import Story
from sim.study.cases import Script, StudyCase, StudyError, listed, mistakes_of
from sim.study.map import (
    Asked,
    Key,
    StoryBorder,
    StoryMap,
    find_border,
    key_of,
    story_map,
)
from sim.study.run import StudyFolder, run_here, run_on_cluster
from sim.table import Table

TOLD = (
    *("id", "status", "events", "digest", "story_digest", "least_distance"),
    *("seconds", "error"),
)
Cases = Mapping[str, Iterable[Any]] | Iterable[dict[str, Any]]


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
        time = (
            "no estimate yet" if self.seconds is None else f"about {self.seconds:.3g} s"
        )
        left = f"{self.missing} to run ({time} on one worker)"
        if not self.missing:
            left = "nothing to run"
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
        names = self.cases[0]
        told = []
        for name in names:
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

    Parameters
    ----------
    script : str or path
        A Python file with a function ``world`` that returns a World.
    cases : mapping of name to list, or list of dict
        The product of the lists in the order given (``grid``, ``steps``), or cases as
        they stand (``sample``).
    frames : int
        How many frames each case runs.
    folder : str or path
        Where results are kept; made if it is not there.  A case that is finished there
        is not run again; studies of one script may share it.

    Raises
    ------
    StudyError
        With all mistakes at once: of script, parameters, values and folder.

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
        columns, rows, found = listed(cases)
        found = mistakes_of(path, columns, rows) + found
        try:
            check_count("frames", frames, least=1)
        except ValueError as error:
            found.append(str(error))
        found += self.folder.mistakes(path)
        if found:
            raise StudyError(found)
        self.script = Script.read(path, check_count("frames", frames, least=1))
        self.lists = columns if isinstance(cases, Mapping) else {}
        unique = {case.id: case for case in map(self.script.case, rows)}
        self.cases: tuple[StudyCase, ...] = tuple(unique.values())
        self.given_up: dict[str, str] = {}  # by id, why; of the last run

    def explain(self) -> Plan:
        """Say how many cases there are, how many are finished; runs nothing."""
        rows = [row for row in map(self.folder.row, self._ids(self.cases)) if row]
        seconds = [row["seconds"] for row in rows if "seconds" in row]
        left = len(self.cases) - len(rows)
        estimate = left * sum(seconds) / len(seconds) if seconds else None
        return Plan(len(self.cases), len(rows), estimate)

    def run(
        self, workers: int = 0, scheduler: str | None = None, *, progress: bool = False
    ) -> Table:
        """Run the cases that are not finished, and return the table.

        Parameters
        ----------
        workers : int
            0: in this process, in order; else so many processes of this machine, by
            dask, of which any may be killed.
        scheduler : str, optional
            The address of a dask scheduler, to run on its workers instead; they need
            the same folder under the same name.
        progress : bool
            Show a bar with the time left on the terminal.

        Raises
        ------
        StudyError
            If another study runs in the folder, or the scheduler does not answer.
        ImportError
            If dask is needed and not there; says what to install.

        Notes
        -----
        Files are the same whoever runs them, in any order.  A case whose script raises
        is finished, with ``status`` "failed"; one that ended its process again and
        again is in ``given_up`` and not finished.
        """
        self._run(self.cases, check_count("workers", workers), scheduler, progress)
        return self.table()

    def _run(
        self,
        cases: Sequence[StudyCase],
        workers: int = 0,
        scheduler: str | None = None,
        progress: bool = False,
    ) -> None:
        """Run the cases of a list that are not finished."""
        missing = [case for case in cases if not self.folder.is_finished(case.id)]
        if not missing:
            return
        self.folder.begin(self.script)
        with self.folder.locked():
            for case in missing:
                self.folder.plan(case, self.script)
            ids, where = self._ids(missing), self.folder.path
            here = workers == 0 and scheduler is None
            going = (
                run_here(where, ids)
                if here
                else run_on_cluster(where, ids, workers, scheduler)
            )
            shown = counting(self.script.path.name) if progress else nullcontext()
            with shown as told:
                for done, (id_, error) in enumerate(going, 1):
                    if error:
                        self.given_up[id_] = error
                    if told is not None:
                        told(done, len(ids))

    @staticmethod
    def _ids(cases: Iterable[StudyCase]) -> list[str]:
        return [case.id for case in cases]

    def row(self, case: StudyCase) -> dict[str, Any]:
        """Return the row of a case, finished or not."""
        row = self.folder.row(case.id)
        if row is None:
            error = self.given_up.get(case.id)
            status = "given up" if error else "not run"
            row = {**case.settings, "id": case.id, "status": status, "error": error}
        return row

    def table(self) -> Table:
        """Return a row a case: its settings, then what came of them.

        Columns: each setting; ``id``, ``status`` ("done", "failed", "given up", "not
        run"), ``events`` (how many), ``digest``, ``story_digest``, ``least_distance``,
        ``seconds``, ``error``.
        """
        names = dict.fromkeys(name for case in self.cases for name in case.settings)
        return Table.of_rows(map(self.row, self.cases), [*names, *TOLD])

    def recording(self, **settings: Any) -> Recording:
        """Open the recording of the finished case with these settings.

        Raises KeyError if there is none.
        """
        case = self.script.case(settings)
        if not self.folder.is_finished(case.id):
            raise KeyError(f"no case with {settings} is finished; run it first")
        return self._open(case.id)

    def _open(self, id_: str) -> Recording:
        return Recording.open(self.folder.case(id_) / "run.vtkhdf")

    def _story(self, id_: str) -> Story:
        with self._open(id_) as recording:
            return Story.of(recording)

    def stories(self) -> tuple[StoryGroup, ...]:
        """Group the finished cases by their story, the largest group first."""
        groups: dict[str, list[StudyCase]] = {}
        for case in self.cases:
            row = self.row(case)
            if row["status"] == "done":
                groups.setdefault(row["story_digest"], []).append(case)
        ordered = sorted(groups.values(), key=len, reverse=True)
        told: list[StoryGroup] = []
        for cases in ordered:
            story = self._story(cases[0].id)
            words = f"{len(story.events)} events"
            if told:
                found = compare(told[0].story, story, numbers=False).differences
                differ = "; ".join(map(str, found[:3])) or "the same events"
                words = f"against the first group: {differ}"
            told.append(StoryGroup(story, tuple(c.settings for c in cases), words))
        return tuple(told)

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

        Parameters
        ----------
        name : str
            Whose listed values are the ends to begin with; the first two neighbours
            that tell different stories are bisected.
        tolerance : float
            How far the ends may be apart at last.
        of : "story", "kinds", or function of a Story
            What must change: any word of the story, frames and features too; which
            kinds of events each pair had, whenever; or what a function returns, as in
            ``of=lambda story: len(story.events)``.
        workers : int
            Processes that run cases; 0 runs them here.
        fixed
            The other settings; those that are left out are the first of their list.

        Raises
        ------
        ValueError
            If all values tell the same story, or a setting is unknown.
        """
        rest = self._rest(fixed, (name,))
        return find_border(self._asked(of, workers), name, tolerance, rest)

    def map(
        self, across: str, up: str, *, of: Key = "kinds", workers: int = 0, **fixed: Any
    ) -> StoryMap:
        """Tell for each pair of listed values which story they have, with few runs.

        Cells of the grid are split only where their corners differ: in the kinds of the
        events of each pair, whenever they happen, or in what ``of`` says (`border`).

        Parameters
        ----------
        across, up : str
            Names of two settings, whose listed values make the grid.
        of : "kinds", "story", or function of a Story
            What tells two stories apart, as for `border`.
        workers : int
            Processes that run cases; 0 runs them here.
        fixed
            The other settings; those that are left out are the first of their list.

        Raises
        ------
        ValueError
            If a setting is unknown, or both are the same one.
        """
        rest = self.beside(across, up, **fixed)
        return story_map(self._asked(of, workers), (across, up), rest)

    def beside(self, across: str, up: str, **fixed: Any) -> dict[str, Any]:
        """Return the settings that a map of two keeps; ValueError where none can be."""
        if across == up:
            raise ValueError(f"a map needs two settings, not {across} twice")
        return self._rest(fixed, (across, up))

    def _asked(self, of: Key, workers: int) -> Asked:
        key = key_of(of)

        def keys(settings: Sequence[dict[str, Any]]) -> list[Any]:
            self.ensure(settings, workers)
            return [key(self.story(one)) for one in settings]

        return Asked(self.lists, self.story, keys)

    def _rest(self, fixed: dict[str, Any], free: tuple[str, ...]) -> dict[str, Any]:
        """Return the settings that stay, and refuse those that are unknown."""
        for name in (*free, *fixed):
            if name not in self.lists:
                known = (
                    ", ".join(self.lists) or "none, since cases were given as a list"
                )
                raise ValueError(f"{name} is no list of this study; there are {known}")
        rest = {k: v[0] for k, v in self.lists.items() if k not in free}
        return rest | fixed

    def story(self, settings: dict[str, Any]) -> Story:
        """Return the story of a case that is finished."""
        return self._story(self.script.case(settings).id)

    def ensure(self, settings: Sequence[dict[str, Any]], workers: int) -> None:
        """Run the cases with these settings that are not finished, listed or not.

        Raises ValueError if one of them fails; says why.
        """
        cases = [self.script.case(one) for one in settings]
        self._run(cases, workers)
        for row, one in zip(map(self.row, cases), settings, strict=True):
            if row["status"] != "done":
                raise ValueError(f"{one}: {row['status']}, {row['error']}")

    def __repr__(self) -> str:
        """Say what it is of, and how far it is."""
        return f"Study({self.script.path.name!r}, {self.explain()})"

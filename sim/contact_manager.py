"""The bodies that meet: one tracker per pair, and what happens to their contacts."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.audit import ConvexityResult
from sim.body.body import Body
from sim.body.guard import remark
from sim.body.placed import Actor, may_have_changed
from sim.events.body_status import BodyMonitor, BodyStatus
from sim.events.event import Changes, Event, FrameEvents
from sim.kernels.layout import CERTIFIED
from sim.kernels.pairs import COLD
from sim.result.answers import PairAnswers
from sim.tracking.broadphase import BroadPhase
from sim.tracking.fallback import saying
from sim.tracking.options import Tracker, refuse_hulls, rest_size
from sim.tracking.pair import PairTracker
from sim.tracking.pair_table import Memory, PairTable, go_on, hand_on
from wingedge.registry import find

Pair = tuple[int, int]  # two bodies by their place in the order, the first one lower
Names = Iterable[tuple[str, str]]
Ids = NDArray[np.int32]
EDITION = attrgetter("edition")


class FrameRecord(NamedTuple):
    """All that a stage may not lose between two frames; replaced as a whole, or not.

    What is not here, the trackers, only saves work: they are made anew from it.
    """

    next_frame: int
    answers: PairAnswers  # of every pair that was looked at
    memory: Memory  # what these pairs remember
    contacts: Ids  # identities of the contacts that last, else -1; one a pair
    next_contact: int
    regions: dict[Pair, int]  # the next identity of a region, where they are found
    statuses: tuple[BodyStatus | None, ...]  # what every body was told to be last
    pairs: PairAnswers  # those that are reported
    events: Sequence[Event] = ()
    written: Any = None  # how far the files are that the frames go to


class ContactRules(NamedTuple):
    """What is fixed for a whole run."""

    contact_distance: float | None = None
    margin: float | None = None
    ignore: tuple[tuple[str, str], ...] = ()
    regions: bool = False  # find all contacts of a pair, not the closest one only


class ContactManager:
    """Answer for every pair of bodies, frame by frame, wherever the bodies are put.

    A world moves the bodies by its script, a replay as they were recorded; both ask
    here what that means.
    """

    def __init__(
        self, bodies: Sequence[Actor], rules: ContactRules, *, threads: int = 1
    ) -> None:
        self.bodies = tuple(bodies)
        self.rules = rules
        self._place = {body.name: k for k, body in enumerate(self.bodies)}
        self._ignored = frozenset(self._pair(a, b) for a, b in rules.ignore)
        if rules.regions:
            for i, j in combinations(range(len(self.bodies)), 2):
                if (i, j) not in self._ignored:
                    refuse_hulls(self.bodies[i], self.bodies[j])
        self._watches = [
            BodyMonitor(body) if isinstance(body, Body) else None
            for body in self.bodies
        ]
        self._pieced = [body for body in self.bodies if not isinstance(body, Body)]
        self._trackers: dict[Pair, Tracker] = {}  # of pairs that the table is not for
        self._leaving: list[Pair] = []  # those that the table takes over
        self._table = PairTable(self.bodies, rules.contact_distance, threads)
        self._near: BroadPhase | None = None
        if rules.margin is not None:
            contact = rules.contact_distance  # none begins farther off, so none unseen
            if contact is None:
                contact = max((1e-3 * rest_size(b) for b in self.bodies), default=0.0)
            self._near = BroadPhase(self._table.boxes, max(rules.margin, contact))
        nothing = PairAnswers(-1, self.bodies, (), np.empty((0, 2), np.int32))
        self.told = FrameRecord(
            next_frame=0,
            answers=nothing,
            memory=Memory(0, 0),
            contacts=np.empty(0, np.int32),
            next_contact=0,
            regions={},
            statuses=(None,) * len(self.bodies),
            pairs=nothing,
        )
        # after which answers the trackers are; None while they are between two frames
        self._reached: PairAnswers | None = nothing

    def advance(self, frame: int) -> tuple[PairAnswers, Sequence[Event]]:
        """Answer for where the bodies are now; return reported pairs and events.

        First what happened to the bodies, in their order, then pair by pair.
        """
        self.told = self.answer(frame)
        return self.told.pairs, self.told.events

    def answer(self, frame: int) -> FrameRecord:
        """Return what is told after this frame, and keep nothing.

        It is kept by ``stage.told = answer``. Where it is not, because anything was
        raised before, at any line, the frame can be asked for again and is answered as
        if it never had been.
        """
        told = self.told
        if self._reached is told.answers:
            for pair in self._leaving:
                del self._trackers[pair]
        else:
            self._go_back(told)
        self._reached, self._leaving = None, []
        looks: dict[int, ConvexityResult] = {}
        known = (k for k, was in enumerate(told.statuses) if was is not None)
        for k in sorted({*may_have_changed(self.bodies), *known}):
            watch = self._watches[k]
            seen = None if watch is None else watch.look(frame, told.statuses[k])
            if seen is not None:
                looks[k] = seen
        self._table.look(frame)
        ends = self._looked_at()
        editions = tuple(map(EDITION, self.bodies))
        answers = PairAnswers(frame, self.bodies, editions, ends)
        begun = self._begun(told, ends)
        memory = self._answer(answers, begun, told)
        of_bodies: list[Event] = []
        statuses = list(told.statuses)
        for k, verdict in looks.items():
            watch = self._watches[k]
            if watch is not None:
                found, statuses[k] = watch.tell(verdict, frame, statuses[k])
                of_bodies += found
        self._remark(answers, looks)
        contacts, next_contact, changes = self._tell(answers, begun, told)
        margin = self.rules.margin
        pairs = answers
        if margin is not None:
            pairs = answers.where(~(answers.distance > margin))
        regions = {}
        if self.rules.regions:
            found_by = self._trackers.items()
            regions = {pair: tracker.next_region for pair, tracker in found_by}
        answered = FrameRecord(
            frame + 1,
            answers,
            memory,
            contacts,
            next_contact,
            told.regions | regions,
            tuple(statuses),
            pairs,
            FrameEvents(tuple(of_bodies), changes),
            told.written,
        )
        self._reached = answers
        return answered

    def _begun(self, told: FrameRecord, ends: Ids) -> Ids:
        """Return the row of each pair in the frame before, or COLD."""
        old = told.answers.ends
        if np.array_equal(old, ends):
            return np.arange(len(ends), dtype=np.int32)
        return self._rows_in(old, ends)

    def _rows_in(self, ends: Ids, wanted: Ids) -> Ids:
        """Return where pairs stand in a list of pairs in their order, or COLD."""
        if len(ends) == 0:
            return np.full(len(wanted), COLD, np.int32)
        keys, found = self._keys(ends), self._keys(wanted)
        at = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
        return np.where(keys[at] == found, at, COLD).astype(np.int32)

    def _answer(self, answers: PairAnswers, begun: Ids, told: FrameRecord) -> Memory:
        """Answer for all pairs: by the table, and by trackers what is not for it."""
        plain = np.zeros(len(answers), bool)
        if not self.rules.regions:
            self._table.plain[answers.ends].all(axis=1, out=plain)
        skipped = ~plain
        if told.answers.editions and told.answers.editions != answers.editions:
            both = zip(told.answers.editions, answers.editions, strict=True)
            edited = np.array([was is not now for was, now in both])
            skipped |= edited[answers.ends].any(axis=1)
        if self._trackers:
            at = {pair: k for k, pair in enumerate(map(tuple, answers.ends.tolist()))}
            for pair in list(self._trackers):
                if pair in at:
                    skipped[at[pair]] = True
                elif self._table.plain[list(pair)].all() and not self.rules.regions:
                    del self._trackers[pair]  # far apart: it begins anew
        memory, status = self._table.answer(answers, begun, told.memory, skipped)
        rest = np.flatnonzero(status != CERTIFIED).tolist()
        found = zip(rest, answers.ends[rest].tolist(), strict=True)
        pairs = {k: (i, j) for k, (i, j) in found}
        trackers = [self._tracker(pairs[k], int(begun[k]), told) for k in rest]
        for body in self._pieced:
            body.settle(answers.frame)
        for k, tracker in zip(rest, trackers, strict=True):
            tracker.next_frame = answers.frame
            answers.put(k, tracker.update())
            if plain[k] and hand_on(tracker, memory, k):
                self._leaving.append(pairs[k])
        return memory

    def _tell(
        self, answers: PairAnswers, begun: Ids, told: FrameRecord
    ) -> tuple[Ids, int, Changes]:
        """Say which contacts last, and of what pairs there is something to tell.

        Returns the identity of each contact, or -1; the next one; the changes.
        """
        contacts = np.full(len(answers), -1, np.int32)
        known = begun != COLD
        contacts[known] = told.contacts[begun[known]]
        meets = answers.meets
        new = meets & (contacts < 0)
        next_contact = told.next_contact + int(np.count_nonzero(new))
        contacts[new] = np.arange(told.next_contact, next_contact)
        quiet = known & answers.is_told_as(told.answers, begun)
        rows = begun[~quiet]
        changes = Changes(
            told.answers.where(rows[rows != COLD]),
            answers.where(~quiet),
            rows != COLD,
            contacts[~quiet],
        )
        contacts[~meets] = -1
        return contacts, next_contact, changes

    def _go_back(self, told: FrameRecord) -> None:
        """Put the trackers where they were when this was told."""
        rows = {pair: k for k, pair in enumerate(told.answers.pairs())}
        for pair, tracker in self._trackers.items():
            state = told.answers.state(rows[pair]) if pair in rows else None
            tracker.resume(state, told.regions.get(pair, 0))

    def ignores(self, a: str, b: str) -> bool:
        """Tell whether the pair of two bodies is never looked at."""
        return self._pair(a, b) in self._ignored

    def _pair(self, a: str, b: str) -> Pair:
        for name in (a, b):
            if name not in self._place:
                raise ValueError(
                    f"ignore names the pair {a}/{b}, but there is no body {name!r}; "
                    f"there are {', '.join(self._place)}"
                )
        first, last = sorted((self._place[a], self._place[b]))
        return first, last

    def _looked_at(self) -> Ids:
        """List the pairs to answer for: near ones, and every contact that lasts.

        In ascending order, (P, 2).
        """
        told = self.told
        if self._near is None:
            ends = np.array(np.triu_indices(len(self.bodies), 1), np.int32).T
        else:
            ends = self._near.near_pairs()
            lasting = told.contacts >= 0
            for k, state in told.answers.kept.items():
                lasting[k] |= len(state.regions) > 0
            also = told.answers.ends[lasting]
            also = also[self._rows_in(ends, also) == COLD]
            if len(also):
                ends = np.concatenate([ends, also])
                ends = ends[np.argsort(self._keys(ends))]
        if self._ignored:
            ignored = self._keys(np.array(sorted(self._ignored)))
            ends = ends[~np.isin(self._keys(ends), ignored)]
        return np.ascontiguousarray(ends)

    def _keys(self, ends: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return a number for each pair, in their order."""
        keys: NDArray[np.int64] = ends[:, 0].astype(np.int64) * len(self.bodies)
        return keys + ends[:, 1]

    def _tracker(self, pair: Pair, row: int, told: FrameRecord) -> Tracker:
        """Return the tracker of a pair; a new one goes on after a row of answers."""
        if pair not in self._trackers:
            a, b = (self.bodies[k] for k in pair)
            contact = self.rules.contact_distance
            whole = isinstance(a, Body) and isinstance(b, Body)
            kind: Any = PairTracker if whole else find("CompoundTracker")
            tracker: Tracker = kind(
                a, b, contact_distance=contact, regions=self.rules.regions
            )
            state = told.answers.state(row) if row >= 0 else None
            tabled = self._table.plain[list(pair)].all() and not self.rules.regions
            if state is not None and tabled:
                go_on(tracker, told.memory, row, state)
            elif state is not None or pair in told.regions:
                tracker.resume(state, told.regions.get(pair, 0))
            self._trackers[pair] = tracker
        return self._trackers[pair]

    def _remark(
        self, answers: PairAnswers, verdicts: dict[int, ConvexityResult]
    ) -> None:
        """Say in the answers which open bodies are inside-out, or have collapsed.

        Closed ones say it themselves.
        """
        said = {
            k: remark(verdict, self.bodies[k].name)
            for k, verdict in verdicts.items()
            if verdict.sign <= 0 and self.bodies[k].is_open
        }
        if said:
            for k in np.flatnonzero(
                np.isin(answers.ends, list(said)).any(axis=1)
            ).tolist():
                texts = [said.get(i, "") for i in answers.ends[k].tolist()]
                answers.put(k, saying(answers.state(k), texts))

"""The bodies that meet: one tracker per pair, and what happens to their contacts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.body.judged import BodyScan
from sim.engine.bound import Bound, ints
from sim.events.body_status import BodyMonitor, BodyStatus
from sim.events.changes import Changes, Named, telling
from sim.events.touch import Touch
from sim.kernels.layout import CERTIFIED
from sim.kernels.rows import COLD, Told, tell_pairs
from sim.result.answers import PairAnswers
from sim.result.state import PairState
from sim.tracking.broadphase import BodyBoxes, BroadPhase
from sim.tracking.carried import Memory
from sim.tracking.held import may_last
from sim.tracking.options import LEVEL, Ends, refuse_hulls
from sim.tracking.pair import PairTracker
from sim.tracking.pair_table import TOLERANCE, PairTable

Pair = tuple[int, int]  # two bodies by their place in the order, the first one lower
Names = Iterable[tuple[str, str]]
Ids = NDArray[np.int32]
HeldPairs = Mapping[Pair, PairState]  # that are told with what an older state names


class FrameRecord(NamedTuple):
    """All that a manager must keep between two frames; always replaced as a whole.

    Trackers are not in it: they only save work, and can be made anew from it.
    """

    next_frame: int
    answers: PairAnswers  # of every pair that was looked at
    memory: Memory  # what these pairs remember
    contacts: Ids  # identities of the contacts that last, else -1; one a pair
    next_contact: int
    regions: dict[Pair, int]  # the next identity of a region, where regions are found
    statuses: tuple[BodyStatus | None, ...]  # of every body, as it was last reported
    versions: tuple[int | None, ...]  # of the positions that were answered for
    new: frozenset[int]  # bodies whose positions were new
    pairs: PairAnswers  # those that are reported
    held: HeldPairs
    events: tuple[Any, Any] = (), ()  # what happened to bodies, and to pairs
    written: Any = None  # how far the files are that the frames go to
    # how a law goes on: its state, packed, and the last frame
    law: tuple[bytes, Any] = (b"", None)


class ContactRules(NamedTuple):
    """What is fixed for a whole run."""

    contact_distance: float | None = None
    margin: float | None = None
    ignore: tuple[tuple[str, str], ...] = ()
    regions: bool = False  # find all contacts of a pair, not the closest one only
    law: str = ""  # the class of what moves bodies in answer to contact
    status: bool = True  # whether is told what becomes of bodies, convex or not
    resolution: tuple[float, ...] = ()  # how far each body's vertices may be off


class ContactManager:
    """Answer for every pair of bodies, frame by frame, wherever the bodies are put.

    A world moves the bodies by its script, a replay as they were recorded; both ask
    here what that means.
    """

    def __init__(
        self, bodies: Sequence[Body], rules: ContactRules, *, threads: int = 1
    ) -> None:
        self.bodies = tuple(bodies)
        self.rules = rules
        self._place = {body.name: k for k, body in enumerate(self.bodies)}
        self._ignored = frozenset(self._pair(a, b) for a, b in rules.ignore)
        self.ignored = self.keys(np.array([*self._ignored], int).reshape(-1, 2))
        if rules.regions:
            for i, j in combinations(range(len(self.bodies)), 2):
                if (i, j) not in self._ignored:
                    refuse_hulls(self.bodies[i], self.bodies[j])
        self._known = rules.resolution or (0.0,) * len(self.bodies)
        self._monitor = BodyMonitor(self.bodies, self._known)
        flagged = (k for k, body in enumerate(self.bodies) if body.convexity == "flag")
        self._flagged = [(k, self.bodies[k]) for k in flagged]
        self.scan = BodyScan(self.bodies)
        # that the table was not for in the frame that was answered last
        self._trackers: dict[Pair, PairTracker] = {}
        contact = rules.contact_distance
        self._table = PairTable(self.bodies, contact, self._known, threads)
        self.reach = self._table.reach  # contact of two bodies begins at the lesser
        self._all_plain = bool(self._table.plain.all())
        self._tell_pairs = Bound(tell_pairs)
        self._near: BroadPhase | None = None
        if rules.margin is None:
            every = np.triu_indices(len(self.bodies), 1)
            self._every = self._apart(np.array(every, np.int32).T.copy())
        else:  # no contact begins farther off, so none is unseen
            far = max([rules.margin, *self.reach])
            self._near = BroadPhase(self._table.boxes, far)
        nothing = PairAnswers(-1, self.bodies, (), np.empty((0, 2), np.int32))
        self.told = FrameRecord(
            next_frame=0,
            answers=nothing,
            memory=Memory(0, 0),
            contacts=np.empty(0, np.int32),
            next_contact=0,
            regions={},
            statuses=(None,) * len(self.bodies),
            versions=(None,) * len(self.bodies),
            new=frozenset(),
            pairs=nothing,
            held={},
        )
        self._reached: object = None  # the answers that the trackers are after

    def bound(self, frame: int) -> BodyBoxes:
        """Bound all bodies in the world where they are now; their boxes are reused."""
        self._table.look(frame)
        return self._table.bound()

    def lasted(self, new: Iterable[bool]) -> None:
        """Say which positions, as they are, were there in the frame before: not new."""
        versions = zip((body.version for body in self.bodies), new, strict=True)
        known = tuple(-1 if is_new else version for version, is_new in versions)
        self.told = self.told._replace(versions=known)

    def answer(self, frame: int) -> FrameRecord:
        """Return the record after this frame, where the bodies are now.

        What happened to the bodies, in their order, comes first, then pair by pair.

        It is kept by ``manager.told = answer``. Where it is not, as anything was raised
        before, at any line, the frame can be asked for again as if it never had been.
        """
        last = self.told
        if self._reached is not last.answers:
            self._trackers = {}  # of a frame that was not taken
        self._reached = None
        self.scan.look()
        changed = self.scan.new(last.versions)
        known = last.statuses, last.answers.editions, self.scan.editions
        asked = changed if self.rules.status else []
        events, statuses = self._monitor.after(asked, frame, *known)
        if asked:  # mostly all bodies, or none
            far = self._monitor.shells.far[: len(asked)]  # type: ignore[index]
            self._table.far[asked if len(asked) < len(self.bodies) else ...] = far
        self._table.saw = last.versions
        self._table.look(frame)
        ends, begun = self._looked_at()
        answers = PairAnswers(frame, self.bodies, self.scan.editions, ends)
        memory, self._trackers = self._answer(answers, begun, last)
        self._remark(answers)
        contacts, next_contact, changes = self._tell(answers, begun, last)
        held: HeldPairs = {}
        if changes and any(self._known):
            changes, held = self._holding(changes, last.held)
        pairs, margin = answers, self.rules.margin
        if margin is not None:
            pairs = answers.where(~(answers.distance > margin))
        trackers = self._trackers.items() if self.rules.regions else ()
        regions = {pair: tracker.next_region for pair, tracker in trackers}
        self._reached = answers
        return last._replace(
            next_frame=frame + 1,
            answers=answers,
            memory=memory,
            contacts=contacts,
            next_contact=next_contact,
            regions=last.regions | regions,
            statuses=statuses,
            versions=self.scan.versions,
            new=frozenset(changed),
            pairs=pairs,
            events=(events, changes or ()),
            held=held,
        )

    def _answer(
        self, answers: PairAnswers, begun: Ids, last: FrameRecord
    ) -> tuple[Memory, dict[Pair, PairTracker]]:
        """Answer for all pairs: by the table, and by trackers those that it cannot.

        Returns what the pairs remember, and the trackers that the next frame needs.
        """
        skipped = np.full(len(answers), self.rules.regions)
        if not (self.rules.regions or self._all_plain):
            skipped = ~np.logical_and(*self._table.plain[answers.ends.T])
        plain = ~skipped
        if last.answers.editions is not answers.editions:
            skipped |= answers.edited_since(last.answers)
        for k, pair in enumerate(answers.pairs() if self._trackers else ()):
            skipped[k] |= pair in self._trackers
        memory, status = self._table.answer(answers, begun, last.memory, skipped)
        trackers = {}
        for k in (status != CERTIFIED).nonzero()[0].tolist():
            i, j = answers.ends[k].tolist()
            tracker = self._tracker((i, j), int(begun[k]), last)
            tracker.next_frame = answers.frame
            tracker.saw = last.versions[i], last.versions[j]
            state = tracker.update()
            answers.put(k, state)
            if plain[k] and tracker.is_plain:
                memory.take(k, *tracker.left())
            else:
                memory.begin(k, state, tracker.overlap())
                trackers[i, j] = tracker
        return memory, trackers

    def _tell(
        self, answers: PairAnswers, begun: Ids, last: FrameRecord
    ) -> tuple[Ids, int, Changes | None]:
        """Say which contacts last, and which pairs have something to report.

        Returns the identity of each contact, or -1; the next one; the changes, if any.
        """
        before = last.answers
        said = np.zeros(len(answers), np.int32)
        said[list(answers.kept)] = 1
        if last.held:
            said[[pair in last.held for pair in answers.pairs()]] = 1
        if before.kept:
            said[np.isin(begun, list(before.kept))] = 1
        if answers.editions is not before.editions:
            said[answers.edited_since(before)] = 1
        contacts = np.empty(len(answers) + 1, np.int32)
        changed = np.empty((len(answers), 2), np.int32)
        tables = Told(
            total=len(answers),
            begun=ints(begun),
            said=ints(said),
            facts=ints(answers.facts),
            parts=ints(answers.parts),
            facts_before=ints(before.facts),
            parts_before=ints(before.parts),
            contacts_before=ints(last.contacts),
            next_contact=last.next_contact,
            contacts=ints(contacts),
            changed=ints(changed),
        )
        changes = None
        if (count := self._tell_pairs(tables)) > 0:
            rows, ids = changed[:count].T.copy()
            old = begun[rows]
            known = old != COLD
            changes = Changes(before.where(old[known]), answers.where(rows), known, ids)
        return contacts[:-1], int(contacts[-1]), changes

    def _holding(self, changes: Changes, held: HeldPairs) -> tuple[Changes, HeldPairs]:
        """Keep to the features that pairs were reported with while they may be closest.

        Where a body got another mesh, its pairs are told with those that they have.
        """
        touches, holding = dict[int, Named](), dict[Pair, PairState]()
        pairs = changes.after.pairs()
        for row, k in enumerate(changes.known.nonzero()[0].tolist()):
            before, state = changes.before.state(row), changes.after.state(k)
            if before.editions != state.editions:
                continue
            was = held.get(pairs[k], before)
            touch, now = touches[k] = Touch.of(was), Touch.of(state)
            if touch != now and "separated" not in (before.regime, state.regime):
                r = self.ends(*pairs[k]).resolution
                r = max(r, TOLERANCE * state.size / LEVEL)
                if may_last(was, state, r):
                    holding[pairs[k]], touches[k] = was, (touch, touch)
        return replace(changes, told=touches), holding

    def ends(self, i: int, j: int) -> Ends:
        """Return from which distances on things are told of a pair of bodies."""
        contact = min(self.reach[i], self.reach[j])
        r = min(max(self._known[i], self._known[j]), 0.25 * contact)
        return Ends(contact, 2.0 * contact, r)

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

    def _looked_at(self) -> tuple[Ids, Ids]:
        """List the pairs to answer for: near ones, and every contact that lasts.

        Returns them in ascending order, (P, 2), and the row of each in the frame
        before, or COLD.
        """
        last, near = self.told, self._near
        if near is not None:
            self._table.bound()
        ends = self._every if near is None else self._apart(near.near_pairs())
        before = last.answers.ends
        if ends is before or np.array_equal(ends, before):  # mostly
            return ends, np.arange(len(ends), dtype=np.int32)
        begun, gone = self.rows(ends, last.answers), last.contacts >= 0
        for k, state in last.answers.kept.items():
            gone[k] |= len(state.regions) > 0
        gone[begun[begun != COLD]] = False
        if gone.any():
            ends = np.concatenate([ends, before[gone]])
            ends = ends[np.argsort(self.keys(ends))]
            begun = self.rows(ends, last.answers)
        return ends, begun

    def _apart(self, ends: Ids) -> Ids:
        """Leave out the pairs that are never looked at."""
        return ends[~np.isin(self.keys(ends), self.ignored)] if self._ignored else ends

    def rows(self, ends: Ids, answers: PairAnswers) -> Ids:
        """Return the row of each pair in some answers, COLD where it has none."""
        keys, known = self.keys(ends), self.keys(answers.ends)
        row = known.searchsorted(keys).astype(np.int32)
        there = known.take(row, mode="clip") if len(known) else COLD
        return np.where(there == keys, row, np.int32(COLD))

    def keys(self, ends: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return a number for each pair, in their order."""
        keys: NDArray[np.integer] = ends[:, 0] * np.int64(len(self.bodies))
        return keys + ends[:, 1]

    def _tracker(self, pair: Pair, row: int, last: FrameRecord) -> PairTracker:
        """Return the tracker of a pair; a new one goes on after a row of answers."""
        if pair in self._trackers:
            return self._trackers[pair]
        own = self.ends(*pair)._asdict() | {"regions": self.rules.regions}
        tracker = PairTracker(*(self.bodies[k] for k in pair), **own)
        state = last.answers.state(row) if row >= 0 else None
        if state is not None or pair in last.regions:
            left = None if state is None else (last.memory, row)
            tracker.resume(state, last.regions.get(pair, 0), left)
        return tracker

    def _remark(self, answers: PairAnswers) -> None:
        """Write the flaws of bodies made with ``"flag"`` into the answers of the table.

        Trackers say it themselves.
        """
        said = [(k, flaw) for k, body in self._flagged if (flaw := body.flaw())]
        if said:
            odd = np.asarray(np.isin(answers.ends, [k for k, _ in said]).any(axis=1))
            odd[list(answers.kept)] = False
            for row in np.flatnonzero(odd).tolist():
                state, ends = answers.state(row), answers.ends[row].tolist()
                reason = "; ".join(sorted(text for k, text in said if k in ends))
                answers.put(row, state.replace(reason=reason))


def retold(frames: Iterable[Any], rules: ContactRules, r: float) -> Iterator[Any]:
    """Answer at another resolution for the positions of frames, beginning anew.

    Raises ValueError where a body gets another mesh.
    """
    manager = None
    for frame in frames:
        if manager is None:
            both = zip(frame.bodies, frame.pairs.bodies, strict=True)
            bodies = [
                Body(x.mesh, name=x.name, convexity=y.convexity, flatness=y.flatness)
                for x, y in both
            ]
            rules = rules._replace(resolution=(r,) * len(bodies))
            manager = ContactManager(bodies, rules)
        for body, x in zip(bodies, frame.bodies, strict=True):
            if x.mesh is not body.mesh:
                raise ValueError(f"body '{x.name}' got another mesh")
            body.points, body.pose = x.points, x.pose
        told = manager.told = manager.answer(frame.index)
        yield telling(replace(frame, pairs=told.pairs, events=()), told.events)

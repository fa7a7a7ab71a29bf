"""The bodies that meet: one tracker per pair, and what happens to their contacts."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.body.audit import ConvexityResult
from sim.body.body import Body
from sim.body.guard import remark
from sim.body.placed import Actor
from sim.broadphase import boxes_of, near_pairs
from sim.events.body_status import BodyMonitor, BodyStatus
from sim.events.event import Event, events_between, region_events
from sim.result.renaming import renamed
from sim.result.state import PairState
from sim.tracking.fallback import saying
from sim.tracking.options import Tracker, refuse_hulls, rest_size
from sim.tracking.pair import PairTracker
from wingedge.registry import find

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


Pair = tuple[int, int]  # two bodies by their place in the order, the first one lower
Names = Iterable[tuple[str, str]]


class PairCheckpoint(NamedTuple):
    """What a pair carries from one frame to the next."""

    pair: Pair
    contact: int  # identity of the contact that lasts, else -1
    state: PairState  # the last answer: its regime, its regions, the corner it chose
    next_region: int = 0  # the next identity of a region


class Checkpoint(NamedTuple):
    """What a stage hands from one frame to the next, beside positions and poses."""

    memories: tuple[PairCheckpoint, ...]  # in the order of the pairs
    statuses: tuple[BodyStatus | None, ...]  # what every body was told to be last
    opened: tuple[bool, ...]  # whether the live array of a body was handed out
    next_contact: int

    def after(self, carry: "Checkpoint") -> "Checkpoint":
        """Carry on: a pair that was not looked at is as it was left."""
        memories = {m.pair: m for m in (*self.memories, *carry.memories)}
        return carry._replace(memories=tuple(memories[p] for p in sorted(memories)))


class FrameRecord(NamedTuple):
    """All that a stage may not lose between two frames; replaced as a whole, or not.

    What is not here, the trackers, only saves work: they are made anew from it.
    """

    next_frame: int
    last: dict[Pair, PairState]  # the last answer of every pair ever looked at
    contacts: dict[Pair, int]  # identities of the contacts that last
    next_contact: int
    regions: dict[Pair, int]  # the next identity of a region, where they are found
    statuses: tuple[BodyStatus | None, ...]  # what every body was told to be last
    pairs: tuple[PairState, ...] = ()  # of the last frame, those that are reported
    events: tuple[Event, ...] = ()  # of the last frame
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
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._running: list[Future[PairState]] = []
        self._watches = [
            BodyMonitor(body) if isinstance(body, Body) else None
            for body in self.bodies
        ]
        self._trackers: dict[Pair, Tracker] = {}
        self.told = FrameRecord(0, {}, {}, 0, {}, (None,) * len(self.bodies))
        # after which answers the trackers are; None while they are between two frames
        self._reached: dict[Pair, PairState] | None = self.told.last

    def advance(self, frame: int) -> tuple[tuple[PairState, ...], tuple[Event, ...]]:
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
        if self._reached is not told.last:
            self._go_back(told)
        self._reached = None
        looks = [
            None if watch is None else watch.look(frame, standing)
            for watch, standing in zip(self._watches, told.statuses, strict=True)
        ]
        pairs = list(self._looked_at())
        states = self._update(pairs, frame)
        events: list[Event] = []
        statuses = list(told.statuses)
        for k, (watch, verdict) in enumerate(zip(self._watches, looks, strict=True)):
            if watch is not None and verdict is not None:
                found, statuses[k] = watch.tell(verdict, frame, statuses[k])
                events += found
        states = self._remarked(states, looks)
        last, contacts = dict(told.last), dict(told.contacts)
        next_contact = told.next_contact
        for pair, state in zip(pairs, states, strict=True):
            before = last.get(pair)
            last[pair] = state
            separated = state.regime == "separated" and pair not in contacts
            if separated and not self.rules.regions:  # nearly always
                continue
            contact = contacts.get(pair, next_contact)
            events += events_between(before, state, contact)
            events += region_events(before, state)
            if state.regime == "separated":
                contacts.pop(pair, None)
            elif pair not in contacts:
                contacts[pair] = contact
                next_contact += 1
        margin = self.rules.margin
        if margin is not None:
            states = [state for state in states if not state.distance > margin]
        regions = {}
        if self.rules.regions:
            regions = {pair: self._trackers[pair].next_region for pair in pairs}
        answered = FrameRecord(
            frame + 1,
            last,
            contacts,
            next_contact,
            told.regions | regions,
            tuple(statuses),
            tuple(states),
            tuple(events),
            told.written,
        )
        self._reached = last
        return answered

    def _go_back(self, told: FrameRecord) -> None:
        """Put the trackers where they were when this was told."""
        if self._running:
            from concurrent.futures import wait

            wait(self._running)
        for pair, tracker in self._trackers.items():
            tracker.resume(told.last.get(pair), told.regions.get(pair, 0))

    def carried(self, frame: int, told: FrameRecord | None = None) -> Checkpoint:
        """Return what is carried out of a frame, of the pairs answered for in it."""
        told = self.told if told is None else told
        last = told.last.items()
        return self._carry(
            told, {p: state for p, state in last if state.frame == frame}
        )

    def remember(self) -> Checkpoint:
        """Return what is carried to the next frame, of every pair ever looked at.

        Raises ValueError if a pair is in contact by a feature that is gone from a
        body's mesh.
        """
        told = self.told
        found: dict[Pair, PairState] = {}
        for pair in sorted(told.last):
            state = told.last[pair]
            last = renamed(state)
            lost = last is not state and state.regions
            if lost or (last is None and state.regime != "separated"):
                raise ValueError(
                    f"bodies '{state.a.name}' and '{state.b.name}' touched by features "
                    "that their meshes no longer have; step the world once before it "
                    "is recorded"
                )
            if last is not None:
                found[pair] = last
        return self._carry(told, found)

    def _carry(self, told: FrameRecord, last: dict[Pair, PairState]) -> Checkpoint:
        memories = tuple(
            PairCheckpoint(
                pair, told.contacts.get(pair, -1), state, told.regions.get(pair, 0)
            )
            for pair, state in sorted(last.items(), key=lambda item: item[0])
        )
        opened = tuple(body.is_open for body in self.bodies)
        return Checkpoint(memories, told.statuses, opened, told.next_contact)

    def recall(self, carry: Checkpoint) -> None:
        """Continue from what another stage with the same bodies remembered."""
        told = self.told
        memories = carry.memories
        kept = {m.pair: m.contact for m in memories if m.contact >= 0}
        self.told = told._replace(
            last=told.last | {m.pair: m.state for m in memories},
            contacts=told.contacts | kept,
            regions=told.regions | {m.pair: m.next_region for m in memories},
            next_contact=carry.next_contact,
            statuses=carry.statuses,
        )

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

    def _looked_at(self) -> Iterator[Pair]:
        """List the pairs to answer for: near ones, and every contact that lasts."""
        count = len(self.bodies)
        pairs: Iterable[Pair] = combinations(range(count), 2)
        if self.rules.margin is not None:
            boxes = boxes_of(self.bodies)
            contact = self.rules.contact_distance  # no contact begins unseen
            if contact is None:
                sizes = (1e-3 * rest_size(body) for body in self.bodies)
                contact = max(sizes, default=0)
            near = near_pairs(boxes, max(self.rules.margin, contact)).tolist()
            told = self.told
            lasting = (pair for pair, last in told.last.items() if last.regions)
            pairs = sorted({*((a, b) for a, b in near), *told.contacts, *lasting})
        return (pair for pair in pairs if pair not in self._ignored)

    def _tracker(self, pair: Pair) -> Tracker:
        if pair not in self._trackers:
            a, b = (self.bodies[k] for k in pair)
            contact = self.rules.contact_distance
            whole = isinstance(a, Body) and isinstance(b, Body)
            kind: Any = PairTracker if whole else find("CompoundTracker")
            tracker: Tracker = kind(
                a, b, contact_distance=contact, regions=self.rules.regions
            )
            if pair in self.told.last:
                next_region = self.told.regions.get(pair, 0)
                tracker.resume(self.told.last[pair], next_region)
            self._trackers[pair] = tracker
        return self._trackers[pair]

    def _update(self, pairs: list[Pair], frame: int) -> list[PairState]:
        trackers = [self._tracker(pair) for pair in pairs]
        for tracker in trackers:
            tracker.next_frame = frame
        for body in self.bodies:  # here, because pairs share them between threads
            if not isinstance(body, Body):
                body.settle(frame)
        if self._threads == 1 or len(trackers) < 2:
            return [tracker.update() for tracker in trackers]
        from concurrent.futures import ThreadPoolExecutor, wait

        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, "wingedge")
        self._running = [self._pool.submit(tracker.update) for tracker in trackers]
        wait(self._running)  # an exception must not leave others at work behind it
        return [answer.result() for answer in self._running]

    def _remarked(
        self, states: list[PairState], verdicts: list[ConvexityResult | None]
    ) -> list[PairState]:
        """Say in the answers which open bodies are inside-out, or have collapsed.

        Closed ones say it themselves.
        """
        said = {
            watch.body.name: remark(verdict, watch.body.name)
            for watch, verdict in zip(self._watches, verdicts, strict=True)
            if watch is not None
            and verdict is not None
            and verdict.sign <= 0
            and watch.body.is_open
        }
        if not said:
            return states
        return [
            saying(state, [said.get(body.name, "") for body in (state.a, state.b)])
            for state in states
        ]

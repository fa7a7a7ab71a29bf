"""The bodies that meet: one tracker per pair, and what happens to their contacts."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.audit import Verdict
from sim.body.body import Body
from sim.body.editions import renamed
from sim.body.guard import remark
from sim.broadphase import boxes_of, near_pairs
from sim.compound import Compound, CompoundTracker
from sim.contact import PairState
from sim.story.detecting.region_events import region_events
from sim.story.detecting.standing import Standing, Watch
from sim.story.events import Event, events_between
from sim.tracking.options import refuse_hulls
from sim.tracking.pair import PairTracker
from sim.tracking.regime import rest_size
from sim.tracking.remarks import saying

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Pair = tuple[int, int]  # two bodies by their place in the order, the first one lower
Tracker = PairTracker | CompoundTracker
Names = Iterable[tuple[str, str]]


class Memory(NamedTuple):
    """What a pair carries from one frame to the next."""

    pair: Pair
    contact: int  # identity of the contact that lasts, else -1
    state: PairState  # the last answer: its regime, its regions, the corner it chose
    next_region: int = 0  # the next identity of a region


class Carry(NamedTuple):
    """What a stage hands from one frame to the next, beside positions and poses."""

    memories: tuple[Memory, ...]  # in the order of the pairs
    standings: tuple[Standing | None, ...]  # what every body was told to be last
    opened: tuple[bool, ...]  # whether the live array of a body was handed out
    next_contact: int


class Rules(NamedTuple):
    """What is fixed for a whole run."""

    contact_distance: float | None = None
    margin: float | None = None
    ignore: tuple[tuple[str, str], ...] = ()
    regions: bool = False  # find all contacts of a pair, not the closest one only


class Stage:
    """Answer for every pair of bodies, frame by frame, wherever the bodies are put.

    A world moves the bodies by its script, a replay as they were recorded; both ask
    here what that means.
    """

    def __init__(
        self, bodies: Sequence[Body | Compound], rules: Rules, *, threads: int = 1
    ) -> None:
        self.bodies = tuple(bodies)
        self.rules = rules
        self._place = {body.name: k for k, body in enumerate(self.bodies)}
        self._ignored = frozenset(self._pair(a, b) for a, b in rules.ignore)
        if rules.regions:
            self._refuse_hulls()
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._watches = [Watch(body) for body in self.bodies if isinstance(body, Body)]
        self._trackers: dict[Pair, Tracker] = {}
        self._last: dict[Pair, PairState] = {}
        self._contacts: dict[Pair, int] = {}
        self.next_contact = 0

    def advance(self, frame: int) -> tuple[tuple[PairState, ...], tuple[Event, ...]]:
        """Answer for where the bodies are now; return reported pairs and events.

        First what happened to the bodies, in their order, then pair by pair.

        Contacts change only when every pair was answered: after an exception the frame
        can be asked for again.
        """
        verdicts = [watch.look(frame) for watch in self._watches]
        pairs = list(self._looked_at())
        states = self._update(pairs, frame)
        events: list[Event] = []
        for watch, verdict in zip(self._watches, verdicts, strict=True):
            events += watch.tell(verdict, frame)
        states = self._remarked(states, verdicts)
        for pair, state in zip(pairs, states, strict=True):
            events += self._tell(pair, state)
        margin = self.rules.margin
        if margin is not None:
            states = [state for state in states if not state.distance > margin]
        return tuple(states), tuple(events)

    def carried(self, frame: int) -> Carry:
        """Return what is carried out of a frame, of the pairs answered for in it."""
        found = [
            Memory(
                pair,
                self._contacts.get(pair, -1),
                state,
                self._trackers[pair].next_region,
            )
            for pair, state in sorted(self._last.items())
            if state.frame == frame
        ]
        return self._carry(found)

    def remember(self) -> Carry:
        """Return what is carried to the next frame, of every pair ever looked at.

        Raises
        ------
        ValueError
            If a pair is in contact by a feature that is gone from a body's mesh.
        """
        found = []
        for pair in sorted(self._last):
            state = self._last[pair]
            last = renamed(state)
            lost = last is not state and state.regions
            if lost or (last is None and state.regime != "separated"):
                raise ValueError(
                    f"bodies '{state.a.name}' and '{state.b.name}' touched by features "
                    "that their meshes no longer have; step the world once before it "
                    "is recorded"
                )
            if last is not None:
                contact = self._contacts.get(pair, -1)
                found.append(
                    Memory(pair, contact, last, self._trackers[pair].next_region)
                )
        return self._carry(found)

    def _carry(self, memories: list[Memory]) -> Carry:
        opened = tuple(body.is_open for body in self.bodies)
        return Carry(tuple(memories), self.standings(), opened, self.next_contact)

    def recall(self, carry: Carry) -> None:
        """Continue from what another stage with the same bodies remembered."""
        for pair, contact, state, next_region in carry.memories:
            self._last[pair] = state
            if contact >= 0:
                self._contacts[pair] = contact
            self._tracker(pair).resume(state, next_region)
        self.next_contact = carry.next_contact
        self.stand(carry.standings)

    def standings(self) -> tuple[Standing | None, ...]:
        """Return what every body was told to be last; None where nobody looked."""
        told = {watch.body.name: watch.standing for watch in self._watches}
        return tuple(told.get(body.name) for body in self.bodies)

    def stand(self, standings: Iterable[Standing | None]) -> None:
        """Continue from what the bodies of another stage were told to be."""
        told = dict(zip(self._place, standings, strict=True))
        for watch in self._watches:
            watch.standing = told[watch.body.name]

    def _refuse_hulls(self) -> None:
        """Refuse a body that stands for its hull where regions of it are wanted."""
        for k, body in enumerate(self.bodies):
            pairs = ((min(k, j), max(k, j)) for j in range(len(self.bodies)) if j != k)
            if any(pair not in self._ignored for pair in pairs):
                refuse_hulls(body)

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
            boxes = boxes_of([_solid_points(body) for body in self.bodies])
            near = near_pairs(boxes, self._reach(self.rules.margin)).tolist()
            lasting = (pair for pair, last in self._last.items() if last.regions)
            pairs = sorted({*((a, b) for a, b in near), *self._contacts, *lasting})
        return (pair for pair in pairs if pair not in self._ignored)

    def _reach(self, margin: float) -> float:
        """Widen the margin so that no contact begins unseen."""
        contact = self.rules.contact_distance
        if contact is None:
            contact = max((1e-3 * rest_size(body) for body in self.bodies), default=0)
        return max(margin, contact)

    def _tracker(self, pair: Pair) -> Tracker:
        if pair not in self._trackers:
            a, b = (self.bodies[k] for k in pair)
            contact = self.rules.contact_distance
            if isinstance(a, Compound) or isinstance(b, Compound):
                tracker: Tracker = CompoundTracker(
                    a, b, contact_distance=contact, regions=self.rules.regions
                )
            else:
                tracker = PairTracker(
                    a, b, contact_distance=contact, regions=self.rules.regions
                )
            self._trackers[pair] = tracker
        return self._trackers[pair]

    def _update(self, pairs: list[Pair], frame: int) -> list[PairState]:
        trackers = [self._tracker(pair) for pair in pairs]
        for tracker in trackers:
            tracker.next_frame = frame
        for body in self.bodies:  # here, because pairs share them between threads
            if isinstance(body, Compound):
                body.settle(frame)
        if self._threads == 1 or len(trackers) < 2:
            return [tracker.update() for tracker in trackers]
        from concurrent.futures import ThreadPoolExecutor, wait

        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, "wingedge")
        answers = [self._pool.submit(tracker.update) for tracker in trackers]
        wait(answers)  # an exception must not leave others at work behind it
        return [answer.result() for answer in answers]

    def _remarked(
        self, states: list[PairState], verdicts: list[Verdict | None]
    ) -> list[PairState]:
        """Say in the answers which open bodies are inside-out, or have collapsed.

        Closed ones say it themselves.
        """
        said = {
            watch.body.name: remark(verdict, watch.body.name)
            for watch, verdict in zip(self._watches, verdicts, strict=True)
            if verdict is not None and verdict.sign <= 0 and watch.body.is_open
        }
        if not said:
            return states
        return [
            saying(state, [said.get(body.name, "") for body in (state.a, state.b)])
            for state in states
        ]

    def _tell(self, pair: Pair, state: PairState) -> tuple[Event, ...]:
        """Tell what happened to a pair, and keep the identity of its contact."""
        contact = self._contacts.get(pair, self.next_contact)
        last = self._last.get(pair)
        events = events_between(last, state, contact)
        events += region_events(last, state)
        self._last[pair] = state
        if state.regime == "separated":
            self._contacts.pop(pair, None)
        elif pair not in self._contacts:
            self._contacts[pair] = contact
            self.next_contact += 1
        return events


def _solid_points(body: Body | Compound) -> NDArray[np.float64]:
    """Return the world points of a body that bound it."""
    if isinstance(body, Compound):
        return body.piece_points()
    return body.world_points()

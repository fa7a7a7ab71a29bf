"""What happened from one frame to the next, told as events."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events.event import REGION_KINDS, Event
from sim.events.touch import Touch, kinds_between, touches_of, way
from sim.kernels.trajectory import SEPARATED
from sim.result.answers import REGIMES, PairAnswers
from sim.result.renaming import links, renamed
from sim.result.state import PairState

Named = tuple[Touch, Touch]  # the features that are told of before, and of now


def events_between(
    before: PairState | None, after: PairState, contact: int, told: Named | None = None
) -> tuple[Event, ...]:
    """Tell what happened to a pair from one frame to the next.

    Parameters: ``before``: the last known state; None if the pair was never looked at;
    ``contact``: identity of the contact that lasts or begins; ``told``: other features
    that it was told with last, or is now, than the states name.

    Where a body got another mesh since, the features of before are called by their
    names of today, or by their old ones where they are gone: a feature that only got
    another number did not change.

    Returns events in the order begin, change, penetrate; or separate, change, end.
    """
    old = "separated" if before is None else before.regime
    if old == after.regime == "separated":
        return ()  # nearly always
    was, now = told or (None, Touch.of(after))
    gone = False
    if before is None or old == "separated":
        was = None
    elif was is None:
        last = renamed(before, after.editions)
        gone = last is None
        was = Touch.of(before if last is None else last)
    changed = was is not None and was != now

    def event(kind: str) -> Event:
        first = was if kind in ("change", "end") else None
        last = None if kind == "end" else now
        path = way(after, first, last) if first and last and not gone else ()
        who = after.a.name, after.b.name, contact
        parts = _parts(last or first, before if gone and not last else after)
        return Event(after.frame, kind, *who, first, last, after, path, **parts)

    return tuple(map(event, kinds_between(old, after.regime, changed)))


def region_events(before: PairState | None, after: PairState) -> tuple[Event, ...]:
    """Tell what happened to the regions of a pair from one frame to the next.

    Two regions are related where they share a pair of faces.  What has no relatives is
    born or dies; what has several comes from a merge or falls apart in a split.  After
    an edit of a mesh all are born anew.

    Returns splits, merges, births, deaths, each by identity.
    """
    was = () if before is None else before.regions
    now = after.regions
    if not (was or now):
        return ()  # nearly always
    related = []
    if before is not None and before.editions == after.editions:
        related = links(*([region.faces for region in both] for both in (was, now)))
    heirs: list[list[int]] = [[] for _ in was]
    parents: list[list[int]] = [[] for _ in now]
    for i, j, _ in related:
        heirs[i].append(now[j].identity)
        parents[j].append(was[i].identity)
    told: dict[str, list[Event]] = {kind: [] for kind in REGION_KINDS}
    for regions, kin, kinds, state in (
        (was, heirs, ("split", "death"), before or after),
        (now, parents, ("merge", "birth"), after),
    ):
        for region, found in zip(regions, kin, strict=True):
            own, others = (region.identity,), tuple(sorted(found))
            if len(found) == 1:
                continue
            kind, touch = (
                (kinds[0], None) if found else (kinds[1], Touch.of(state, region))
            )
            old, new = ((touch, own), (None, others))[:: 1 if "split" in kinds else -1]
            who = after.a.name, after.b.name, *own, old[0], new[0], after, ()
            parts = _parts(touch, state)
            told[kind].append(Event(after.frame, kind, *who, old[1], new[1], **parts))
    return tuple(event for kind in REGION_KINDS for event in told[kind])


def _parts(touch: Touch | None, state: PairState | None) -> dict[str, Any]:
    """Name the parts of an event's features, as they are in a state."""
    return touch.parts(state.mesh_a, state.mesh_b) if touch and state else {}


class Changes(NamedTuple):
    """The pairs of a frame of which there may be something to tell, in their order."""

    before: PairAnswers  # those of them that were answered for in the frame before
    after: PairAnswers
    known: NDArray[np.bool_]  # which those are
    contacts: NDArray[np.int32]  # identities of what lasts, begins or ends; else -1
    told: Mapping[int, Named] = {}  # of which other features are told than named

    def events(self) -> Iterator[Event]:
        """Tell what happened, pair by pair."""
        old = iter(self.before)
        rows = zip(self.after, self.known, self.contacts.tolist(), strict=True)
        for k, (state, known, contact) in enumerate(rows):
            before = next(old) if known else None
            yield from events_between(before, state, contact, self.told.get(k))
            yield from region_events(before, state)

    def bare(self) -> Iterator[Event]:
        """Tell the same as lines do: without states and paths."""
        old, new = self.before, self.after
        if (
            self.told
            or old.kept
            or new.kept
            or (len(old) and old.editions != new.editions)
        ):
            yield from self.events()
            return
        was, now = iter(touches_of(old)), touches_of(new)
        regimes, numbers = iter(old.regimes.tolist()), new.regimes.tolist()
        rows = zip(now, numbers, self.known, self.contacts.tolist(), strict=True)
        for k, (after, regime, known, contact) in enumerate(rows):
            before = next(was) if known else after
            last = REGIMES[next(regimes) if known else SEPARATED]
            _, *both, (own, other) = new.whose(k)
            a, b = (body.name for body in both)
            for kind in kinds_between(last, REGIMES[regime], before != after):
                first = before if kind in ("change", "end") else None
                then = None if kind == "end" else after
                parts = (then or before).parts(own.mesh, other.mesh)
                yield Event(new.frame, kind, a, b, contact, first, then, **parts)


class FrameEvents(Sequence[Event]):
    """The events of a frame, as a tuple; those of pairs are told when first asked for.

    Parameters: ``changes``: whose ``events()`` these are; None: there are none.  Cost:
    some 50 us an event, once.
    """

    def __init__(self, of_bodies: tuple[Event, ...], changes: Any) -> None:
        self._told, self._untold = of_bodies, changes

    def _all(self) -> tuple[Event, ...]:
        if self._untold is not None:
            self._told = (*self._told, *self._untold.events())
            self._untold = None
        return self._told

    def bare(self) -> Iterator[Event]:
        """Go through what the lines of the events say; cheaper where none was read."""
        yield from self._told
        if self._untold is not None:
            yield from self._untold.bare()

    def __len__(self) -> int:
        """Count the events."""
        return len(self._all())

    def __getitem__(self, k: Any) -> Any:
        """Return an event by its place, or those of a slice."""
        return self._all()[k]

    def __eq__(self, other: object) -> bool:
        """Compare event by event."""
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __add__(self, other: Sequence[Event]) -> tuple[Event, ...]:
        """Return these events, and then others."""
        return (*self._all(), *other)

    def __radd__(self, other: Sequence[Event]) -> tuple[Event, ...]:
        """Return other events, and then these."""
        return (*other, *self._all())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what happened, not what it is told from."""
        return tuple, (self._all(),)

    def __repr__(self) -> str:
        """Show the events."""
        return repr(self._all())

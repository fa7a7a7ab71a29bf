"""What happened from one frame to the next, told as events."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.events.event import REGION_KINDS, Event
from sim.events.touch import Late, Touch, later, touches_of
from sim.result.answers import PairAnswers
from sim.result.renaming import links, renamed
from sim.result.state import PairState
from wingedge.mesh import WingedEdgeMesh

Named = tuple[Touch, Touch]  # the features that are told of before, and of now
Seen = tuple[Touch, WingedEdgeMesh, WingedEdgeMesh]  # features, and what has them
T = TypeVar("T", bound=Late)


def events_between(
    before: PairState | None, after: PairState, contact: int
) -> tuple[Event, ...]:
    """Tell what happened to a pair from one frame to the next.

    Parameters: ``before``: the last known state; None if the pair was never looked at;
    ``contact``: identity of the contact that lasts or begins.

    Where a body got another mesh since, the features of before are called by their
    names of today, or by their old ones where they are gone: a feature that only got
    another number did not change.

    Returns events in the order begin, change, penetrate; or separate, change, end.
    """
    regimes = "separated" if before is None else before.regime, after.regime
    last = after
    if before is not None and before.regime != "separated":
        last = renamed(before, after.editions) or before
    who = after.frame, after.a.name, after.b.name, contact
    seen = ((Touch.of(x), x.mesh_a, x.mesh_b) for x in (last, after))
    told = _told(who, regimes, *seen)
    if last.editions != after.editions:  # no path leads from what is gone
        return tuple(replace(event, state=after) for event in told)
    return tuple(event.of(after, contact) for event in told)


def _told(
    who: tuple[int, str, str, int], regimes: tuple[str, str], was: Seen, now: Seen
) -> Iterator[Event]:
    """Tell the same of features, without state and path.

    Parameters: ``who``: in which frame, of which bodies and contact.
    """
    (frame, a, b, contact), (old, new), first, last = who, regimes, was[0], now[0]
    met, meets = old != "separated", new != "separated"
    for kind, did, before, after in (
        ("begin", meets and not met, None, last),
        ("separate", old == "penetrating" != new, None, last),
        ("change", met and meets and first != last, first, last),
        ("penetrate", new == "penetrating" != old, None, last),
        ("end", met and not meets, first, None),
    ):
        if did:
            touch, *meshes = now if after else was
            parts = touch.parts(*meshes)
            yield Event(frame, kind, a, b, contact, before, after, **parts)


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
    told = list[Event]()
    for regions, kin, kinds, state in (
        (was, heirs, ("split", "death"), before or after),
        (now, parents, ("merge", "birth"), after),
    ):
        for region, found in zip(regions, kin, strict=True):
            own, others = (region.identity,), tuple(sorted(found))
            if len(found) == 1:
                continue
            kind, touch = kinds[not found], None if found else Touch.of(state, region)
            old, new = ((touch, own), (None, others))[:: 1 if "split" in kinds else -1]
            who = after.a.name, after.b.name, *own, old[0], new[0], after, ()
            parts = touch.parts(state.mesh_a, state.mesh_b) if touch else {}
            told.append(Event(after.frame, kind, *who, old[1], new[1], **parts))
    return tuple(sorted(told, key=lambda event: REGION_KINDS.index(event.kind)))


@dataclass(frozen=True)
class Changes:
    """The pairs of a frame of which there may be something to tell, in their order."""

    before: PairAnswers  # those of them that were answered for in the frame before
    after: PairAnswers
    known: NDArray[np.bool_]  # which those are
    contacts: NDArray[np.int32]  # identities of what lasts, begins or ends; else -1
    told: Mapping[int, Named] = field(default_factory=dict)  # other than rows name
    bare: bool = False  # whether to tell without states and paths

    def __iter__(self) -> Iterator[Event]:
        """Tell what happened, pair by pair."""
        old, new = self.before, self.after
        last, edited = iter(touches_of(old)), new.edited_since(old).tolist()
        regimes, now = [*old.regime.tolist(), "separated"], new.regime.tolist()
        row = -1
        rows = zip(touches_of(new), self.known, self.contacts.tolist(), strict=True)
        for k, (touch, known, contact) in enumerate(rows):
            row += known
            at, was = (row, next(last)) if known else (-1, touch)
            if known and edited[k]:
                yield from events_between(old.state(at), new.state(k), contact)
            else:
                both = self.told.get(k, (was, touch))
                frame, a, b, (own, other) = new.whose(k)
                who = frame, a.name, b.name, contact
                seen = ((x, own.mesh, other.mesh) for x in both)
                told = _told(who, (regimes[at], now[k]), *seen)
                if not self.bare:
                    state = new.state(k)
                    told = iter([event.of(state, contact) for event in told])
                yield from told
            if at in old.kept or k in new.kept:
                yield from region_events(old.state(at) if known else None, new.state(k))


def telling(value: T, happened: Iterable[Iterable[Event]]) -> T:
    """Let the ``events`` of a frame be told, one after the other, when first read."""
    if any(happened):
        later(value, lambda _: {"events": tuple(chain(*happened))}, "events")
    return value

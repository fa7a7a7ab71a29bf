"""Tell the events of a pair with the changes between them, by time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sim.between.changes import At, Changes, FeatureChanges, Span
from sim.between.moves import Ending, Move
from sim.between.paths import PairPaths
from sim.events.event import Event
from sim.events.touch import Touch
from sim.kernels.between.chain import MET, WITHIN
from sim.result.state import PairState

RANK = {"begin": 0, "separate": 1, "change": 2, "penetrate": 3, "end": 4}


def changes_on(
    paths: PairPaths, at: At, first: PairState, last: PairState
) -> FeatureChanges:
    """Tell what became of the closest features on the way that is loaded.

    ``at`` answers at a time; ``first``, ``last``: the answers at both ends.
    """
    assert paths.moves is not None
    changes = Changes((first.a, first.b), paths.moves, at)
    if rests(paths.moves):
        return changes.over((), first, last)
    there, back = paths.first(0.0), paths.first(0.0, back=True)
    return changes.over(spans_of(there, back), first, last)


def may_change(moves: tuple[Move, Move], first: PairState, last: PairState) -> bool:
    """Say whether it is worth asking what became of closest features in contact.

    Not at rest; nor where the same are named at both ends and they lie on each other,
    or overlap: there changes are only seen.
    """
    if rests(moves):
        return False
    level = len(first.patch) > 1 and len(last.patch) > 1
    overlap = max(first.distance, last.distance) <= 0.0
    return not (level or overlap) or Touch.of(first) != Touch.of(last)


def rests(moves: tuple[Move, Move]) -> bool:
    """Say whether neither body moves."""
    return all(
        move.start is move.end and bool((move.start_map == move.end_map).all())
        for move in moves
    )


def spans_of(there: Ending, back: Ending) -> list[Span]:
    """Cut a way into what is apart, and what may not be."""
    free = 0.0 if there.ended == WITHIN else there.lower
    if free >= 1.0:
        return [(0.0, 1.0, True)]
    again = 1.0 if back.ended == WITHIN else back.upper
    low = there.upper if there.ended == MET else free
    high = back.lower if back.ended == MET else again
    spans = [(0.0, free, True), (low, max(low, high), False), (again, 1.0, True)]
    return [span for span in spans if span[0] < span[1] or not span[2]]


def retold(events: Sequence[Event], found: FeatureChanges) -> tuple[Event, ...]:
    """Tell events of a pair, each with its ``when``, and the changes while in contact.

    By time; what began or ended with other features than those of the frame names the
    features of its time.
    """
    whens = [event.when for event in found.events]
    last = len(whens)

    def known(event: Event) -> int:
        """Count the changes before an event."""
        assert event.when is not None
        return sum(w is not None and w[0] < event.when[1] for w in whens)

    told, since, until = [], 0, last
    for event in events:
        if event.kind == "change":
            continue
        k = known(event)
        touch, state = found.told[k].touch, found.told[k].state
        if event.kind == "end":
            told.append(replace(event, before=touch))
        elif event.after == touch:
            told.append(event)
        else:
            told.append(replace(event, after=touch, state=state))
        since = k if event.kind == "begin" else since
        until = k if event.kind == "end" else until
    told += found.events[since:until]
    return tuple(sorted(told, key=lambda e: (e.when or (0.0, 1.0), RANK[e.kind])))

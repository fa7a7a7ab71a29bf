"""What happens to the regions of a pair: they are born, fall apart, join and die."""

from collections.abc import Sequence
from dataclasses import replace

from sim.contact import PairState
from sim.lineage import links
from sim.region import Region
from sim.story.events import Event, Touch


def region_events(before: Sequence[Region], after: PairState) -> tuple[Event, ...]:
    """Tell what happened to the regions of a pair from one frame to the next.

    Two regions are related where they share a pair of faces.  What has no relatives is
    born or dies; what has several comes from a merge or falls apart in a split.

    Parameters
    ----------
    before : sequence of Region
        Those of the last known state.
    after : PairState
        The state now.

    Returns
    -------
    tuple of Event
        Splits, merges, births, deaths, each by identity.
    """
    now = after.regions
    if not before and not now:
        return ()
    related = links([r.faces for r in before], [r.faces for r in now])
    heirs: list[list[int]] = [[] for _ in before]
    parents: list[list[int]] = [[] for _ in now]
    for i, j, _ in related:
        heirs[i].append(now[j].identity)
        parents[j].append(before[i].identity)
    names = after.a.name, after.b.name
    splits, merges, births, deaths = [], [], [], []
    for region, found in zip(before, heirs, strict=True):
        own = (region.identity,)
        if len(found) > 1:
            children = tuple(sorted(found))
            event = Event(after.frame, "split", *names, *own, state=after)
            splits.append(replace(event, parents=own, children=children))
        elif not found:
            touch = Touch.of(after, region)
            event = Event(after.frame, "death", *names, *own, touch, state=after)
            deaths.append(replace(event, parents=own))
    for region, found in zip(now, parents, strict=True):
        own = (region.identity,)
        if len(found) > 1:
            event = Event(after.frame, "merge", *names, *own, state=after)
            merges.append(replace(event, parents=tuple(sorted(found)), children=own))
        elif not found:
            touch = Touch.of(after, region)
            event = Event(after.frame, "birth", *names, *own, None, touch, after)
            births.append(replace(event, children=own))
    return (*splits, *merges, *births, *deaths)

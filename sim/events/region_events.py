"""What happens to the regions of a pair: they are born, fall apart, join and die."""

from dataclasses import replace

from sim.events.event import Event
from sim.events.touch import Touch
from sim.result.renaming import in_old_names, links, renaming
from sim.result.state import PairState


def region_events(before: PairState | None, after: PairState) -> tuple[Event, ...]:
    """Tell what happened to the regions of a pair from one frame to the next.

    Two regions are related where they share a pair of faces.  What has no relatives is
    born or dies; what has several comes from a merge or falls apart in a split.

    Parameters
    ----------
    before : PairState or None
        The last known state; None if the pair was never looked at.
    after : PairState
        The state now.

    Returns
    -------
    tuple of Event
        Splits, merges, births, deaths, each by identity.
    """
    was = () if before is None else before.regions
    now = after.regions
    if before is None or not (was and now):
        related = []
    else:
        maps = renaming(before, after)
        faces = [in_old_names(region.faces, maps) for region in now]
        related = links([region.faces for region in was], faces)
    heirs: list[list[int]] = [[] for _ in was]
    parents: list[list[int]] = [[] for _ in now]
    for i, j, _ in related:
        heirs[i].append(now[j].identity)
        parents[j].append(was[i].identity)
    names = after.a.name, after.b.name
    splits, merges, births, deaths = [], [], [], []
    for region, found in zip(was, heirs, strict=True):
        own = (region.identity,)
        if len(found) > 1:
            children = tuple(sorted(found))
            event = Event(after.frame, "split", *names, *own, state=after)
            splits.append(replace(event, parents=own, children=children))
        elif not found:
            touch = Touch.of(after if before is None else before, region)
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

"""The same story in other numbers: under a symmetry, or of a renumbered mesh."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sim.events.event import Event
from sim.events.touch import Ends, print_feature
from sim.story.comparing.difference import Difference, counted
from sim.story.comparing.threads import Key, Side, Thread
from wingedge import Feature, WingedEdgeMesh
from wingedge.mesh import mirrored

Ids = NDArray[np.int64]


class Seen(NamedTuple):
    """A feature of one mesh that must become a feature of another.

    A level part with several faces or edges is named by the lowest of them: of it all
    are known, or only that one.
    """

    kind: str
    ours: tuple[int, ...]
    theirs: tuple[int, ...]
    whole: tuple[bool, bool]  # whether all are known, of ours and of theirs


class Renumbering(NamedTuple):
    """An isomorphism: for every vertex, edge and face of A the one of B."""

    vertex: Ids
    edge: Ids
    face: Ids
    turns: bool  # whether it turns the surface inside-out, as a mirror does

    def shape(self, a: WingedEdgeMesh, b: WingedEdgeMesh) -> str:
        """Say what it does to the rest positions: rotation, reflection or neither."""
        p, q = a.points - a.points.mean(axis=0), b.points[self.vertex]
        q = q - q.mean(axis=0)
        u, _, v = np.linalg.svd(p.T @ q)
        off = np.abs(p @ (u @ v) - q).max()
        if off > 1e-9 * np.abs(q).max():
            return ""
        return "rotation" if np.linalg.det(u @ v) > 0.0 else "reflection"


class _Darts(NamedTuple):
    """The half-edges of a mesh: dart ``2 e + side`` runs along the face there."""

    next: list[int]  # along the face
    vertex: Ids  # where it starts
    edge: Ids
    face: Ids

    @classmethod
    def of(cls, mesh: WingedEdgeMesh) -> Self:
        edge, side = np.divmod(np.arange(2 * mesh.n_edges), 2)
        across = mesh.edge_wings[edge, 1 - side, side].astype(np.int64)
        at = mesh.edge_vertices[across, 1] == mesh.edge_vertices[edge, 1 - side]
        ends = (mesh.edge_vertices, mesh.edge_faces)
        vertex, face = (table.ravel().astype(np.int64) for table in ends)
        return cls((2 * across + at).tolist(), vertex, edge, face)

    def at(self, kind: str, ids: tuple[int, ...]) -> list[int]:
        """List the darts of edges, around faces or vertices."""
        found: list[int] = np.flatnonzero(np.isin(getattr(self, kind), ids)).tolist()
        return found


def renumberings(
    a: WingedEdgeMesh, b: WingedEdgeMesh, seen: Iterable[Seen]
) -> Iterator[Renumbering]:
    """Find the isomorphisms of two closed meshes that agree with what was seen.

    A map of a connected surface is fixed by the image of one half-edge, so few have to
    be tried: those at the image of a feature that was seen.  Those that keep the
    outside outside come first.  Cost: O(E) for each.
    """
    wanted = list(seen)
    one, two = ((m.n_vertices, m.n_edges, m.n_faces) for m in (a, b))
    if one != two or not wanted:
        return
    start = min(wanted, key=lambda one: (len(one.ours) * len(one.theirs), one.kind))
    ours = _Darts.of(a)
    for mesh, turns in ((b, False), (mirrored(b), True)):
        theirs = _Darts.of(mesh)
        firsts, images = ours.at(start.kind, start.ours), theirs.at(*start[::2])
        if start.whole == (True, False):  # which of ours is theirs is not known
            images = images[:1]
        else:
            firsts = firsts[:1]
        for first, image in product(firsts, images):
            found = _spread(ours.next, theirs.next, first, image)
            if found is None:
                continue
            vertex, edge, face = (np.zeros(n, np.int64) for n in one)
            vertex[ours.vertex] = theirs.vertex[found]
            edge[ours.edge] = theirs.edge[found]
            face[ours.face] = theirs.face[found]
            full = Renumbering(vertex, edge, face, turns)
            if all(_agrees(full, one) for one in wanted):
                yield full


def _agrees(full: Renumbering, seen: Seen) -> bool:
    table: list[int] = getattr(full, seen.kind).tolist()
    if max(seen.ours) >= len(table):
        return False
    images = {table[k] for k in seen.ours}
    if seen.whole == (True, False):
        return min(images) == seen.theirs[0]
    if seen.whole == (False, True):
        return min(map(table.index, seen.theirs)) == seen.ours[0]
    return images == set(seen.theirs)


def _spread(a: list[int], b: list[int], first: int, image: int) -> Ids | None:
    """Follow what one dart becomes over the surface; None where that contradicts."""
    found = {first: image}
    todo = [first]
    while todo:
        d = todo.pop()
        to = found[d]
        for near, there in ((a[d], b[to]), (d ^ 1, to ^ 1)):
            if near not in found:
                todo.append(near)
            if found.setdefault(near, there) != there:
                return None
    if len(set(found.values())) < len(a):
        return None
    return np.array([found[d] for d in range(len(a))])


Threads = Mapping[Key, Thread]
Parts = tuple[tuple[int, ...] | None, tuple[int, ...] | None]  # None: nobody knows
UNTOLD: Parts = (None, None)
SHOWN = 3  # renumbered features that are named
UNKNOWN = (
    "a renaming of its features, one to one (without its mesh nobody knows whether "
    "that is a symmetry)"
)


class Named(NamedTuple):
    """One feature as the two stories name it, and its level parts where known."""

    ours: Feature
    theirs: Feature
    ends: Ends | None
    their_ends: Ends | None
    parts: Parts  # ours, theirs

    def seen(self) -> Seen:
        """Return what a renumbering must do with it."""
        x, y = self.parts
        return Seen(
            self.ours.kind,
            x or (self.ours.index,),
            y or (self.theirs.index,),
            (x is not None, y is not None),
        )


def relabelled(
    a: Side, b: Side, of_a: Threads, of_b: Threads
) -> list[Difference] | None:
    """Explain all other names by one renumbering of every body, or return None.

    Where both meshes are known, or one and it stands for both: an isomorphism of them
    that agrees with every name of the story.  Where none is known: a renaming that is
    one to one, and seen so often that it is no accident: three features or more have
    other names, and on average each is confirmed once.

    Everything else must be the same: the kinds of events and features, one by one.
    """
    alike = (
        {key: list(map(_blind, thread.events)) for key, thread in threads.items()}
        for threads in (of_a, of_b)
    )
    if next(alike) != next(alike):
        return None
    named: dict[str, list[Named]] = {}
    for key, first in of_a.items():
        for i, one in enumerate(first.events):
            other = of_b[key].events[i]
            for name, pair in _names(a, b, one, other, first.implied[i]):
                named.setdefault(name, []).append(pair)
    found = []
    for name, pairs in named.items():
        moved = [p for p in pairs if (p.ours, p.ends) != (p.theirs, p.their_ends)]
        if not moved:
            continue
        words = _explained(_mesh(a, name), _mesh(b, name), pairs)
        if words is None:
            return None
        pairs_of_names = (
            (print_feature(p.ours, p.ends), print_feature(p.theirs, p.their_ends))
            for p in moved
        )
        said = list(dict.fromkeys(map(" became ".join, pairs_of_names)))
        listed = ", ".join(said[:SHOWN]) + (", ..." if len(said) > SHOWN else "")
        words = f"the same story under {words}: {listed} "
        words += f"({counted(len(said), 'feature')})"
        start, count = a.story.first, len(moved)
        found.append(Difference(start, "relabelled", (name,), words, count=count))
    return found


def _blind(event: Event) -> tuple[object, ...]:
    """Return what an event says beside numbers of features and frames."""
    touches = (event.before, event.after)
    place = event.dent.place.kind if event.dent and event.dent.place else None
    return event.kind, place, *(touch and touch.kind for touch in touches)


def _names(
    a: Side, b: Side, one: Event, other: Event, implied: bool
) -> Iterator[tuple[str, Named]]:
    """Pair the names that two events give to the features of their bodies."""
    dent, dents = one.dent, other.dent
    if dent and dents and dent.place and dents.place:
        yield one.a, Named(dent.place, dents.place, dent.ends, dents.ends, UNTOLD)
    touches = [(one.after, other.after, one.kind in ("begin", "change"))]
    if not implied or one.kind == "death":
        touches.append((one.before, other.before, False))
    for x, y, stated in touches:
        if x is None or y is None:
            continue
        known = [_parts(*at) if stated else UNTOLD for at in ((a, one), (b, other))]
        on_a, on_b = zip(*known, strict=True)
        yield one.a, Named(x.feature_a, y.feature_a, x.ends_a, y.ends_a, on_a)
        yield one.b, Named(x.feature_b, y.feature_b, x.ends_b, y.ends_b, on_b)


def _parts(side: Side, event: Event) -> Parts:
    """Read all faces or edges of the level parts that an event names, if known."""
    frame = side.frame(event.frame)
    with suppress(KeyError):
        if frame is not None:
            numbers = frame.pair(event.a, event.b).numbers
            return numbers.parts_a, numbers.parts_b
    return UNTOLD


def _mesh(side: Side, name: str) -> WingedEdgeMesh | None:
    frame = side.frame(side.story.first)
    return None if frame is None else frame.body(name).mesh


def _explained(
    ours: WingedEdgeMesh | None, theirs: WingedEdgeMesh | None, pairs: list[Named]
) -> str | None:
    """Say what makes all names of one body into the others; None: nothing does."""
    if any("lid" in (p.ours.kind, p.theirs.kind) for p in pairs):
        return None
    first, second = ours or theirs, theirs or ours
    if first is None or second is None:
        return UNKNOWN if _one_to_one(pairs) else None
    seen = {p.seen() for p in pairs}
    ends = second.edge_vertices
    if not all(
        p.their_ends is None
        or (p.theirs.index < len(ends) and tuple(ends[p.theirs.index]) == p.their_ends)
        for p in pairs
    ):
        return None
    found = [
        (not full.shape(first, second), full.turns, full.shape(first, second))
        for full in renumberings(first, second, seen)
    ]
    if not found:
        return None
    _, turns, shape = min(found)
    same = all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("edge_vertices", "edge_faces")
    )
    what = "a symmetry" if same else "a renumbering"
    inside_out = "inside-out, " if turns and not shape else ""
    of = f"a {shape} of its shape" if shape else f"{inside_out}not of its shape"
    known = "" if ours and theirs else ", known of one run only"
    return f"{what} of its mesh ({of}{known})"


def _one_to_one(pairs: list[Named]) -> bool:
    """Say whether a renaming without a mesh is consistent, and no accident."""
    forth: dict[Feature, Feature] = {}
    back: dict[Feature, Feature] = {}
    times: dict[Feature, int] = {}
    for p in pairs:
        if forth.setdefault(p.ours, p.theirs) != p.theirs:
            return False
        if back.setdefault(p.theirs, p.ours) != p.ours:
            return False
        times[p.ours] = times.get(p.ours, 0) + 1
    for p in pairs:
        if p.ends is None or p.their_ends is None:
            continue
        for table, ends, other in (
            (forth, p.ends, p.their_ends),
            (back, p.their_ends, p.ends),
        ):
            images = [table.get(Feature("vertex", v)) for v in ends]
            if any(v is not None and v.index not in other for v in images):
                return False
    moved = [feature for feature, image in forth.items() if feature != image]
    confirmed = sum(times[feature] - 1 for feature in moved)
    return len(moved) >= 3 and confirmed >= len(moved)

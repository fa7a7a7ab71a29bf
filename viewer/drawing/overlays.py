"""Switch layers on and off by name; collect what they show of a frame, as arrays.

Everything is in the world frame, and made of a frame alone: the path of a search needs
the frame before as well.  A layer that is off is not computed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from sim import Frame, PairState
from sim.frame import BodySnapshot
from wingedge import MeshError, WingedEdgeMesh
from wingedge.tables import Floats


def _layer(key: str, does: str, none: str = "", *, on: bool = False) -> Any:
    """Say which key switches a layer, what it shows, and what is said without it."""
    return field(default=on, metadata={"key": key, "does": does, "none": none})


@dataclass
class Layers:
    """What is drawn besides the bodies."""

    contacts: bool = _layer("c", "contacts: closest points and features", on=True)
    normals: bool = _layer("n", "normals", on=True)
    names: bool = _layer("g", "names of features", on=True)
    distance: bool = _layer("d", "distance while apart", "no pair apart")
    elements: bool = _layer("k", "kinds of contact: FV and EE", "no contact")
    depth: bool = _layer("z", "depth and deepest points", "no overlap")
    cover: bool = _layer("o", "outer cover: lids of dents", "no dent to close")
    path: bool = _layer("t", "tried: the path of the search", "no search to tell of")
    forces: bool = _layer("N", "newtons: forces of a law", "no force that a law tells")
    steps: bool = _layer("y", "steps of the search, plotted")
    panel: bool = _layer("i", "story and plots beside the picture", on=True)
    help: bool = _layer("h", "this help")

    def flip(self, name: str) -> None:
        """Show what was hidden, hide what was shown."""
        setattr(self, name, not getattr(self, name))

    def show(self, names: Iterable[str]) -> None:
        """Switch layers on by their names.

        Raises ValueError if there is no layer of a name; nothing is switched then.
        """
        wanted = check_layers(names)
        for name in wanted:
            setattr(self, name, True)


SAID = {layer.name: layer.metadata for layer in fields(Layers)}
NAMES = tuple(SAID)
EXTRA = ("distance", "elements", "depth", "cover", "path", "forces")


def check_layers(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of layers as given; ``ValueError`` if one is no layer."""
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in NAMES:
            raise ValueError(f"layers={name!r}: there are {', '.join(NAMES)}")
    return wanted


class SearchPath(NamedTuple):
    """The parts that a search tried in a frame, in order; of A, of B."""

    places: tuple[Floats, Floats]  # (n, 3) the middle of the part in each step
    said: tuple[str, ...]  # each step in words
    warm: bool  # whether it started from the frame before


class ContactMark(NamedTuple):
    """One of the contacts that a patch is reduced to."""

    kind: str  # "VF" "FV" "EE" ..., A's letter first
    name: str  # "VF v12 f5"
    point: Floats  # (3,) between the two bodies


class Lids(NamedTuple):
    """What closes the dents of a body, and what lies below."""

    lids: Floats  # (t, 3, 3) cover faces that are no true surface
    pockets: Floats  # (s, 3, 3) true faces below them, as fans
    deepest: Floats  # (p, 3) the deepest point of each pocket
    depths: tuple[float, ...]  # of these, below the lids


class Push(NamedTuple):
    """What two bodies do to each other where they touch, as a law says."""

    bodies: tuple[str, str]
    point: Floats  # (3,)
    force: Floats  # (3,) on the second body
    size: float
    share: float  # of the greatest in the frame


class Overlays(NamedTuple):
    """What the layers that are on show of one frame, in the order of the layers."""

    apart: tuple[PairState, ...] = ()
    spots: tuple[ContactMark, ...] = ()
    depths: tuple[PairState, ...] = ()
    lids: tuple[Lids, ...] = ()
    trails: tuple[SearchPath, ...] = ()
    pushes: tuple[Push, ...] = ()
    empty: tuple[str, ...] = ()  # layers that are on and have nothing to show


NOTHING = Overlays()


def overlays_of(
    frame: Frame,
    states: Sequence[PairState],
    layers: Layers,
    before: Frame | None = None,
) -> Overlays:
    """Collect what the layers that are on show; ``before`` is for the path.

    Cost: for ``cover`` a hull of every body with new positions, 40 us a vertex; for
    ``path`` two answers a pair, some 2 ms.
    """
    on = [name for name in EXTRA if getattr(layers, name)]
    if not on:
        return NOTHING
    parts: dict[str, Iterator[Any]] = {  # made where they are asked for
        "distance": (s for s in states if s.distance > 0.0),
        "elements": (spot for s in states for spot in spots(s)),
        "depth": (s for s in states if s.distance < 0.0),
        "cover": (lids for lids in map(lids_of, frame.bodies) if lids is not None),
        "path": (trail(before, frame, s) for s in states),
        "forces": pushes(frame),
    }
    shown: list[Any] = [tuple(parts[n]) if n in on else () for n in EXTRA]
    empty = (n for n, found in zip(EXTRA, shown, strict=True) if n in on and not found)
    return Overlays(*shown)._replace(empty=tuple(empty))


def trail(before: Frame | None, frame: Frame, state: PairState) -> SearchPath:
    """Return what a search tried for a pair."""
    from sim.explain.explain import retrace

    walk = retrace(before, frame, state)
    said, warm = (s.text for s in walk.told.steps), walk.told.before is not None
    return SearchPath((walk.places_a, walk.places_b), tuple(said), warm)


def spots(state: PairState) -> Iterator[ContactMark]:
    """Yield the contacts that a patch is reduced to; none while separated."""
    for contact in state.contacts:
        name = f"{contact.kind} {contact.feature_a} {contact.feature_b}"
        middle = (contact.point_a + contact.point_b) / 2
        yield ContactMark(contact.kind, name, middle)


def pushes(frame: Frame) -> Iterator[Push]:
    """Yield the forces that a law remembers, those of the greatest first.

    As `sim.laws.Affine` names them: ``contact_bodies`` (P, 2), places of bodies in the
    frame, ``contact_point`` and ``contact_force`` (P, 3), on the second of each.
    """
    kinds = {"bodies": np.intp, "point": np.float64, "force": np.float64}
    try:
        places, points, forces = (
            np.asarray(frame.law[f"contact_{name}"]).astype(kind, casting="same_kind")
            for name, kind in kinds.items()
        )
    except (KeyError, TypeError):  # of another law, with a meaning of its own
        return
    shapes, rows = (places.shape, points.shape, forces.shape), forces.shape[:1]
    if shapes != ((*rows, 2), (*rows, 3), (*rows, 3)):
        return
    names, sizes = (
        [b.name for b in frame.bodies],
        np.sqrt((forces * forces).sum(axis=1)),
    )
    known = ((places >= 0) & (places < len(names))).all(axis=1) & (sizes > 0.0)
    known &= np.isfinite(sizes) & np.isfinite(points).all(axis=1)
    order = [k for k in np.argsort(-sizes, kind="stable").tolist() if known[k]]
    for k in order:
        a, b = (names[i] for i in places[k].tolist())
        size = float(sizes[k])
        yield Push((a, b), points[k], forces[k], size, size / float(sizes[order[0]]))


def lids_of(body: BodySnapshot) -> Lids | None:
    """Cover a body, O(V log V); return its lids, None without a dent or if flat."""
    rest, place = _at_rest(body.mesh, body.name, body.points.tobytes()), body.pose.apply
    return rest and rest._replace(
        lids=place(rest.lids.reshape(-1, 3)).reshape(-1, 3, 3),
        pockets=place(rest.pockets.reshape(-1, 3)).reshape(-1, 3, 3),
        deepest=place(rest.deepest),
    )


@lru_cache(maxsize=64)  # a body that only moves is covered once
def _at_rest(mesh: WingedEdgeMesh, name: str, positions: bytes) -> Lids | None:
    from sim.hulls import solid

    points = np.frombuffer(positions).reshape(-1, 3)
    try:
        cover = solid.cover_of(mesh, points, name)
    except MeshError:  # it is flat
        return None
    below = [f for pocket in cover.pockets for f in pocket.faces]
    lids = sorted({k for pocket in cover.pockets for k in pocket.lids})
    return (
        Lids(
            points[cover.faces[lids]],
            points[mesh.fan.vertex[np.isin(mesh.fan.face, below)]],
            np.array([pocket.point for pocket in cover.pockets]),
            tuple(pocket.depth for pocket in cover.pockets),
        )
        if cover.pockets
        else None
    )

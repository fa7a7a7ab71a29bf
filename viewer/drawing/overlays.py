"""Switch layers on and off by name; collect what they show of a frame, as arrays.

Everything is in the world frame, and made of a frame alone: the path of a search needs
the frame before as well.  A layer that is off is not computed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from sim import Frame, PairState
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
    distance: bool = _layer("d", "distance, or depth of an overlap", "all pairs touch")
    path: bool = _layer("t", "tried: the path of the search", "no search to tell of")
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
EXTRA = ("distance", "path")


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


class Overlays(NamedTuple):
    """What the layers that are on show of one frame."""

    spans: tuple[PairState, ...] = ()  # whose distance or depth is drawn
    trails: tuple[SearchPath, ...] = ()
    empty: tuple[str, ...] = ()  # layers that are on and have nothing to show


NOTHING = Overlays()


def overlays_of(
    frame: Frame,
    states: Sequence[PairState],
    layers: Layers,
    before: Frame | None = None,
) -> Overlays:
    """Collect what the layers that are on show; ``before`` is for the path.

    Cost: for ``path`` two answers a pair, some 2 ms.
    """
    spans = tuple(s for s in states if s.distance) if layers.distance else ()
    trails = tuple(trail(before, frame, s) for s in states) if layers.path else ()
    found = zip(EXTRA, (spans, trails), strict=True)
    empty = tuple(n for n, some in found if getattr(layers, n) and not some)
    return Overlays(spans, trails, empty)


def trail(before: Frame | None, frame: Frame, state: PairState) -> SearchPath:
    """Return what a search tried for a pair."""
    from sim.explain.explain import retrace

    walk = retrace(before, frame, state)
    said, warm = (s.text for s in walk.told.steps), walk.told.before is not None
    return SearchPath((walk.places_a, walk.places_b), tuple(said), warm)

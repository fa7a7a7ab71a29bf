"""Switch layers on and off by name."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any


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
    parts: bool = _layer("a", "parts of bodies, each in its tint", "no parts are named")
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
EXTRA = ("distance", "path", "parts")


def check_layers(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of layers as given; ``ValueError`` if one is no layer."""
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in NAMES:
            raise ValueError(f"layers={name!r}: there are {', '.join(NAMES)}")
    return wanted

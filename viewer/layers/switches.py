"""Switch layers on and off by name."""

from collections.abc import Iterable
from dataclasses import dataclass, fields


@dataclass
class Layers:
    """What is drawn besides the bodies."""

    contacts: bool = True  # closest points and features
    normals: bool = True
    names: bool = True  # of features, and distances
    neighbours: bool = False  # of the closest features, in the paper's search order
    distance: bool = False  # a dimension line while apart
    elements: bool = False  # what a contact is reduced to: FV and EE
    depth: bool = False  # how deep, and the deepest points
    cover: bool = False  # lids and pockets of bodies with dents
    path: bool = False  # what the search tried in this frame
    panel: bool = True  # the story and the plots beside the picture
    help: bool = False  # the list of keys

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


NAMES = tuple(field.name for field in fields(Layers))
EXTRA = ("neighbours", "distance", "elements", "depth", "cover", "path")


def check_layers(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of layers as given; ``ValueError`` if one is no layer."""
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in NAMES:
            raise ValueError(f"layers={name!r}: there are {', '.join(NAMES)}")
    return wanted

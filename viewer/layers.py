"""What is drawn besides the bodies: the switches."""

from dataclasses import dataclass


@dataclass
class Layers:
    """What is drawn besides the bodies."""

    contacts: bool = True  # closest points and features
    normals: bool = True
    names: bool = True  # of features, and distances
    panel: bool = True  # the story and the plots beside the picture
    help: bool = False  # the list of keys

    def flip(self, name: str) -> None:
        """Show what was hidden, hide what was shown."""
        setattr(self, name, not getattr(self, name))

"""The state of a window that keys change; nothing is drawn here."""

from viewer.layers import Layers
from viewer.playing.timeline import Timeline


class Controls:
    """A timeline, switches, and whether the picture is out of date.

    Attributes
    ----------
    timeline : Timeline
    layers : Layers
    stale : bool
        Whether something changed since it was drawn.
    follow : bool
        Whether the camera is to frame the contact.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layers = Layers()
        self.stale = True
        self.follow = True

    def flip_loop(self) -> None:
        """Begin again after the last frame, or stay there."""
        self.timeline.loop = not self.timeline.loop

    def frame_contact(self) -> None:
        """Let the camera look at the contact again."""
        self.follow = True

    def tick(self) -> bool:
        """Let time go on; tell whether something is to be drawn anew."""
        self.stale = self.timeline.tick() or self.stale
        return self.stale

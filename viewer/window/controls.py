"""Do what keys ask for: to time, layers, camera, and a body that is held."""

from collections.abc import Callable

import numpy as np

from viewer.arrays import Floats
from viewer.hands.hands import ANGLE, STEP, Hands
from viewer.layers.switches import Layers
from viewer.layout.camera import View
from viewer.playing.timeline import Timeline


class Controls:
    """Everything that a key can change.

    Attributes: ``layers``: what is drawn besides the bodies; ``hands``: what moves and
    moulds bodies; ``eye``: returns the present View: keys move as the picture shows it;
    ``stale``: whether something changed since the last frame was drawn; ``asked``:
    whether a person changed it, or time stopped: it is more than the next frame;
    ``follow``: whether the camera is to frame the contact.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layers = Layers()
        self.hands = Hands(timeline)
        self.eye: Callable[[], View | None] = lambda: None
        self.stale = True
        self.asked = True
        self.follow = True

    def flip_loop(self) -> None:
        """Begin again after the last frame, or stay there."""
        self.timeline.loop = not self.timeline.loop

    def frame_contact(self) -> None:
        """Let the camera look at the contact again."""
        self.follow = True

    def push(self, right: int, up: int, near: int) -> None:
        """Move what is chosen by steps, along the axes that are seen so."""
        view = self.eye()
        if view is None:
            return
        x, y, z = seen_axes(view)
        length = STEP * self.hands.reach()
        self.hands.shift(length * (right * x + up * y + near * z))

    def roll(self, right: int, up: int, near: int) -> None:
        """Turn what is chosen about one of these axes, by so many small angles."""
        view = self.eye()
        if view is None:
            return
        x, y, z = seen_axes(view)
        self.hands.turn(right * x + up * y + near * z, ANGLE)

    def save_session(self) -> None:
        """Save what was seen, and say where on the terminal too."""
        self.hands.save()
        print(self.hands.said)

    def tick(self) -> bool:
        """Let time go on; tell whether something is to be drawn anew."""
        worked, timeline = self.hands.work(), self.timeline
        before = timeline.playing, timeline.trouble
        went = timeline.tick()
        stopped = before != (timeline.playing, timeline.trouble)
        self.asked = self.stale or worked or stopped
        self.stale = went or self.asked
        return self.stale


def seen_axes(view: View) -> tuple[Floats, Floats, Floats]:
    """Return the axes of the world that point right, up and towards the eye.

    Signed unit vectors, each of another axis: those that the picture shows best, the
    one nearest to the eye first. Along them keys move by numbers that can be read, and
    faces that are parallel stay so.
    """
    free = [0, 1, 2]
    found = []
    right, up, back = view.axes()
    for wanted in (back, up, right):
        axis = max(free, key=lambda k, w=wanted: abs(w[k]))  # type: ignore[misc]
        free.remove(axis)
        unit = np.zeros(3)
        unit[axis] = -1.0 if wanted[axis] < 0 else 1.0
        found.append(unit)
    return found[2], found[1], found[0]

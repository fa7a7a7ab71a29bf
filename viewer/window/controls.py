"""Do what keys ask for; add pyvista's slider."""

from collections.abc import Callable
from typing import Any

import numpy as np

from viewer.drawing.camera import View
from viewer.drawing.overlays import Layers
from viewer.theme import Theme
from viewer.timeline import Timeline
from viewer.window.hands import ANGLE, STEP, Hands
from wingedge.tables import Floats

KNOB = 24.0  # pixels that the knob of a slider is long
_THICK, _HIGH = 6.0, 12.0  # pixels of rail and knob


def add_slider(plotter: Any, look: Theme, slid: Callable[[float], object]) -> Any:
    """Add a slider of pyvista from 0 to 1; ``slid`` hears what a person does."""
    ends = 0.0, 1.0
    made = plotter.add_slider_widget(
        None, ends, value=0.0, color=look.faint_ink, fmt=""
    )
    made.KeyPressActivationOff()  # of VTK, by the key i
    bar = made.GetSliderRepresentation()
    bar.SetEndCapLength(0.0)
    bar.ShowSliderLabelOff()
    bar.GetTubeProperty().SetOpacity(0.3)
    made.AddObserver("InteractionEvent", lambda *_: slid(bar.GetValue()))
    return made


def place_slider(
    plotter: Any, widget: Any, share: float, left: float, right: float, height: float
) -> None:
    """Show a share; its knob's middle goes from here to there, pixels of a window."""
    size, bar = plotter.window_size, widget.GetSliderRepresentation()
    # a panel is part of the window, not of the renderer
    wide, high = (max(1, side) for side in plotter.renderer.GetSize())
    bar.SetValue(share)
    bar.SetSliderLength(KNOB / wide)
    bar.SetSliderWidth(_HIGH / high)
    bar.SetEndCapWidth(_HIGH / high)
    bar.SetTubeWidth(_THICK / high)
    for end, x in (
        (bar.GetPoint1Coordinate(), left - KNOB / 2),
        (bar.GetPoint2Coordinate(), right + KNOB / 2),
    ):
        end.SetValue(x / size[0], height / size[1], 0.0)
    bar.Modified()  # it looks at its own time, not at theirs


class Controls:
    """Everything that a key can change.

    What is ``stale`` is drawn anew; ``eye`` gives the present View: keys move as the
    picture shows it.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layers = Layers()
        self.hands = Hands(timeline)
        self.eye: Callable[[], View | None] = lambda: None
        self.stale = self.follow = True

    def push(self, *way: int) -> None:
        """Move what is chosen by steps to the right, up and closer, as it is seen."""
        if (view := self.eye()) is not None:
            step = STEP * self.hands.reach()
            self.hands.shift(step * (np.array(way) @ seen_axes(view)))

    def roll(self, *way: int) -> None:
        """Turn what is chosen about one of these axes, by a small angle."""
        if (view := self.eye()) is not None:
            self.hands.turn(np.array(way) @ seen_axes(view), ANGLE)

    def flip_loop(self) -> None:
        """Begin again after the last frame, or stay there."""
        self.timeline.loop = not self.timeline.loop

    def frame(self) -> None:
        """Let the camera look at the contact again."""
        self.follow = True

    def seek(self, place: float) -> None:
        """Stop time, and go to a frame."""
        self.timeline.pause()
        self.timeline.seek(round(place))
        self.stale = True

    def next_pair(self, by: int = 1) -> None:
        """Look at the next pair, from where it is hidden least."""
        self.hands.next_pair(by)
        self.follow = self.hands.pair is not None

    def record_session(self) -> None:
        """Record from here on, or end that, and say where on the terminal too."""
        self.hands.record()
        print(self.hands.said)

    def tick(self) -> bool:
        """Let time go on; tell whether something is to be drawn anew."""
        worked, timeline = self.hands.work(), self.timeline
        before = timeline.playing, timeline.trouble
        went = timeline.tick()
        stopped = before != (timeline.playing, timeline.trouble)
        self.stale = self.stale or worked or went or stopped
        return self.stale


def seen_axes(view: View) -> Floats:
    """Return axes of the world that point right, up and to the eye, (3, 3).

    Each is another one: keys move by numbers that can be read, and parallel faces stay.
    """
    free, found = np.ones(3, bool), np.zeros((3, 3))
    for row, wanted in reversed(list(enumerate(view.axes()))):
        axis = int(np.where(free, np.abs(wanted), -1.0).argmax())
        free[axis] = False
        found[row, axis] = -1.0 if wanted[axis] < 0 else 1.0
    return found

"""Do what keys ask for; draw the slider below the picture, and hear the mouse."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.drawing.camera import View
from viewer.drawing.hud import Hud
from viewer.drawing.overlays import Layers
from viewer.theme import blended
from viewer.timeline import Timeline
from viewer.window.hands import ANGLE, STEP, Hands
from wingedge.tables import Floats

_FIRST = 10.0  # priority of who hears: before the camera, which they may keep from it


class Mouse:
    """Hear the left button and where the mouse is."""

    def __init__(self, interactor: Any) -> None:
        self._interactor = interactor

    @property
    def place(self) -> tuple[float, float]:
        """Where it is, in pixels from the lower left."""
        x, y = self._interactor.GetEventPosition()
        return float(x), float(y)

    @property
    def control(self) -> bool:
        """Whether Control is held down."""
        return bool(self._interactor.GetControlKey())

    def hear(
        self,
        press: Callable[[], bool],
        move: Callable[[], bool],
        release: Callable[[], bool],
    ) -> None:
        """Call these when it happens; what returns True is kept from all later ones."""
        acts = {
            "LeftButtonPress": press,
            "MouseMove": move,
            "LeftButtonRelease": release,
        }
        tags: dict[str, int] = {}

        def heard(caller: Any, event: str) -> None:
            if acts[event.removesuffix("Event")]():
                caller.GetCommand(tags[event]).AbortFlagOn()

        for event in (f"{act}Event" for act in acts):
            tags[event] = self._interactor.AddObserver(event, heard, _FIRST)
            # once the camera heard of a button that is pressed it is told alone, but
            # for those who only listen
            passive = event == "LeftButtonReleaseEvent"
            self._interactor.GetCommand(tags[event]).SetPassiveObserver(passive)


HIGH = 22.0  # pixels from the lower edge to the rail
RIM = 26.0  # left and right of it
_THICK = 2.0
_KNOB = 24.0, 11.0  # how long and how high
_MARK = 8.0, 16.0  # above the rail, from here to there
_REACH = 18.0  # pixels above and below the rail that are its own
_INK = 0.5  # of the knob: how far from ink towards the faint one


class Slider:
    """Show which place of how many is the present one; go where the mouse says."""

    def __init__(self, seek: Callable[[int], None]) -> None:
        self.first, self.last, self.value = 0, 1, 0
        self.wide = 0.0
        self._seek = seek
        self._held = False

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where the knob is at the first and the last place, in pixels."""
        return (RIM, HIGH), (self.wide - RIM, HIGH)

    def hear(self, mouse: Mouse) -> None:
        """Obey this mouse."""
        self._mouse = mouse
        mouse.hear(self._press, self._move, self._release)

    def write(
        self, hud: Hud, wide: float, span: tuple[int, int, int], events: Sequence[float]
    ) -> None:
        """Draw it for a span (first, last, value), with marks of events."""
        self.wide, (self.first, self.last, self.value) = wide, span
        look, (start, end) = hud.theme, self.ends

        def lay() -> None:
            half = _THICK / 2
            box = [start[0] - _KNOB[0] / 2, HIGH - half]
            box += [end[0] + _KNOB[0] / 2, HIGH + half]
            hud.rectangle(box, blended(look.faint_ink, look.background, _INK))
            for x in np.unique(np.rint(self._seen(np.array(events, np.float64)))):
                # no more of them than pixels
                box = [float(x) - 1, HIGH + _MARK[0], float(x) + 1, HIGH + _MARK[1]]
                hud.rectangle(box, look.ink)

        lay()
        x, (long, high) = float(self._seen(np.float64(self.value))), _KNOB
        knob = [x - long / 2, HIGH - high / 2, x + long / 2, HIGH + high / 2]
        hud.rectangle(knob, look.faint_ink)

    def _seen(self, places: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
        """Return where places are, in pixels from the left."""
        share = (places - self.first) / max(1, self.last - self.first)
        return np.asarray(RIM + (self.wide - 2 * RIM) * share)

    def _press(self) -> bool:
        x, y = self._mouse.place
        reach = RIM - _KNOB[0] / 2
        self._held = abs(y - HIGH) <= _REACH and reach <= x <= self.wide - reach
        return self._held and self._go()

    def _move(self) -> bool:
        return self._held and self._go()

    def _release(self) -> bool:
        held, self._held = self._held, False
        return held

    def _go(self) -> bool:
        share = (self._mouse.place[0] - RIM) / max(1.0, self.wide - 2 * RIM)
        share = min(max(share, 0.0), 1.0)
        self._seek(round(self.first + share * (self.last - self.first)))
        return True


class Controls:
    """Everything that a key can change.

    What is ``stale`` is drawn anew; ``asked`` means that a person changed it; ``eye``
    gives the present View: keys move as the picture shows it.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layers = Layers()
        self.hands = Hands(timeline)
        self.eye: Callable[[], View | None] = lambda: None
        self.stale = True
        self.asked = True
        self.follow = True

    def push(self, *way: int) -> None:
        """Move what is chosen by steps to the right, up and closer, as it is seen."""
        if (view := self.eye()) is not None:
            step = STEP * self.hands.reach()
            self.hands.shift(step * (np.array(way) @ seen_axes(view)))

    def roll(self, *way: int) -> None:
        """Turn what is chosen about one of these axes, by a small angle."""
        if (view := self.eye()) is not None:
            self.hands.turn(np.array(way) @ seen_axes(view), ANGLE)

    def flip(self, layer: str) -> None:
        """Show a layer that was hidden, hide what was shown."""
        self.layers.flip(layer)

    def frame(self) -> None:
        """Let the camera look at the contact again."""
        self.follow = True

    def next_pair(self, by: int = 1) -> None:
        """Look at the next pair, from where it is hidden least."""
        self.hands.next_pair(by)
        self.follow = self.hands.pair is not None

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

"""Draw the slider below the picture, a mark for every event, and hear the mouse."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.drawing.hud import Hud
from viewer.theme import blended

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
        for event, act in (
            ("LeftButtonPressEvent", press),
            ("MouseMoveEvent", move),
            ("LeftButtonReleaseEvent", release),
        ):
            self._observe(event, act)

    def _observe(self, event: str, act: Callable[[], bool]) -> None:
        def heard(caller: Any, _: str) -> None:
            if act():
                caller.GetCommand(tag).AbortFlagOn()

        tag = self._interactor.AddObserver(event, heard, _FIRST)
        # once the camera heard of a button that is pressed it is told alone, but for
        # those who only listen
        passive = event == "LeftButtonReleaseEvent"
        self._interactor.GetCommand(tag).SetPassiveObserver(passive)


HIGH = 22.0  # pixels from the lower edge to the rail
MARGIN = 26.0  # left and right of it
_THICK = 2.0
_KNOB = 24.0, 11.0  # how long and how high
_MARK = 8.0, 16.0  # above the rail, from here to there
_REACH = 18.0  # pixels above and below the rail that are its own
_INK = 0.5  # of the knob: how far from ink towards the faint one


class Slider:
    """Show which place of how many is the present one; go where the mouse says.

    A press anywhere on it, marks and all, goes there, and a drag goes along.

    Parameters: ``seek``: called with the place that the mouse asks for.
    """

    def __init__(self, seek: Callable[[int], None]) -> None:
        self.first, self.last, self.value = 0, 1, 0
        self.wide = 0.0
        self._seek = seek
        self._held = False

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where the knob is at the first and the last place, in pixels."""
        return (MARGIN, HIGH), (self.wide - MARGIN, HIGH)

    def hear(self, mouse: Mouse) -> None:
        """Obey this mouse."""
        self._mouse = mouse
        mouse.hear(self._press, self._move, self._release)

    def write(
        self,
        hud: Hud,
        wide: float,
        span: tuple[int, int, int],
        events: Sequence[int],
    ) -> None:
        """Draw everything.

        Parameters: ``hud``: already begun; ``wide``: of the picture above, in pixels;
        ``span`` (first, last, value): the places that there are, and the present one;
        ``events``: the places where something happened.
        """
        self.wide, (self.first, self.last, self.value) = wide, span
        look, (start, end) = hud.theme, self.ends

        def lay() -> None:
            half = _THICK / 2
            box = [start[0] - _KNOB[0] / 2, HIGH - half]
            box += [end[0] + _KNOB[0] / 2, HIGH + half]
            hud.rectangle(box, blended(look.faint_ink, look.background, _INK))
            x = np.unique(np.rint(self._seen(np.array(events, np.float64))))
            low, high = (np.full(len(x), HIGH + above) for above in _MARK)
            boxes = np.stack([x - 1, low, x + 1, high], axis=1)
            hud.rectangles(boxes, look.ink)  # no more of them than pixels

        hud.once("slider", (events, self.first, self.last, wide), lay)
        x, (long, high) = float(self._seen(np.float64(self.value))), _KNOB
        knob = [x - long / 2, HIGH - high / 2, x + long / 2, HIGH + high / 2]
        hud.rectangle(knob, look.faint_ink)

    def _seen(self, places: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
        """Return where places are, in pixels from the left."""
        share = (places - self.first) / max(1, self.last - self.first)
        return np.asarray(MARGIN + (self.wide - 2 * MARGIN) * share)

    def _press(self) -> bool:
        x, y = self._mouse.place
        reach = MARGIN - _KNOB[0] / 2
        self._held = abs(y - HIGH) <= _REACH and reach <= x <= self.wide - reach
        return self._held and self._go()

    def _move(self) -> bool:
        return self._held and self._go()

    def _release(self) -> bool:
        held, self._held = self._held, False
        return held

    def _go(self) -> bool:
        share = (self._mouse.place[0] - MARGIN) / max(1.0, self.wide - 2 * MARGIN)
        share = min(max(share, 0.0), 1.0)
        self._seek(round(self.first + share * (self.last - self.first)))
        return True

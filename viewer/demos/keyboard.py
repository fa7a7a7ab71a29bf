"""The keys that are held in a window, all of them for its program alone.

pyvista binds q b v C Up Down plus minus, and VTK's interactor styles answer to letters
of their own (r resets the camera, s and w draw surfaces and wires, p picks, e and q
end, f flies, 3 is stereo, j and t change what the mouse does).  A `Keyboard` clears the
first and stands in for the second, so that every letter means what the demo says.
"""

from collections.abc import Callable
from typing import Any

from sim.planar.keys import SHIFT, Keys

ENDS = ("q", "Q", "Escape")
AGAIN = "Home"


class Keyboard:
    """Collect the keys that are held in a plotter's window.

    Parameters
    ----------
    plotter : pyvista.Plotter
        Its keys are taken over, for good.
    end, again : functions
        What q and Escape, and what Home does.
    """

    def __init__(
        self, plotter: Any, end: Callable[[], None], again: Callable[[], None]
    ) -> None:
        self._interactor = plotter.iren.interactor
        self._commands = {**dict.fromkeys(ENDS, end), AGAIN: again}
        self._held: set[str] = set()
        self._tapped: set[str] = set()  # since the keys were taken last
        plotter.iren.clear_key_event_callbacks()
        # a style with an observer of its own leaves characters to it
        plotter.iren.style.AddObserver("CharEvent", lambda *_: None)
        plotter.iren.add_observer("KeyPressEvent", self._pressed)
        plotter.iren.add_observer("KeyReleaseEvent", self._released)

    def take(self) -> Keys:
        """Return the keys of one frame: held now, or tapped since the last one.

        Shift alone is none.
        """
        keys = self._held | self._tapped
        self._tapped.clear()
        return frozenset(keys) if keys - {SHIFT} else frozenset()

    def _pressed(self, *_: object) -> None:
        name = self._name()
        if name in self._commands:
            self._commands[name]()
            return
        self._held.add(name)
        if name != SHIFT:
            self._tapped |= {name, *(self._held & {SHIFT})}

    def _released(self, *_: object) -> None:
        self._held.discard(self._name())

    def _name(self) -> str:
        """Name the key of the present event, and see whether Shift is held with it."""
        symbol = str(self._interactor.GetKeySym())
        if symbol.startswith("Shift"):
            return SHIFT
        if self._interactor.GetShiftKey():
            self._held.add(SHIFT)
        else:
            self._held.discard(SHIFT)
        # on most layouts a digit with Shift is another sign: it is left alone
        return symbol.upper() if len(symbol) == 1 else symbol

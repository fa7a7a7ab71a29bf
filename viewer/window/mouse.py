"""The mouse of a window, heard before the camera hears it."""

from collections.abc import Callable
from typing import Any

_FIRST = 10.0  # priority of who hears: before the camera, which they may keep from it


class Mouse:
    """Hear the left button and where the mouse is.

    Parameters
    ----------
    interactor : vtkRenderWindowInteractor
    """

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

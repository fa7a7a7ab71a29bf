"""Windows in memory, with mouse and keys, on a clock that tests turn."""

import pytest

from viewer.sources import FrameSource, source_of
from viewer.timeline import Timeline


@pytest.fixture
def opened(clock):
    """Open windows on what is shown; they are closed in the end."""
    from viewer.window.window import WindowScreen

    class Handled(WindowScreen):
        def type_key(self, symbol, *, control=False, shift=False):
            """Send a key the way a keyboard does, its character too."""
            keyboard = self.plotter.iren.interactor
            keyboard.SetControlKey(control)
            keyboard.SetShiftKey(shift)
            keyboard.SetKeySym(symbol)
            keyboard.SetKeyCode(symbol if len(symbol) == 1 else "\0")
            keyboard.InvokeEvent("KeyPressEvent")
            keyboard.InvokeEvent("CharEvent")
            keyboard.SetControlKey(False)
            keyboard.SetShiftKey(False)
            self.turn()

        def mouse(self, event, x, y, *, control=False, shift=False):
            place, keys = (round(float(x)), round(float(y))), (int(control), int(shift))
            interactor = self.plotter.iren.interactor
            interactor.SetEventInformation(*place, *keys, "\0", 0, None)
            interactor.InvokeEvent(event)
            self.turn()

        def click(self, x, y):
            self.mouse("LeftButtonPressEvent", x, y)
            self.mouse("LeftButtonReleaseEvent", x, y)

        def settle(self):
            """Serve the window until it has nothing to draw."""
            for _ in range(6):
                self.turn()

    windows = []

    def make(source, *, paused=False, **options):
        is_source = isinstance(source, FrameSource)
        timeline = Timeline(source if is_source else source_of(source), clock=clock)
        windows.append(Handled(off_screen=True, **options))
        window = windows[-1].open(timeline)
        if paused:
            timeline.pause()
            window.settle()
        return window

    yield make
    for window in windows:
        window.close()

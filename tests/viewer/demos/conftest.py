"""Keys as they arrive at a window, off screen."""

import pytest


class Typist:
    """Press and release keys of a plotter as a window does, characters included."""

    def __init__(self, plotter):
        self._plotter = plotter

    def press(self, key, *, shift=False):
        interactor = self._say(key, shift)
        interactor.KeyPressEvent()
        interactor.CharEvent()

    def release(self, key, *, shift=False):
        self._say(key, shift).KeyReleaseEvent()

    def tap(self, key, *, shift=False):
        self.press(key, shift=shift)
        self.release(key, shift=shift)

    def _say(self, key, shift):
        interactor = self._plotter.iren.interactor
        interactor.SetShiftKey(int(shift))
        interactor.SetKeySym(key)
        interactor.SetKeyCode(key if len(key) == 1 else "\0")
        return interactor


@pytest.fixture
def typist():
    return Typist

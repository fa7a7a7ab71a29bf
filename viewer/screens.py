"""Show frames on a window, in memory, in a file or nowhere: one small protocol.

=====================  ===============================================================
`viewer.WindowScreen`  a window, with keys, a slider and the story
`viewer.Page`          a page in a browser, with the same controls
`viewer.ProcessScreen` either of them in a process of its own: nobody waits for it
`OffScreen`            pictures in memory, no display needed
`Recorder`             a recording, of everything that a world is stepped meanwhile
`NullScreen`           nothing: for tests, and to time a run without its pictures
=====================  ===============================================================

``viewer.watch(world, 120, screen=...)`` takes any of them; from a loop of your own call
``screen.show(frame)``.
"""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame, World
from viewer.theme import named
from viewer.timeline import Timeline


@runtime_checkable
class Screen(Protocol):
    """Whatever frames are shown on."""

    def show(self, frame: Frame, events: Sequence[Event] | None = None) -> None:
        """Show another frame; ``events`` instead of its own, where they are given."""

    def close(self) -> None:
        """Show no more; closing twice is no error."""


@runtime_checkable
class Player(Screen, Protocol):
    """A screen with controls of its own: it plays a timeline until a person ends it."""

    def play(self, timeline: Timeline) -> Frame | None:
        """Show a timeline, close, and return the last frame that was shown."""


class Closing:
    """Close at the end of a ``with`` block."""

    def __enter__(self) -> Self:
        """Return the screen."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Show no more; closing twice is no error."""


class NullScreen:
    """Show nothing; ``count`` frames, and keep the last one as ``frame``."""

    def __init__(self) -> None:
        self.count = 0
        self.frame: Frame | None = None
        self.closed = False

    def show(self, frame: Frame, events: Sequence[Event] | None = None) -> None:
        """Count a frame."""
        self.count += 1
        self.frame = frame

    def close(self) -> None:
        """Note that nothing more comes."""
        self.closed = True


class OffScreen:
    """Draw frames into memory; needs no display.

    Raises ImportError, NoPicture if pyvista or GL is missing; says what to install.

    Parameters
    ----------
    size : (width, height)
        Of the picture, in pixels.
    theme : {"light", "dark"}
    supersample : int
        2 draws smoother, and takes four times as long.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "light",
        supersample: int = 1,
    ) -> None:
        from viewer.drawing.scene import Scene

        self.scene = Scene(size=size, supersample=supersample, theme=named(theme))

    def show(self, frame: Frame, events: Sequence[Event] | None = None) -> None:
        """Draw a frame; the camera moves only when a body leaves the picture."""
        known = self.scene.frame is not None and self.scene.contains(frame)
        self.scene.update(frame, keep_camera=known, events=events)

    def image(self) -> NDArray[np.uint8]:
        """Return the picture of the last frame, (height, width, 3), top row first.

        Raises ValueError if nothing was shown yet.
        """
        if self.scene.frame is None:
            raise ValueError("nothing was shown yet; call show(frame) first")
        return self.scene.image()

    def close(self) -> None:
        """Release the plotter."""
        self.scene.close()


class Recorder:
    """Record every frame that a world is stepped until it is closed.

    A recording holds what the trackers carry from frame to frame too, so it is made of
    a world, and `show` takes the frames of that world only. As `World.record` it raises
    RecordingError if the file cannot be written, ValueError if it is recorded already.
    """

    def __init__(self, world: World, path: str | os.PathLike[str]) -> None:
        self._world = world
        self._open = ExitStack()
        self._open.enter_context(world.record(path))
        self.count = 0

    def show(self, frame: Frame, events: Sequence[Event] | None = None) -> None:
        """Count a frame; it was written when the world was stepped.

        Raises ValueError if the world was not just stepped to this frame.
        """
        if frame.index != self._world.index - 1:
            raise ValueError(
                f"frame {frame.index} is not the present one of the world that is "
                f"recorded, {self._world.index - 1}; show each frame when it is made"
            )
        self.count += 1

    def close(self) -> None:
        """Complete the file."""
        self._open.close()

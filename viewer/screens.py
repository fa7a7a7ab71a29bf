"""Show frames on a window, a page, or whatever else: one small protocol.

``viewer.watch(world, 120, screen=...)`` takes any screen: `viewer.WindowScreen`,
`viewer.Page`, `viewer.ProcessScreen`, or one of your own. From a loop of your own call
``screen.show(frame)``.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol, Self

from sim import Frame
from viewer.sources import PushedFrames
from viewer.theme import check_layers, named
from viewer.timeline import Timeline, interruptible

IDLE = 0.004  # seconds to sleep when neither a frame nor a redraw is due


class Screen(Protocol):
    """Whatever frames are shown on."""

    def show(self, frame: Frame) -> None:
        """Show another frame."""

    def close(self) -> None:
        """Show no more; closing twice is no error."""


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


class Live(Closing):
    """Show the frames of a loop or of a timeline, with controls, until it is closed.

    ``pushed`` are the frames that were shown. A subclass opens a timeline, and in
    `turn` shows its next frame if it is due and serves keys, mouse, or a browser.
    """

    closed = is_open = False  # is_open: on a timeline, which has ``controls``
    left_by: tuple[type[BaseException], ...] = ()  # what ends it without a word

    def __init__(self, theme: str, layers: Iterable[str]) -> None:
        self._theme, self._layers = named(theme), check_layers(layers)
        self.pushed = PushedFrames()

    def show(self, frame: Frame) -> None:
        """Show another frame of a loop of your own, and serve the controls.

        A screen that is paused stays at its frame; one that was closed stays closed.
        """
        if self.closed:
            return
        self.pushed.append(frame)
        if not self.is_open:
            self.open(Timeline(self.pushed))
        if self.timeline.playing:
            self.timeline.to_end()
            self.controls.stale = True
        self.turn()

    def play(self, timeline: Timeline) -> Frame | None:
        """Show a timeline until it is closed, by a person or by Ctrl-C; then close.

        Returns the last frame, or raises what ended a running world before its time.
        Ctrl-C ends it between two turns: in a callback of VTK it would end the program.
        """
        with suppress(*self.left_by), self, interruptible() as end_if_asked:
            self.open(timeline)
            while not self.closed:
                end_if_asked()
                self.turn()
        if timeline.source.trouble is not None:
            raise timeline.source.trouble
        return timeline.frame

    def open(self, timeline: Timeline) -> Self:
        """Begin to show a timeline; return the screen."""
        from viewer.window.keys import Controls

        self.timeline, self.controls = timeline, Controls(timeline)
        self.controls.layers.show(self._layers)
        self.is_open = True
        return self

    def turn(self) -> None:
        """Show the next frame if it is due; serve the controls, or sleep a moment."""

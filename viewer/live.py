"""A window that shows a world while it runs, or replays a recording."""

import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim import World
from viewer.gl import probe

if TYPE_CHECKING:
    from sim import Event, Frame, Recording

_LINGER = 60  # frames that an event can be read
_IDLE = 0.004  # seconds to sleep when neither a frame nor a redraw is due


def watch(source: "World | Recording", frames: int | None = None) -> "Frame | None":
    """Show a world while it runs, in a window, until it is closed.

    Space pauses and goes on, Right steps while paused, q or closing the window ends.
    Where no window can be opened one sentence on stderr says why, and the frames that
    were asked for run unseen, so a script ends the same with and without a screen.

    Parameters
    ----------
    source : World or Recording
        What to show; a recording stays on its last frame.
    frames : int, optional
        Stop after so many, and leave the window open on the last one; None goes on
        until the window is closed.

    Returns
    -------
    Frame or None
        The last frame; None if there was not one.
    """
    found = probe()
    upcoming = _frames(source, frames)
    if found.window:
        return _Live(upcoming).run()
    sentence = f"no window can be opened here: {found.no_window}"
    if found.works:
        sentence += "; viewer.picture draws without one"
    print(sentence, file=sys.stderr)
    last = deque(upcoming if frames is not None else (), maxlen=1)
    return last[0] if last else None


def _frames(source: "World | Recording", frames: int | None) -> Iterator["Frame"]:
    if isinstance(source, World):
        done = 0
        while frames is None or done < frames:
            yield source.step()
            done += 1
    else:
        for index in range(min(len(source), len(source) if frames is None else frames)):
            yield source[index]


class _Live:
    """The loop of one window: frames at their own time, keys, redraws."""

    def __init__(self, upcoming: Iterator["Frame"]) -> None:
        from viewer.scene import Scene

        self._upcoming = upcoming
        self._scene = Scene(off_screen=False)
        self._closed = False
        self._paused = False
        self._step = False
        self._touched = False
        self._last: Frame | None = None
        self._due = 0.0
        self._story: deque[Event] = deque(maxlen=3)

    def run(self) -> "Frame | None":
        """Show frame after frame until the window is closed."""
        try:
            self._advance()
            self._open()
            while not self._closed:
                self._turn()
        finally:
            self._scene.close()
        return self._last

    def _open(self) -> None:
        plotter = self._scene.plotter
        plotter.add_key_event("space", self._toggle)
        plotter.add_key_event("Right", self._one)
        plotter.show(interactive_update=True, auto_close=False)
        plotter.iren.add_observer("ExitEvent", self._end)
        self._due = time.perf_counter()

    def _turn(self) -> None:
        """Show the next frame if it is due; serve keys and mouse."""
        plotter = self._scene.plotter
        due = not self._paused and time.perf_counter() >= self._due
        if self._step or due:
            self._step = False
            self._advance()
            plotter.render()
        elif self._scene.camera_moved():
            self._touched = True  # from now on the camera is the user's
            self._scene.annotate()  # markers keep their size, texts their distance
            plotter.render()
        else:
            time.sleep(_IDLE)
        plotter.iren.process_events()

    def _advance(self) -> None:
        before = self._last
        frame = next(self._upcoming, None)
        if frame is None:
            self._due = float("inf")
            return
        self._last = frame
        self._story.extend(frame.events)
        recent = [e for e in self._story if frame.index - e.frame <= _LINGER]
        keep = before is not None and (self._touched or self._scene.contains(frame))
        self._scene.update(frame, keep_camera=keep, events=recent)
        if before is not None:
            # in time with the world; what is late is not made up for
            now = time.perf_counter()
            self._due = max(self._due + frame.time - before.time, now)

    def _toggle(self) -> None:
        self._paused = not self._paused
        self._due = max(self._due, time.perf_counter())

    def _one(self) -> None:
        self._step = True
        self._paused = True

    def _end(self, *_: object) -> None:
        self._closed = True

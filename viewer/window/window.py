"""Run the loop of one window: frames at their own time, keys, redraws."""

import sys
import time
from bisect import bisect_left
from collections.abc import Iterable
from functools import partial
from operator import itemgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sim import Event
from viewer.drawing.captions import Shot
from viewer.drawing.glyphs import Names, concerns
from viewer.drawing.hud import Hud
from viewer.drawing.scene import Scene
from viewer.screens import IDLE, Live
from viewer.theme import EXTRA, MARGIN, TEXT_SIZE, blended
from viewer.timeline import Timeline
from viewer.window.handling import Handling
from viewer.window.keys import KEYS, press, write_help
from viewer.window.panel import WIDTH, Panel, SheetLine, fold, write_sheet
from wingedge.registry import attributes

BAR = 56.0  # pixels below the picture, for the slider
HIGH, RIM = 22.0, 26.0  # pixels from the lower edge to the slider, and beside it
_RAIL, _KNOB = 3.0, (12.0, 6.0)  # pixels: half of the height; of the slider's knob
_MARK = 8.0, 16.0  # pixels above the slider, from here to there: an event
_KEYS = "h: keys"
_LAG = 0.05  # seconds that story and plots may be behind the picture
_READ = 8  # frames that an event can be read while it plays
_ROOM = 900, 480  # pixels of a window that has room for a panel beside its picture


class WindowScreen(Live):
    """Show frames in a window, until it is closed.

    Once a timeline is open there are ``scene``, which draws, with its ``plotter``;
    ``pushed`` are the frames that were shown, ``closed`` says whether it shows no more:
    closed by a person, or by `close`.

    Parameters: ``size``: of the window, in pixels; ``theme``: "light" or "dark";
    ``layers``: to switch on, as for `viewer.picture`; ``off_screen``: draw into memory,
    for tests.
    """

    __getattr__ = attributes("viewer.window.window.WindowScreen")

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "light",
        layers: Iterable[str] = (),
        off_screen: bool = False,
    ) -> None:
        super().__init__(theme, layers)
        self._look: dict[str, Any] = {"size": size, "off_screen": off_screen}
        self._touched = False  # the camera is the user's
        self._room: tuple[object, ...] = ()  # that is left to the picture
        self._drawn: tuple[int, ...] = ()  # the size of the window that was drawn
        self._written = 0.0  # when all that is beside the picture was
        self._waits = False  # whether that is due

    def open(self, timeline: Timeline) -> Self:
        """Open the window on a timeline; return the screen."""
        super().open(timeline)
        if not self._look["off_screen"] and sys.stdout.isatty():
            print(f"a window opens; {_KEYS}, q: end")
        controls = self.controls
        self.scene = scene = Scene(theme=self._theme, **self._look)
        scene.layers, plotter = controls.layers, scene.plotter
        self._hud = Hud(scene.overlay, 1.0, scene.theme)
        self._panel = Panel(plotter, scene.theme, BAR)
        self.handling = Handling(scene, controls, BAR, self._slide)
        self.draw()
        for key in KEYS:
            plotter.add_key_event(key.symbol, partial(self.press, key.symbol))
        plotter.show(interactive_update=True, auto_close=False)
        self._panel.rest()
        plotter.iren.add_observer("ExitEvent", self._end)
        controls.stale = True
        return self

    @property
    def plotter(self) -> Any:
        """The plotter of the scene."""
        return self.scene.plotter

    def turn(self) -> None:
        """Show the next frame if it is due; serve keys and mouse, or sleep a moment."""
        if not self.is_open or self.closed:
            time.sleep(IDLE)
            return
        fills = self._panel.fills and not self.timeline.playing
        due = self._waits and self.timeline.clock() - self._written >= _LAG
        resized = self._drawn != tuple(self.plotter.window_size)
        if fills or due or resized:
            self.controls.stale = True  # also while time stands still
        if self.controls.tick():
            self.draw()
        elif self.scene.camera_moved():
            self._touched = True
            self.scene.annotate()  # markers keep their size, texts their distance
            self.handling.mark()
            self._render()
        else:
            time.sleep(IDLE)
        self.plotter.iren.process_events()

    def press(self, symbol: str) -> None:
        """Do what a key does, by its name in `viewer.window.keys`."""
        press(self.controls, symbol)

    def draw(self) -> None:
        """Draw the present frame, and everything around it."""
        frame, controls, scene = self.timeline.frame, self.controls, self.scene
        controls.stale = False
        self._drawn = tuple(self.plotter.window_size)
        if frame is None:
            return
        layers, line, hands = controls.layers, self.timeline, controls.hands
        has_panel = layers.panel and all(np.greater_equal(self._drawn, _ROOM))
        room = has_panel, self._drawn, *(getattr(layers, x) for x in EXTRA)
        fresh = room != self._room
        if fresh:  # lines of the legend take some of it
            self._room = room
            scene.leave(round(WIDTH) if has_panel else 0)
            controls.follow = controls.follow or not self._touched
        self._touched = self._touched and not controls.follow
        # what is beside the picture may lag while frames come
        self._waits = line.playing and not fresh
        self._waits = self._waits and line.clock() - self._written < _LAG
        keep: bool | None = not controls.follow
        if keep and not (self._touched or self._waits):
            keep = None  # as long as it sees all
        controls.follow = False
        said = fold(self._hud, [SheetLine(hands.said, bold=True)], 0.9 * scene.size[0])
        happened = self._happened(hands.looked_at)
        events: list[Event | str] = [*happened, *(row.words for row in said)]
        before = line.before if layers.path else None
        shot = Shot(hands.looked_at, BAR)
        scene.update(frame, keep_camera=keep, before=before, events=events, shot=shot)
        self.handling.mark()
        if not self._waits:
            self._written = line.clock()
            self._write()
            self._panel.write(line, hands, shown=has_panel)
        self._render()

    def image(self) -> NDArray[np.uint8]:
        """Return what is shown, (height, width, 3), top row first."""
        return np.array(self.plotter.screenshot(return_img=True))[..., :3]

    def close(self) -> None:
        """Close the window; closing twice is no error."""
        self.closed = True
        if self.is_open:
            self.is_open = False
            self._panel.close()
            self.scene.close()

    def _happened(self, looked_at: Names) -> list[Event]:
        """Return the events of this frame, while it plays of those just before too."""
        events, last = self.timeline.source.events(), self.timeline.position
        first = last - _READ if self.timeline.playing else last
        ends = (bisect_left(events, k, key=itemgetter(0)) for k in (first, last + 1))
        return [e for _, e in events[slice(*ends)] if concerns(e, looked_at)]

    def _render(self) -> None:
        self.plotter.render()
        self._panel.rest()

    def _write(self) -> None:
        """Draw slider and events; say how time goes, and what ended it."""
        line, hud, wide = self.timeline, self._hud, self.scene.size[0]
        hud.begin()
        look, (long, high) = hud.theme, _KNOB
        frames, (left, right) = self._rail()
        box = left - long, HIGH - _RAIL, right + long, HIGH + _RAIL
        hud.rectangle(box, blended(look.faint_ink, look.background, 0.7))
        x = float(np.interp(line.position, frames, (left, right)))
        hud.rectangle((x - long, HIGH - high, x + long, HIGH + high), look.faint_ink)
        # no more marks than pixels
        marks = np.interp(line.event_places(), frames, (left, right))
        for x in np.unique(np.rint(marks)).tolist():
            hud.rectangle((x - 1, HIGH + _MARK[0], x + 1, HIGH + _MARK[1]), look.ink)
        words = "playing" if line.playing else "paused"
        words += f" at {line.speed:g}x{', looping' if line.loop else ''}    {_KEYS}"
        text = hud.text(words, TEXT_SIZE - 1, look.faint_ink)
        hud.put(text, wide - RIM - hud.measure(text)[0], HIGH + 18)
        if self.controls.layers.help:
            write_help(hud, self.scene.size)
        if (trouble := line.trouble) is not None:
            notes = " ".join(getattr(trouble, "__notes__", []))
            lines = [SheetLine(x, bold=True) for x in (str(trouble), notes)]
            place = MARGIN, BAR + MARGIN / 2, wide - 2 * MARGIN
            write_sheet(hud, fold(hud, lines, place[2]), place, look.trouble)
        hud.finish()

    def _rail(self) -> tuple[tuple[int, int], tuple[float, float]]:
        """Return first and last frame, and where the slider has them, in pixels."""
        first, last = self.timeline.source.first, len(self.timeline.source) - 1
        right = max(RIM + 1, self.scene.size[0] - RIM)
        return (first, max(first + 1, last)), (RIM, right)

    def _slide(self, x: float) -> None:
        """Go to the frame that is there on the slider."""
        frames, pixels = self._rail()
        self.controls.seek(float(np.interp(x, pixels, frames)))

    def _end(self, *_: object) -> None:
        self.closed = True

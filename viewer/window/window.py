"""Run the loop of one window: frames at their own time, keys, redraws."""

import sys
import time
from bisect import bisect_left
from collections.abc import Iterable
from functools import partial
from operator import itemgetter
from textwrap import wrap
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sim import Event
from viewer.drawing.camera import Border
from viewer.drawing.glyphs import Names, concerns
from viewer.drawing.hud import Hud
from viewer.drawing.overlays import EXTRA
from viewer.drawing.scene import Scene, Shot
from viewer.screens import IDLE, Live
from viewer.theme import MARGIN, TEXT_SIZE
from viewer.timeline import Timeline
from viewer.window.controls import add_slider, place_slider
from viewer.window.handling import Handling
from viewer.window.keys import called, press, watched, write_help
from viewer.window.panel import WIDTH, Panel
from viewer.window.sheets import SheetLine, write_sheet
from wingedge.registry import attributes

_BAR = 56.0  # pixels below the picture, for the slider
HIGH, RIM = 22.0, 26.0  # pixels from the lower edge to the slider, and beside it
_MARK = 8.0, 16.0  # pixels above the slider, from here to there: an event
_KEYS = "h: keys"
_LAG = 0.05  # seconds that story and plots may be behind the picture
_READ = 8  # frames that an event can be read while it plays
_TOLD = 3  # lines for what went wrong, and one for where
_LETTER = 10.0  # pixels, of one of them, bold
_STORY = 130.0  # pixels of the story that a sheet leaves: five events
_ROOM = (900, 480)  # pixels of a window that has room for a panel beside its picture


class WindowScreen(Live):
    """Show frames in a window, until it is closed.

    Once a timeline is open there are ``scene``, which draws, with its ``plotter``.

    Parameters
    ----------
    size : (width, height)
        Of the window, in pixels.
    theme : {"light", "dark"}
    layers : iterable of str
        Layers to switch on, as for `viewer.picture`.
    off_screen : bool
        Draw into memory, for tests.

    Attributes
    ----------
    pushed : PushedFrames
        The frames that were shown.
    closed : bool
        Whether it shows no more: closed by a person, or by `close`.
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
        self._size, self._off_screen = size, off_screen
        self._touched = False  # the camera is the user's
        self._room: tuple[object, ...] = ()  # that is left to the picture
        self._drawn: tuple[int, ...] = ()  # the size of the window that was drawn
        self._written = 0.0  # when all that is beside the picture was
        self._waits = False  # whether that is due

    def open(self, timeline: Timeline) -> Self:
        """Open the window on a timeline; return the screen."""
        super().open(timeline)
        if not self._off_screen and sys.stdout.isatty():
            print(f"a window opens; {_KEYS}, q: end")
        controls = self.controls
        look: dict[str, Any] = {"size": self._size, "off_screen": self._off_screen}
        self.scene = scene = Scene(theme=self._theme, **look)
        scene.layers, plotter = controls.layers, scene.plotter
        self._hud = Hud(scene.overlay, 1.0, scene.theme)
        self._panel = Panel(plotter, scene.theme, _BAR)
        self.slider = add_slider(plotter, scene.theme, self._seek)
        self.handling = Handling(scene, controls.hands, _BAR)
        self.draw()
        keyboard = plotter.iren.interactor

        def typed(symbol: str) -> None:
            shift, control = keyboard.GetShiftKey(), keyboard.GetControlKey()
            self.press(called(symbol, shift=bool(shift), control=bool(control)))

        for symbol in watched():
            plotter.add_key_event(symbol, partial(typed, symbol))
        plotter.show(interactive_update=True, auto_close=False)
        self._panel.rest()
        plotter.iren.add_observer("ExitEvent", self._end)
        controls.eye = lambda: scene.view
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
        if self.handling.turn() or fills or due or resized:
            self.controls.stale = True  # also while time stands still
        if self.controls.tick():
            self.draw()
        elif self.scene.camera_moved():
            self._touched = True
            self.scene.annotate()  # markers keep their size, texts their distance
            self.handling.mark()
            self._render()
        elif self._panel.stale:
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
        panel, handling, looked_at = self._has_panel(), self.handling, hands.looked_at
        scene.leave(round(WIDTH) if panel else 0)
        handling.right = 0.0 if panel or hands.chosen is None else WIDTH
        free = Border(0.0, handling.right, _BAR, 0.0)
        room = panel, self._drawn, free, *(getattr(layers, x) for x in EXTRA)
        fresh = room != self._room
        if fresh:  # lines of the legend take some of it
            self._room = room
            controls.follow = controls.follow or not self._touched
        self._touched = self._touched and not controls.follow
        # what is beside the picture may lag while frames come
        lags = line.playing and frame is not scene.frame and not fresh
        self._waits = lags and line.clock() - self._written < _LAG
        keep: bool | None = not controls.follow
        if keep and not (self._touched or self._waits):
            keep = None  # as long as it sees all
        controls.follow = False
        # in a low window the sheet needs the room
        events = () if layers.help else self._happened(looked_at)
        before = line.before if layers.path else None
        shot = Shot(looked_at, free)
        scene.update(frame, keep_camera=keep, before=before, events=events, shot=shot)
        self._draw_around()
        self._render()

    def image(self) -> NDArray[np.uint8]:
        """Return what is shown, (height, width, 3), top row first."""
        return np.array(self.plotter.screenshot(return_img=True))[..., :3]

    def close(self) -> None:
        """Close the window; closing twice is no error."""
        self.closed = True
        if self.is_open:
            self.is_open = False
            self.controls.hands.end_session()
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

    def _draw_around(self) -> None:
        """Write what is around the picture: bar, sheet, help; the panel beside it."""
        self.handling.mark()
        if self._waits:
            return
        self._written, hud = self.timeline.clock(), self._hud
        hud.begin()
        self._place_slider()
        self._write_beside()
        if self.controls.layers.help:
            write_help(hud, self.scene.size)
        if self.timeline.trouble is not None:
            self._write_trouble(self.timeline.trouble)
        hud.finish()

    def _write_beside(self) -> None:
        """Write how time goes, the sheet of what is chosen, story and plots."""
        timeline, panel, layers = self.timeline, self._panel, self.controls.layers
        panel.begin(shown=self._has_panel())
        hud = panel.hud if panel.shown else self._hud
        words = "playing" if timeline.playing else "paused"
        words += f" at {timeline.speed:g}x{', looping' if timeline.loop else ''}"
        text = hud.text(f"{words}    {_KEYS}", TEXT_SIZE - 1, hud.theme.faint_ink)
        wide = self.plotter.window_size[0]
        hud.put(text, wide - RIM - hud.measure(text)[0], HIGH + 18)
        left, bottom = wide - WIDTH + 10, panel.low if panel.shown else _BAR + 16
        sheet = bottom
        if not layers.help:  # its sheet covers them
            top = self.scene.size[1] - MARGIN - (_STORY if panel.shown else 0.0)
            sheet = self.handling.write(hud, left, bottom, top)
        if panel.shown:
            bottom = sheet + (16 if sheet > bottom else 8)
            panel.finish(timeline, left, bottom, self.controls.hands.looked_at)

    def _has_panel(self) -> bool:
        """Tell whether story and plots are shown: there must be room for them."""
        (width, height), (wide, high) = self.plotter.window_size, _ROOM
        return bool(self.controls.layers.panel and width >= wide and height >= high)

    def _place_slider(self) -> None:
        """Place the slider, with a mark for every event."""
        timeline, hud, wide = self.timeline, self._hud, self.scene.size[0]
        first, last = timeline.source.first, len(timeline.source) - 1
        span, right = max(1, last - first), max(RIM, wide - RIM)
        share = (timeline.position - first) / span
        place_slider(self.plotter, self.slider, share, RIM, right, HIGH)
        marks = (np.array(timeline.event_marks()) - first) / span
        # no more of them than pixels
        for x in np.unique(np.rint(RIM + (right - RIM) * marks)).tolist():
            box = x - 1, HIGH + _MARK[0], x + 1, HIGH + _MARK[1]
            hud.rectangle(box, hud.theme.ink)

    def _seek(self, share: float) -> None:
        """Go to where the slider was moved."""
        source = self.timeline.source
        span = max(1, len(source) - 1 - source.first)
        self.controls.seek(source.first + share * span)

    def _write_trouble(self, trouble: Exception) -> None:
        """Say what ended time, and in which frame, on a sheet above the slider."""
        hud, room = self._hud, self.scene.size[0] - 2 * MARGIN
        letters, red = max(1, int(room / _LETTER) - 4), hud.theme.trouble
        told = wrap(str(trouble), letters, max_lines=_TOLD, placeholder=" …")
        notes = " ".join(getattr(trouble, "__notes__", []))
        told += wrap(notes, letters, max_lines=1, placeholder=" …")
        place = MARGIN, _BAR + MARGIN / 2, room
        lines = [SheetLine(line, bold=True, loud=True) for line in told]
        write_sheet(hud, lines, place, TEXT_SIZE, red)

    def _end(self, *_: object) -> None:
        self.closed = True

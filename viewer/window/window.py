"""Run the loop of one window: frames at their own time, keys, redraws."""

import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import Event, Frame, RecordingError
from viewer.drawing.camera import Border
from viewer.drawing.glyphs import FULL, Names, concerns
from viewer.drawing.hud import Hud, Text
from viewer.drawing.overlays import EXTRA, check_layers
from viewer.drawing.scene import Scene, Shot
from viewer.drawing.words import wrapped
from viewer.sources import PushedFrames
from viewer.theme import LIGHT, MARGIN, TEXT_SIZE, Theme, named
from viewer.timeline import Timeline, interruptible
from viewer.window.controls import HIGH, RIM, Controls, Mouse, Slider
from viewer.window.handling import Handling
from viewer.window.keys import KEYS, called, watched, write_help
from viewer.window.panel import WIDTH, Panel

IDLE = 0.004  # seconds to sleep when neither a frame nor a redraw is due
_BAR = 56.0  # pixels below the picture, for the slider
_KEYS = "h: keys"
_BEAT = 3  # frames from one to the next that is not drawn in passing
_LAG = 0.06  # seconds that may be between the two, however slow frames are
_TOLD = 4  # lines for what went wrong
_STORY = 130.0  # pixels of the story that a sheet leaves: five events
_ROOM = (900, 480)  # pixels of a window that has room for a panel beside its picture


class Window:
    """Show a timeline until the window is closed."""

    def __init__(
        self,
        timeline: Timeline,
        *,
        size: tuple[int, int] = (1280, 720),
        off_screen: bool = False,
        theme: Theme = LIGHT,
        layers: Iterable[str] = (),
    ) -> None:
        self.timeline = timeline
        self.controls = Controls(timeline)
        self.controls.layers.show(layers)
        self.closed = False
        self.scene = Scene(size=size, off_screen=off_screen, theme=theme)
        self.scene.layers = self.controls.layers
        self._touched = False  # the camera is the user's
        self._room: tuple[object, ...] = ()  # that is left to the picture
        self._drawn: tuple[int, ...] = ()  # the size of the window that was drawn
        self._passed = 0  # frames in a row that nobody asked for
        self._told = -1  # the place of the frame whose events were written last
        self._looked_at: Names = ()
        self.in_passing = False
        self._whole = 0.0  # when the last one was drawn that was not in passing
        self.slider = Slider(self._seek)
        self.handling: Handling | None = None
        self._open()

    @property
    def plotter(self) -> Any:
        """The plotter of the scene."""
        return self.scene.plotter

    def run(self, end_if_asked: Callable[[], None] | None = None) -> Frame | None:
        """Show frame after frame until it is closed; return the last one.

        What ``end_if_asked`` raises between turns ends it. Raises what ended a world.
        """
        try:
            while not self.closed:
                if end_if_asked is not None:
                    end_if_asked()
                self.turn()
        finally:
            self.close()
        if self.timeline.source.trouble is not None:
            raise self.timeline.source.trouble
        return self.timeline.frame

    def turn(self) -> None:
        """Show the next frame if it is due; serve keys and mouse."""
        if self.handling is not None and self.handling.turn():
            self.controls.stale = True
        if self._drawn != tuple(self.plotter.window_size):
            self.controls.stale = True  # also while time stands still
        still = not self.timeline.playing
        if still and self._panel.fills:
            self.controls.stale = True
        if self._passed % _BEAT and (still or self._late()):
            self.controls.stale = True  # no next frame came: there is time to read
        if self.controls.tick():
            self.draw()
        elif self.scene.camera_moved():
            self._touched = True
            self.scene.annotate()  # markers keep their size, texts their distance
            if self.handling is not None:
                self.handling.mark()
            self._render()
        elif self._panel.stale:
            self._render()
        else:
            time.sleep(IDLE)
        self.plotter.iren.process_events()

    def press(self, symbol: str) -> None:
        """Do what a key does, by its name in `viewer.window.keys`."""
        for key in KEYS:
            if key.symbol == symbol:
                key.act(self.controls)
                self.controls.stale = True

    def draw(self) -> None:
        """Draw the present frame, and everything around it."""
        frame, controls = self.timeline.frame, self.controls
        self.in_passing = in_passing = self._passes()
        controls.stale = controls.asked = False
        self._drawn = tuple(self.plotter.window_size)
        if frame is None:
            return
        layers = controls.layers
        panel = self._has_panel()
        self.scene.leave(round(WIDTH) if panel else 0)
        left, busy = 0.0, np.empty((0, 3))
        if self.handling is not None:
            left, busy = self.handling.left, self.handling.busy(frame)
        free = Border(left, self._right(), _BAR, 0.0)
        first = self.scene.frame is None
        on = (getattr(layers, name) for name in EXTRA)
        room = panel, self._drawn, free, *on
        if room != self._room:  # lines of the legend take some of it
            self._room = room
            controls.follow = controls.follow or not self._touched
        keep = not first and not controls.follow
        sees = self._touched or in_passing or self.scene.contains(frame)
        keep = keep and sees
        if controls.follow:
            self._touched = controls.follow = False
        shot = Shot(controls.hands.looked_at, free, busy)
        before = self.timeline.before if layers.path else None
        # in a low window the sheet needs the room
        events = () if layers.help else self._happened(shot.looked_at, in_passing)
        self.scene.update(
            frame, keep_camera=keep, before=before, events=events, shot=shot
        )
        self._looked_at = shot.looked_at
        if not in_passing:
            self._draw_around()
        elif self.handling is not None:
            self.handling.update()
        self._render()

    def _happened(self, looked_at: Names, in_passing: bool) -> list[Event]:
        """Return the events of this frame, and of those that were passed by before."""
        timeline, events = self.timeline, self.timeline.source.events()
        since = last = timeline.position
        if timeline.playing and 0 < last - self._told <= _BEAT:
            since = self._told + 1
        if not in_passing:
            self._told = last
        ends = (bisect_left(events, k, key=lambda e: e[0]) for k in (since, last + 1))
        return [e for _, e in events[slice(*ends)] if concerns(e, looked_at)]

    def _passes(self) -> bool:
        """Count a frame; tell whether all but its picture may wait for the next one."""
        frame, controls = self.timeline.frame, self.controls
        waits = self.timeline.playing and not controls.asked
        if waits and frame is not None and len(frame.bodies) <= FULL:
            # in a crowd something happens in nearly every frame
            waits = controls.hands.chosen is None and not frame.events
        waits = waits and frame is not None
        self._passed = self._passed + 1 if waits and not self._late() else 0
        in_passing = self._passed % _BEAT > 0
        if not in_passing:
            self._whole = self.timeline.clock()
        return in_passing

    def _late(self) -> bool:
        """Tell whether what may be left out in passing was drawn too long ago."""
        return self.timeline.clock() - self._whole > _LAG

    def _render(self) -> None:
        self.plotter.render()
        self._panel.rest()

    def image(self) -> NDArray[np.uint8]:
        """Return what is shown, (height, width, 3), top row first."""
        return np.array(self.plotter.screenshot(return_img=True))[..., :3]

    def close(self) -> None:
        """Release the window."""
        self.closed = True
        self._panel.close()
        self.scene.close()

    def _open(self) -> None:
        plotter = self.plotter
        source, movers = self.timeline.source, self.scene.movers
        if len(source) > source.first + 1:  # what moved in between is no scenery
            for k in (source.first, len(source) - 1):
                with suppress(RecordingError):
                    movers.see(source[k].bodies)
        self.controls.hands.movers = movers.names
        self._hud = Hud(self.scene.overlay, 1.0, self.scene.theme)
        self._panel = Panel(plotter, self.scene.theme, _BAR)
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
        mouse = Mouse(plotter.iren.interactor)
        self.slider.hear(mouse)
        self.handling = Handling(self.scene, self.controls.hands, mouse, _BAR)
        self.controls.eye = lambda: self.scene.view
        self.controls.stale = True

    def _draw_around(self) -> None:
        """Write what is around the picture: bar, sheet, help; the panel beside it."""
        hud, panel, layers = self._hud, self._panel, self.controls.layers
        left, bottom = self.plotter.window_size[0] - WIDTH + 10, _BAR + 16
        hud.begin()
        shown = self._has_panel()
        panel.begin(shown=shown)
        if shown:
            bottom = panel.low
        sheet = bottom
        if self.handling is not None:
            self.handling.right = self._right()
            self.handling.update()
            if not layers.help:  # its sheet covers them
                write_on = panel.hud if shown else hud
                top = self.scene.size[1] - MARGIN - (_STORY if shown else 0.0)
                sheet = self.handling.write(write_on, left, bottom, top)
        bottom = sheet + (16 if sheet > bottom else 8)
        self._write_bar()
        if shown:
            looks = self._looked_at, self.scene.movers.names
            panel.finish(self.timeline, left, bottom, *looks, steps=layers.steps)
        if layers.help:
            write_help(hud, self.scene.size)
        if self.timeline.trouble is not None:
            self._write_trouble(str(self.timeline.trouble))
        hud.finish()

    def _right(self) -> float:
        """Return how much of the right side of the picture is written on."""
        sheet = self.controls.hands.chosen is not None
        return WIDTH if sheet and not self._has_panel() else 0.0

    def _has_panel(self) -> bool:
        """Tell whether story and plots are shown: there must be room for them."""
        (width, height), (wide, high) = self.plotter.window_size, _ROOM
        return bool(self.controls.layers.panel and width >= wide and height >= high)

    def _write_bar(self) -> None:
        """Draw the slider; say how time goes."""
        timeline, hud = self.timeline, self._hud
        last = max(1, len(timeline.source) - 1)
        span = timeline.source.first, last, timeline.position
        self.slider.write(hud, self.scene.size[0], span, timeline.event_marks())
        state = "playing" if timeline.playing else "paused"
        words = f"{state} at {timeline.speed:g}x{', looping' if timeline.loop else ''}"
        words += f"    {_KEYS}"
        beside = self._panel.hud if self._has_panel() else hud
        text = beside.text(words, TEXT_SIZE - 1, hud.theme.faint_ink)
        right = self.plotter.window_size[0] - RIM - beside.measure(text)[0]
        beside.put(text, right, HIGH + 18)

    def _write_trouble(self, sentence: str) -> None:
        """Say what ended time, and in which frame, on a sheet above the slider."""
        notes = " ".join(getattr(self.timeline.trouble, "__notes__", []))
        hud, room = self._hud, self.scene.size[0] - 4 * MARGIN

        def write(line: str) -> Text:
            return hud.text(line, TEXT_SIZE, hud.theme.trouble, bold=True)

        def fits(line: str) -> bool:
            return hud.measure(write(line))[0] <= room

        texts = [write(line) for line in wrapped(sentence, _TOLD, fits, notes)]
        wide = max(hud.measure(text)[0] for text in texts)
        step, low = 1.45 * TEXT_SIZE, _BAR + MARGIN / 2
        high = low + step * len(texts) + MARGIN
        hud.framed([MARGIN, low, wide + 3 * MARGIN, high], hud.theme.trouble)
        for k, text in enumerate(texts, 1):
            hud.put(text, 2 * MARGIN, high - MARGIN / 2 - step * k + 4)

    def _seek(self, place: int) -> None:
        """Stop time, and go where the mouse has the slider."""
        self.timeline.pause()
        self.timeline.seek(place)
        self.controls.stale = True

    def _end(self, *_: object) -> None:
        self.closed = True


class WindowScreen:
    """Show frames in a window.

    ``pushed`` are the frames that were shown, ``window`` is there once there is one.

    Parameters
    ----------
    size : (width, height)
        Of the window, in pixels.
    theme : {"light", "dark"}
    layers : iterable of str
        Layers to switch on, as for `viewer.picture`.
    off_screen : bool
        Draw into memory, for tests.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1280, 720),
        theme: str = "light",
        layers: Iterable[str] = (),
        off_screen: bool = False,
    ) -> None:
        self._look = named(theme)
        self._layers = check_layers(layers)
        self._size, self._off_screen = size, off_screen
        self.pushed = PushedFrames()
        self.window: Window | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether it shows no more: closed by a person, or by `close`."""
        return self._closed or (self.window is not None and self.window.closed)

    def show(self, frame: Frame, events: Sequence[Event] | None = None) -> None:
        """Show another frame of a loop of your own, and serve keys and mouse.

        A window that is paused stays where it is; one that was closed stays closed.
        """
        if self.closed:
            return
        self.pushed.append(frame, events)
        if self.window is None:
            self.window = self._make(Timeline(self.pushed))
        if self.window.timeline.playing:
            self.window.timeline.to_end()
            self.window.controls.stale = True
        self.window.turn()

    def turn(self) -> None:
        """Serve keys and mouse, or sleep for a moment."""
        if self.window is None:
            time.sleep(0.004)
        elif not self.closed:
            self.window.turn()

    def play(self, timeline: Timeline) -> Frame | None:
        """Show a timeline until the window is closed.

        Ctrl-C ends it between two turns: in a callback of VTK it would end the program.
        """
        with interruptible() as end_if_asked:
            self.window = self._make(timeline)
            return self.window.run(end_if_asked)

    def close(self) -> None:
        """Close the window."""
        self._closed = True
        if self.window is not None and not self.window.closed:
            self.window.close()

    def _make(self, timeline: Timeline) -> Window:
        look: dict[str, Any] = {"theme": self._look, "layers": self._layers}
        if not self._off_screen and sys.stdout.isatty():
            print(f"a window opens; {_KEYS}, q: end")
        return Window(timeline, size=self._size, off_screen=self._off_screen, **look)

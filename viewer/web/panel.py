"""Bind the controls of a browser page to a timeline."""

from collections.abc import Callable
from functools import partial
from html import escape
from queue import Empty, SimpleQueue
from typing import Any

from sim import Frame
from viewer.layers.overlays import NOTHING, Overlays
from viewer.playing.timeline import SPEEDS
from viewer.theme import Theme
from viewer.web.story import answers_html, css, events_html, legend_html, more_html
from viewer.window.controls import Controls

_LAYERS = {
    "contacts": "closest points and features",
    "normals": "normals",
    "names": "names and distances",
    "neighbours": "neighbours, in search order",
    "distance": "distance while apart",
    "elements": "kinds of contact: FV and EE",
    "depth": "depth and deepest points",
    "cover": "outer cover: lids of dents",
    "path": "path of the search",
}
_ELSEWHERE = "Plots, charts and moving bodies by hand: in a window only."


class WebPanel:
    """Play, pause, step, slider, speed and the story, beside the picture.

    A browser calls back from threads of its own: what it asks for is queued, and done
    by whoever calls `serve`.

    Parameters: ``home``: puts the cameras back to where they began.
    """

    def __init__(
        self,
        server: Any,
        controls: Controls,
        look: Theme,
        home: Callable[[], object],
    ) -> None:
        self.controls = controls
        self._look = look
        self._said_playing = True
        self._asked: SimpleQueue[Callable[[], object]] = SimpleQueue()
        gui, line = server.gui, controls.timeline
        self._answers = gui.add_html("")
        self._play = gui.add_button("Pause", hint="Space")
        self._slider = gui.add_slider("Frame", 0, 1, 1, 0)
        self._steps = gui.add_button_group("Step", ("first", "back", "on", "last"))
        self._jumps = gui.add_button_group("Event", ("previous", "next"))
        speeds = sorted({*SPEEDS, line.speed})
        self._speeds = {_times(speed): speed for speed in speeds}
        self._speed = gui.add_dropdown(
            "Speed", tuple(self._speeds), initial_value=_times(line.speed)
        )
        self._loop = gui.add_checkbox("Loop", line.loop)
        with gui.add_folder("Events"):
            self._story = gui.add_html("")
        with gui.add_folder("Show", expand_by_default=False):
            self._layers = {
                name: gui.add_checkbox(words, getattr(controls.layers, name))
                for name, words in _LAYERS.items()
            }
            self._follow = gui.add_checkbox("follow the contact", controls.follow)
            self._home = gui.add_button("Back to the first view")
            self._more = gui.add_html("")
        self._legend = gui.add_html("")
        self._bind(gui, home)

    def serve(self) -> None:
        """Do what was asked for since."""
        while True:
            try:
                act = self._asked.get_nowait()
            except Empty:
                return
            act()
            self.controls.stale = True

    @property
    def outdated(self) -> bool:
        """Whether playing came to its end since `update`."""
        return self._said_playing != self.controls.timeline.playing

    def update(self, frame: "Frame", overlays: Overlays = NOTHING) -> None:
        """Let every widget say how things are."""
        line = self.controls.timeline
        self._answers.content = answers_html(frame, self._look) + self._trouble()
        self._story.content = events_html(line, self._look)
        self._legend.content = legend_html(frame, self._look)
        self._more.content = more_html(overlays, _ELSEWHERE)
        self._said_playing = line.playing
        self._play.label = "Pause" if line.playing else "Play"
        first = line.source.first
        self._slider.max = max(first + 1, len(line.source) - 1)
        self._slider.value = line.position
        self._slider.min = first
        self._loop.value = line.loop

    def _bind(self, gui: Any, home: Callable[[], object]) -> None:
        line = self.controls.timeline
        steps = {
            "first": line.to_start,
            "back": line.step_backward,
            "on": line.step_forward,
            "last": line.to_end,
            "previous": line.previous_event,
            "next": line.next_event,
        }
        self._play.on_click(lambda _: self._ask(line.toggle))
        self._home.on_click(lambda _: self._ask(home))
        for group in (self._steps, self._jumps):
            group.on_click(
                # a page may send any word
                lambda event: self._ask(steps.get(event.target.value, lambda: None))
            )
        self._led(self._slider, self._seek)
        self._led(self._speed, self._set_speed)
        self._led(self._loop, partial(setattr, line, "loop"))
        self._led(self._follow, partial(setattr, self.controls, "follow"))
        for name, box in self._layers.items():
            self._led(box, partial(setattr, self.controls.layers, name))
        for label, key, act in (
            ("Play, pause", "space", line.toggle),
            ("One frame back", "arrowleft", line.step_backward),
            ("One frame on", "arrowright", line.step_forward),
            ("Previous event", "P", line.previous_event),
            ("Next event", "N", line.next_event),
        ):
            command = gui.add_command(label, hotkey=key)
            command.on_trigger(lambda _, act=act: self._ask(act))

    def _ask(self, act: Callable[[], object]) -> None:
        self._asked.put(act)

    def _led(self, widget: Any, act: Callable[[Any], object]) -> None:
        """Act on what a person sets, and not on what `update` does."""

        def led(event: Any) -> None:
            if event.client_id is not None:
                self._ask(partial(act, event.target.value))

        widget.on_update(led)

    def _seek(self, k: int) -> None:
        self.controls.timeline.pause()
        self.controls.timeline.seek(k)

    def _set_speed(self, words: str) -> None:
        if words in self._speeds:
            self.controls.timeline.speed = self._speeds[words]

    def _trouble(self) -> str:
        trouble = self.controls.timeline.trouble
        if trouble is None:
            return ""
        words = " ".join([str(trouble), *getattr(trouble, "__notes__", [])])
        colour = css(self._look.trouble)
        return f'<p style="color:{colour};padding:0 .8em"><b>{escape(words)}</b></p>'


def _times(speed: float) -> str:
    """Say a speed, as in "1/4 x" and "2 x"."""
    return (
        f"1/{round(1 / speed)} x" if speed < 1 and _whole(1 / speed) else f"{speed:g} x"
    )


def _whole(number: float) -> bool:
    return abs(number - round(number)) < 1e-9

"""Bind the controls of a browser page to a timeline, and write what stands beside it.

Everything that is written is text of the user's own, so everything is escaped.
"""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from queue import SimpleQueue
from typing import Any

from sim import Event, Frame
from viewer.drawing.glyphs import drawn_pairs, headline
from viewer.drawing.overlays import NOTHING, SAID, Overlays
from viewer.theme import Rgb, Theme, css
from viewer.timeline import SPEEDS, Timeline, words_of
from viewer.window.controls import Controls
from viewer.window.panel import around

_PAIRS = 6
_EVENTS = 14
_BODIES = 10
_STEPS = 8  # of a search that are written
_STYLE = "font-size:13px;line-height:1.45;padding:0 .8em .4em"
_LAST = "font-weight:bold"


def answers_html(frame: Frame, look: Theme) -> str:
    """Write frame, time and the answer for every drawn pair."""
    states = drawn_pairs(frame)
    lines = [f"<b>frame {frame.index}</b> &nbsp; t = {frame.time:.4g}"]
    for state in states[:_PAIRS]:
        bar = f"border-left:4px solid {css(look.regime(state.regime))};padding-left:6px"
        lines.append(f'<div style="{bar}">{escape(headline(state))}</div>')
    if len(states) > _PAIRS:
        lines.append(f"... and {len(states) - _PAIRS} more pairs")
    return f'<div id="wingedge-answers" style="{_STYLE}">{"".join(lines)}</div>'


def events_html(timeline: Timeline, look: Theme) -> str:
    """Write the events around the present frame, marked, and the newest before bold."""
    rows = list(around(timeline, _EVENTS))
    mark = f"background:{css(look.mark)};{_LAST}"
    last = max((k for k, _ in rows if k <= timeline.position), default=-1)
    lines = []
    for k, event in rows:
        now, later = k == timeline.position, k > timeline.position
        how = mark if now else "opacity:.55" if later else _LAST if k == last else ""
        lines.append(f'<div style="{how}">{escape(words_of(event))}</div>')
    words = "".join(lines) or "<i>nothing happened yet</i>"
    return f'<div id="wingedge-events" style="{_STYLE}">{words}</div>'


def legend_html(frame: Frame, look: Theme) -> str:
    """Write which colour is whose, and what the three regimes look like."""
    names = [body.name for body in frame.bodies]
    entries = [
        _entry(look.body(k).feature, name) for k, name in enumerate(names[:_BODIES])
    ]
    if len(names) > _BODIES:
        entries.append(f"and {len(names) - _BODIES} more")
    entries += [_entry(tone, regime) for regime, tone in look.regimes.items()]
    return f'<div style="{_STYLE}">{" &nbsp; ".join(entries)}</div>'


def more_html(overlays: Overlays, elsewhere: str = "") -> str:
    """Write the steps of a search in words, and what is not there."""
    lines = []
    if overlays.trails:
        said = overlays.trails[0].said
        lines += [f"{k} {escape(words)}" for k, words in enumerate(said[:_STEPS], 1)]
        if len(said) > _STEPS:
            lines.append(f"... {len(said) - _STEPS} more steps")
    if overlays.empty:
        lines.append(f"nothing to show: {escape(', '.join(overlays.empty))}")
    if elsewhere:
        lines.append(f'<span style="opacity:.7">{escape(elsewhere)}</span>')
    return f'<div id="wingedge-more" style="{_STYLE}">{"<br>".join(lines)}</div>'


def _entry(tone: Rgb, words: str) -> str:
    """Write a small square of a colour and its words, which stay on one line."""
    look = f"background:{css(tone)};display:inline-block;width:.8em;height:.8em"
    square = f'<span style="{look};margin-right:.3em"></span>'
    return f'<span style="white-space:nowrap">{square}{escape(words)}</span>'


def story_html(events: Sequence[tuple[int, float, Event]]) -> str:
    """Write a whole story, a line per event with its place and its time."""
    rows = [
        f'<div data-place="{place}"><span>{time:.3f}</span> '
        f"{escape(words_of(event))}</div>"
        for place, time, event in events
    ]
    return "".join(rows) or "<i>no events</i>"


_ONLY = "panel", "help", "steps"  # layers of a window
_ELSEWHERE = "Plots and moving bodies by hand: in a window only."


class WebPanel:
    """Play, pause, step, slider, speed and the story, beside the picture.

    A browser calls from threads of its own: what it asks for is done by `serve`.
    """

    def __init__(
        self, server: Any, controls: Controls, look: Theme, home: Callable[[], object]
    ) -> None:
        self.controls = controls
        self._look = look
        self.said_playing = True  # as of the last `update`
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
                name: gui.add_checkbox(said["does"], getattr(controls.layers, name))
                for name, said in SAID.items()
                if name not in _ONLY
            }
            self._home = gui.add_button("Back to the first view")
            self._more = gui.add_html("")
        self._legend = gui.add_html("")
        self._bind(gui, home)

    def serve(self) -> None:
        """Do what was asked for since."""
        while not self._asked.empty():  # nobody else takes
            self._asked.get()()
            self.controls.stale = True

    def update(self, frame: Frame, overlays: Overlays = NOTHING) -> None:
        """Let every widget say how things are."""
        line = self.controls.timeline
        self._answers.content = answers_html(frame, self._look) + self._trouble()
        self._story.content = events_html(line, self._look)
        self._legend.content = legend_html(frame, self._look)
        self._more.content = more_html(overlays, _ELSEWHERE)
        self.said_playing = line.playing
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
        self._play.on_click(lambda _: self._asked.put(line.toggle))
        self._home.on_click(lambda _: self._asked.put(home))
        for group in (self._steps, self._jumps):  # a page may send any word
            group.on_click(lambda e: self._asked.put(steps.get(e.target.value, int)))

        def seek(k: int) -> None:
            line.pause()
            line.seek(k)

        def set_speed(words: str) -> None:
            line.speed = self._speeds.get(words, line.speed)

        self._led(self._slider, seek)
        self._led(self._speed, set_speed)
        self._led(self._loop, partial(setattr, line, "loop"))
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
            command.on_trigger(lambda _, act=act: self._asked.put(act))

    def _led(self, widget: Any, act: Callable[[Any], object]) -> None:
        """Act on what a person sets, and not on what `update` does."""

        def led(event: Any) -> None:
            if event.client_id is not None:
                self._asked.put(partial(act, event.target.value))

        widget.on_update(led)

    def _trouble(self) -> str:
        trouble = self.controls.timeline.trouble
        if trouble is None:
            return ""
        words = " ".join([str(trouble), *getattr(trouble, "__notes__", [])])
        colour = css(self._look.trouble)
        return f'<p style="color:{colour};padding:0 .8em"><b>{escape(words)}</b></p>'


def _times(speed: float) -> str:
    """Say a speed, as in "1/4 x" and "2 x"."""
    parts = round(1 / speed, 9)
    return f"1/{parts:.0f} x" if speed < 1 and parts.is_integer() else f"{speed:g} x"

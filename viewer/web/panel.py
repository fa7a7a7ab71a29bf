"""Bind the controls of a browser page to a timeline, and write what stands beside it.

Everything that is written is text of the user's own, so everything is escaped.
"""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from queue import SimpleQueue
from typing import Any

from sim import Event, Frame
from sim.events.touch import whole_name
from viewer.drawing.glyphs import drawn_pairs, headline
from viewer.theme import SAID, Rgb, Theme, css
from viewer.timeline import SPEEDS, Timeline, words_of
from viewer.window.keys import Controls, press
from viewer.window.panel import story

_PAIRS, _EVENTS, _BODIES = 6, 14, 10  # that are written at most
_ONLY = "panel", "help"  # layers of a window
# buttons for keys of the window
_BUTTONS = {
    "Step": {"first": "Home", "back": "Left", "on": "Right", "last": "End"},
    "Event": {"previous": "Prior", "next": "Next"},
}
_ELSEWHERE = "Plots and moving bodies by hand: in a window only."


def _box(name: str, lines: Sequence[str], between: str = "") -> str:
    look = "font-size:13px;line-height:1.45;padding:0 .8em .4em"
    return f'<div id="wingedge-{name}" style="{look}">{between.join(lines)}</div>'


def answers_html(frame: Frame, look: Theme) -> str:
    """Write frame, time and the answer for every drawn pair."""
    states = drawn_pairs(frame)
    lines = [f"<b>frame {frame.index}</b> &nbsp; t = {frame.time:.4g}"]
    for state in states[:_PAIRS]:
        bar = f"border-left:4px solid {css(look.regime(state.regime))};padding-left:6px"
        lines.append(f'<div style="{bar}">{escape(headline(state))}</div>')
    if len(states) > _PAIRS:
        lines.append(f"... and {len(states) - _PAIRS} more pairs")
    return _box("answers", lines)


def events_html(timeline: Timeline, look: Theme) -> str:
    """Write the events around the present frame, as a window does."""
    lines = []
    for line in story(timeline, _EVENTS):
        looks = {
            "font-weight:bold": line.bold,
            "opacity:.55": line.faint,
            f"background:{css(look.mark)}": line.marked,
        }
        how = ";".join(style for style, is_so in looks.items() if is_so)
        lines.append(f'<div style="{how}">{escape(line.words)}</div>')
    return _box("events", lines)


def legend_html(frame: Frame, look: Theme, *, parts: bool = False) -> str:
    """Write which colour is whose, also of parts, and what regimes look like."""

    def entry(tone: Rgb, words: str) -> str:
        """Write a small square of a colour and its words, which stay on one line."""
        shape = f"background:{css(tone)};display:inline-block;width:.8em;height:.8em"
        square = f'<span style="{shape};margin-right:.3em"></span>'
        return f'<span style="white-space:nowrap">{square}{escape(words)}</span>'

    names = [body.name for body in frame.bodies]
    lines = [entry(look.body(k).feature, x) for k, x in enumerate(names[:_BODIES])]
    if len(names) > _BODIES:
        lines.append(f"and {len(names) - _BODIES} more")
    named = [whole_name(b.name, x) for b in frame.bodies for x in b.mesh.part_names]
    some = enumerate(named[: _BODIES * parts])
    lines += [entry(look.part(k), words) for k, words in some]
    lines += [entry(tone, regime) for regime, tone in look.regimes.items()]
    return _box("legend", lines, " &nbsp; ")


def story_html(events: Sequence[tuple[float, Event]]) -> str:
    """Write a whole story, a line per event with its time."""
    rows = [
        f"<div><time>{time:.3f}</time> {escape(words_of(event))}</div>"
        for time, event in events
    ]
    return "".join(rows) or "<i>no events</i>"


class WebPanel:
    """Play, pause, step, slider, speed and the story, beside the picture.

    A browser calls from threads of its own: what it asks for is done by `serve`.
    """

    def __init__(self, server: Any, controls: Controls, look: Theme) -> None:
        self.controls, self._look = controls, look
        self._asked: SimpleQueue[Callable[[], object]] = SimpleQueue()
        gui, line = server.gui, controls.timeline
        self._answers = gui.add_html("")
        # two, since a browser may show for a moment what is no longer so
        self._play, self._pause = gui.add_button("Play"), gui.add_button("Pause")
        self._play.on_click(lambda _: self._asked.put(line.play))
        self._pause.on_click(lambda _: self._asked.put(line.pause))
        self._slider = gui.add_slider("Frame", 0, 1, 1, 0)
        self._set_by(self._slider, controls.seek)
        for title, keys in _BUTTONS.items():
            group = gui.add_button_group(title, tuple(keys))
            # a page may send any word
            group.on_click(lambda e, keys=keys: self._press(keys.get(e.target.value)))
        speeds = {f"{speed:g} x": speed for speed in sorted({*SPEEDS, line.speed})}
        chosen = gui.add_dropdown(
            "Speed", tuple(speeds), initial_value=f"{line.speed:g} x"
        )
        self._set_by(
            chosen, lambda x: setattr(line, "speed", speeds.get(x, line.speed))
        )
        self._loop = gui.add_checkbox("Loop", line.loop)
        self._set_by(self._loop, partial(setattr, line, "loop"))
        with gui.add_folder("Events"):
            self._story = gui.add_html("")
        with gui.add_folder("Show", expand_by_default=False):
            for name, says in SAID.items():
                if name not in _ONLY:
                    is_on = getattr(controls.layers, name)
                    box = gui.add_checkbox(says["does"], is_on)
                    self._set_by(box, partial(setattr, controls.layers, name))
            self._more = gui.add_html("")
        self._legend = gui.add_html("")

    def serve(self) -> None:
        """Do what was asked for since."""
        while not self._asked.empty():  # nobody else takes
            self._asked.get()()
            self.controls.stale = True

    def update(self, frame: Frame, empty: Sequence[str] = ()) -> None:
        """Let every widget say how things are."""
        line = self.controls.timeline
        self._answers.content = answers_html(frame, self._look) + self._trouble()
        self._story.content = events_html(line, self._look)
        self._legend.content = legend_html(
            frame, self._look, parts=self.controls.layers.parts
        )
        lines = [f"Nothing to show: {name}." for name in empty]
        self._more.content = _box("more", [*lines, _ELSEWHERE], "<br>")
        self._play.visible, self._pause.visible = not line.playing, line.playing
        first = line.source.first
        self._slider.max = max(first + 1, len(line.source) - 1)
        self._slider.value = line.position
        self._slider.min = first
        self._loop.value = line.loop

    def _press(self, symbol: str | None) -> None:
        self._asked.put(partial(press, self.controls, symbol or ""))

    def _set_by(self, widget: Any, act: Callable[[Any], object]) -> None:
        """Act on what a person sets, and not on what `update` does."""

        def asked(event: Any) -> None:
            if event.client_id is not None:
                self._asked.put(partial(act, event.target.value))

        widget.on_update(asked)

    def _trouble(self) -> str:
        trouble = self.controls.timeline.trouble
        if trouble is None:
            return ""
        words = " ".join([str(trouble), *getattr(trouble, "__notes__", [])])
        colour = css(self._look.trouble)
        return f'<p style="color:{colour};padding:0 .8em"><b>{escape(words)}</b></p>'

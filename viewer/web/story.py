"""Write answers, events and legend beside the picture in a browser.

Everything is text of the user's own, so everything is escaped.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from sim import Event, Frame
from viewer.drawing.glyphs import drawn_pairs, headline
from viewer.layers.overlays import Overlays
from viewer.theme import Rgb, Theme
from viewer.window.panel import around

if TYPE_CHECKING:
    from viewer.playing.timeline import Timeline

_PAIRS = 6
_EVENTS = 14
_BODIES = 10
_NEAR = 12  # neighbours that are named
_STEPS = 8  # of a search that are written
_STYLE = "font-size:13px;line-height:1.45;padding:0 .8em .4em"
_LAST = "font-weight:bold"


def answers_html(frame: "Frame", look: Theme) -> str:
    """Write frame, time and the answer for every drawn pair."""
    states = drawn_pairs(frame)
    lines = [f"<b>frame {frame.index}</b> &nbsp; t = {frame.time:.4g}"]
    for state in states[:_PAIRS]:
        bar = f"border-left:4px solid {css(look.regime(state.regime))};padding-left:6px"
        lines.append(f'<div style="{bar}">{escape(headline(state))}</div>')
    if len(states) > _PAIRS:
        lines.append(f"... and {len(states) - _PAIRS} more pairs")
    return f'<div id="wingedge-answers" style="{_STYLE}">{"".join(lines)}</div>'


def events_html(timeline: "Timeline", look: Theme) -> str:
    """Write the events around the present frame, the present ones marked.

    The newest ones before it are bold: they made what is shown.
    """
    rows = list(around(timeline, _EVENTS))
    mark = f"background:{css(look.mark)};{_LAST}"
    last = max((k for k, _ in rows if k <= timeline.position), default=-1)
    lines = []
    for k, event in rows:
        now, later = k == timeline.position, k > timeline.position
        how = mark if now else "opacity:.55" if later else _LAST if k == last else ""
        lines.append(f'<div style="{how}">{escape(str(event))}</div>')
    words = "".join(lines) or "<i>nothing happened yet</i>"
    return f'<div id="wingedge-events" style="{_STYLE}">{words}</div>'


def legend_html(frame: "Frame", look: Theme) -> str:
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
    """Write neighbours and the steps of a search in words, and what is not there."""
    near: dict[str, list[str]] = {}
    for element in overlays.around:
        near.setdefault(element.body, []).append(element.name)
    lines = [
        escape(f"around {name}: {' '.join(names[:_NEAR])}")
        + (f" and {len(names) - _NEAR} more" if len(names) > _NEAR else "")
        for name, names in near.items()
    ]
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
    """Write a swatch and its words, which stay on one line."""
    return f'<span style="white-space:nowrap">{swatch(tone)}{escape(words)}</span>'


def story_html(events: "Sequence[tuple[int, float, Event]]") -> str:
    """Write a whole story, a line per event with its place and its time."""
    rows = [
        f'<div data-place="{place}"><span>{time:.3f}</span> {escape(str(event))}</div>'
        for place, time, event in events
    ]
    return "".join(rows) or "<i>no events</i>"


def swatch(tone: Rgb) -> str:
    """Draw a small square of a colour."""
    look = f"background:{css(tone)};display:inline-block;width:.8em;height:.8em"
    return f'<span style="{look};margin-right:.3em"></span>'


def css(tone: Rgb) -> str:
    """Write a colour as CSS does."""
    return "#{:02x}{:02x}{:02x}".format(*tone)

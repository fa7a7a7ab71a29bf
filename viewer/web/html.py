"""Write a run as one HTML file that plays by itself, in any browser.

The file plays messages of viser at their time. One kind of them is a line of
JavaScript; it says which frame is shown, so the story follows the player, also when
somebody seeks.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from sim import Event, Frame, Recording, World
from viewer.drawing.overlays import Layers
from viewer.files import check_place, counted, replacing
from viewer.movies import FPS, taken
from viewer.sources import FrameSource, source_of
from viewer.theme import Theme, css, named
from viewer.timeline import check_above_zero
from viewer.web.marks import seen_in
from viewer.web.page import LOOPBACK
from viewer.web.panel import answers_html, legend_html, story_html
from viewer.web.scene import BrowserScene
from viewer.web.server import quiet, require_viser

FORMATS = (".html", ".htm")
WIDTH = 300.0  # pixels that the story takes
_HOLD = 1.0  # seconds that the last frame stays before the player begins again


def html(
    source: World | Recording | Frame | Sequence[Frame],
    path: str | os.PathLike[str],
    *,
    frames: int | None = None,
    fps: float = FPS,
    speed: float = 1.0,
    theme: str = "light",
    title: str = "wingedge",
    layers: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write a run as one HTML file with a player of its own.

    It needs no server and no network: it can be sent by mail.  What is seen can be
    turned and played at any speed; the story beside it marks the present events, also
    when somebody seeks. Bodies that only move are stored once.

    Returns int: the number of frames stored.

    Raises ImportError if viser is not installed; says how to install it. Raises
    ValueError if the ending is another one, a number makes no sense, or a world has no
    ``frames``. Raises OSError if nothing can be written there.

    The player is 0.8 MB.  A frame costs 28 bytes per body that moves rigidly, 12 bytes
    per vertex and 24 per edge that deforms, 40 per marker, all before compression.

    Parameters
    ----------
    source : World, Recording, Frame or sequence of Frame
        A world is stepped; then ``frames`` says how far.
    path : str or path
        Ends in .html; the file appears only when it is complete.
    frames : int, optional
        How many frames of the source, from the first; all if left out.
    fps : float
        Frames per second that are stored, at most; the last one always is.
    speed : float
        Times as fast as the frames' own time.
    theme : {"light", "dark"}
    title : str
        Of the document.
    layers : iterable of str
        Layers to switch on besides those that are, as for `viewer.picture`.
    progress : callable, optional
        Told after every frame how many are done, and how many there will be.
    """
    where, look, on = Path(path), named(theme), Layers()
    on.show(layers)
    if where.suffix.lower() not in FORMATS:
        raise ValueError(f"{where}: give a name that ends in {FORMATS[0]}")
    check_place(where)
    check_above_zero(fps=fps, speed=speed)
    viser = require_viser()
    if isinstance(source, World) and frames is None:
        raise ValueError("html(world): a world has no end; say frames=120")
    shown = source_of(source, frames, keep_bytes=sys.maxsize)
    while shown.extend():
        pass
    if shown.trouble is not None:
        raise shown.trouble
    if not len(shown):
        raise ValueError(f"{where}: there are no frames to show")
    places = sorted(set(taken(len(shown), shown.dt, fps, speed)))
    with quiet():
        server: Any = viser.ViserServer(host=LOOPBACK, port=0, verbose=False)
        try:
            page = _played(server, shown, places, speed, look, on, progress)
        finally:
            server.stop()
    first = shown[shown.first]
    timed = [(k, first.time + k * shown.dt, event) for k, event in shown.events()]
    with replacing(where) as file:
        file.write_text(dressed(page, first, timed, look, title), encoding="utf-8")
    return len(places)


def _played(
    server: Any,
    shown: FrameSource,
    places: list[int],
    speed: float,
    look: Theme,
    layers: Layers,
    progress: Callable[[int, int], None] | None,
) -> str:
    """Show all frames to a server that records them; return the document."""
    from viser._messages import RunJavascriptMessage  # the one way for it to tell time

    tape: Any = None
    scene = BrowserScene(server, *seen_in(shown), look, panel=WIDTH)
    steps = list(zip([-1, *places], places, [*places[1:], None], strict=False))
    for last, k, following in counted(steps, progress):
        before = shown[k - 1] if layers.path and k > shown.first else None
        scene.show(shown[k], layers, before)
        told = step_script(shown[k], k, last, look)
        server._websock_server.queue_message(RunJavascriptMessage(told))
        tape = tape or server.get_scene_serializer()
        wait = _HOLD if following is None else (following - k) * shown.dt / speed
        tape.insert_sleep(wait)
    return str(tape.as_html(dark_mode=look.name == "dark"))


_FOLLOW = """
window.wingedgeShow = (place, last, words) => {
  document.getElementById("wingedge-answer").innerHTML = words;
  const list = document.getElementById("wingedge-story"), rows = [...list.children];
  for (const row of rows) {
    const k = Number(row.dataset.place);
    row.className = k > place ? "later" : k > last ? "now" : "";
  }
  const at = rows.findLast((row) => Number(row.dataset.place) <= place);
  for (const row of rows)
    if (at && row.dataset.place === at.dataset.place) row.classList.add("last");
  const top = at ? at.offsetTop - list.offsetTop : 0;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40)
    list.scrollTop = top - list.clientHeight / 2;
};
"""


def step_script(frame: Frame, place: int, last: int, look: Theme) -> str:
    """Write the JavaScript that shows a frame, with the events since ``last``."""
    words = json.dumps(answers_html(frame, look))
    return f"window.wingedgeShow?.({place}, {last}, {words})"


def dressed(
    document: str,
    first: Frame,
    timed: Sequence[tuple[int, float, Event]],
    look: Theme,
    title: str,
) -> str:
    """Put what the colours mean, and the story with its times, into a document."""
    style = (
        "<style>#wingedge{position:fixed;top:12px;right:12px;box-sizing:border-box;"
        f"width:{WIDTH - 20:.0f}px;max-height:calc(100% - 80px);overflow:auto;"
        f"z-index:5;border-radius:4px;background:{css(look.paper)}e6;"
        f"color:{css(look.ink)};font:12px/1.45 system-ui,sans-serif;padding:8px}}"
        "#wingedge summary{font-weight:bold;cursor:pointer}"
        "#wingedge-story{max-height:45vh;overflow:auto;margin:4px 0}"
        "#wingedge-story div{padding:1px 4px;border-radius:2px}"
        f"#wingedge-story span{{color:{css(look.faint_ink)}}}"
        "#wingedge-story .last{font-weight:bold}"
        f"#wingedge-story .now{{background:{css(look.mark)}}}"
        "#wingedge-story .later{opacity:.55}</style>"
    )
    aside = (
        f'{style}<aside id="wingedge"><details open>'
        f"<summary>{escape(title)}</summary>"
        f'<div id="wingedge-answer">{answers_html(first, look)}</div>'
        f'<div id="wingedge-story">{story_html(timed)}</div>'
        f"{legend_html(first, look)}</details></aside><script>{_FOLLOW}</script>"
    )
    head = f"<title>{escape(title)}</title>"
    document = re.sub("<title>.*?</title>", lambda _: head, document, count=1)
    body = document.rindex("</body>")
    return document[:body] + aside + document[body:]

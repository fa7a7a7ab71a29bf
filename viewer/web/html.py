"""Write a run as one HTML file that plays by itself, in any browser, by viser's player.

Its story stands beside it, with the times of the player.
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from sim import Frame, Recording, World
from viewer.files import check_place, replacing
from viewer.movies import FPS, taken
from viewer.sources import FrameSource, whole_run
from viewer.theme import Layers, Theme, css, named
from viewer.timeline import check_above_zero
from viewer.web.marks import seen_in
from viewer.web.page import LOOPBACK
from viewer.web.panel import legend_html, story_html
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
    turned and played at any speed; the story with its times stands beside it. Bodies
    that only move are stored once.

    Returns int: the number of frames stored.

    Raises ImportError if viser is not installed; says how to install it. Raises
    ValueError if the ending is another one, a number makes no sense, or a world has no
    ``frames``. Raises OSError if nothing can be written there.

    The player is 0.8 MB.  A frame costs 28 bytes per body that moves rigidly, 12 bytes
    per vertex and 24 per edge that deforms, 40 per marker, all before compression.

    Parameters: ``path``: ends in .html; the file appears only when it is complete;
    ``fps``: frames per second that are stored, at most; the last one always is;
    ``title``: of the document; the others are those of `viewer.movie`.
    """
    where, look, on = Path(path), named(theme), Layers()
    on.show(layers)
    if where.suffix.lower() not in FORMATS:
        raise ValueError(f"{where}: give a name that ends in {FORMATS[0]}")
    check_place(where)
    check_above_zero(fps=fps, speed=speed)
    viser = require_viser()
    shown = whole_run(source, frames, "html")
    if not len(shown):
        raise ValueError(f"{where}: there are no frames to show")
    places = sorted(set(taken(len(shown), shown.dt, fps, speed)))
    waits = [(b - a) * shown.dt / speed for a, b in pairwise(places)]
    steps = list(zip(places, [*waits, _HOLD], strict=True))
    tape: Any = None
    with quiet():
        server: Any = viser.ViserServer(host=LOOPBACK, port=0, verbose=False)
        try:
            scene = BrowserScene(server, *seen_in(shown), look, panel=WIDTH)
            for done, (k, wait) in enumerate(steps, 1):
                before = shown[k - 1] if on.path and k > shown.first else None
                scene.show(shown[k], on, before)
                tape = tape or server.get_scene_serializer()
                if len(steps) > 1:  # else the player would begin again and again
                    tape.insert_sleep(wait)
                if progress is not None:
                    progress(done, len(steps))
            page = str(tape.as_html(dark_mode=look.name == "dark"))
        finally:
            server.stop()
    with replacing(where) as file:
        page = dressed(page, shown, look, title, parts=on.parts)
        file.write_text(page, encoding="utf-8")
    return len(places)


def dressed(
    document: str, shown: FrameSource, look: Theme, title: str, *, parts: bool
) -> str:
    """Put the story with its times, and what the colours mean, into a document."""
    first = shown[shown.first]
    timed = [(first.time + k * shown.dt, event) for k, event in shown.events()]
    style = (
        "<style>#wingedge{position:fixed;top:12px;right:12px;box-sizing:border-box;"
        f"width:{WIDTH - 20:.0f}px;max-height:calc(100% - 80px);overflow:auto;"
        f"z-index:5;border-radius:4px;background:{css(look.paper)}e6;"
        f"color:{css(look.ink)};font:12px/1.45 system-ui,sans-serif;padding:8px}}"
        "#wingedge summary{font-weight:bold;cursor:pointer}"
        f"#wingedge time{{color:{css(look.faint_ink)}}}"
        "canvas{opacity:1!important}</style>"  # it blinks when the player begins again
    )
    aside = (
        f'{style}<aside id="wingedge"><details open><summary>{escape(title)}</summary>'
        f"{story_html(timed)}{legend_html(first, look, parts=parts)}</details></aside>"
    )
    head = f"<title>{escape(title)}</title>"
    document = re.sub("<title>.*?</title>", lambda _: head, document, count=1)
    body = document.rindex("</body>")
    return document[:body] + aside + document[body:]

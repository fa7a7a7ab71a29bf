"""A run as one HTML file that plays by itself, in any browser, without a server."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from viewer.files import check_place, replacing
from viewer.layers.switches import Layers
from viewer.movies import taken
from viewer.playing.sources import Running, Source, source_of
from viewer.theme import Theme, named
from viewer.web.need import require_viser
from viewer.web.page import LOOPBACK
from viewer.web.room import first_normal, seen_in
from viewer.web.stage import Stage
from viewer.web.story import css, legend_html, story_html

if TYPE_CHECKING:
    from sim import Frame, Recording, World

FORMATS = (".html", ".htm")
_MOVING_EDGES = 400  # of a body that deforms: each frame of them is in the file
_HOLD = 1.0  # seconds that the last frame stays before the player begins again


def html(
    source: "World | Recording | Frame | Sequence[Frame]",
    path: str | os.PathLike[str],
    *,
    frames: int | None = None,
    fps: float = 30.0,
    speed: float = 1.0,
    theme: str = "light",
    title: str = "wingedge",
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write a run as one HTML file with a player of its own.

    It needs no server and no network: it can be sent by mail.  What is seen can be
    turned and played at any speed; bodies that only move are stored once.

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
    progress : callable, optional
        Told after every frame how many are done, and how many there will be.

    Returns
    -------
    int
        The number of frames stored.

    Raises
    ------
    ImportError
        If viser is not installed; says how to install it.
    ValueError
        If the ending is another one, a number makes no sense, or a world has no
        ``frames``.
    OSError
        If nothing can be written there.

    Notes
    -----
    The player is 0.8 MB.  A frame costs 28 bytes per body that moves rigidly, 12 bytes
    per vertex that deforms, 40 per marker, all before compression.
    """
    where, look = Path(path), named(theme)
    _check(where, fps, speed)
    viser = require_viser()
    shown = _all_of(source, frames)
    while not shown.ended and frames is not None and shown.extend():
        pass
    if shown.trouble is not None:
        raise shown.trouble
    if not shown.ended:
        raise ValueError("html(world): a world has no end; say frames=120")
    if shown.first > 0:
        raise ValueError(
            f"{where}: {len(shown)} frames are more than can be kept; record the world "
            f"first, and give the recording"
        )
    if not len(shown):
        raise ValueError(f"{where}: there are no frames to show")
    places = sorted(set(taken(len(shown), shown.dt, fps, speed)))
    with redirect_stdout(io.StringIO()):  # viser's banner
        server = viser.ViserServer(host=LOOPBACK, port=0, verbose=False)
        try:
            page = _played(server, shown, places, speed, look, progress)
        finally:
            server.stop()
    with replacing(where) as temporary:
        temporary.write_text(_dressed(page, shown, look, title), encoding="utf-8")
    return len(places)


def _all_of(
    source: "World | Recording | Frame | Sequence[Frame]", frames: int | None
) -> Source:
    """Make a source that lets go of no frame: all of them are needed at once."""
    from sim import World

    if isinstance(source, World):
        return Running(source, frames, keep_bytes=sys.maxsize)
    return source_of(source, frames)


def _check(path: Path, fps: float, speed: float) -> None:
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise ValueError(f"{path}: give a name that ends in {FORMATS[0]}")
    check_place(path)
    for name, value in (("fps", fps), ("speed", speed)):
        if not 0 < value < float("inf"):
            raise ValueError(f"{name}={value!r}: give a number above 0")


def _played(
    server: Any,
    shown: Source,
    places: list[int],
    speed: float,
    look: Theme,
    progress: Callable[[int, int], None] | None,
) -> str:
    """Show all frames to a server that records them; return the document."""
    layers, points = Layers(), seen_in(shown)
    low, high = points.min(axis=0), points.max(axis=0)
    top = (low + high) / 2
    top[2] = high[2] + 0.06 * (high - low).max()
    points = np.concatenate([points, top[None]])
    normal = first_normal(shown[places[0]])
    stage = Stage(
        server, points, normal, look, panel=_PANEL, moving_edges=_MOVING_EDGES
    )
    at = stage.room.place(top)
    caption = server.scene.add_label("/frame", "", position=at, anchor="bottom-center")
    tape: Any = None
    waits = [(b - a) * shown.dt / speed for a, b in pairwise(places)]
    for done, (k, wait) in enumerate(zip(places, [*waits, _HOLD], strict=True), 1):
        frame = shown[k]
        stage.show(frame, layers)
        caption.text = f"frame {frame.index}   t = {frame.time:.3f}"
        if tape is None:
            tape = server.get_scene_serializer()
        tape.insert_sleep(wait)
        if progress is not None:
            progress(done, len(places))
    document: str = tape.as_html(dark_mode=look.name == "dark")
    return document


_PANEL = 300.0  # pixels that the story takes


def _dressed(document: str, shown: Source, look: Theme, title: str) -> str:
    """Put what the colours mean and the story beside the picture."""
    first = shown[shown.first]
    events = [(event.frame - first.index, event) for _, event in shown.events()]
    timed = [(first.time + k * shown.dt, event) for k, event in events]
    style = (
        "<style>#wingedge{position:fixed;top:12px;right:12px;"
        f"width:{_PANEL - 40:.0f}px;"
        "max-height:calc(100% - 110px);overflow:auto;z-index:5;border-radius:4px;"
        f"background:{css(look.paper)}e6;color:{css(look.ink)};"
        "font:12px/1.45 system-ui,sans-serif;padding:8px}"
        f"#wingedge summary{{font-weight:bold}}#wingedge span{{color:"
        f"{css(look.faint_ink)}}}</style>"
    )
    aside = (
        f'{style}<aside id="wingedge"><details open><summary>{escape(title)}</summary>'
        f"{legend_html(first, look)}{story_html(timed)}</details></aside>"
    )
    head = f"<title>{escape(title)}</title>"
    start, end = document.find("<title>"), document.find("</title>")
    if 0 <= start < end:
        document = document[:start] + head + document[end + len("</title>") :]
    body = document.rindex("</body>")
    return document[:body] + aside + document[body:]

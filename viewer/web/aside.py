"""What stands beside the picture in the file: the answer, the story, the legend.

The file plays messages of viser at their time. One kind of them is a line of
JavaScript; it says which frame is shown, so the story follows the player, also when
somebody seeks.
"""

import json
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from viewer.theme import Theme
from viewer.web.story import answers_html, css, legend_html, story_html

if TYPE_CHECKING:
    from sim import Event, Frame

WIDTH = 300.0  # pixels that it takes

# Frames come in a heap when somebody seeks: only the last one is drawn.
_FOLLOW = """
(() => {
  let shown = null, asked = false;
  const draw = () => {
    asked = false;
    const [place, last, words] = shown;
    document.getElementById("wingedge-answer").innerHTML = words;
    let present = null;
    for (const row of document.querySelectorAll("#wingedge-story div")) {
      const k = Number(row.dataset.place);
      row.className = k > place ? "later" : k > last ? "now" : "";
      if (k <= place) present = row;
    }
    if (present === null) return;
    for (const row of document.querySelectorAll("#wingedge-story div"))
      if (row.dataset.place === present.dataset.place) row.classList.add("last");
    const list = document.getElementById("wingedge-story");
    const top = present.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40)
      list.scrollTop = top - list.clientHeight / 2;
  };
  window.wingedgeShow = (place, last, words) => {
    shown = [place, last, words];
    if (!asked) { asked = true; requestAnimationFrame(draw); }
  };
})();
"""


def step_script(frame: "Frame", place: int, last: int, look: Theme) -> str:
    """Write the JavaScript that shows a frame beside the picture.

    Parameters
    ----------
    frame : Frame
    place : int
        Its place in the run.
    last : int
        The place that was shown before: events in between are the present ones.
    look : Theme
    """
    words = json.dumps(answers_html(frame, look))
    return f"window.wingedgeShow?.({place}, {last}, {words})"


def dressed(
    document: str,
    first: "Frame",
    timed: "Sequence[tuple[int, float, Event]]",
    look: Theme,
    title: str,
) -> str:
    """Put what the colours mean and the story into a document of viser.

    Parameters
    ----------
    document : str
    first : Frame
    timed : sequence of (int, float, Event)
        Everything that happens, with its place and its time.
    look : Theme
    title : str
    """
    aside = (
        f'{_style(look)}<aside id="wingedge"><details open>'
        f"<summary>{escape(title)}</summary>"
        f'<div id="wingedge-answer">{answers_html(first, look)}</div>'
        f'<div id="wingedge-story">{story_html(timed)}</div>'
        f"{legend_html(first, look)}</details></aside><script>{_FOLLOW}</script>"
    )
    head = f"<title>{escape(title)}</title>"
    start, end = document.find("<title>"), document.find("</title>")
    if 0 <= start < end:
        document = document[:start] + head + document[end + len("</title>") :]
    body = document.rindex("</body>")
    return document[:body] + aside + document[body:]


def _style(look: Theme) -> str:
    return (
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

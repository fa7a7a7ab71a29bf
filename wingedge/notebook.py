"""How values are shown in a notebook: a caption and a small table, and a picture."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from itertools import islice

SHOWN = 10  # rows that are shown of a long table

paint: Callable[[object], bytes] | None = None
"""Draw a value as PNG; `viewer` says how when it is imported."""


def png(value: object) -> bytes | None:
    """Return a picture of a value as PNG, where `viewer` was imported; else None."""
    try:
        return None if paint is None else paint(value)
    except Exception:  # no OpenGL, no finite coordinate: it is shown without
        return None


def html_table(
    caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]], count: int
) -> str:
    """Return the first rows of a table as HTML, all texts escaped.

    Parameters: ``count``: how many rows there are; those that are left out are counted.
    """
    lines = [f"<caption>{escape(caption)}</caption>", _line("th", columns)]
    lines += [_line("td", row) for row in islice(rows, SHOWN)]
    if count > SHOWN:
        lines.append(_line("td", [f"... {count} rows"]))
    return f"<table>{''.join(lines)}</table>"


def html_facts(value: object, facts: Mapping[str, object]) -> str:
    """Return what is to be said of a value as HTML: its type, facts, a picture."""
    told = html_table(type(value).__name__, (), facts.items(), len(facts))
    return told + html_picture(value)


def html_picture(value: object) -> str:
    """Return a picture of a value as HTML; nothing where nobody draws any."""
    drawn = png(value)
    if drawn is None:
        return ""
    return f'<img alt="" src="data:image/png;base64,{b64encode(drawn).decode()}"/>'


def _line(tag: str, cells: Iterable[object]) -> str:
    texts = (f"{x + 0.0:.6g}" if isinstance(x, float) else str(x) for x in cells)
    inner = "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)
    return f"<tr>{inner}</tr>" if inner else ""

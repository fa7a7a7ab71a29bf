"""``wingedge diff``: two contact stories, and what is different."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from viewer.cli import NO, YES
from viewer.cli.progress import waiting

if TYPE_CHECKING:
    from sim.story.comparing.difference import Comparison


def diff(
    a: Path,
    b: Path,
    /,
    *,
    frame_tolerance: int = 0,
    tolerance: float = 1e-9,
    numbers: bool = True,
    format: Literal["text", "markdown", "junit"] = "text",
    output: Path | None = None,
) -> int:
    """Say what is different between two contact stories.

    Exit code 0 if they are the same, 1 if they differ, 2 if one cannot be read.

    Parameters
    ----------
    a : Path
        What was expected: a recording, or the text of a story.
    b : Path
        What is.
    frame_tolerance : int
        The same event at most so many frames later or earlier counts as equal.
    tolerance : float
        How far numbers may differ, and features may be from equally close, relative to
        the size of the coordinates.
    numbers : bool
        Compare distances, points and normals, too, where both are recordings.
    format : str
        text: a table of the first differences and a line that sums up; markdown; junit:
        XML for CI systems.
    output : Path
        A file to write instead of printing.
    """
    from sim import compare
    from viewer.files import check_place

    if output is not None:
        check_place(output)
    with waiting(f"comparing {a} with {b}"):
        found = compare(
            a,
            b,
            frame_tolerance=frame_tolerance,
            tolerance=tolerance,
            numbers=numbers,
        )
    if output is None and format == "text" and not found.same and sys.stdout.isatty():
        _show(found)
    else:
        _write(_text(found, format, f"{a} {b}"), output)
    if output is not None:
        print(found.summary)
    return YES if found.same else NO


def _text(found: "Comparison", format: str, names: str) -> str:
    if format == "markdown":
        return found.markdown()
    if format == "junit":
        return found.junit(f"wingedge diff {names}")
    return f"{found}\n"


def _write(text: str, output: Path | None) -> None:
    from viewer.files import replacing

    if output is None:
        print(text, end="")
        return
    with replacing(output) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _show(found: "Comparison") -> None:
    """Print the first differences in a table that fits the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from sim.story.comparing.difference import FIRST
    from sim.story.comparing.report import HEAD, left_out, rows

    table = Table(box=None, pad_edge=False)
    for name in HEAD:
        table.add_column(
            name,
            justify="right" if name == "frame" else "left",
            no_wrap=name in ("frame", "kind"),
        )
    for row in rows(found, FIRST):
        table.add_row(*map(Text, row))  # Text: a name may look like markup
    console = Console(highlight=False)
    console.print(table)
    for line in (left_out(found, FIRST), found.summary):
        if line:
            console.print(Text(line), soft_wrap=True)

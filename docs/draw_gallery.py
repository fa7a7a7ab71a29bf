"""Draw every picture of docs/gallery; the site makes its page from the same table.

    python docs/draw_gallery.py                 all of them: some minutes
    python docs/draw_gallery.py layer_path fig*         these
    python docs/draw_gallery.py --out FOLDER            somewhere else

Needs the extra ``viewer``.
"""

import argparse
import io
from contextlib import redirect_stdout
from fnmatch import fnmatch
from pathlib import Path

from pictures import (
    GALLERY,
    LegendEntry,
    charts,
    deformations,
    examples,
    figures,
    window,
)

CHAPTERS: dict[str, dict[str, LegendEntry]] = {
    "The live window": window.ENTRIES,
    "Scenes": figures.ENTRIES,
    "Layers": figures.LAYERS,
    "Deformers": deformations.ENTRIES,
    "Responses": examples.ENTRIES,
    "The plane": examples.PLANE,
    "Between two frames": charts.BETWEEN,
    "Plots": charts.ENTRIES,
}
TABLE = {name: entry for part in CHAPTERS.values() for name, entry in part.items()}


def main(arguments: list[str] | None = None) -> None:
    """Draw what was asked for; names may leave the ending out, and have stars."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="all if left out")
    parser.add_argument("--out", type=Path, default=GALLERY, metavar="FOLDER")
    given = parser.parse_args(arguments)
    found = [(n, chosen(n)) for n in given.names or ["*"]]
    if unknown := [name for name, some in found if not some]:
        parser.error(f"no picture is called {unknown[0]!r}")
    given.out.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys(name for _, some in found for name in some):
        with redirect_stdout(io.StringIO()):  # examples tell what they do
            TABLE[name].draw(given.out / name)
        print(f"{name:<24} {(given.out / name).stat().st_size / 1000:7.0f} kB")


def chosen(pattern: str) -> list[str]:
    """Return the files that a name means, with or without ending, ``*`` and all."""
    return [n for n in TABLE if fnmatch(n, pattern) or fnmatch(Path(n).stem, pattern)]


def index() -> str:
    """Write the page that shows all pictures."""
    lines = ["# Gallery", "", "Every picture comes from `python docs/draw_gallery.py`."]
    for chapter, part in CHAPTERS.items():
        lines += ["", f"## {chapter}", "", "| | |", "|---|---|"]
        for name, entry in part.items():
            code = entry.code.replace("|", "\\|")
            image = f'<img src="{name}" width="420" alt="{entry.shows}">'
            lines.append(f"| {image} | **{name}**<br>{entry.shows}<br>`{code}` |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

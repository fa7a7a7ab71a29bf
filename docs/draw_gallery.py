"""Draw every picture of docs/gallery; the site makes its page from the same table.

    python docs/draw_gallery.py                 all of them: some minutes
    python docs/draw_gallery.py layer_path fig*         these
    python docs/draw_gallery.py --out FOLDER            somewhere else
    python docs/draw_gallery.py --list                  names, and what they show

Needs the extra ``viewer``; pictures of the browser need ``web`` and Chromium too. Only
export_vtk93 needs a display. Exit code 1 if one could not be drawn: the others are.
"""

import argparse
import io
import sys
import time
from contextlib import redirect_stdout
from fnmatch import fnmatch
from pathlib import Path

from pictures import (
    between,
    browser,
    charts,
    deformations,
    drag,
    figures,
    layers,
    movies,
    plane,
    room_walk,
    window,
)
from pictures.entry import GALLERY, LegendEntry

CHAPTERS: dict[str, dict[str, LegendEntry]] = {
    "The live window": {**window.ENTRIES, **movies.ENTRIES},
    "In a browser": browser.ENTRIES,
    "Scenes": figures.ENTRIES,
    "Layers": layers.ENTRIES,
    "Deformers": deformations.ENTRIES,
    "Responses": {**drag.ENTRIES, **room_walk.ENTRIES},
    "The plane": plane.ENTRIES,
    "Between two frames": between.ENTRIES,
    "Plots": charts.ENTRIES,
}
TABLE = {name: entry for part in CHAPTERS.values() for name, entry in part.items()}


def main(arguments: list[str] | None = None) -> int:
    """Draw what was asked for; the exit code says whether all of it was drawn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="all if left out")
    parser.add_argument("--out", type=Path, default=GALLERY, metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="draw nothing")
    given = parser.parse_args(arguments)
    if given.list:
        width = max(map(len, TABLE))
        print("\n".join(f"{name:<{width}}  {e.shows}" for name, e in TABLE.items()))
        return 0
    try:
        names = chosen(given.names)
    except ValueError as error:
        parser.error(str(error))
    given.out.mkdir(parents=True, exist_ok=True)
    failed = [name for k, name in enumerate(names, 1) if not drawn(k, names, given.out)]
    if failed:
        print(f"not drawn: {' '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


def chosen(patterns: list[str]) -> list[str]:
    """Return the files that names mean, with or without ending, ``*`` and all.

    Raises
    ------
    ValueError
        If there is no picture of a name.
    """
    found: dict[str, None] = {}
    for pattern in patterns or ["*"]:
        fits = [n for n in TABLE if fnmatch(n, pattern) or fnmatch(_stem(n), pattern)]
        if not fits:
            raise ValueError(f"no picture is called {pattern!r}; --list names them")
        found.update(dict.fromkeys(fits))
    return list(found)


def drawn(k: int, names: list[str], folder: Path) -> bool:
    """Draw one picture, and say how it went; a fault does not end the others."""
    name, start = names[k - 1], time.perf_counter()
    print(f"[{k:2d}/{len(names)}] {name:<24}", end=" ", flush=True)
    try:
        with redirect_stdout(io.StringIO()):  # examples tell what they do
            TABLE[name].draw(folder / name)
    except Exception as error:  # one that fails is told and counted
        print(f"failed: {type(error).__name__}: {error}")
        return False
    size, took = (folder / name).stat().st_size, time.perf_counter() - start
    print(f"{size / 1000:7.0f} kB  {took:5.1f} s")
    return True


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


def _stem(name: str) -> str:
    return name.rpartition(".")[0]


if __name__ == "__main__":
    sys.exit(main())

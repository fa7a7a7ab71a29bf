"""The picture of docs/performance.md: cost by vertices, bodies, pairs, frames."""

from collections.abc import Mapping
from pathlib import Path

from paper_experiments.plots import STYLES, line, prepare, saved, sheet

from speed import Table

ENGINES = ["default", "trust", "interpreted", "coal", "python-fcl"]
LONGEST = ["median", "longest frame", "longest pause"]
PANELS = {  # table: title, what is across, what is up, the columns that are drawn
    "frame_of_a_pair": ("a frame of one pair, apart", "vertices", "us", ENGINES),
    "bodies": ("a frame of a world", "bodies", "ms", []),  # a line for each engine
    "every_pair": ("a frame that reports every pair", "pairs", "ms", ["ms a frame"]),
    "frames": ("1000 bodies, frame after frame", "frames", "ms", LONGEST),
}
LEFT_OUT = {"overlapping", "wingedge, all new, trust"}  # there are six looks
Lines = dict[str, list[tuple[float, float]]]


def lines(table: Table, across: str, columns: list[str]) -> Lines:
    """Return the points of each line, by what it shows."""
    found: Lines = {}
    for row in table:
        names = {name: name for name in columns} or {row["engine"]: "ms a frame"}
        for name, column in names.items():
            if column in row and not LEFT_OUT & set(row.values()):
                point = float(row[across]), float(row[column])
                found.setdefault(str(name), []).append(point)
    return found


def draw(found: Mapping[str, Table], path: Path) -> None:
    """Draw the picture from the tables."""
    prepare()
    figure, panels = sheet(2, 2, 6.4, sharey="none")
    for ax, (name, panel) in zip(panels.flat, PANELS.items(), strict=True):
        title, across, up, columns = panel
        drawn = lines(found[name], across, columns).items()
        for (label, points), look in zip(drawn, STYLES.values(), strict=False):
            line(ax, *zip(*points, strict=True), look, label)
        scale = "linear" if name == "frames" else "log"
        ax.set(yscale=scale, xscale=scale, xlabel=across, ylabel=f"{up} a frame")
        if name != "frames":
            at = sorted({x for points in dict(drawn).values() for x, _ in points})
            ax.set_xticks(at, [f"{x:g}" for x in at])
            ax.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
        ax.set_title(title, loc="left", fontsize=9)
        ax.legend(fontsize=7)
    saved(figure, path)

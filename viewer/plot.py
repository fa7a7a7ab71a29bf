"""Plot a run over time with its events, and maps of studies."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim import Recording
from sim.story.comparing.difference import counted
from sim.table import Table
from viewer.files import check_place, replacing
from viewer.gl import INSTALL_VIEWER
from viewer.theme import LIGHT, css

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sim.study.study import StoryMap

Place = str | os.PathLike[str]
ENDINGS = (".png", ".svg", ".pdf")
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}  # the same file
MOST = 8  # pairs with a line of their own, those that came nearest
INK = css(LIGHT.ink)
Chosen = list[tuple[str, Any]]  # names of pairs, and their rows of a table
MARKS = {"begin": "^", "end": "v", "penetrate": "s", "separate": "D", "brush": "*"}
MARKS["change"] = "|"


def plot(
    recording: Recording, path: Place, *, pair: str | None = None, margins: bool = False
) -> None:
    """Plot distance, depth, area and contacts over time into a picture.

    A line is a pair, of those that came nearest the eight first; marks on it are its
    events: a triangle up "begin", down "end", a square "penetrate", a diamond
    "separate", a tick a "change"; a depth that is an interval is a band.

    Parameters: ``path``: .png, .svg or .pdf; ``pair``: ``"jelly/table"``, it alone;
    ``margins``: also `story.margins`, and the resolution of positions, a dotted line.

    Raises ImportError without matplotlib; ValueError for another ending or pair.
    """
    if not hasattr(recording, "table"):
        raise TypeError(f"plot takes what Recording.open returns, not {recording!r}")
    file = checked(path, "plot into")
    from matplotlib.figure import Figure

    table = recording.table()
    chosen = _chosen(table, pair)
    touch = np.where(table["regime"] != "separated", table["area"], 0.0)
    rows = ["distance", "depth", "area", "contacts", *["margin"] * margins]
    figure = Figure(figsize=(10.0, 8.0), dpi=120, layout="constrained")
    shares = {"height_ratios": [3, 2, 1, 1, 2][: len(rows)]}
    axes = figure.subplots(len(rows), 1, sharex=True, gridspec_kw=shares)
    for k, (name, mine) in enumerate(chosen):
        look = {"color": css(LIGHT.body(k).feature)}
        times = table["time"][mine]
        for row, values in enumerate((table["distance"], table["depth"], touch)):
            axes[row].plot(times, values[mine], label=name, linewidth=1.4, **look)
        # an overlap of bodies that are not convex is an interval
        band = (np.maximum(0.0, -table[end][mine]) for end in ("upper", "lower"))
        axes[1].fill_between(times, *band, alpha=0.2, linewidth=0.0, **look)
    every, meets = [x.time for x in recording], table["regime"] != "separated"
    counts = [int((table["time"][meets] == time).sum()) for time in every]
    axes[3].step(every, counts, where="post", color=INK, linewidth=1.2)
    axes[3].set_ylim(0, max(counts, default=0) + 0.5)
    axes[3].yaxis.get_major_locator().set_params(integer=True)
    for each, words in zip(axes, rows, strict=True):
        each.set_ylabel(words)
        each.spines[["top", "right"]].set_visible(False)
        each.grid(alpha=0.25, linewidth=0.6)
    _mark_events(axes, recording, table, chosen)
    axes[0].axhline(0.0, color=INK, linewidth=0.8)
    axes[-1].set_xlabel("time")
    for each, values in ((axes[1], table["depth"]), (axes[2], touch)):
        if not values.any():
            each.set_ylim(0.0, 1.0)
    write(figure, file)


def checked(path: Place, what: str) -> Path:
    """Return where a figure goes; raise unless it can be drawn there."""
    file = Path(os.fspath(path))
    if file.suffix.lower() not in ENDINGS:
        raise ValueError(f"{file}: {what} {', '.join(ENDINGS)}")
    check_place(file)
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        said = "plotting needs matplotlib, which comes with pyvista"
        raise ImportError(f"{said}: {INSTALL_VIEWER}") from error
    return file


def write(figure: "Figure", file: Path) -> None:
    """Write a figure, the same bytes each time; the file appears when it is whole."""
    from matplotlib import rc_context

    with replacing(file) as temporary, rc_context({"svg.hashsalt": "wingedge"}):
        figure.savefig(temporary, metadata=UNDATED.get(file.suffix.lower()))


def _chosen(table: Table, pair: str | None) -> Chosen:
    """Choose the pairs to draw, the nearest first, and the rows of each."""
    names = np.char.add(np.char.add(table["a"], "/"), table["b"])
    rows = {name: np.flatnonzero(names == name) for name in np.unique(names).tolist()}
    if pair is None:
        near = sorted(rows, key=lambda name: table["distance"][rows[name]].min())
        return [(name, rows[name]) for name in near[:MOST]]
    for name, mine in rows.items():
        if pair in (name, f"{table['b'][mine[0]]}/{table['a'][mine[0]]}"):
            return [(name, mine)]
    known = ", ".join(rows) or "none"
    raise ValueError(f"there is no pair {pair!r}; reported are {known}")


def _mark_events(axes: Any, recording: Recording, table: Table, chosen: Chosen) -> None:
    """Mark what happened on the lines of pairs, and by its margin on axes for that."""
    first, events, look = axes[0], recording.story.events, {"color": "none"}
    places = {(name, table["frame"][k]): k for name, rows in chosen for k in rows}
    kinds = np.array([e.kind if e.kind in MARKS else "change" for e in events], str)
    rows = np.array([places.get((f"{e.a}/{e.b}", e.frame), -1) for e in events], int)
    drawn = [(first, np.append(table["distance"], np.nan)[rows])]  # -1: nowhere
    if len(axes) == 5:
        far = recording.story.margins(recording)["margin"]  # infinite ones: above all
        most = 10.0 * far[np.isfinite(far)].max(initial=0.1)
        drawn.append((axes[-1], np.minimum(far, most)))
        axes[-1].set_yscale("log")
        known = max(recording.rules.resolution, default=0.0) or np.nan
        axes[-1].axhline(known, color=INK, linestyle=":")
    for kind, mark in MARKS.items():
        some = (kinds == kind) & (rows >= 0)
        for each, values in drawn if some.any() else ():
            at = table["time"][rows[some]], values[some]
            each.plot(*at, mark, label=kind, markeredgecolor=INK, markersize=7, **look)
    if chosen:
        columns = 1 + len(first.get_lines()) // 6
        first.legend(loc="best", frameon=False, fontsize=9, ncols=columns)


def draw_map(found: "StoryMap", path: Place) -> None:
    """Draw which story each pair of settings has.

    Raises ImportError without matplotlib; ValueError for another ending than .png,
    .svg and .pdf.
    """
    file = checked(path, "draw a map into")
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 6.0), dpi=120, layout="constrained")
    axes, count = figure.add_subplot(), len(found.stories)
    shades = colormaps["tab10" if count <= 10 else "tab20"].resampled(count)
    look: Any = {"cmap": shades, "aspect": "auto", "alpha": 0.8}
    look |= {"vmin": -0.5, "vmax": count - 0.5}
    image = axes.imshow(found.cells, origin="lower", **look)
    for axis, name, values in (
        (axes.xaxis, found.names[0], found.across),
        (axes.yaxis, found.names[1], found.up),
    ):
        places = _some(len(values), 6)
        texts = [f"{v:.4g}" if isinstance(v, float) else str(v) for v in values]
        axis.set_ticks(places, [texts[k] for k in places])
        axis.set_label_text(name)
    ticks = _some(count, 24)
    bar = figure.colorbar(image, ax=axes, ticks=ticks)
    events = [f"{n}: {counted(len(found.stories[n].events), 'event')}" for n in ticks]
    bar.ax.set_yticklabels(events, fontsize=8)
    axes.set_title(f"{count} stories in {found.cells.size} cases")
    write(figure, file)


def _some(count: int, most: int) -> list[int]:
    """Return so many places at most, the first and the last among them."""
    return [*map(int, np.unique(np.linspace(0, count - 1, most).round()))]

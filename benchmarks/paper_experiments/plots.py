"""The plots of docs/paper.md, from the tables.

Colours after Okabe and Ito (2008), told apart by every kind of colour vision; markers
and line styles differ too, for print in grey.
"""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from paper_experiments.table import Row, chosen, share

INK, BLUE, ORANGE, GREEN, SKY, RED = (
    "#262a30",
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#56b4e9",
    "#d55e00",
)
STYLES = {
    "as printed": (RED, "o", "-"),
    "vertex rule": (ORANGE, "s", "--"),
    "repeat": (SKY, "^", "-."),
    "vertex rule, repeat": (INK, "D", ":"),
    "Voronoi": (GREEN, "v", "-"),
    "all three": (BLUE, "P", "--"),
}
WIDTH, DPI, SHADES = 8.4, 110, 48  # inches, pixels per inch, colours of a file
Tables = dict[str, list[Row]]


def draw(tables: Tables, folder: Path) -> list[Path]:
    """Draw what there are tables for; return the files."""
    prepare()
    drawn: dict[str, tuple[str, Callable[[list[Row]], Any]]] = {
        "paper_misses": ("misses", by_step),
        "paper_rules": ("misses", by_rules),
        "paper_tuning": ("tuning", by_threshold),
        "paper_examined": ("looked_at", by_faces),
        "paper_cost": ("cost", by_cost),
    }
    files = []
    for name, (source, draw_one) in drawn.items():
        if source in tables:
            figure = draw_one(tables[source])
            files.append(saved(figure, folder / f"{name}.png"))
    return files


def prepare() -> None:
    """Draw into files, in the look of all plots."""
    import matplotlib as mpl

    mpl.use("agg")
    mpl.rcParams.update(
        {
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#e3e6ea",
            "axes.axisbelow": True,
            "lines.linewidth": 1.6,
            "lines.markersize": 5,
            "legend.frameon": False,
        }
    )


def by_step(rows: list[Row]) -> Any:
    """Draw the share of wrong frames over the step, a line for each pair of bodies."""
    figure, axes = sheet(2, 2, 5.2)
    printed = chosen(rows, rules="as printed")
    for row_of, regime in zip(axes, ("apart", "contact"), strict=True):
        for ax, motion in zip(row_of, ("spin", "travel"), strict=True):
            here = chosen(printed, regime=regime, motion=motion)
            for name, style in zip(_unique(here, "pair"), STYLES.values(), strict=True):
                mine = chosen(here, pair=name)
                x = [float(row["degrees"]) for row in mine]
                y = [100.0 * share([row]) for row in mine]
                line(ax, x, y, style, name)
            ax.set(xscale="log", ylim=(-3, 103), xticks=x, xticklabels=map(_short, x))
            ax.minorticks_off()
            gap = "apart (0.1)" if regime == "apart" else "in contact (0.001)"
            verb = "B turns" if motion == "spin" else "B travels round A"
            ax.set_title(f"{gap}: {verb}", loc="left", fontsize=9)
        row_of[0].set_ylabel("wrong frames [%]")
    for ax in axes[1]:
        ax.set_xlabel("step [degrees per frame]")
    legend(figure, axes[0][0], 3)
    return figure


def by_rules(rows: list[Row]) -> Any:
    """Draw the share of wrong frames by rules, silent ones filled."""
    from matplotlib.patches import Patch

    figure, axes = sheet(1, 2, 2.6)
    silent_look = {"color": RED}
    noticed_look = {"facecolor": "white", "edgecolor": RED, "hatch": "////"}
    names = list(STYLES)[::-1]
    for ax, regime in zip(axes[0], ("apart", "contact"), strict=True):
        here = chosen(rows, regime=regime)
        for k, name in enumerate(names):
            mine = chosen(here, rules=name)
            wrong, silent = 100 * share(mine), 100 * share(mine, "silent")
            ax.barh(k, silent, 0.6, **silent_look)
            ax.barh(k, wrong - silent, 0.6, silent, **noticed_look)
            says = f"{wrong:.1f} %" if wrong else "0"
            ax.text(wrong + 0.5, k, says, va="center", color=INK)
        ax.set(yticks=range(len(names)), yticklabels=names, xlim=(0, 30))
        ax.grid(axis="y", visible=False)
        ax.tick_params(axis="y", length=0)
        ax.set_title("apart" if regime == "apart" else "in contact", loc="left")
        ax.set_xlabel("wrong frames [%]")
    handles = [
        Patch(label="silent", **silent_look),
        Patch(label="noticed", **noticed_look),
    ]
    axes[0][1].legend(handles=handles, loc="lower right")
    return figure


def by_threshold(rows: list[Row]) -> Any:
    """Draw the share of wrong frames over the threshold, a line for each range."""
    pairs = _unique(rows, "pair")
    figure, axes = sheet(1, len(pairs), 2.9)
    for ax, pair in zip(axes[0], pairs, strict=True):
        ranges = _unique(rows, "search_range")
        for steps, style in zip(ranges, STYLES.values(), strict=False):
            mine = chosen(rows, pair=pair, search_range=steps)
            x = [1000.0 * float(row["threshold"]) for row in mine]
            line(ax, x, [100.0 * share([row]) for row in mine], style, steps)
        ax.set(xscale="log", ylim=(-3, 103), xticks=x, xticklabels=map(_short, x))
        ax.minorticks_off()
        ax.set_title(pair, loc="left", fontsize=9)
        ax.set_xlabel("threshold / distance")
    axes[0][0].set_ylabel("wrong frames [%]")
    legend(figure, axes[0][0], 4, "search range [steps]")
    return figure


def by_faces(rows: list[Row]) -> Any:
    """Draw the elements examined over the number of faces."""
    figure, axes = sheet(1, 2, 3.2)
    styles = {"paper": (RED, "o", "-"), "certified": (BLUE, "P", "--")}
    styles["brute force"] = (INK, "s", ":")
    for ax, regime in zip(axes[0], ("apart", "contact"), strict=True):
        for name, style in styles.items():
            mine = chosen(rows, regime=regime, search=name)
            x = [float(row["faces"]) for row in mine]
            line(ax, x, [float(row["examined"]) for row in mine], style, name)
        ax.set(xscale="log", yscale="log")
        ax.set_title("apart" if regime == "apart" else "in contact", loc="left")
        ax.set_xlabel("faces of each body")
    axes[0][0].set_ylabel("examined per frame")
    legend(figure, axes[0][0], 3)
    return figure


def by_cost(rows: list[Row]) -> Any:
    """Draw the time of a frame over the number of faces, structure and query."""
    figure, axes = sheet(1, 2, 3.4)
    names = _unique(rows, "engine")
    titles = {"structure_us": "fit the data to new positions", "query_us": "answer"}
    for ax, (column, title) in zip(axes[0], titles.items(), strict=True):
        for name, style in zip(names, list(STYLES.values())[::-1], strict=False):
            mine = chosen(rows, engine=name)
            x = [float(row["faces"]) for row in mine]
            line(ax, x, [float(row[column]) for row in mine], style, name)
        ax.set(xscale="log", yscale="log", ylim=(1, 1e6))
        ax.set_title(title, loc="left")
        ax.set_xlabel("faces of the body that deforms")
    axes[0][0].set_ylabel("time per frame [us]")
    legend(figure, axes[0][0], 3)
    return figure


def sheet(
    down: int, across: int, height: float, sharey: str = "row"
) -> tuple[Any, Any]:
    """Make a figure with so many axes."""
    from matplotlib import pyplot

    return pyplot.subplots(
        down,
        across,
        figsize=(WIDTH, height),
        squeeze=False,
        sharey=sharey,
        layout="constrained",
    )


def line(
    ax: Any, x: Sequence[float], y: Sequence[float], style: Any, name: str
) -> None:
    """Draw a line in a style, with the name that its legend says."""
    colour, marker, dashes = style
    ax.plot(x, y, color=colour, marker=marker, linestyle=dashes, label=name)


def legend(figure: Any, ax: Any, columns: int, title: str | None = None) -> None:
    """List below a figure what the lines of one of its axes are."""
    handles, names = ax.get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=columns, title=title
    )


def _unique(rows: list[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def _short(x: float) -> str:
    return f"{x:g}"


def saved(figure: Any, path: Path) -> Path:
    """Write a small file: few colours are enough for lines."""
    from matplotlib import pyplot
    from PIL import Image

    buffer = BytesIO()
    figure.savefig(buffer, dpi=DPI)
    pyplot.close(figure)
    with Image.open(buffer) as image:
        small = image.convert("RGB").quantize(SHADES)
        small.save(path, optimize=True)
    return path

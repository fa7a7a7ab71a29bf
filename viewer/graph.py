"""Draw a graph of contact states: one ring per pair, in the order of first visits."""

import os
from collections.abc import Sequence
from math import ceil, cos, log2, pi, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viewer.files import check_place, replacing
from viewer.theme import LIGHT, Rgb, css

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
# Lengths in inches.
LABEL = 1.75  # room for a name on either side of a ring
PITCH = 0.56  # between two states on the ring, at least
RADIUS = 0.9  # of the smallest ring
SMALLEST, LARGEST = 0.06, 0.22  # radii of states, by the root of the time spent there
LINES = 0.55  # room for a name above and below
TITLE = 0.35
TEXT = 7.5  # points
INK = css(LIGHT.ink)
CENTRED: dict[str, Any] = {"ha": "center", "va": "center"}
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}  # the same file
COLOURS: dict[str, Rgb] = {
    "apart": (150, 156, 164),
    "EE": LIGHT.bodies[1].feature,
    "FF": LIGHT.regimes["contact"],
    "EF": LIGHT.bodies[2].feature,
    "FE": LIGHT.bodies[2].feature,
}


def draw_graph(graph: "nx.DiGraph[str]", path: str | os.PathLike[str]) -> None:
    """Draw a graph of states, as `contact_graph` makes it, into a .png, .svg or .pdf.

    A circle is a state, its area the time spent there; an arrow is a transition, its
    width how often it was made. Clockwise from the top, in the order of first visits.

    Raises ImportError without matplotlib, ValueError for another ending or no states.
    """
    file = checked(path, "draw a graph as")
    if not len(graph):
        raise ValueError("no contact was told of, so there are no states to draw")
    from matplotlib.figure import Figure

    pairs: dict[str, list[str]] = {}
    for state, said in graph.nodes.items():
        pairs.setdefault(said["pair"], []).append(state)
    columns = ceil(sqrt(len(pairs)))
    rows = ceil(len(pairs) / columns)
    radius = max(_radius(states) for states in pairs.values())
    size = columns * 2.0 * (radius + LABEL), rows * (2.0 * (radius + LINES) + TITLE)
    figure = Figure(figsize=size, dpi=150)
    for k, (pair, states) in enumerate(pairs.items(), 1):
        axes = figure.add_subplot(rows, columns, k)
        axes.set_xlim(-radius - LABEL, radius + LABEL)
        axes.set_ylim(-radius - LINES, radius + LINES + TITLE)
        axes.set_aspect("equal")
        axes.axis("off")
        _draw(axes, pair, graph, states)
        count = graph.subgraph(states).size()
        words = f"{pair}: {len(states)} states, {count} transitions"
        middle = radius + LINES + 0.5 * TITLE
        axes.text(0.0, middle, words, fontsize=1.3 * TEXT, color=INK, **CENTRED)
    figure.subplots_adjust(0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    write(figure, file)


def checked(path: str | os.PathLike[str], what: str) -> Path:
    """Return where a figure goes; raise unless it can be drawn there."""
    file = Path(os.fspath(path))
    if file.suffix.lower() not in ENDINGS:
        raise ValueError(f"{file}: {what} {', '.join(ENDINGS)}")
    check_place(file)
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "drawing a graph needs matplotlib, which comes with pyvista: pip install "
            "'wingedge[viewer]'"
        ) from error
    return file


def write(figure: "Figure", file: Path) -> None:
    """Write a figure, the same bytes each time; the file appears when it is whole."""
    from matplotlib import rc_context

    undated = UNDATED.get(file.suffix.lower())
    with replacing(file) as temporary, rc_context({"svg.hashsalt": "wingedge"}):
        figure.savefig(temporary, metadata=undated)


def _radius(states: Sequence[str]) -> float:
    return max(RADIUS, len(states) * PITCH / (2.0 * pi))


def _draw(axes: "Axes", pair: str, graph: "nx.DiGraph[str]", states: list[str]) -> None:
    """Draw the states of a pair on a ring, from the top, clockwise."""
    import networkx as nx

    most = max(said["frames"] for said in graph.nodes.values())
    graph, ring = graph.subgraph(states), _radius(states)
    turns = {state: 2.0 * pi * k / len(states) for k, state in enumerate(states)}
    places = {state: (ring * sin(t), ring * cos(t)) for state, t in turns.items()}
    told = [graph.nodes[state] for state in states]
    radii = [SMALLEST + (LARGEST - SMALLEST) * sqrt(s["frames"] / most) for s in told]
    inks = [css(COLOURS.get(s["kind"], LIGHT.bodies[0].feature)) for s in told]
    nodes: dict[str, Any] = {"nodelist": states, "ax": axes}
    nodes["node_size"] = [(144.0 * r) ** 2 for r in radii]
    nx.draw_networkx_nodes(graph, places, node_color=inks, linewidths=0.0, **nodes)
    counts = {edge: said["count"] for edge, said in graph.edges.items()}
    nodes["connectionstyle"] = "arc3,rad=0.18"
    look: dict[str, Any] = {"edge_color": css(LIGHT.faint_ink), "arrowstyle": "-|>"}
    look["width"] = [0.8 + 0.9 * log2(count) for count in counts.values()]
    nx.draw_networkx_edges(graph, places, edgelist=list(counts), **look, **nodes)
    often = {edge: f"{count}x" for edge, count in counts.items() if count > 1}
    look = {"font_size": TEXT, "font_color": INK, "rotate": False}
    nx.draw_networkx_edge_labels(graph, places, often, **look, **nodes)
    for state, said, size in zip(states, told, radii, strict=True):
        words = f"{state.removeprefix(f'{pair} ')}\n{said['frames']} frames, "
        u, v = (x / ring for x in places[state])
        # outside the ring: beside a state, above or below it
        side = "center" if abs(u) < 0.15 else "left" if u > 0.0 else "right"
        up = "center" if side != "center" else "bottom" if v > 0.0 else "top"
        away = (size + 0.05) * {"center": 0.0, "left": 1.0, "right": -1.0}[side]
        x, y = ring * u + away, ring * v + v * (0.5 * size if away else size + 0.05)
        words += f"{said['seconds']:.3g} s"
        look = {"fontsize": TEXT, "color": INK, "ha": side, "va": up}
        axes.text(x, y, words, linespacing=1.1, **look)

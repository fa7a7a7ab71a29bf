"""Draw a graph of contact states: one ring per pair, in the order of first visits."""

import os
from collections.abc import Iterator
from math import ceil, hypot, log2, pi, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from viewer.files import check_place, replacing
from viewer.theme import LIGHT, Rgb, css

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes

ENDINGS = (".png", ".svg", ".pdf")
# Lengths in inches.
LABEL = 1.75  # room for a name on either side of a ring
PITCH = 0.56  # between two states on the ring, at least
RADIUS = 0.9  # of the smallest ring
SMALLEST, LARGEST = 0.06, 0.22  # radii of states, by the root of the time spent there
LINES = 0.55  # room for a name above and below
TITLE = 0.35
TEXT = 7.5  # points
UNDATED = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}  # same run, same file
COLOURS: dict[str, Rgb] = {
    "apart": (150, 156, 164),
    "EE": LIGHT.bodies[1].feature,
    "FF": LIGHT.regimes["contact"],
    "EF": LIGHT.bodies[2].feature,
    "FE": LIGHT.bodies[2].feature,
}


class Ring(NamedTuple):
    """The states of one pair, and where they are drawn."""

    pair: str
    graph: "nx.DiGraph[str]"
    radius: float
    places: dict[str, tuple[float, float]]  # inches from the middle


def draw_graph(graph: "nx.DiGraph[str]", path: str | os.PathLike[str]) -> None:
    """Draw a graph of states into a file.

    A circle is a state, its area the time spent there; an arrow is a transition, its
    width how often it was made. Clockwise from the top, in the order of first visits.

    Parameters
    ----------
    graph : networkx.DiGraph
        As ``sim.story.graph.contact_graph`` returns it.
    path : str or path
        Ends in .png, .svg or .pdf; the file appears only when it is complete.

    Raises
    ------
    ImportError
        If matplotlib is missing, which comes with pyvista.
    ValueError
        If the name has another ending, or the graph has no states.
    OSError
        If nothing can be written there.
    """
    file = Path(os.fspath(path))
    if file.suffix.lower() not in ENDINGS:
        raise ValueError(f"{file}: draw a graph as {', '.join(ENDINGS)}")
    if not len(graph):
        raise ValueError("no contact was told of, so there are no states to draw")
    check_place(file)
    require_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    rings = list(_rings(graph))
    columns = ceil(sqrt(len(rings)))
    rows = ceil(len(rings) / columns)
    radius = max(ring.radius for ring in rings)
    size = columns * 2.0 * (radius + LABEL), rows * (2.0 * (radius + LINES) + TITLE)
    figure = Figure(figsize=size, dpi=150)
    most = max(said["frames"] for said in graph.nodes.values())
    for k, ring in enumerate(rings):
        axes = figure.add_subplot(rows, columns, k + 1)
        _draw(axes, ring, most, radius)
    figure.subplots_adjust(0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    with replacing(file) as temporary, rc_context({"svg.hashsalt": "wingedge"}):
        figure.savefig(temporary, metadata=UNDATED.get(file.suffix.lower()))


def require_matplotlib() -> None:
    """Raise ``ImportError`` with what to install, unless matplotlib is there."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "drawing a graph needs matplotlib, which comes with pyvista: pip install "
            "'wingedge[viewer]'"
        ) from error


def _rings(graph: "nx.DiGraph[str]") -> Iterator[Ring]:
    """Lay out the states of every pair."""
    import networkx as nx

    pairs: dict[str, list[str]] = {}
    for state, said in graph.nodes.items():
        pairs.setdefault(said["pair"], []).append(state)
    for pair, states in pairs.items():
        radius = max(RADIUS, len(states) * PITCH / (2.0 * pi))
        part = graph.subgraph(states)
        places = {states[0]: (0.0, radius)}
        if len(states) > 1:
            ordered: nx.Graph[str] = nx.path_graph(states)
            layout = nx.circular_layout(ordered, scale=radius)
            # from the top, clockwise
            places = {state: (float(y), float(x)) for state, (x, y) in layout.items()}
        yield Ring(pair, part, radius, places)


def _draw(axes: "Axes", ring: Ring, most: int, radius: float) -> None:
    from matplotlib.patches import Circle, FancyArrowPatch

    high = radius + LINES
    axes.set_xlim(-radius - LABEL, radius + LABEL)
    axes.set_ylim(-high, high + TITLE)
    axes.set_aspect("equal")
    axes.axis("off")
    sizes = {
        state: SMALLEST + (LARGEST - SMALLEST) * sqrt(said["frames"] / most)
        for state, said in ring.graph.nodes.items()
    }
    for (old, new), said in ring.graph.edges.items():
        width = 0.8 + 0.9 * log2(said["count"])
        axes.add_patch(
            FancyArrowPatch(
                ring.places[old],
                ring.places[new],
                connectionstyle="arc3,rad=0.18",
                arrowstyle="-|>",
                mutation_scale=8.0 + width,
                shrinkA=72.0 * sizes[old] + 1.0,
                shrinkB=72.0 * sizes[new] + 1.0,
                linewidth=width,
                color=css(LIGHT.faint_ink),
            )
        )
        if said["count"] > 1:
            axes.text(
                *_beside(ring.places[old], ring.places[new]),
                f"{said['count']}x",
                fontsize=TEXT,
                color=css(LIGHT.ink),
                ha="center",
                va="center",
            )
    for state, said in ring.graph.nodes.items():
        colour = COLOURS.get(said["kind"], LIGHT.bodies[0].feature)
        place, size = ring.places[state], sizes[state]
        axes.add_patch(Circle(place, size, color=css(colour), zorder=3))
        _label(axes, ring, state, size)
    count = ring.graph.number_of_edges()
    axes.text(
        0.0,
        high + 0.5 * TITLE,
        f"{ring.pair}: {len(ring.graph)} states, {count} transitions",
        fontsize=1.3 * TEXT,
        color=css(LIGHT.ink),
        ha="center",
        va="center",
    )


def _label(axes: "Axes", ring: Ring, state: str, size: float) -> None:
    """Write the name of a state and its dwell outside the ring."""
    said = ring.graph.nodes[state]
    x, y = ring.places[state]
    away = hypot(x, y)
    u, v = x / away, y / away
    reach = size + 0.05
    side = "center" if abs(u) < 0.15 else "left" if u > 0.0 else "right"
    up = "center" if side != "center" else "bottom" if v > 0.0 else "top"
    x += 0.0 if side == "center" else reach if u > 0.0 else -reach
    y += (reach if side == "center" else 0.5 * size) * v
    name = state.removeprefix(f"{ring.pair} ")
    axes.text(
        x,
        y,
        f"{name}\n{said['frames']} frames, {said['seconds']:.3g} s",
        fontsize=TEXT,
        color=css(LIGHT.ink),
        ha=side,
        va=up,
        linespacing=1.1,
    )


def _beside(old: tuple[float, float], new: tuple[float, float]) -> tuple[float, float]:
    """Return a place beside the middle of the arc from one to the other."""
    x, y = (old[0] + new[0]) / 2.0, (old[1] + new[1]) / 2.0
    dx, dy = new[0] - old[0], new[1] - old[1]
    length = hypot(dx, dy)
    bow = 0.09 + 0.1 / length if length > 0.0 else 0.0
    return x + bow * dy, y - bow * dx

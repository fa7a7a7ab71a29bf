"""The states that pairs were in, and how they went from one to the next, as a graph.

A state of a pair is its kind with its two closest features, written as in events
(``jelly/table VF v12 f5``), or ``jelly/table apart``.
"""

from typing import TYPE_CHECKING

from sim.events.touch import Touch
from sim.story.comparing.histories import TOUCHED, Source, opened

if TYPE_CHECKING:
    import networkx as nx


APART = "apart"
LASTING = ("penetrate", "separate")  # what says in which state a pair already is


def contact_graph(source: Source) -> "nx.DiGraph[str]":
    """Gather the states of all pairs of a run, and the transitions between them.

    Raises OSError or ValueError or TypeError if there is nothing to read.

    Returns: nodes are states, in the order in which they were first visited, with
    ``pair``, ``kind`` ("VF", ..., or "apart"), ``feature_a``, ``feature_b``,
    ``visits``, ``frames`` and ``seconds`` (how long the pair was there, all visits
    together). Edges are transitions with ``count`` and ``first``, the frame of the
    first one. The graph says ``bodies``, ``first``, ``frames`` and ``dt`` of the run.

    A pair of which no event tells has no states.  Regions are not looked at: states
    are those of the closest features.  Where a body's mesh is replaced meanwhile,
    features are called by the names of their time.

    Parameters
    ----------
    source : Story, Recording, path of either, or iterable of Frame
    """
    import networkx as nx

    with opened(source) as side:
        story = side.story
    graph: nx.DiGraph[str] = nx.DiGraph(bodies="/".join(story.bodies))
    graph.graph |= {"first": story.first, "frames": story.frames, "dt": story.dt}
    visits: dict[str, list[tuple[int, Touch | None]]] = {}  # by pair; None: apart
    for event in story.events:
        if event.kind in (*TOUCHED, *LASTING):
            before = event.after if event.kind in LASTING else event.before
            found = visits.setdefault(f"{event.a}/{event.b}", [(story.first, before)])
            if event.kind in TOUCHED:
                if event.frame == story.first:  # it was so from the beginning
                    found.clear()
                found.append((event.frame, event.after))
    for pair, states in visits.items():
        ends = [start for start, _ in states[1:]] + [story.first + story.frames]
        last = ""
        for (start, touch), end in zip(states, ends, strict=True):
            name = f"{pair} {touch or APART}"
            if name not in graph:
                kind, a, b = touch[:3] if touch else (APART, "", "")
                said = {"pair": pair, "kind": kind, "feature_a": str(a)}
                graph.add_node(name, **said, feature_b=str(b), visits=0, frames=0)
            node = graph.nodes[name]
            node["visits"] += 1
            node["frames"] += end - start
            node["seconds"] = node["frames"] * story.dt
            if last:
                if not graph.has_edge(last, name):
                    graph.add_edge(last, name, count=0, first=start)
                graph.edges[last, name]["count"] += 1
            last = name
    return graph


def arrow(old: str, new: str) -> str:
    """Write a transition; both states are of one pair."""
    return f"{old} -> {new.rpartition('/')[2].partition(' ')[2]}"

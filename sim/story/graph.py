"""The states that pairs were in, and how they went from one to the next, as a graph.

A state of a pair is its kind with its two closest features, written as in events
(``jelly/table VF v12 f5``), or ``jelly/table apart``.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sim.events.touch import Touch
from sim.frame import Frame
from sim.story.comparing.histories import TOUCHED
from sim.story.story import Story

if TYPE_CHECKING:
    import networkx as nx

APART = "apart"
LASTING = ("penetrate", "separate")  # what says in which state a pair already is


def contact_graph(source: Story | Iterable[Frame]) -> "nx.DiGraph[str]":
    """Gather the states of all pairs of a run, and the transitions between them.

    Parameters: ``source``: a story, a recording, or frames, as of ``world.run(100)``.

    Returns: nodes are states, in the order in which they were first visited, with
    ``pair``, ``kind`` ("VF", ..., or "apart"), ``feature_a``, ``feature_b``,
    ``visits``, ``frames`` and ``seconds`` (how long the pair was there). Edges are
    transitions with ``count`` and ``first``, the frame of the first one. The graph says
    ``bodies``, ``first``, ``frames`` and ``dt``. A pair of which no event tells has no
    states; regions are not looked at.
    """
    import networkx as nx

    story = Story.of(source)
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
                was = graph.get_edge_data(last, name, {"count": 0, "first": start})
                graph.add_edge(last, name, **was | {"count": was["count"] + 1})
            last = name
    return graph

"""``wingedge graph``: the states of contacts, and what led from one to the next."""

from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli import NO, YES
from viewer.cli.progress import waiting

if TYPE_CHECKING:
    import networkx as nx


def graph(
    file: Path,
    /,
    *,
    picture: Path | None = None,
    output: Path | None = None,
    against: Path | None = None,
    coverage: bool = False,
) -> int:
    """Print in which states the pairs of a run were, and how they changed.

    Exit code 1 if the graph differs from the one of --against.

    Parameters
    ----------
    file : Path
        A recording or a story.
    picture : Path
        Draw the graph (.png, .svg, .pdf).
    output : Path
        Write the graph (.graphml, .json, .dot).
    against : Path
        Print instead what is different from this recording or story, the first.
    coverage : bool
        Print also which neighbours of its states each pair never came to; needs a
        recording.
    """
    from sim.story.coverage import coverage as covered
    from sim.story.graph import contact_graph, graph_difference, write_graph

    with waiting(f"reading {file}"):
        found = contact_graph(file)
        pairs = covered(file) if coverage else ()
    if output is not None:
        write_graph(found, output)
    if picture is not None:
        from viewer.graph import draw_graph

        draw_graph(found, picture)
    code = YES
    if against is None:
        _tell(found)
    else:
        difference = graph_difference(contact_graph(against), found)
        print(difference)
        code = NO if difference else YES
    for pair in pairs:
        print(pair)
        for state in pair.missing:
            print(f"  never {state}")
    return code


def _tell(graph: "nx.DiGraph[str]") -> None:
    from sim.story.graph import arrow

    frames, dt = graph.graph["frames"], graph.graph["dt"]
    print(f"{len(graph)} states in {frames} frames, {frames * dt:.6g} s")
    width = max(map(len, graph), default=0)
    for state, said in graph.nodes.items():
        print(
            f"{state:<{width}}  {said['frames']:>6} frames {said['seconds']:>9.4g} s"
            f" {said['visits']:>5} visits"
        )
    print(f"{graph.number_of_edges()} transitions")
    for (old, new), said in graph.edges.items():
        print(f"{said['count']:>6} times {arrow(old, new)}")

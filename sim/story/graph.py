"""The states that pairs were in, and how they went from one to the next, as a graph.

A state of a pair is its kind with its two closest features, written as in events
(``jelly/table VF v12 f5``), or ``jelly/table apart``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sim.events.touch import Touch, ends_of
from sim.story.comparing.threads import TOUCHED, Frames, Source, opened
from sim.story.story import Story
from wingedge import Feature, WingedEdgeMesh, neighbours

if TYPE_CHECKING:
    import networkx as nx


APART = "apart"
LASTING = ("penetrate", "separate")  # what says in which state a pair already is
Visit = tuple[int, Touch | None]  # from which frame on, and where; None: apart


@dataclass(frozen=True)
class GraphDifference:
    """What one graph of states has and another has not; falsy where nothing differs.

    Attributes
    ----------
    lost_states, new_states : tuple of str
        Only in the first, only in the second.
    lost_transitions, new_transitions : tuple of (str, str)
        From state to state, only in the first, only in the second.
    counts : tuple of (str, str, int, int)
        Transitions in both, and how often the first and the second made them.
    dwells : tuple of (str, int, int)
        States in both, and how many frames the first and the second spent there.
    """

    lost_states: tuple[str, ...]
    new_states: tuple[str, ...]
    lost_transitions: tuple[tuple[str, str], ...]
    new_transitions: tuple[tuple[str, str], ...]
    counts: tuple[tuple[str, str, int, int], ...]
    dwells: tuple[tuple[str, int, int], ...]

    def __bool__(self) -> bool:
        """Say whether anything differs."""
        return any(getattr(self, name) for name in self.__dataclass_fields__)

    def __str__(self) -> str:
        """List what differs, one line each: - lost, + new, ~ changed."""
        lines = [
            *(f"- {state}" for state in self.lost_states),
            *(f"+ {state}" for state in self.new_states),
            *(f"- {arrow(*ends)}" for ends in self.lost_transitions),
            *(f"+ {arrow(*ends)}" for ends in self.new_transitions),
        ]
        for old, new, one, other in self.counts:
            lines.append(f"~ {arrow(old, new)}: {one} times became {other}")
        for state, one, other in self.dwells:
            lines.append(f"~ {state}: {one} frames became {other}")
        return "\n".join(lines) if lines else "the same states, transitions and dwells"


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
    with opened(source) as side:
        return _graph(side.story)


def graph_difference(a: "nx.DiGraph[str]", b: "nx.DiGraph[str]") -> GraphDifference:
    """Compare two graphs of states."""
    counts = [
        (*ends, int(said["count"]), int(b.edges[ends]["count"]))
        for ends, said in a.edges.items()
        if b.has_edge(*ends)
    ]
    dwells = [
        (state, int(said["frames"]), int(b.nodes[state]["frames"]))
        for state, said in a.nodes.items()
        if state in b
    ]
    return GraphDifference(
        tuple(state for state in a if state not in b),
        tuple(state for state in b if state not in a),
        tuple(ends for ends in a.edges if not b.has_edge(*ends)),
        tuple(ends for ends in b.edges if not a.has_edge(*ends)),
        tuple(count for count in counts if count[2] != count[3]),
        tuple(dwell for dwell in dwells if dwell[1] != dwell[2]),
    )


def write_graph(graph: "nx.DiGraph[str]", path: str | PathLike[str]) -> None:
    """Write a graph as GraphML, JSON (node-link) or DOT, by the ending of the name.

    Raises ValueError if the ending is none of ``.graphml``, ``.json`` and ``.dot``.
    """
    import networkx as nx

    file = Path(fspath(path))
    ending = file.suffix.lower()
    if ending == ".graphml":
        text = "\n".join(nx.generate_graphml(graph)) + "\n"
    elif ending == ".json":
        from json import dumps

        text = dumps(nx.node_link_data(graph, edges="edges"), indent=1) + "\n"
    elif ending == ".dot":
        text = _dot(graph)
    else:
        raise ValueError(
            f"{file}: write a graph as .graphml, .json or .dot, not {ending!r}"
        )
    file.write_bytes(text.encode())


def name_of(pair: tuple[str, str], touch: Touch | None) -> str:
    """Return the name of a state."""
    return f"{'/'.join(pair)} {APART if touch is None else touch}"


def visits(story: Story) -> Iterator[tuple[tuple[str, str], list[Visit]]]:
    """Go through the pairs of a story, and the states that each was in."""
    found: dict[tuple[str, str], list[Visit]] = {}
    for event in story.events:
        if event.kind not in (*TOUCHED, *LASTING):
            continue
        pair = event.a, event.b
        if pair not in found:
            before = event.after if event.kind in LASTING else event.before
            found[pair] = [(story.first, before)]
        if event.kind in TOUCHED:
            if event.frame == story.first:  # it was so from the beginning
                found[pair].clear()
            found[pair].append((event.frame, event.after))
    yield from found.items()


def _graph(story: Story) -> "nx.DiGraph[str]":
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph(
        bodies="/".join(story.bodies),
        first=story.first,
        frames=story.frames,
        dt=story.dt,
    )
    for pair, states in visits(story):
        ends = [start for start, _ in states[1:]] + [story.first + story.frames]
        last = ""
        for (start, touch), end in zip(states, ends, strict=True):
            name = name_of(pair, touch)
            if name not in graph:
                graph.add_node(
                    name,
                    pair="/".join(pair),
                    kind=APART if touch is None else touch.kind,
                    feature_a="" if touch is None else str(touch.feature_a),
                    feature_b="" if touch is None else str(touch.feature_b),
                    visits=0,
                    frames=0,
                )
            node = graph.nodes[name]
            node["visits"] += 1
            node["frames"] += end - start
            node["seconds"] = node["frames"] * story.dt
            if last and not graph.has_edge(last, name):
                graph.add_edge(last, name, count=0, first=start)
            if last:
                graph.edges[last, name]["count"] += 1
            last = name
    return graph


def arrow(old: str, new: str) -> str:
    """Write a transition; both states are of one pair."""
    return f"{old} -> {new.rpartition('/')[2].partition(' ')[2]}"


def _dot(graph: "nx.DiGraph[str]") -> str:
    """Write a graph for Graphviz."""
    lines = ["digraph contacts {"]
    for state, said in graph.nodes.items():
        label = _quoted(f"{state}, {said['frames']} frames")
        lines.append(f"  {_quoted(state)} [label={label}];")
    for (old, new), said in graph.edges.items():
        lines.append(f"  {_quoted(old)} -> {_quoted(new)} [label={said['count']}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class Coverage(NamedTuple):
    """How much of the neighbourhood of what a pair visited it visited too."""

    a: str
    b: str
    visited: tuple[str, ...]  # its states in contact, in the order of first visits
    reached: tuple[str, ...]  # neighbour states that were visited
    missing: tuple[str, ...]  # neighbour states that never were

    @property
    def share(self) -> float:
        """Which part of the neighbour states was visited; 1 where there are none."""
        total = len(self.reached) + len(self.missing)
        return len(self.reached) / total if total else 1.0

    def __str__(self) -> str:
        """Say the numbers in one line."""
        total = len(self.reached) + len(self.missing)
        return (
            f"{self.a}/{self.b}: {len(self.visited)} states in contact; of their "
            f"{total} neighbour states {len(self.reached)} visited, "
            f"{len(self.missing)} never"
        )


def coverage(source: Source) -> tuple[Coverage, ...]:
    """Say for every pair that touched which states beside its own it never came to.

    Raises ValueError if the source has no meshes, or a mesh is replaced in it; OSError
    or TypeError if there is nothing to read.

    Parameters: ``source``: the meshes must be known: a story alone does not say who is
    whose neighbour.

    The closest features may both change in one frame, so a run can visit states that
    are nobody's neighbours.  Not every neighbour can be reached: one feature of two
    parallel faces is often hidden behind the other.
    """
    with opened(source) as side:
        if side.run is None:
            raise ValueError(
                "a story has no meshes, and so no neighbours; give the recording that "
                "it is of, or frames"
            )
        meshes = _meshes(side.run)
        found = []
        for pair, states in visits(side.story):
            seen = dict.fromkeys(touch for _, touch in states if touch is not None)
            found.append(_covered(pair, tuple(seen), meshes))
        return tuple(found)


def _covered(
    pair: tuple[str, str], seen: tuple[Touch, ...], meshes: dict[str, WingedEdgeMesh]
) -> Coverage:
    a, b = meshes[pair[0]], meshes[pair[1]]

    def beside() -> Iterator[tuple[Feature, Feature]]:
        for touch in seen:
            yield from ((on, touch.feature_b) for on in neighbours(a, touch.feature_a))
            yield from ((touch.feature_a, on) for on in neighbours(b, touch.feature_b))

    around = dict.fromkeys(
        Touch(x.letter + y.letter, x, y, ends_of(a, x), ends_of(b, y))
        for x, y in beside()
    )
    return Coverage(
        *pair,
        tuple(name_of(pair, touch) for touch in seen),
        tuple(name_of(pair, touch) for touch in around if touch in seen),
        tuple(name_of(pair, touch) for touch in around if touch not in seen),
    )


def _meshes(run: Frames) -> dict[str, WingedEdgeMesh]:
    """Return the one mesh of every body."""
    meshes: dict[str, WingedEdgeMesh] = {}
    for frame in run:
        for body in frame.bodies:
            if meshes.setdefault(body.name, body.mesh) is not body.mesh:
                raise ValueError(
                    f"body '{body.name}' has another mesh from frame {frame.index} on, "
                    f"and other names; give frames with one mesh"
                )
    return meshes

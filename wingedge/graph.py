"""The adjacency of a mesh as networkx graphs, for every algorithm that it has."""

from typing import TYPE_CHECKING

from wingedge.features import Feature, neighbours
from wingedge.mesh import WingedEdgeMesh

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["dual_graph", "feature_graph", "vertex_graph"]


def vertex_graph(mesh: WingedEdgeMesh) -> "nx.Graph[int]":
    """Link vertices along edges: nodes 0 to V - 1, attribute ``edge`` its number."""
    graph = _graph(mesh.n_vertices)
    for e, (tail, tip) in enumerate(mesh.edge_vertices.tolist()):
        graph.add_edge(tail, tip, edge=e)
    return graph


def dual_graph(mesh: WingedEdgeMesh) -> "nx.Graph[int]":
    """Link faces across edges: nodes 0 to F - 1, attribute ``edge`` its number.

    Two faces that share several edges (one straight edge in pieces) are linked once,
    through the lowest.
    """
    graph = _graph(mesh.n_faces)
    for e, (left, right) in enumerate(mesh.edge_faces.tolist()):
        if not graph.has_edge(left, right):
            graph.add_edge(left, right, edge=e)
    return graph


def feature_graph(mesh: WingedEdgeMesh) -> "nx.Graph[Feature]":
    """Link every `Feature` with its `neighbours`: where a search goes in one step."""
    import networkx as nx

    counts = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    every = [Feature(kind, i) for kind, n in counts.items() for i in range(n)]
    graph: nx.Graph[Feature] = nx.Graph()
    graph.add_nodes_from(every)
    graph.add_edges_from((f, g) for f in every for g in neighbours(mesh, f))
    return graph


def _graph(n: int) -> "nx.Graph[int]":
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(n))
    return graph

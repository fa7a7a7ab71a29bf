"""List neighbours of features, and give adjacency as networkx graphs."""

from typing import TYPE_CHECKING

from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import MeshTables

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


def neighbours(mesh: WingedEdgeMesh, feature: Feature) -> tuple[Feature, ...]:
    """List the features to look at next when this one is no longer the contact.

    The order is the paper's (Yokoyama et al., section 4.1), counter-clockwise seen
    from outside within each group, without the feature itself and without repeats:

    * face: its edges, then the faces across them;
    * edge: its left and right face, then the edges at its tail, then at its tip;
    * vertex: its edges, then its faces. The paper prints no rule for a vertex, so a
      search that arrives at one would end there; this is the repair.
    * lid: its vertices.

    Raises ValueError if the kind is unknown; IndexError if the mesh has no such
    feature.
    """
    kind, index = feature
    groups: tuple[tuple[str, list[int]], ...]
    if kind == "face":
        groups = (
            ("edge", mesh.face_edges(index).tolist()),
            ("face", mesh.face_faces(index).tolist()),
        )
    elif kind == "edge":
        around = mesh.edge_edges(index).tolist()
        groups = (("face", mesh.edge_faces[index].tolist()), ("edge", around))
    elif kind == "vertex":
        groups = (
            ("edge", mesh.vertex_edges(index).tolist()),
            ("face", mesh.vertex_faces(index).tolist()),
        )
    elif kind == "lid":
        groups = (("vertex", list(feature.vertices)),)
    else:
        raise ValueError(f"unknown kind of feature {kind!r}; use vertex, edge or face")
    found = (Feature(k, i) for k, indices in groups for i in indices)
    return tuple(dict.fromkeys(found))


def corners_of(mesh: MeshTables, feature: Feature) -> list[int]:
    """List the vertices of a feature, those of a face in order around it."""
    kind, index = feature
    if kind == "face":
        ring: list[int] = mesh.face_vertices(index).tolist()
        return ring
    ends = mesh.edge_vertices[index].tolist() if kind == "edge" else feature.vertices
    return list(ends)

"""List neighbours and corners of features."""

from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import MeshTables


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

"""Name vertices, edges and faces, and facets of a hull; list their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from wingedge.mesh import WingedEdgeMesh
    from wingedge.tables import MeshTables

Ends = tuple[int, int]  # tail and tip of an edge

_LETTERS = {"vertex": "v", "edge": "e", "face": "f", "lid": "l"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}


def is_name(name: str) -> bool:
    """Say whether a body or a part of this name can be told from the rest of a line."""
    return bool(name) and name.isprintable() and "/" not in name and "->" not in name


class Feature(NamedTuple):
    """A vertex, an edge or a face of a mesh, in the user's own numbering.

    ``kind`` is "vertex", "edge" or "face"; prints as ``v7``, ``e12``, ``f3``.

    What closes a dent of a body that stands for its convex hull is no part of its mesh:
    a *lid*, an edge or a face of the hull, has no number and is named by its vertices.
    Its ``kind`` is "lid", its ``index`` the tuple of two or more vertices; it prints as
    ``l(3-9-12)``.
    """

    kind: str
    index: int  # type: ignore[assignment]  # a feature is no sequence to search

    @classmethod
    def lid(cls, vertices: Sequence[int]) -> Self:
        """Name an edge or a face of a hull by its vertices."""
        return cls("lid", tuple(vertices))  # type: ignore[arg-type]

    @property
    def vertices(self) -> tuple[int, ...]:
        """The vertices that name a lid, or a vertex itself; else none."""
        if self.kind == "lid":
            return self.index  # type: ignore[return-value]
        return (self.index,) if self.kind == "vertex" else ()

    @property
    def letter(self) -> str:
        """V, E or F, as in the kind of a contact; a lid is an edge or a face."""
        if self.kind == "lid":
            return "E" if len(self.vertices) == 2 else "F"
        return _LETTERS[self.kind].upper()

    def __str__(self) -> str:
        if self.kind == "lid":
            return f"l({'-'.join(map(str, self.vertices))})"
        return f"{_LETTERS[self.kind]}{self.index}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a feature from its printed form, as in ``Feature.parse("f3")``.

        Raises ValueError if the text is not a letter v, e or f and a number.
        """
        kind, digits = _KINDS.get(text[:1]), text[1:]
        if kind == "lid":
            corners = digits[1:-1].split("-")
            plain = all(c.isascii() and c.isdigit() for c in corners)
            if digits[:1] + digits[-1:] != "()" or len(corners) < 2 or not plain:
                said = f"{text!r} names no lid; write its vertices, as in 'l(3-9-12)'"
                raise ValueError(said)
            return cls.lid([int(c) for c in corners])
        if kind is None or not (digits.isascii() and digits.isdigit()):
            said = (
                f"{text!r} names no feature; write v, e or f and a number, as in 'f3'"
            )
            raise ValueError(said)
        return cls(kind, int(digits))


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


def ends_of(mesh: WingedEdgeMesh, feature: Feature) -> Ends | None:
    """Return the vertices of an edge, else None."""
    if feature.kind != "edge":
        return None
    tail, tip = mesh.edge_vertices[feature.index].tolist()
    return tail, tip


def print_feature(feature: Feature, ends: Ends | None) -> str:
    """Write a feature, an edge with its tail and tip: ``e7(3-9)``."""
    return f"{feature}({ends[0]}-{ends[1]})" if ends else str(feature)


def printed(mesh: WingedEdgeMesh, feature: Feature) -> str:
    """Write a feature of a mesh, an edge with its tail and tip: ``e7(3-9)``."""
    return print_feature(feature, ends_of(mesh, feature))

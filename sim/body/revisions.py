"""The meshes that a body had one after the other, and what names mean across them.

A state keeps the edition that it was answered on, so it reads the same for ever; from
there the maps of all later edits lead to the present.
"""

from __future__ import annotations

from wingedge.maps import Maps, counted
from wingedge.mesh import WingedEdgeMesh


class MeshRevision:
    """A mesh that a body has or had, and how it became the next one."""

    __slots__ = ("mesh", "next")

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self.mesh = mesh
        self.next: tuple[Maps, MeshRevision] | None = None

    def followed_by(self, mesh: WingedEdgeMesh, maps: Maps) -> MeshRevision:
        """Begin the next revision."""
        self.next = maps, MeshRevision(mesh)
        return self.next[1]


def maps_between(old: MeshRevision, new: MeshRevision) -> Maps | None:
    """Return what became of each element; None where nothing was renamed.

    Also where the editions are not of one body: then names are taken as they are.
    """
    total: Maps | None = None
    while old is not new:
        if old.next is None:
            return None
        maps, old = old.next
        total = maps if total is None else total.then(maps)
    return total


def accepted(
    name: str, own: WingedEdgeMesh, mesh: WingedEdgeMesh, maps: Maps
) -> WingedEdgeMesh:
    """Return the next mesh of a body, with its parts; refuse maps that lead elsewhere.

    Raises TypeError if the mesh or the maps are none; ValueError if they are of other
    numbers of vertices, edges or faces.
    """
    if not isinstance(mesh, WingedEdgeMesh) or not isinstance(maps, Maps):
        raise TypeError(
            f"body '{name}': replace() needs a WingedEdgeMesh and its Maps, got "
            f"{type(mesh).__name__} and {type(maps).__name__}; "
            "wingedge.edits.split_edge and the others return both"
        )
    blend, *others = maps.parents
    made = len(blend.start) - 1, *map(len, others)
    ends = ("begin with", own, tuple(map(len, maps[:3]))), ("lead to", mesh, made)
    for verb, whose, counts in ends:
        wanted = whose.n_vertices, whose.n_edges, whose.n_faces
        if counts != wanted:
            raise ValueError(
                f"body '{name}': the maps {verb} {counted(*counts)}, the mesh has "
                f"{counted(*wanted)}; give the maps of all edits since the body's own "
                "mesh, chained by then()"
            )
    return maps.parted(mesh, own)

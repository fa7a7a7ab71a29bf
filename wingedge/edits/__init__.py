"""Edit the topology: each edit makes a new mesh and maps the elements of the old one.

``mesh, maps = edits.split_edge(mesh, 7)`` leaves the old mesh as it was. Only local
numbers change: new elements are counted on from the old ones, elements that go leave
holes which the last ones fill, and everything else keeps its number. An edited mesh
therefore numbers its edges by their history; built anew with ``from_faces`` the same
faces have the same vertex and face numbers, and edges by first appearance.

Every edit is allowed or refused by the rest positions: the new mesh passes
``wingedge.validate``. Cost: O(V + E) gathers, a copy; `collapse_edge`, `join_faces` and
`flip_edge` change the shape and check the whole body, as ``from_faces`` does.

Source: Baumgart (1972), the Euler operators; for the link condition of `collapse_edge`
Dey, Edelsbrunner, Guha and Nekhayev (1999), Topology preserving edge contraction.
"""

from wingedge.edits.draft import Edit
from wingedge.edits.maps import Blend, Maps, Parents
from wingedge.edits.operators import (
    collapse_edge,
    flip_edge,
    join_faces,
    poke_face,
    split_edge,
    split_face,
)

__all__ = [
    "Blend",
    "Edit",
    "Maps",
    "Parents",
    "collapse_edge",
    "flip_edge",
    "join_faces",
    "poke_face",
    "split_edge",
    "split_face",
]

"""The meshes that a body had one after the other, and what names mean across them.

A state keeps the edition that it was answered on, so it reads the same for ever; from
there the maps of all later edits lead to the present.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wingedge import WingedEdgeMesh
from wingedge.edits import Maps

if TYPE_CHECKING:
    from sim.body.body import Body
    from sim.contact import Numbers, PairState

Renaming = tuple[Maps | None, Maps | None]  # of A and B; None: the names are the same


class MeshRevision:
    """A mesh that a body has or had, and how it became the next one."""

    __slots__ = ("maps", "mesh", "next")

    def __init__(self, mesh: WingedEdgeMesh) -> None:
        self.mesh = mesh
        self.maps: Maps | None = None
        self.next: MeshRevision | None = None

    def followed_by(self, mesh: WingedEdgeMesh, maps: Maps) -> MeshRevision:
        """Begin the next edition."""
        self.maps, self.next = maps, MeshRevision(mesh)
        return self.next

    def toward(self, new: MeshRevision) -> Maps | None:
        """Return what became which up to a later edition; see ``maps_between``."""
        total: Maps | None = None
        at = self
        while at is not new:
            if at.next is None or at.maps is None:
                return None
            total = at.maps if total is None else total.then(at.maps)
            at = at.next
        return total


def maps_between(old: MeshRevision, new: MeshRevision) -> Maps | None:
    """Return what became which; None where nothing was renamed.

    Also where the editions are not of one body: then names are taken as they are.
    """
    return old.toward(new)


def renaming(before: PairState, after: PairState) -> Renaming:
    """Return what was renamed between two states of a pair."""
    a, b = zip(before.editions, after.editions, strict=True)
    return maps_between(*a), maps_between(*b)


def renamed(
    state: PairState | None, editions: tuple[MeshRevision, MeshRevision] | None = None
) -> PairState | None:
    """Return a state in the names of later editions, or else of today.

    None where one of its features is gone; corners of the patch with a feature that is
    gone are left out, and so are all regions.
    """
    if state is None:
        return None
    now = (state.a.edition, state.b.edition) if editions is None else editions
    if now == state.editions:
        return state
    a, b = (maps_between(*pair) for pair in zip(state.editions, now, strict=True))
    numbers = _in_new_names(state.numbers, a, b)
    if numbers is None:
        return None
    from sim.contact import PairState  # which names what is written with editions

    return PairState(
        numbers,
        state.regime,
        state.frame,
        state.a,
        state.b,
        now,
        hulls=state.hulls,
    )


def went_on(before: PairState, after: PairState) -> bool:
    """Say whether the closest features are the same, or pieces of them.

    The question where a feature is gone, though another one may have come in its
    place: triangles that were turned within a level part.

    A level part is called by its lowest number, so the later one is looked at through
    the parents of its members.
    """
    old, new = before.numbers, after.numbers
    maps = renaming(before, after)
    return _is_piece(
        new.dimension_a, new.parts_a, old.dimension_a, old.parts_a, maps[0]
    ) and _is_piece(new.dimension_b, new.parts_b, old.dimension_b, old.parts_b, maps[1])


def _is_piece(
    dimension: int,
    parts: Sequence[int],
    old_dimension: int,
    old_parts: Sequence[int],
    maps: Maps | None,
) -> bool:
    if dimension != old_dimension:
        return False
    if maps is None:
        return parts[0] == old_parts[0]
    parents = [_parent(maps, dimension, part) for part in parts]
    return None not in parents and min(p for p in parents if p is not None) == min(
        old_parts
    )


def _parent(maps: Maps, dimension: int, part: int) -> int | None:
    """Return the old element of the same dimension that a new one is a piece of."""
    blend, edge, face = maps.parents
    if dimension == 0:
        start, end = blend.start[part : part + 2].tolist()
        return int(blend.vertex[start]) if end == start + 1 else None
    if dimension == 1:
        kind, number = edge[part].tolist() if part < len(edge) else (0, 0)
        return int(number) if kind == 1 else None
    return int(face[part]) if part < len(face) else None


def _in_new_names(numbers: Numbers, a: Maps | None, b: Maps | None) -> Numbers | None:
    parts_a = _kept(numbers.dimension_a, numbers.parts_a, a)
    parts_b = _kept(numbers.dimension_b, numbers.parts_b, b)
    if not parts_a or not parts_b:
        return None
    corners: list[float] = []
    labels: list[int] = []
    for k in range(len(numbers.labels) // 4):
        i, j, p, q = numbers.labels[4 * k : 4 * k + 4]
        on_a, on_b = _kept(i, (j,), a), _kept(p, (q,), b)
        if on_a and on_b:
            corners += numbers.corners[6 * k : 6 * k + 6]
            labels += (i, *on_a, p, *on_b)
    return numbers._replace(
        parts_a=parts_a, parts_b=parts_b, corners=tuple(corners), labels=tuple(labels)
    )


def _kept(dimension: int, parts: Sequence[int], maps: Maps | None) -> tuple[int, ...]:
    """Return the new numbers of what is not gone, ascending."""
    if maps is None:
        return tuple(parts)
    table = (maps.vertex, maps.edge, maps.face)[dimension]
    # A lid of the hull, numbered beyond the mesh, is gone with the mesh it closed.
    found = (int(table[part]) for part in parts if part < len(table))
    return tuple(sorted({number for number in found if number >= 0}))


def check_maps(body: Body, mesh: WingedEdgeMesh, maps: Maps) -> None:
    """Refuse maps that do not lead from a body's mesh to another one.

    Raises
    ------
    TypeError
        If the mesh or the maps are none.
    ValueError
        If they are of other numbers of vertices, edges or faces.
    """
    if not isinstance(mesh, WingedEdgeMesh) or not isinstance(maps, Maps):
        raise TypeError(
            f"body '{body.name}': replace() needs a WingedEdgeMesh and its Maps, got "
            f"{type(mesh).__name__} and {type(maps).__name__}; "
            "wingedge.edits.split_edge and the others return both"
        )
    blend, edge, face = maps.parents
    ends = (
        ("begin with", body.mesh, (len(maps.vertex), len(maps.edge), len(maps.face))),
        ("lead to", mesh, (len(blend.start) - 1, len(edge), len(face))),
    )
    for verb, own, counts in ends:
        wanted = own.n_vertices, own.n_edges, own.n_faces
        if counts != wanted:
            raise ValueError(
                f"body '{body.name}': the maps {verb} {_counted(counts)}, the mesh has "
                f"{_counted(wanted)}; give the maps of all edits since the body's own "
                "mesh, chained by then()"
            )


def _counted(numbers: tuple[int, int, int]) -> str:
    v, e, f = numbers
    return f"{v} vertices, {e} edges and {f} faces"

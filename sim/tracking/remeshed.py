"""Go on with a pair whose topology was edited: other buffers, the same ids renamed."""

from sim.body.body import Body
from sim.body.revisions import MeshRevision, maps_between
from sim.tracking.buffers import Buffers

Editions = tuple[MeshRevision, MeshRevision]


def in_order(a: Body, b: Body, tolerance: float) -> tuple[Buffers, bool]:
    """Lay out two bodies in kernel order; say whether B comes first."""
    swapped = a.mesh.n_vertices > b.mesh.n_vertices
    first, second = (b, a) if swapped else (a, b)
    return Buffers(first, second, tolerance), swapped


def remeshed(
    own: Buffers, known: tuple[bool, Editions] | None, a: Body, b: Body
) -> tuple[Buffers, bool]:
    """Lay the bodies out anew, with the vertices of the simplex that are left.

    Those of buffers ``known`` to be of these editions, swapped or not; None: of none.
    Ids save work and nothing else; the named parts and the polytope of an overlap are
    found again.  Cost: O(V + E).
    """
    made, turned = in_order(a, b, own.workspace.tolerance)
    if known is None:
        return made, turned
    swapped, before = known
    maps = maps_between(before[0], a.edition), maps_between(before[1], b.edition)
    count = own.simplex[0]
    ids = list(own.simplex[1 : 1 + count]), list(own.simplex[5 : 5 + count])
    pairs = zip(*(ids[::-1] if swapped else ids), strict=True)
    kept = []
    for pair in pairs:
        found = [
            v if table is None else int(table.vertex[v])
            for v, table in zip(pair, maps, strict=True)
        ]
        if min(found) >= 0:
            kept.append(found[::-1] if turned else found)
    made.simplex[0] = len(kept)
    for k, (v, w) in enumerate(kept):
        made.simplex[1 + k], made.simplex[5 + k] = v, w
    return made, turned

"""The tables that kernels are called with: a body, a polytope, room for a pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import inf
from typing import Any

import numpy as np

from sim.body.audit import hinges_of
from sim.body.body import Body
from sim.engine.bound import floats, ints
from sim.kernels.audit.sag import SAG
from sim.kernels.exact import Expansion
from sim.kernels.overlap.polytope import PLANE, Polytope
from sim.kernels.workspace import (
    BY_RINGS,
    BY_SCAN,
    NEW,
    UNASKED,
    UNKNOWN,
    BodyView,
    Result,
    Workspace,
)
from wingedge.mesh import WingedEdgeMesh
from wingedge.tables import once_per_mesh

POLYTOPE_ROOM = 192  # vertices of the polytope that proves a depth
CORNER_LIMIT = 1 << 17  # of a patch; a larger one is left to the exhaustive search


def parted(**sizes: int) -> dict[str, Any]:
    """Make room for ids, so many under each name, side by side in one memory."""
    memory = ints(np.zeros(sum(sizes.values()), np.int32))
    ends = accumulate(sizes.values())
    parts = zip(sizes.items(), ends, strict=True)
    return {name: memory[end - size : end] for (name, size), end in parts}


def scratch_for(meshes: Sequence[WingedEdgeMesh]) -> dict[str, Any]:
    """Make the room in which kernels work on one body, any of these, at a time."""
    v = max((mesh.n_vertices for mesh in meshes), default=0)
    e = max((mesh.n_edges for mesh in meshes), default=0)
    f = max((mesh.n_faces for mesh in meshes), default=0)
    ids = parted(
        mark=v + 1,
        members=v,
        edges=e,
        faces=f,
        successor=v,
        leaving=v,
        rim_vertex=2 * v,
        rim_edge=2 * v,
    )
    return ids | {"corners": floats(np.zeros(max(1, 6 * v)))}


def make_view(
    body: Body, scratch: dict[str, Any] | None = None, exact: Expansion | None = None
) -> BodyView:
    """Lay out one body for the kernels.

    The positions are the body's own array, so ``body.points[...] = new`` is seen
    at once; the topology is the mesh's; the scratch is fresh unless it is given.
    """
    mesh = body.mesh
    return BodyView(
        points=floats(body._points),
        pose=floats(body.transform),
        spread=body._spread,
        size=mesh.n_vertices,
        scanned=BY_SCAN,
        sag=floats(np.full(SAG, UNKNOWN)),
        hinges=hinges_of(mesh, body._points, exact),
        edges_prove=0,
        **topology_of(mesh),
        **(scratch_for([mesh]) if scratch is None else scratch),
    )


@once_per_mesh
def topology_of(mesh: WingedEdgeMesh) -> dict[str, Any]:
    """View the tables of a mesh as the fields of a ``BodyView``; once for all pairs."""
    return {
        "start": ints(mesh.star.start),
        "star": ints(mesh.star.vertex),
        "star_edge": ints(mesh.star.edge),
        "star_face": ints(mesh.star.face),
        "corner_start": ints(mesh.corners.start),
        "corner_vertex": ints(mesh.corners.vertex),
        "beyond": ints(mesh.beyond),
        "flank": ints(mesh.flanks),
    }


def make_polytope(room: int) -> Polytope:
    """Make room for a polytope of so many vertices."""
    return Polytope(
        points=floats(np.zeros(3 * room)),
        planes=floats(np.zeros(3 * PLANE * room)),
        **parted(
            ids=2 * room,
            corners=9 * room,
            across=9 * room,
            state=3 * room,
            seen=3 * room,
            rim=9 * room,
            leaving=room,
            filled=3,
        ),
        room=room,
    )


def make_workspace(vertices: int, tolerance: float) -> Workspace:
    """Make room for a pair of bodies that have so many vertices together."""
    capacity = min(2 * vertices, CORNER_LIMIT)
    made = Workspace(
        tolerance=tolerance,
        difference=floats(np.zeros(12)),
        patch=floats(np.zeros(4 * capacity)),
        capacity=capacity,
        hull=make_polytope(POLYTOPE_ROOM),
        **parted(simplex=9, labels=4 * capacity, last=4, hint=8, note=3),
        result=Result(),
    )
    made.last[:] = ints(np.full(4, -1, np.int32))  # type: ignore[index, assignment]
    return made


def turned(view: BodyView, outward: WingedEdgeMesh) -> BodyView:
    """Return the view with the topology of another mesh; the same if it has that."""
    topology = topology_of(outward)
    same = topology["flank"] is view.flank
    return view if same else view._replace(**topology)


def proved(view: BodyView, body: Body, *, new: bool) -> BodyView:
    """Return the view of a body that says how it proves a support now.

    The same object where that is what it says; of ``new`` positions nobody asks.
    """
    scanned, edges, known, unknown = NEW, 0, None, UNASKED
    if not new:
        unknown, scanned = UNKNOWN, BY_RINGS if body.proves_by_rings() else BY_SCAN
        edges, known = int(body.proves_by_edges()), body.known_sag()
    if known is not None and sum(known.tolist()) < inf:
        view.sag[:] = floats(known.astype(float))  # type: ignore[index, assignment]
    elif view.sag[0] != unknown:
        view.sag[:] = floats(np.full(SAG, unknown))  # type: ignore[index, assignment]
    view = turned(view, body.mesh if new else body.outward_mesh())
    now = scanned, edges, body._spread
    if (view.scanned, view.edges_prove, view.spread) != now:
        view = view._replace(scanned=scanned, edges_prove=edges, spread=now[2])
    return view

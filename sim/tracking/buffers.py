"""What kernels are called with: a body, a polytope, room for a pair, two bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from math import inf
from typing import Any

import numpy as np

from sim.body.audit import hinges_of
from sim.body.body import Body
from sim.engine.bound import Bound, Table, floats, ints
from sim.kernels import workspace as kernel
from sim.kernels.audit.hinges import DENTED, EDGES, RINGS
from sim.kernels.audit.sag import SAG, placed_sag
from sim.kernels.closest.level_parts import widen
from sim.kernels.exact import Expansion
from sim.kernels.limits import comes_after
from sim.kernels.overlap.polytope import PLANE, Polytope
from sim.kernels.rows import parts_of, store
from sim.kernels.solve import is_solid
from sim.kernels.trajectory import (
    CORNERS_USED,
    PARTS_USED,
    SWAPPED,
    PairMemory,
    carry_part,
)
from sim.kernels.workspace import BodyView, Tree, TreeSearch, Workspace
from sim.result.answer import KINDS, AnswerArrays, Numbers, Vec, decoded
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh, corners_of
from wingedge.registry import wings
from wingedge.tables import once_per_mesh

Tables = tuple[BodyView, BodyView, Workspace]
POLYTOPE_ROOM = 192  # vertices of the polytope that proves a depth
TABLES = {"ids": 2, "corners": 9, "across": 9, "state": 3, "seen": 3, "rim": 9}
POLYTOPE_IDS = {name: n * POLYTOPE_ROOM for name, n in TABLES.items()}
NO_IDS, NO_NUMBERS = ints(np.zeros(0, np.int32)), floats(np.zeros(0))
NO_TREE = Tree(0, 0, *12 * (NO_IDS,), *4 * (NO_NUMBERS,), NO_IDS)
NO_SEARCH = TreeSearch(
    NO_IDS, NO_NUMBERS, kernel.Progress(), *3 * (NO_IDS,), NO_NUMBERS, *2 * (NO_IDS,)
)
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
    sizes = {"mark": v + 1, "members": v, "edges": e, "faces": f, "successor": v}
    sizes |= {"leaving": v, "rim_vertex": 2 * v, "rim_edge": 2 * v}
    corners = floats(np.zeros(max(1, 6 * v)))
    return parted(**sizes) | {"corners": corners, "tree": NO_TREE}


def make_view(
    body: Body, scratch: dict[str, Any] | None = None, exact: Expansion | None = None
) -> BodyView:
    """Lay out one body for the kernels: its own array of positions, seen at once.

    The topology is the mesh's; the scratch is fresh unless it is given.
    """
    mesh = body.mesh
    return BodyView(
        points=floats(body._points),
        pose=floats(body.transform),
        size=mesh.n_vertices,
        proofs=kernel.Proofs(kernel.BY_SCAN, 0, body._spread),
        sag=floats(np.full(2 * SAG, kernel.UNKNOWN)),
        hinges=hinges_of(mesh, body._points, exact),
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


def make_workspace(vertices: int, tolerance: float) -> Workspace:
    """Make room for a pair of bodies that have so many vertices together."""
    capacity, room = min(2 * vertices, CORNER_LIMIT), POLYTOPE_ROOM
    hull = Polytope(
        points=floats(np.zeros(3 * room)),
        planes=floats(np.zeros(3 * PLANE * room)),
        **parted(**POLYTOPE_IDS, leaving=room, filled=3),
        room=room,
    )
    made = Workspace(
        tolerance=tolerance,
        difference=floats(np.zeros(12)),
        patch=floats(np.zeros(4 * capacity)),
        capacity=capacity,
        hull=hull,
        **parted(simplex=9, leaves=2, labels=4 * capacity, last=4, hint=8, note=3),
        heights=floats(np.zeros(3)),
        result=kernel.Result(),
        search=NO_SEARCH,
    )
    made.last[:] = ints(np.full(4, -1, np.int32))  # type: ignore[index, assignment]
    return made


def turned(view: BodyView, outward: WingedEdgeMesh) -> BodyView:
    """Return the view with the topology of another mesh; the same if it has that."""
    topology = topology_of(outward)
    same = topology["flank"] is view.flank
    return view if same else view._replace(**topology)


def proved(view: BodyView, body: Body, *, new: bool) -> BodyView:
    """Write how a body proves a support now; of ``new`` positions nobody asks.

    Returns the view with the topology that it proves by, mostly the same object.
    """
    proofs, known, unknown = view.proofs, None, kernel.UNASKED
    proofs.scanned, proofs.edges_prove, proofs.spread = kernel.NEW, 0, body._spread
    proofs.far, proofs.audited = 0.0, 0
    if not new:
        unknown, known = kernel.UNKNOWN, body.known("sag")
        proof, dented = body.proof(), body.known("standing") == DENTED
        proofs.scanned = kernel.BY_RINGS if proof >= RINGS else kernel.BY_SCAN
        proofs.edges_prove, proofs.audited = int(proof == EDGES), int(dented)
    if view.sag[0] != unknown:
        view.sag[:SAG] = floats(np.full(SAG, unknown))  # type: ignore[index, assignment]
    if known is not None:
        return audited(view, body)
    return turned(view, body.mesh if new else body.outward_mesh())


def is_audited(view: BodyView) -> bool:
    """Say whether kernels know all that ``audited`` asks a body for."""
    return view.proofs.audited > 0 or is_solid(view)


def audited(view: BodyView, body: Body) -> BodyView:
    """Write how convex a body is, and how far its hull reaches beyond it; see proved.

    Its faces run as seen from outside then.  Cost: O(E), once per positions.
    """
    view.sag[SAG:] = sag = floats(body.sag())  # type: ignore[index, assignment]
    if not body.is_open and sum(sag) < inf:
        view.sag[:SAG] = sag  # type: ignore[index, assignment]
    view.proofs.audited = 1 + int(body.is_convex())
    return turned(view, body.outward_mesh(ask=True))


class Buffers:
    """Two bodies as kernels see them, and the record that answers are written to.

    Attributes: ``given``, ``views``: the bodies in the order in which they were given;
    ``swapped``: whether kernels take B first, as ``bodies``, ``first``, ``second`` do.
    """

    def __init__(self, a: Body, b: Body, tolerance: float) -> None:
        self.given, self.views = (a, b), (make_view(a), make_view(b))
        self._maps = {id(a.transform), id(b.transform)}
        self.scanned = True  # whether a body of the two proves only by a scan
        pair = make_workspace(a.mesh.n_vertices + b.mesh.n_vertices, tolerance)
        self.workspace, self.result = pair, pair.result
        self.swapped = False
        self.last: memoryview[int] = pair.last  # type: ignore[assignment]
        self._bounds: dict[Callable[..., int], Bound] = {}  # of other entries
        self._row = AnswerArrays(1, 2, 4).laid_out()
        self.moved: tuple[Any, Tables] = (3 * (None,), self.tables)  # see brute.solid

    @property
    def bodies(self) -> tuple[Body, Body]:
        """The bodies in kernel order."""
        return self.given[::-1] if self.swapped else self.given

    @property
    def first(self) -> BodyView:
        """The body that kernels take first."""
        return self.views[self.swapped]

    @property
    def second(self) -> BodyView:
        """The other one."""
        return self.views[not self.swapped]

    @property
    def tables(self) -> Tables:
        """What most entries are called on."""
        return self.first, self.second, self.workspace

    def are_of(self, *bodies: Body) -> bool:
        """Say whether the bodies keep their maps where they were laid out."""
        return {id(x.transform) for x in bodies} == self._maps

    def _lay(self, change: Callable[[BodyView, Body], BodyView]) -> None:
        """Lay both bodies out otherwise."""
        (one, two), (a, b) = self.views, self.given
        self.views = change(one, a), change(two, b)

    def supply(self, before: Callable[[], Numbers | None]) -> None:
        """Lay out what a frame wants next: audits, trees, or the answer before it.

        Where several places are equally near, that of the answer ``before``, in kernel
        order, is kept; it is asked for only then.
        """
        audits = not all(map(is_audited, self.views))
        if audits:
            self._lay(lambda x, body: x if is_audited(x) else audited(x, body))
        if self.workspace.search.state.others or not audits:
            # others are likely again: one search will do
            wings.keep_to(self.trees[2], before(), self.bodies)

    def call(self, entry: Callable[..., int], *tables: Table) -> int:
        """Run an entry on tables that stay the same from frame to frame."""
        if entry not in self._bounds:
            self._bounds[entry] = Bound(entry)
        return self._bounds[entry].on(tables)

    @property
    def trees(self) -> tuple[Tree, Tree, TreeSearch]:
        """The trees over both surfaces and the room for a search; made when asked."""
        if self.first.tree.leaves == 0:
            make = wings.make_tree
            self._lay(lambda view, body: view._replace(tree=make(body.mesh)))
            search = wings.make_search(self.first.tree, self.second.tree)
            self.workspace = self.workspace._replace(search=search)
        return self.first.tree, self.second.tree, self.workspace.search

    def arrange(self) -> bool:
        """Put bodies in order by numbers alone, to mirror; say whether they were."""
        a, b = self.first, self.second
        after = a.size > b.size or (
            a.size == b.size and comes_after(a.points, a.pose, b.points, b.pose, a.size)
        )
        self.swapped ^= after
        return not after

    def choose_proofs(self, new: tuple[bool, bool] = (False, False)) -> None:
        """Ask the bodies how each of them proves a support, unless it is new."""
        news = iter(new)
        self._lay(lambda view, body: proved(view, body, new=next(news)))
        self.scanned = any(view.proofs.scanned > 0 for view in self.views)

    def proved_as(self, other: Buffers) -> None:
        """Prove supports as other buffers of the same bodies did, in kernel order."""
        views = iter((other.first, other.second))
        self._lay(lambda _, body: next(views)._replace(**scratch_for([body.mesh])))
        self.scanned = other.scanned

    @property
    def convex(self) -> bool:
        """Whether both bodies are known to be convex, without any dent."""
        return all(map(is_solid, self.views))

    def turn_outward(self) -> None:
        """Let the faces of each body run counter-clockwise seen from outside."""
        self._lay(lambda view, body: turned(view, body.outward_mesh(ask=True)))

    def origin(self) -> Vec:
        """Return the second translation relative to the first."""
        return kernel.origin_of(self.first, self.second)

    def name(self, numbers: Numbers) -> None:
        """Let the parts that an answer in kernel order names be those of the frame."""
        result, n = self.result, numbers
        result.distance, result.size, result.normal = n.distance, n.size, n.normal
        one = self.first, result.part_a, n.dimension_a, n.parts_a
        other = self.second, result.part_b, n.dimension_b, n.parts_b
        for body, (side, part, k, parts) in zip(self.bodies, (one, other), strict=True):
            on = (corners_of(body.mesh, Feature(KINDS[k], part)) for part in parts)
            lists = sorted({*chain(*on)}), *(parts if k == d else () for d in (1, 2))
            ids, pool = [*map(len, lists)], [*chain(*lists)]
            own, rest = (ints(np.array(row, np.int32)) for row in (ids, pool))
            carry_part(side, part, PairMemory(own, side.points, rest, 0), 0, 0, False)

    def widened(self, numbers: Numbers, level: float) -> Numbers | None:
        """Name in an answer, A first, what is level; None where that is no more."""
        self.name(numbers.mirrored() if self.swapped else numbers)
        self.workspace.heights[0] = level
        if self.call(widen, *self.tables) == 0:
            return None
        told = self.told(numbers.proof)
        names = "dimension_a", "parts_a", "dimension_b", "parts_b", "corners", "labels"
        return numbers._replace(**{name: getattr(told, name) for name in names})

    def told(self, proof: str, reason: str = "", *, in_order: bool = False) -> Numbers:
        """Copy the answer out of the rows and lists that the next frame overwrites.

        Moved back to the world; as the bodies were given, or in kernel order.
        """
        result, row, last = self.result, self._row, list(self.last)
        swapped = self.swapped and not in_order
        parts = parts_of(result.part_a) + parts_of(result.part_b)
        if parts > row.parts_room or result.corners > row.corners_room:
            room = AnswerArrays(1, 2 * parts, 2 * result.corners + 4)
            self._row = row = room.laid_out()
        for k, value in ((SWAPPED, int(swapped)), (PARTS_USED, 0), (CORNERS_USED, 0)):
            row.cursor[k] = value
        self.call(store, *self.tables, row)
        for k, label in enumerate(last):  # who asks decides which corner is kept
            self.last[k] = label
        return decoded(row, 0)._replace(proof=proof, reason=reason)


def dent_of(body: Body) -> float:
    """Return how far, in the world, its hull reaches beyond a body at most."""
    return placed_sag(floats(body.sag()), 0, floats(body.transform))

"""The flat buffers of a pair: what the kernels read, and room for what they write."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from sim.body.body import Body
from sim.engine.bound import Bound, Table, floats
from sim.kernels import layout
from sim.kernels.audit.sag import placed_sag
from sim.kernels.limits import comes_after
from sim.kernels.rows import parts_of, store
from sim.kernels.solve import hull_frame, one_frame
from sim.kernels.trajectory import CORNERS_USED, PARTS_USED, SWAPPED
from sim.kernels.workspace import BY_RINGS, BodyView, Workspace, origin_of
from sim.result.answer import AnswerArrays, Numbers, Vec, decoded
from sim.tracking.views import make_view, make_workspace, proved, scratch_for, turned
from wingedge.mesh import WingedEdgeMesh
from wingedge.registry import find


class Buffers:
    """Two sides in kernel order and the record that answers are written to."""

    def __init__(self, first: Body, second: Body, tolerance: float) -> None:
        self.bodies = (first, second)
        self.first, self.second = make_view(first), make_view(second)
        self._maps = {id(first.transform), id(second.transform)}
        self.scanned = True  # whether a body of the two proves only by a scan
        self.far = False  # whether a search last found the surfaces clearly apart
        pair = make_workspace(self.first.size + self.second.size, tolerance)
        self.workspace, self.result = pair, pair.result
        self.swapped = False  # whether the kernels take the second of them first
        self.last: memoryview[int] = pair.last  # type: ignore[assignment]
        self._bounds: dict[Callable[..., int], Bound] = {}  # of other entries
        self._trees: Any = None
        self._row = AnswerArrays.room_for(1, 2, 4).laid_out()

    @property
    def tables(self) -> tuple[BodyView, BodyView, Workspace]:
        """What most entries are called on."""
        return self.first, self.second, self.workspace

    def are_of(self, *bodies: Body) -> bool:
        """Say whether the bodies keep their maps where they were laid out."""
        return {id(x.transform) for x in bodies} == self._maps

    def run(self) -> int:
        """Answer one frame of bodies in order, whose every vertex was looked at."""
        return self.call(one_frame, *self.tables)

    def run_as_hulls(self) -> int:
        """Answer one frame of bodies that are convex, though their rings say less."""
        self.result.dent = sum(map(dent_of, self.bodies))
        return self.call(hull_frame, *self.tables)

    def run_as_surfaces(self, before: Callable[[], Numbers | None]) -> int:
        """Answer one frame of bodies of any shape, by a search of both surfaces.

        Where several places are equally near, that of the answer ``before``, in kernel
        order, is kept; it is asked for only then.
        """
        trees = self.trees
        tables = *self.tables, *trees.tables
        status = layout.UNPROVEN
        for turn in range(2):
            # Asked at once where others are likely, near or found: one search will do.
            numbers = None if self.far and not trees.others else before()
            if numbers is not None:
                trees.keep_to(numbers, self.bodies)
            elif turn == 1:
                break
            status = self.call(find("true_frame"), *tables)
            if numbers is not None:
                trees.keep_nothing()
            found = status in (layout.CERTIFIED, layout.SEARCHED) and trees.others
            if numbers is not None or not found:
                break
        return status

    def call(self, entry: Callable[..., int], *tables: Table) -> int:
        """Run an entry on tables that stay the same from frame to frame."""
        bound = self._bounds.get(entry)
        if bound is None:
            bound = self._bounds[entry] = Bound(entry)
        return bound.on(tables)

    @property
    def trees(self) -> Any:
        """The trees over both surfaces and the room for a search; made when asked."""
        if self._trees is None:
            self._trees = find("Trees")(*(body.mesh for body in self.bodies))
        return self._trees

    def forget(self) -> None:
        """Forget where the last search ended."""
        self.far = False
        if self._trees is not None:
            self._trees.forget()

    @property
    def given(self) -> tuple[Body, Body]:
        """The bodies in the order in which they were given."""
        one, two = self.bodies
        return (two, one) if self.swapped else (one, two)

    @property
    def views(self) -> tuple[BodyView, BodyView]:
        """The same, as the kernels see them."""
        one, two = self.first, self.second
        return (two, one) if self.swapped else (one, two)

    def arrange(self) -> bool:
        """Put bodies of which nothing is remembered in order; say whether they were.

        What is computed then mirrors by construction.
        """
        a, b = self.first, self.second
        after = a.size > b.size or (
            a.size == b.size and comes_after(a.points, a.pose, b.points, b.pose, a.size)
        )
        if after:
            self.put_in_order(not self.swapped)
        return not after

    def put_in_order(self, swapped: bool) -> None:
        """Let the order be the one in which the kernels answered."""
        if swapped != self.swapped:
            self.swapped = swapped
            self.bodies = (self.bodies[1], self.bodies[0])
            self.first, self.second = self.second, self.first
            if self._trees is not None:
                self._trees.exchange()

    def choose_proofs(self, new: tuple[bool, bool] = (False, False)) -> None:
        """Ask the bodies how each of them proves a support, unless it is new."""
        a, b = self.bodies
        new = new[::-1] if self.swapped else new  # as they were given
        self.first = proved(self.first, a, new=new[0])
        self.second = proved(self.second, b, new=new[1])
        self.scanned = self.first.scanned + self.second.scanned > 0

    def proved_as(self, other: Buffers) -> None:
        """Prove supports as other buffers of the same bodies did."""
        a, b = (scratch_for([body.mesh]) for body in self.bodies)
        self.first, self.second = other.first._replace(**a), other.second._replace(**b)
        self.scanned = other.scanned

    @property
    def convex(self) -> bool:
        """Whether both bodies are known to be convex, without any dent."""
        sides = self.first, self.second
        return all(x.scanned == BY_RINGS or x.sag[0] == 0.0 for x in sides)

    def learn_sags(self) -> bool:
        """Ask how far the hulls reach beyond the bodies; say whether that is news.

        Of closed bodies that are convex within tolerance, both of them; before anything
        is answered that hangs on it, so that who asked before changes nothing.
        """
        sides = self.first, self.second
        if not self.scanned or all(side.sag[0] >= 0.0 for side in sides):
            return False
        sags = [body.sag() for body in self.bodies if not body.is_open]
        if len(sags) < 2 or not all(sum(sag.tolist()) < inf for sag in sags):
            return False
        for side, sag in zip(sides, sags, strict=True):
            side.sag[:] = floats(sag)  # type: ignore[index, assignment]
        return True

    def set_outward(self, first: WingedEdgeMesh, second: WingedEdgeMesh) -> None:
        """Say how the faces of each body run, counter-clockwise seen from outside."""
        self.first, self.second = turned(self.first, first), turned(self.second, second)

    def origin(self) -> Vec:
        """Return the second translation relative to the first."""
        return origin_of(self.first, self.second)

    def told(self, proof: str, reason: str = "", *, in_order: bool = False) -> Numbers:
        """Copy the answer out of the rows and lists that the next frame overwrites.

        Moved back to the world; as the bodies were given, or in kernel order.
        """
        result, row, last = self.result, self._row, list(self.last)
        swapped = self.swapped and not in_order
        parts = parts_of(result.part_a) + parts_of(result.part_b)
        if parts > row.parts_room or result.corners > row.corners_room:
            room = AnswerArrays.room_for(1, 2 * parts, 2 * result.corners + 4)
            self._row = row = room.laid_out()
        for k, value in ((SWAPPED, int(swapped)), (PARTS_USED, 0), (CORNERS_USED, 0)):
            row.cursor[k] = value
        self.call(store, *self.tables, row)
        for k, label in enumerate(last):  # who asks decides which corner is kept
            self.last[k] = label
        return decoded(row, 0)._replace(proof=proof, reason=reason)


def dent_of(body: Body) -> float:
    """Return how far, in the world, its hull reaches beyond a body at most."""
    return placed_sag(floats(body.sag()), floats(body.transform))

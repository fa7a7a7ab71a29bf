"""Listen to a kernel while it tries parts: what each lost by, and to whom."""

from functools import partial
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sim.kernels import layout
from sim.kernels.closest.measure import face_normal, levels
from sim.kernels.vector import HERE, back, place, pull
from sim.kernels.walk.support import height
from sim.kernels.workspace import Part
from sim.result.answer import KINDS
from sim.tracking.buffers import Buffers
from sim.tracking.tried import Tried, pair_name
from wingedge.features import Feature
from wingedge.mesh import printed
from wingedge.primitives import point_triangle, segment_segment

Points = NDArray[np.float64]
Loss = tuple[float, Feature | None, int, str]  # length, culprit, its side, in words

FREE = {
    layout.WALKED: ("walk", "the walk ended at these supports"),
    layout.MET: ("meeting", "the walk found no direction: overlap or touch"),
    layout.STRAYED: ("lost", "the walk did not converge"),
    layout.GUESSED: ("guess", "where the walk ended is no part of either body"),
    layout.FLOODED: ("flood", "no level parts around these supports"),
}
PARTS = {
    layout.FACING: "facing",
    layout.LEVEL: "level",
    layout.OUTLINES: "overlap",
    layout.BEHIND: "apart",
    layout.BESIDE: "beside",
    layout.BOUNDS: "bounds",
    layout.AXIS: "axis",
    layout.SETTLED: "certified",
}


class Notes:
    """An int buffer that writes down every test whose result a kernel puts there.

    A frame is run once more with it in the place of ``workspace.note``; all losses are
    computed here, from the scratch as the kernel left it, so that the kernels
    themselves do no more than name the test.

    Parameters: ``buffers``: those that the frame is run with, whose reading is not
    watched; ``swapped``: whether the first body is B.
    """

    def __init__(self, buffers: Buffers, swapped: bool) -> None:
        self.tried: list[Tried] = []
        self._sides = buffers.first, buffers.second
        self._meshes = buffers.bodies[0].mesh, buffers.bodies[1].mesh
        self._origins = HERE, buffers.origin()
        self._slate, result = buffers.workspace, buffers.result
        self._parts: tuple[Part, Part] = result.part_a, result.part_b
        self._owners = ("b", "a") if swapped else ("a", "b")
        self._note = [0, 0, 0]

    def __getitem__(self, i: int) -> int:
        return self._note[i]

    def __setitem__(self, i: int, value: int) -> None:
        """Take a number; the test comes last and completes the note."""
        self._note[i] = value
        if i != layout.NOTE_TEST:
            return
        if value in FREE:
            test, says = FREE[value]
            ends = self._note[layout.NOTE_FIRST], self._note[layout.NOTE_SECOND]
            self._add([Feature("vertex", v) for v in ends], test, (0.0, None, 0, says))
            return
        parts = [Feature(KINDS[part.dimension], part.name) for part in self._parts]
        if value in (layout.SUPPORT_A, layout.SUPPORT_B):
            side = value - layout.SUPPORT_A
            test = f"support of {self._owners[side]}"
            self._add(parts, test, self._higher(side, parts))
        else:
            self._add(parts, PARTS[value], self._loss(value, parts))

    def _add(self, parts: list[Feature], test: str, loss: Loss) -> None:
        by, culprit, side, says = loss
        meshes = list(self._meshes)
        if self._owners[0] == "b":
            parts, meshes = parts[::-1], meshes[::-1]
        a, b = parts
        name = pair_name(meshes[0], a, meshes[1], b)
        if by > 0.0:
            says = f"lost by {by:.6g}: {says}"
        owner = "" if culprit is None else self._owners[side]
        text = f"{name}: {says}"
        self.tried.append(Tried(a, b, test, by, culprit, owner, text))

    def _loss(self, test: int, parts: list[Feature]) -> Loss:
        result = self._slate.result
        gap, upper = result.distance, result.upper
        if test == layout.FACING:
            return self._behind(), None, 0, "the parts do not face each other"
        if test == layout.LEVEL:
            return self._tilted(parts)
        if test == layout.OUTLINES:
            return self._sideways(), None, 0, "the level parts lie beside each other"
        if test == layout.BEHIND:
            return max(0.0, -gap), None, 0, "the parts are past each other"
        if test == layout.BESIDE:
            return self._beyond(sqrt(max(0.0, upper * upper - gap * gap)), parts)
        if test == layout.AXIS:
            return 0.0, None, 0, f"overlap along this axis {-gap:.6g}"
        width = upper - result.lower
        limit = layout.RELATIVE * abs(gap) + layout.ABSOLUTE * result.size
        if test == layout.BOUNDS:
            return max(0.0, width - limit), None, 0, f"the bounds are {width:.3g} apart"
        return 0.0, None, 0, "holds"

    def _behind(self) -> float:
        """Return how far one part lies behind the face of the other."""
        result = self._slate.result
        a, b = self._sides
        if result.part_a.dimension == 2:
            n = face_normal(a, result.part_a.faces)
        elif result.part_b.dimension == 2:
            n = back(face_normal(b, result.part_b.faces))
        else:
            return abs(self._slate.result.distance)
        high, _, _ = levels(a, HERE, n)
        _, low, _ = levels(b, self._origins[1], n)
        return max(0.0, high - low)

    def _tilted(self, parts: list[Feature]) -> Loss:
        """Say which part is not level, by how much, and which end is nearer."""
        n = self._slate.result.normal
        spread = []
        for side, origin in zip(self._sides, self._origins, strict=True):
            high, low, _ = levels(side, origin, n)
            spread.append(high - low)
        k = 0 if spread[0] >= spread[1] else 1
        hint, at = self._slate.hint, (layout.HINT_A, layout.HINT_B)[k]
        name = printed(self._meshes[k], parts[k])
        says = f"{name} is not level along the normal of {parts[1 - k]}"
        if hint[at] != 1:
            return spread[k], None, k, says
        end = Feature("vertex", hint[at + 1])
        return spread[k], end, k, f"{says}: its end {end} is nearer"

    def _beyond(self, miss: float, parts: list[Feature]) -> Loss:
        """Say beyond which side of a face the other part lies."""
        hint = self._slate.hint
        for k, at in ((0, layout.HINT_A), (1, layout.HINT_B)):
            if parts[k].kind == "face" and hint[at] == 2:
                mesh, v = self._meshes[k], hint[at + 1]
                beside = mesh.vertex_vertices(v) == hint[at + 2]
                e = Feature("edge", int(mesh.vertex_edges(v)[beside][0]))
                other = printed(self._meshes[1 - k], parts[1 - k])
                side = printed(self._meshes[k], e)
                return miss, e, k, f"{other} lies beyond {side} of {parts[k]}"
        return miss, None, 0, "the closest points lie beside the parts"

    def _higher(self, k: int, parts: list[Feature]) -> Loss:
        """Say which neighbour stands highest above a part, or that it is not level."""
        side, n = self._sides[k], self._slate.result.normal
        d = pull(side.pose, back(n) if k else n)
        members = [side.members[i] for i in range(side.mark[side.size])]
        held = [height(side.points, v, d) for v in members]
        at = side.start
        ring = {side.star[i] for v in members for i in range(at[v], at[v + 1])}
        ring.difference_update(members)
        name = printed(self._meshes[k], parts[k])
        top = max(ring, key=lambda v: (height(side.points, v, d), -v), default=-1)
        rise = height(side.points, top, d) - max(held) if top >= 0 else 0.0
        if rise > max(held) - min(held) or (top >= 0 and max(held) == min(held)):
            culprit = Feature("vertex", top)
            if rise > 0.0:
                return rise, culprit, k, f"{culprit} stands higher than {name}"
            return 0.0, culprit, k, f"{culprit} is level with {name}"
        low = Feature("vertex", members[held.index(min(held))])
        return max(held) - min(held), low, k, f"{name} is not level: {low} lies lower"

    def _sideways(self) -> float:
        """Return how far two level parts miss each other across the normal."""
        (xa, sa, ta), (xb, sb, tb) = self._laid(0), self._laid(1)
        distances = (
            segment_segment.closest(sa[0][:, None], sa[1][:, None], *sb),
            point_triangle.closest(xa[0][:, None], *tb),
            point_triangle.closest(xb[0][:, None], *ta),
        )
        gap = self._slate.result.distance
        least = min(float(x.distance_sq.min(initial=np.inf)) for x in distances)
        return sqrt(max(0.0, least - gap * gap)) if least < np.inf else 0.0

    def _laid(self, k: int) -> list[Points]:
        """Return the points, segments and triangles of a named part, by corner."""
        side, mesh, part = self._sides[k], self._meshes[k], self._parts[k]
        members = [side.members[i] for i in range(side.mark[side.size])]
        faces = [side.faces[i] for i in range(part.faces)]
        edges = [side.edges[i] for i in range(part.edges * (part.dimension == 1))]
        edges += [e for f in faces for e in mesh.face_edges(f).tolist()]
        laid = [
            np.array(members)[:, None],
            mesh.edge_vertices[np.unique(edges).astype(int)],
            mesh.fan.vertex[np.isin(mesh.fan.face, faces)],
        ]
        spot = partial(place, side.points, side.pose, self._origins[k])
        return [
            np.reshape([spot(v) for v in ids.T.ravel().tolist()], (*ids.T.shape, 3))
            for ids in laid
        ]

"""The tracker of a pair of which one body or both stand for their convex hulls."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.hulls.solid import Hull, told_by
from sim.result.answer import Numbers
from sim.result.renaming import refound
from sim.result.state import PairState
from sim.tracking.carried import Ids, Left, left_by
from sim.tracking.options import Ends, check_bodies, refuse_hulls, thresholds
from sim.tracking.pair import PairTracker
from sim.tracking.tried import Explanation
from wingedge.cover import Cover

Parts = tuple[int, ...]  # numbers of parts of a mesh


class HullTracker(PairTracker):
    """Track the hulls of bodies made with ``convexity="hull"``.

    What ``PairTracker`` makes of such a pair; with the same options, and answers in the
    numbers of the bodies' own meshes.  Inside, a tracker follows the covers as bodies
    of their own; another one follows those of the next positions, and goes on by what
    was told, as the tracker of a copied world does.

    Cost: a cover for a body with new positions, by Qhull, once for all its trackers,
    and a mesh for a cover with another connectivity, O(V) in numpy; then as for two
    convex bodies.
    """

    def __init__(
        self, a: Body, b: Body, *, regions: bool = False, **options: Any
    ) -> None:
        check_bodies(a, b)
        if regions:
            refuse_hulls(a, b)
        self.a, self.b = a, b
        self.ends = thresholds(a, b, *(options.pop(x, None) for x in Ends._fields))
        self._options = options
        self._lay_out()
        self._state = self._previous = None
        self._overlap: Ids | None = None  # of the last frame, where that was torn
        self._regions = None
        self.next_frame = 0
        self.uses_kernels = False  # the covers are looked at in every frame

    def _lay_out(self) -> None:
        """Make the hulls, and the tracker of them, anew."""
        a, b = self.a, self.b
        self._solid_a = Hull(a) if a.convexity == "hull" else a
        self._solid_b = Hull(b) if b.convexity == "hull" else b
        given = self._options | self.ends._asdict()
        self._inner = PairTracker(self._solid_a, self._solid_b, **given)
        self._stale = False

    def reset(self) -> None:
        """Forget the last frame: the next update starts cold."""
        self._state = self._previous = None
        self._inner.reset()

    def resume(
        self, state: PairState | None, next_region: int = 0, left: Left | None = None
    ) -> None:
        """Go on after a state that another tracker of this pair answered, or cold."""
        self._state, self._previous, self._stale = state, None, True
        self._overlap = None if left is None else left[0].overlap(left[1])

    def overlap(self) -> Ids | None:
        """Return what an overlap leaves to the next frame beside its state, if any."""
        return self._overlap if self._stale else self._inner.overlap()

    def _go_on(self) -> None:
        """Make the hulls anew, and go on after the last state."""
        overlap, state = self.overlap(), self._state
        self._lay_out()
        if state is not None:
            now = [None if c is None else c.faces.tobytes() for c in self._covers()]
            if now != [None if f is None else f.tobytes() for f in state.hulls]:
                overlap = None  # of other facets
            told = self._told(state)
            self._inner.resume(told, 0, left_by(told, overlap))

    def _told(self, state: PairState) -> PairState:
        """Return a state in the numbers of the hulls; of what is gone no parts."""
        covers, solids = self._covers(), (self._solid_a, self._solid_b)
        numbers: Numbers | None = None
        pairs = list(zip(covers, state.editions, strict=True))
        if all(cover is None or cover.source is of.mesh for cover, of in pairs):
            a, b = (partial(_found, state, k, covers[k]) for k in range(2))
            numbers = refound(state.numbers, a, b)
        if numbers is None:
            n = state.numbers._replace(parts_a=(), parts_b=())
            numbers = n._replace(corners=(), labels=())
        a_is, b_is = (
            of if cover is None else solid.edition
            for (cover, of), solid in zip(pairs, solids, strict=True)
        )
        return PairState.of(numbers, state.regime, state.frame, *solids, (a_is, b_is))

    def update(self, exact: bool = False) -> PairState:
        """Answer for the present positions and poses; see ``PairTracker``.

        Raises MeshError if a body that stands for its hull is flat.
        """
        frame, self._overlap = self.next_frame, self.overlap()
        try:
            self._keep_up(frame)
            self._inner.next_frame, self._inner.saw = frame, self.saw
            state = self._state_of(self._inner.update(exact))
            self._previous, self._state, self.next_frame = self._state, state, frame + 1
            self.saw = self.a.version, self.b.version
            self._keep_names()
            return state
        except BaseException:
            self._stale = True
            raise

    def enumerate(self) -> PairState:
        """Answer cold by comparing every pair; see ``sim.exhaustive``."""
        self._keep_up(0)
        return self._state_of(self._inner.enumerate())

    def explain(self) -> Explanation:
        """Say what the last update looked at; see ``PairTracker``.

        The steps, and the text, are told in the numbers of the hulls, those of
        ``body.cover().mesh()``.
        """
        told = self._inner.explain()
        state, before = self._state, self._previous
        assert state is not None
        sides = zip(self._covers(), (told.visited_a, told.visited_b), strict=True)
        a, b = (np.asarray(v if of is None else of.vertices[v]) for of, v in sides)
        return told._replace(
            before=None if before is None else (before.feature_a, before.feature_b),
            after=(state.feature_a, state.feature_b),
            visited_a=a.astype(np.int32),
            visited_b=b.astype(np.int32),
        )

    def _keep_up(self, frame: int) -> None:
        """Take over new positions, and go on by what was told, as a copy would."""
        before, known = self._covers(), not self._stale
        for body, solid in ((self.a, self._solid_a), (self.b, self._solid_b)):
            if isinstance(solid, Hull):
                body.check_update(frame)
                known = solid.keep_up(frame) and known
        if not known:
            self._go_on()
        elif self._state is not None and self._covers() != before:
            self._inner.resume(self._told(self._state), 0, self._inner.left())

    def _keep_names(self) -> None:
        """Remember of the corner of an overlap what a state tells of it."""
        last, solids = self._inner.corner, (self._solid_a, self._solid_b)
        for k, body in enumerate(solids[::-1] if self._inner.is_swapped else solids):
            if last[0] >= 0 and last[2 * k] == 2 and isinstance(body, Hull):
                cover = body.cover_now
                on = set(cover.lies_on(2, int(last[2 * k + 1]))[:1])
                last[2 * k + 1] = _lying_on(cover, 2, on)[0]

    def _state_of(self, inner: PairState) -> PairState:
        """Return an answer of the inner tracker in the numbers of the bodies."""
        covers = self._covers()
        a, b = (None if cover is None else cover.faces for cover in covers)
        same = inner.regime, inner.frame, self.a, self.b
        return PairState.of(told_by(inner, *covers), *same, hulls=(a, b))

    def _covers(self) -> tuple[Cover | None, Cover | None]:
        a, b = (getattr(x, "cover_now", None) for x in (self._solid_a, self._solid_b))
        return a, b


def _lid_in(
    state: PairState, side: int, faces: NDArray[np.int32], dimension: int, number: int
) -> int:
    """Return the number of a lid in another hull, -1 if gone; of what is none, its."""
    lid = state.named(side, dimension, number)
    if lid.kind != "lid":
        return number
    mesh = (state.mesh_a, state.mesh_b)[side]
    if dimension == 2:
        same = np.flatnonzero((faces == lid.vertices).all(axis=1))
        return mesh.n_faces + int(same[0]) if len(same) else -1
    tail, tip = lid.vertices
    same = np.flatnonzero((faces == tail) & (faces[:, [1, 2, 0]] == tip))
    return mesh.n_edges + int(same[0]) if len(same) else -1


def _found(
    state: PairState, side: int, cover: Cover | None, dimension: int, parts: Parts
) -> Parts:
    """List the parts of a hull that lie on what a state told of, -1 aside."""
    if cover is None:
        return parts
    wanted = {_lid_in(state, side, cover.faces, dimension, k) for k in parts}
    return _lying_on(cover, dimension, wanted)


def _lying_on(cover: Cover, dimension: int, parts: set[int]) -> Parts:
    """List the parts of a hull that lie on some of its body, between their corners."""
    known = [_corners(cover, dimension, part) for part in parts if part >= 0]
    if not known:
        return ()
    hull, vertices = cover.hull, cover.vertices
    rows = (vertices[:, None], vertices[hull.edge_vertices], cover.faces)[dimension]
    between = np.isin(rows, np.concatenate(known)).all(axis=1)
    for some in (np.flatnonzero(between), np.arange(len(rows))):  # or anywhere
        found = [k for k in some.tolist() if parts & set(cover.lies_on(dimension, k))]
        if found:
            break
    return tuple(found)


def _corners(cover: Cover, dimension: int, part: int) -> NDArray[np.int32]:
    """Return the vertices of a vertex, edge, face, or lid of a body."""
    mesh, faces = cover.source, cover.faces
    if dimension == 0:
        return np.array([part], np.int32)
    ends: NDArray[np.int32]
    if dimension == 2:
        lid = part - mesh.n_faces
        ends = mesh.face_vertices(part) if lid < 0 else faces[lid]
    else:
        k, side = divmod(part - mesh.n_edges, 3)
        ends = mesh.edge_vertices[part] if k < 0 else faces[k, [side, (side + 1) % 3]]
    return ends

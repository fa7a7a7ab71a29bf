"""What an update looked at and tried: the frame once more, with buffers that listen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.explain.notes import Notes
from sim.kernels import layout
from sim.kernels.limits import comes_after, exchange
from sim.kernels.solve import solve
from sim.kernels.trajectory import recall
from sim.tracking.buffers import Buffers
from sim.tracking.carried import Memory
from sim.tracking.pair import PairTracker
from sim.tracking.tried import Explanation, Tried, explanation_of, pair_name
from wingedge.features import Feature
from wingedge.mesh import corners_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.frame import Frame
    from sim.result.state import PairState

Points = NDArray[np.float64]


class Trail:
    """A float buffer that remembers which vertices were read."""

    def __init__(self, points: memoryview[float]) -> None:
        self._points = points
        self.visited = np.zeros(len(points) // 3, bool)

    def __getitem__(self, i: int) -> float:
        """Read one coordinate and remember its vertex."""
        self.visited[i // 3] = True
        return self._points[i]

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Points:
        """Hand out the whole buffer, for a scan: every vertex is read."""
        self.visited[:] = True
        return np.asarray(self._points)


def explained(
    own: Buffers, start: tuple[Memory, int], before: PairState | None, state: PairState
) -> Explanation:
    """Run the last frame again from what it started from; see ``PairTracker.explain``.

    With scratch of its own.  Parameters: ``start``: a memory and its row.
    """
    memory, row = start
    swapped = own.swapped
    again = Buffers(*own.bodies, own.workspace.tolerance)
    again.proved_as(own)
    sides = again.first, again.second
    turned = memory.is_swapped(row) != swapped
    first, second = sides[::-1] if turned else sides
    recall(memory.laid_out(), row, first, second, again.workspace)
    if turned:
        exchange(again.workspace)
    trails: list[Any] = [Trail(side.points) for side in sides]  # type: ignore[arg-type]
    pairs = zip(sides, trails, strict=True)
    a, b = (side._replace(points=trail) for side, trail in pairs)
    if a.size == b.size:
        comes_after(a.points, a.pose, b.points, b.pose, a.size)
    notes = Notes(again, swapped)
    workspace = again.workspace._replace(note=notes)
    status = solve(a, b, 0, workspace)
    visited = [trail.visited for trail in trails]
    if status not in (layout.CERTIFIED, layout.BOUNDED):
        visited = [np.ones_like(seen) for seen in visited]
    cold, tried = "started cold, from a scan of all vertices", notes.tried
    if tried and tried[-1].test == "certified" and state.proof != "search":
        final = tried[-1]
        tried[-1] = final._replace(text=f"{final.text}; certified by {state.proof}")
    else:
        tried.append(_searched(state))
    one, two = reversed(visited) if swapped else visited
    return explanation_of(before, state, (one, two), tuple(tried), cold)


def _searched(after: PairState) -> Tried:
    """Write a search down as one step, with its result."""
    a, b = after.feature_a, after.feature_b
    name = pair_name(after.mesh_a, a, after.mesh_b, b)
    by = "the polytope" if after.proof == "epa" else "a search of both surfaces"
    if after.work.fallbacks:
        by = "exhaustive search"
    trust = "certified" if after.certified else f"not certified: {after.reason}"
    text = f"{name}: found by {by}, distance {after.distance:.9g}; {trust}"
    test = "epa" if after.proof == "epa" else "search"
    return Tried(a, b, test, 0.0, None, "", text)


class Walk(NamedTuple):
    """What a search tried in one frame, and where that lies.

    Attributes: ``told``: its ``steps`` in order; of a body that stands for its hull in
    the numbers of ``body.cover().mesh()``; ``places_a``, ``places_b`` (n, 3): the
    middle of the part of A and of B that each of the n steps tried, world frame, in the
    present frame.
    """

    told: Explanation
    places_a: Points
    places_b: Points


def retrace(before: Frame | None, now: Frame, state: PairState) -> Walk:
    """Answer for one pair of a frame once more, and tell what the search tried.

    Works on frames of a world or a recording, and touches neither: bodies of its own
    are put where they were, answered for, put where they are, and answered for again.

    Parameters: ``before``: the frame before, from whose closest features the search
    starts; None, or a frame in which a body had another mesh: it starts cold;
    ``state``: one of ``now.pairs``.

    A frame holds the closest features, not the vertices that its tracker stood on:
    where that walked anew, the supports at the end of the walk ("walk", "lost") may be
    others.  All other steps are its own.

    Cost: two new bodies, two updates, and an explanation; a few milliseconds.
    """
    names = state.a.name, state.b.name
    a, b = (
        Body(mesh, name=body.name, convexity=body.convexity, flatness=body.flatness)
        for body, mesh in ((state.a, state.mesh_a), (state.b, state.mesh_b))
    )
    tracker = PairTracker(a, b)
    frames = [now]
    meshes = {body.name: body.mesh for body in before.bodies} if before else {}
    if before and all(meshes.get(name) is now.body(name).mesh for name in names):
        frames = [before, now]
    for frame in frames:
        for body in (a, b):
            seen = frame.body(body.name)
            if not np.array_equal(body.positions, seen.points):
                body.points = seen.points  # new: proven by a scan
            body.pose = seen.pose
        tracker.next_frame = now.index if frame is now else 0
        tracker.update()
    steps = (explanation := tracker.explain()).steps
    places_a = _middles(a, [step.feature_a for step in steps])
    return Walk(explanation, places_a, _middles(b, [x.feature_b for x in steps]))


def _middles(body: Body, features: Sequence[Feature]) -> Points:
    """Return the mean of the corners of each feature, (n, 3), world frame."""
    mesh, points = body.mesh, body.world_points()
    if body.convexity == "hull":
        mesh = body.cover().mesh()
        points = points[mesh.source_vertices]
    return np.array(
        [points[corners_of(mesh, feature)].mean(axis=0) for feature in features]
    ).reshape(-1, 3)

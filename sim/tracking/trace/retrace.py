"""Which parts one pair's search tried in a frame, from two frames alone."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.tracking.pair import PairTracker
from sim.tracking.trace.explain import Explanation
from wingedge import Feature, WingedEdgeMesh

if TYPE_CHECKING:
    from sim.contact import PairState
    from sim.frame import BodySnapshot, Frame

Points = NDArray[np.float64]


class Walk(NamedTuple):
    """What a search tried in one frame, and where that lies.

    Attributes
    ----------
    told : Explanation
        Its ``steps`` in order; of a body that stands for its hull in the numbers of
        ``body.cover().mesh()``.
    places_a, places_b : (n, 3) float64
        The middle of the part of A and of B that each of the n steps tried, world
        frame, in the present frame.
    """

    told: Explanation
    places_a: Points
    places_b: Points


def retrace(before: "Frame | None", now: "Frame", state: "PairState") -> Walk | None:
    """Answer for one pair of a frame once more, and tell what the search tried.

    Works on frames of a world and of a recording alike, and touches neither: bodies of
    its own are put where they were in the frame before, answered for, put where they
    are now, and answered for once more.

    Parameters
    ----------
    before : Frame or None
        The frame before, from whose closest features the search starts; None, or a
        frame in which a body had another mesh: the search starts cold.
    now : Frame
    state : PairState
        One of ``now.pairs``.

    Returns
    -------
    Walk or None
        None where a body is a compound: its search is many, one for each two pieces.

    Notes
    -----
    A frame holds the closest features, not the vertices of them that a tracker stood
    on: where it walked anew, the two supports at the end of that walk ("walk", "lost")
    may be others than those of the tracker that made the frame.  All other steps are
    its own.

    Cost: two new bodies, two updates, and an explanation; a few milliseconds.
    """
    bodies: tuple[object, ...] = state.a, state.b  # a compound's say Body and are not
    if not all(isinstance(body, Body) for body in bodies):
        return None
    names = state.a.name, state.b.name
    a, b = (
        _double(body, mesh)
        for body, mesh in ((state.a, state.mesh_a), (state.b, state.mesh_b))
    )
    tracker = PairTracker(a, b)
    if before is not None and _continues(before, now, names):
        for body, name in zip((a, b), names, strict=True):
            _put(body, before.body(name))
        tracker.update()
    for body, name in zip((a, b), names, strict=True):
        _put(body, now.body(name))
    tracker.next_frame = now.index
    tracker.update()
    told = tracker.explain()
    return Walk(
        told,
        _middles(a, tuple(step.feature_a for step in told.steps)),
        _middles(b, tuple(step.feature_b for step in told.steps)),
    )


def _double(body: Body, mesh: WingedEdgeMesh) -> Body:
    return Body(mesh, name=body.name, convexity=body.convexity, flatness=body.flatness)


def _put(body: Body, snapshot: "BodySnapshot") -> None:
    body.points = snapshot.points
    body.pose = snapshot.pose


def _continues(before: "Frame", now: "Frame", names: tuple[str, str]) -> bool:
    """Tell whether both bodies were there before, with the meshes of now."""
    meshes = {body.name: body.mesh for body in before.bodies}
    return all(meshes.get(name) is now.body(name).mesh for name in names)


def _middles(body: Body, features: tuple[Feature, ...]) -> Points:
    """Return the mean of the corners of each feature, (n, 3), world frame."""
    mesh, points = body.mesh, body.world_points()
    if body.convexity == "hull":
        mesh = body.cover().mesh()
        points = points[mesh.source_vertices]
    return np.array(
        [points[_corners(mesh, feature)].mean(axis=0) for feature in features]
    ).reshape(-1, 3)


def _corners(mesh: WingedEdgeMesh, feature: Feature) -> list[int]:
    if feature.kind == "vertex":
        return [feature.index]
    if feature.kind == "edge":
        ends: list[int] = mesh.edge_vertices[feature.index].tolist()
        return ends
    ring: list[int] = mesh.face_vertices(feature.index).tolist()
    return ring

"""Why a feature is the closest one of its body, or is not: in numbers."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wingedge import Feature, neighbours
from wingedge.primitives import triangle_triangle

if TYPE_CHECKING:
    from sim import Frame, PairState
    from sim.frame import BodySnapshot

Floats = NDArray[np.float64]


class Reading(NamedTuple):
    """What can be said of one feature in one frame; lengths of the world."""

    body: str
    feature: Feature
    corners: Floats  # (k, 3) its vertices, world
    neighbours: tuple[Feature, ...]
    partner: str | None  # the nearest other body; None where there is none
    closest: tuple[Feature, ...]  # what is closest to the partner
    is_closest: bool
    distance: float  # from the feature to the surface of the partner; NaN without one
    onto: Feature | None  # the face of the partner that it is nearest to
    answer: float  # the signed distance of the two bodies
    behind: float  # how far it lies behind the closest point, along the normal


def read_feature(frame: "Frame", body: str, feature: Feature) -> Reading:
    """Measure a feature against the nearest other body.

    Raises
    ------
    KeyError, IndexError
        If there is no such body, or it has no such feature.

    Notes
    -----
    The distance is that of the feature's triangles to those of the other surface, by
    `wingedge.primitives.triangle_triangle`; 0 where they meet. ``behind`` says where
    the bodies overlap, where distances of surfaces say nothing. Cost: O(F) of the
    other body.
    """
    snapshot = frame.body(body)
    corners = snapshot.world_points()[_vertices(snapshot, feature)]
    beside = neighbours(snapshot.mesh, feature)
    state = nearest_pair(frame, body)
    if state is None:
        nan = float("nan")
        return Reading(
            body, feature, corners, beside, None, (), False, nan, None, nan, nan
        )
    other = frame.body(state.b.name)
    distance, face = _distance(snapshot, feature, other)
    heights = (corners - state.point_a) @ state.normal
    return Reading(
        body=body,
        feature=feature,
        corners=corners,
        neighbours=beside,
        partner=state.b.name,
        closest=state.parts_a,
        is_closest=feature in state.parts_a,
        distance=distance,
        onto=Feature("face", face),
        answer=state.distance,
        behind=-float(heights.max()),
    )


def nearest_pair(frame: "Frame", body: str) -> "PairState | None":
    """Return the state of a body, as A, with what is nearest to it; None if alone."""
    mine = [state for state in frame.pairs if body in (state.a.name, state.b.name)]
    if not mine:
        return None
    state = min(mine, key=lambda state: state.distance)
    return state if state.a.name == body else state.swapped()


def explain(reading: Reading) -> list[str]:
    """Say in sentences why it is the closest feature, or why it is not."""
    r = reading
    if r.partner is None:
        return ["no other body is reported near it"]
    named = "+".join(map(str, r.closest[:3])) + (" ..." if len(r.closest) > 3 else "")
    if r.is_closest:
        lines = [f"the closest to {r.partner}, signed distance {_n(r.answer)}"]
        if len(r.closest) > 1:
            lines.append(f"level with {len(r.closest) - 1} more: {named}")
        return lines
    lines = [f"not the closest to {r.partner}: that is {named}"]
    if r.answer > 0.0:
        more = r.distance - r.answer
        lines.append(
            f"{_n(r.distance)} from its {r.onto}; the answer is {_n(r.answer)}"
        )
        lines.append(
            f"so {_n(more)} too far" if more > 0.0 else "as near: others were chosen"
        )
    else:
        lines.append(f"the bodies overlap by {_n(-r.answer)}")
    where = "behind" if r.behind >= 0.0 else "beyond"
    lines.append(f"{_n(abs(r.behind))} {where} the closest point along the normal")
    return lines


def _n(value: float) -> str:
    return f"{value:.4g}"


def _vertices(body: "BodySnapshot", feature: Feature) -> NDArray[np.intp]:
    mesh, (kind, index) = body.mesh, feature
    most = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    if not 0 <= index < most.get(kind, 0):
        raise IndexError(f"body {body.name!r} has no {feature}")
    if kind == "vertex":
        return np.array([index])
    if kind == "edge":
        return np.array(mesh.edge_vertices[index], np.intp)
    return np.array(mesh.face_vertices(index), np.intp)


def _distance(
    body: "BodySnapshot", feature: Feature, other: "BodySnapshot"
) -> tuple[float, int]:
    """Return the distance to another surface, and the face of it that is nearest.

    A vertex is a triangle of three equal corners, an edge one of two.
    """
    points = body.world_points()
    if feature.kind == "face":
        rows = np.flatnonzero(body.mesh.fan.face == feature.index)
        mine = points[body.mesh.fan.vertex[rows]]
    else:
        ends = _vertices(body, feature)
        mine = points[[[ends[0], ends[-1], ends[-1]]]]
    theirs = other.world_points()[other.mesh.fan.vertex]
    found = triangle_triangle.closest(
        *(mine[:, None, k] for k in range(3)), *(theirs[None, :, k] for k in range(3))
    ).distance
    row = int(np.argmin(found.min(axis=0)))
    return float(found[:, row].min()), int(other.mesh.fan.face[row])

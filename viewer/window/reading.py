"""Pick a feature under the mouse, and say why it is the closest one or is not."""

from textwrap import wrap
from typing import NamedTuple

import numpy as np

from sim import Frame, PairState
from sim.frame import BodySnapshot
from viewer.drawing.camera import ANGLE, View, project
from viewer.window.hands import Hands
from viewer.window.sheets import SheetLine
from wingedge import Feature, neighbours
from wingedge.faces import distance_sq, has_feature, triangles_of
from wingedge.graph import corners_of
from wingedge.primitives import point_segment, segment_triangle
from wingedge.tables import Floats

LETTERS = 40  # that fit on a line of the sheet
REACH = 8.0  # pixels: a vertex or an edge that is no farther from the mouse is meant


def nearest_pair(frame: Frame, body: str) -> PairState | None:
    """Return the state of a body, as A, with what is nearest to it; None if alone."""
    mine = [state for state in frame.pairs if body in (state.a.name, state.b.name)]
    state = min(mine, key=lambda state: state.distance, default=None)
    return state if state is None or state.a.name == body else state.swapped()


def reasons(frame: Frame, body: str, feature: Feature) -> list[str]:
    """Say in sentences why it is the closest to another body, or why not, O(F) of that.

    A distance is that of triangles; where bodies overlap it says
    nothing: how far the feature lies behind the closest point, along the normal, does.
    """
    state = nearest_pair(frame, body)
    if state is None:
        return ["no other body is reported near it"]
    closest, answer, partner = state.parts_a, state.distance, state.b.name
    named = "+".join(map(str, closest[:3])) + (" ..." if len(closest) > 3 else "")
    if feature in closest:
        level = [f"level with {len(closest) - 1} more: {named}"]
        first = f"the closest to {partner}, signed distance {answer:.4g}"
        return [first, *(level if len(closest) > 1 else [])]
    snapshot, other = frame.body(body), frame.body(partner)
    points, fan = snapshot.world_points(), other.mesh.fan
    told = [f"the bodies overlap by {-answer:.4g}"]
    if answer > 0.0:
        mine = points[np.array(triangles_of(snapshot.mesh, feature))]
        theirs = other.world_points()[fan.vertex]
        squares = [distance_sq(0.0 * theirs + one, theirs) for one in mine]
        found = np.sqrt(np.min(squares, axis=0))
        row = int(np.argmin(found))
        face, more = f"f{fan.face[row]}", float(found[row]) - answer
        told = [
            f"{found[row]:.4g} from its {face}; the answer is {answer:.4g}",
            f"so {more:.4g} too far" if more > 0.0 else "as near: others were chosen",
        ]
    corners = points[corners_of(snapshot.mesh, feature)]
    behind = -float(((corners - state.point_a) @ state.normal).max())
    where = "behind" if behind >= 0.0 else "beyond"
    return [
        f"not the closest to {partner}: that is {named}",
        *told,
        f"{abs(behind):.4g} {where} the closest point along the normal",
    ]


def sheet(hands: Hands, frame: Frame, room: int = 99) -> list[SheetLine]:
    """Write what is chosen and what its feature says, in as many lines as fit.

    What tells least comes last: numbers that do not fit are left out.
    """
    body = next((body for body in frame.bodies if body.name == hands.chosen), None)
    bad = hands.said.startswith(("not ", "no "))
    said = [SheetLine(line, loud=bad) for line in _wrapped(hands.said)]
    if body is None:
        return said
    state, mould = "held" if hands.holds else "chosen", hands.mould
    size = float(np.ptp(body.world_points(), axis=0).max())
    told = [f"at {_numbers(body.pose.translation, size, 4)}"]
    if hands.sliders or any(mould):
        turned = f"twist {mould.twist:.0f}°  bend {mould.bend:.0f}°"
        told.append(f"squash {mould.squash:.2f}  {turned}")
    if hands.slides:
        told.append("slides along other bodies")
    lines = [
        SheetLine(f"{body.name}, {state}", bold=True),
        *map(SheetLine, told),
        *said,
    ]
    if hands.feature is not None:
        lines += _feature_lines(frame, body, hands.feature, size)
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], SheetLine("…")]


def _feature_lines(
    frame: Frame, body: BodySnapshot, feature: Feature, size: float
) -> list[SheetLine]:
    """Say why a feature is the closest or is not, its neighbours, and where it is."""
    if not has_feature(body.mesh, feature):  # the mesh was edited meanwhile
        return [SheetLine(f"{feature} is gone", bold=True)]
    corners = body.world_points()[corners_of(body.mesh, feature)]
    beside = [str(other) for other in neighbours(body.mesh, feature)]
    more = f" and {len(beside) - 10} more" if len(beside) > 10 else ""
    words = [*reasons(frame, body.name, feature)]
    words.append(f"beside it {' '.join(beside[:10])}{more}")
    told = [line for each in words for line in _wrapped(each)]
    told += [f"  {_numbers(corner, size, 5)}" for corner in corners[:4]]
    told += [f"  and {len(corners) - 4} corners more"] if len(corners) > 4 else []
    return [SheetLine(f"{feature.kind} {feature}", bold=True), *map(SheetLine, told)]


def _numbers(place: Floats, size: float, digits: int) -> str:
    """Write coordinates with so many digits; below 1e-9 of the size is zero."""
    rounded = [0.0 if abs(x) < 1e-9 * size else x for x in place.tolist()]
    return "  ".join(f"{x:.{digits}g}" for x in rounded)


def _wrapped(words: str) -> list[str]:
    """Break a text into lines of the sheet, between words; no line for no text."""
    return wrap(words, LETTERS, break_long_words=False, break_on_hyphens=False)[:8]


class Picked(NamedTuple):
    """One feature of one body."""

    body: str
    feature: Feature


def pick(
    frame: Frame,
    view: View,
    size: tuple[int, int],
    place: tuple[float, float],
    reach: float = REACH,
) -> Picked | None:
    """Find the body under a pixel, and which of its features is meant, O(V + E).

    The nearest vertex of the face there within reach, else the nearest edge, else the
    face; or what lies before it: outlines are found from a little beside them too.
    """
    right, up, back = view.axes()
    x, y = np.subtract(place, np.divide(size, 2)) * 2.0 / size[1]
    ray = np.tan(np.radians(ANGLE) / 2) * (x * right + y * up) - back  # 1 long ahead
    depth, found = np.inf, None
    for body in frame.bodies:
        corners = body.world_points()[body.mesh.fan.vertex]
        reached = 2.0 * max(0.0, ((view.position - corners) @ view.direction).max())
        tip = view.position + reached * ray
        triangles = (corners[:, k] for k in range(3))
        hits = segment_triangle.hit(view.position, tip, *triangles)
        t = np.where(hits.hit, reached * hits.t, np.inf)
        if t.min() < depth:
            depth, face = float(t.min()), int(body.mesh.fan.face[t.argmin()])
            found = Picked(body.name, Feature("face", face))
    near: list[tuple[int, float, str, Feature]] = []  # vertices before edges
    for body in frame.bodies:
        points, mesh, ends = body.world_points(), body.mesh, body.mesh.edge_vertices
        corner, side = np.zeros(len(points), bool), np.zeros(len(ends), bool)
        if found is not None and found.body == body.name:
            corner[mesh.face_vertices(found.feature.index)] = True
            side[mesh.face_edges(found.feature.index)] = True
        away = (view.position - points) @ view.direction
        # what is behind the eye lands anywhere: it counts as far
        seen = np.clip(project(points, view, size), -1e9, 1e9)
        start, end = ends.T
        edge = point_segment.closest(np.array(place), seen[start], seen[end])
        middle = (1.0 - edge.t) * away[start] + edge.t * away[end]
        front = ((away[start] > 0) & (away[end] > 0)) & (side | (middle < depth))
        ahead = (away > 0) & (corner | (away < depth))
        pixels = np.where(ahead, np.hypot(*(seen - place).T), np.inf)
        beside = np.where(front, edge.distance, np.inf)
        for rank, kind, far in ((0, "vertex", pixels), (1, "edge", beside)):
            k = int(np.argmin(far))
            if far[k] <= reach:
                near.append((rank, float(far[k]), body.name, Feature(kind, k)))
    return Picked(*min(near)[2:]) if near else found

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
from wingedge.faces import has_feature, triangles_of
from wingedge.graph import corners_of
from wingedge.primitives import point_segment, triangle_triangle
from wingedge.tables import Floats


def nearest_pair(frame: Frame, body: str) -> PairState | None:
    """Return the state of a body, as A, with what is nearest to it; None if alone."""
    mine = [state for state in frame.pairs if body in (state.a.name, state.b.name)]
    if not mine:
        return None
    state = min(mine, key=lambda state: state.distance)
    return state if state.a.name == body else state.swapped()


def reasons(frame: Frame, body: str, feature: Feature) -> list[str]:
    """Say in sentences why it is the closest to another body, or why not, O(F) of that.

    A distance is that of triangles, 0 where they meet; where bodies overlap it says
    nothing: how far the feature lies behind the closest point, along the normal, does.
    """
    state = nearest_pair(frame, body)
    if state is None:
        return ["no other body is reported near it"]
    closest, answer, partner = state.parts_a, state.distance, state.b.name
    named = "+".join(map(str, closest[:3])) + (" ..." if len(closest) > 3 else "")
    if feature in closest:
        lines = [f"the closest to {partner}, signed distance {answer:.4g}"]
        if len(closest) > 1:
            lines.append(f"level with {len(closest) - 1} more: {named}")
        return lines
    lines, snapshot = (
        [f"not the closest to {partner}: that is {named}"],
        frame.body(body),
    )
    if answer > 0.0:
        distance, face = distance_to(snapshot, feature, frame.body(partner))
        more = distance - answer
        lines += [
            f"{distance:.4g} from its {face}; the answer is {answer:.4g}",
            f"so {more:.4g} too far" if more > 0.0 else "as near: others were chosen",
        ]
    else:
        lines.append(f"the bodies overlap by {-answer:.4g}")
    corners = snapshot.world_points()[corners_of(snapshot.mesh, feature)]
    behind = -float(((corners - state.point_a) @ state.normal).max())
    where = "behind" if behind >= 0.0 else "beyond"
    return [*lines, f"{abs(behind):.4g} {where} the closest point along the normal"]


def distance_to(
    body: BodySnapshot, feature: Feature, other: BodySnapshot
) -> tuple[float, Feature]:
    """Return the distance to another surface, and the face of it that is nearest."""
    mine = body.world_points()[np.array(triangles_of(body.mesh, feature))]
    theirs = other.world_points()[other.mesh.fan.vertex]
    found = triangle_triangle.closest(
        *(mine[:, None, k] for k in range(3)), *(theirs[None, :, k] for k in range(3))
    ).distance
    row = int(np.argmin(found.min(axis=0)))
    face = Feature("face", int(other.mesh.fan.face[row]))
    return float(found[:, row].min()), face


LETTERS = 40  # that fit on a line of the sheet
_NEIGHBOURS = 10  # that are named


def sheet(hands: Hands, frame: Frame, room: int = 99) -> list[SheetLine]:
    """Write what is chosen and what its feature says, in as many lines as fit.

    What is minor is left out first, then the end is cut.
    """
    lines = _all_lines(hands, frame)
    for minor in (1, 2):
        if len(lines) > room:
            lines = [line for line in lines if line.minor != minor]
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], SheetLine("…")]


def _all_lines(hands: Hands, frame: Frame) -> list[SheetLine]:
    body = next((body for body in frame.bodies if body.name == hands.chosen), None)
    if body is None:
        return [SheetLine(part) for part in wrapped(hands.said)]
    state = "held" if hands.holds else "chosen"
    lines = [SheetLine(f"{body.name}, {state}", bold=True)]
    size = float(np.ptp(body.world_points(), axis=0).max())
    lines.append(SheetLine(f"at {said(body.pose.translation, size, 4)}"))
    mould = hands.mould
    if hands.sliders or any(mould):
        turned = f"twist {mould.twist:.0f}°  bend {mould.bend:.0f}°"
        lines.append(SheetLine(f"squash {mould.squash:.2f}  {turned}"))
    if hands.slides:
        lines.append(SheetLine("slides along other bodies"))
    if hands.feature is not None:
        lines += _feature_lines(frame, body, hands.feature, size)
    bad = hands.said.startswith(("not ", "no "))
    return lines + [SheetLine(part, loud=bad) for part in wrapped(hands.said)]


def _feature_lines(
    frame: Frame, body: BodySnapshot, feature: Feature, size: float
) -> list[SheetLine]:
    if not has_feature(body.mesh, feature):  # the mesh was edited meanwhile
        return [SheetLine(f"{feature} is gone", bold=True)]
    corners = body.world_points()[corners_of(body.mesh, feature)]
    places = [f"  {said(corner, size, 5)}" for corner in corners[:4]]
    places += [f"  and {len(corners) - 4} corners more"] if len(corners) > 4 else []
    beside = [str(other) for other in neighbours(body.mesh, feature)]
    more = f" and {len(beside) - _NEIGHBOURS} more" if len(beside) > _NEIGHBOURS else ""
    told = wrapped(f"beside it {' '.join(beside[:_NEIGHBOURS])}{more}")
    why = [
        part for words in reasons(frame, body.name, feature) for part in wrapped(words)
    ]
    return [
        SheetLine(f"{feature.kind} {feature}", bold=True),
        *(SheetLine(words, minor=2) for words in places),
        *(SheetLine(part, minor=1) for part in told),
        *map(SheetLine, why),
    ]


def said(place: Floats, size: float, digits: int) -> str:
    """Write coordinates with so many digits; below 1e-9 of the size is zero."""
    rounded = [0.0 if abs(x) < 1e-9 * size else x for x in place.tolist()]
    return "  ".join(f"{x:.{digits}g}" for x in rounded)


def wrapped(words: str, letters: int = LETTERS) -> list[str]:
    """Break a text into lines of the sheet, between words; no line for no text."""
    return wrap(words, letters, break_long_words=False, break_on_hyphens=False)[:8]


REACH = 8.0  # pixels: a vertex or an edge that is no farther from the mouse is meant


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
    ray, depth, found = ray_through(view, size, place), np.inf, None
    for body in frame.bodies:
        t, row = first_hit(view.position, ray, body)
        if t < depth:
            face = Feature("face", int(body.mesh.fan.face[row]))
            depth, found = t, Picked(body.name, face)
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


def ray_through(
    view: View, size: tuple[int, int], place: tuple[float, float]
) -> Floats:
    """Return where a pixel is seen from the eye, (3,), 1 long along the view."""
    right, up, back = view.axes()
    scale = 2.0 * np.tan(np.radians(ANGLE) / 2) / size[1]
    x, y = (place[0] - size[0] / 2) * scale, (place[1] - size[1] / 2) * scale
    direction: Floats = x * right + y * up - back
    return direction


def first_hit(eye: Floats, ray: Floats, body: BodySnapshot) -> tuple[float, int]:
    """Return where a ray first meets a body, or infinity, and in which fan triangle."""
    corners = body.world_points()[body.mesh.fan.vertex]
    origin = corners[:, 0]
    u, v, away = corners[:, 1] - origin, corners[:, 2] - origin, eye - origin
    across, turned = np.cross(ray, v), np.cross(away, u)
    parts = (away * across).sum(axis=1), turned @ ray, (v * turned).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        a, b, t = np.array(parts) / (u * across).sum(axis=1)
        inside = (a >= 0) & (b >= 0) & (a + b <= 1) & (t > 0)
    t = np.where(inside, t, np.inf)
    row = int(np.argmin(t))
    return float(t[row]), row

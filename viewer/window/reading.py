"""Pick a feature under the mouse, and say why it is the closest one or is not."""

from math import nan
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from sim import Frame, PairState
from sim.frame import BodySnapshot
from viewer.drawing.camera import ANGLE, View, project
from viewer.window.hands import Hands
from wingedge import Feature, neighbours
from wingedge.faces import has_feature, triangles_of
from wingedge.graph import corners_of
from wingedge.primitives import triangle_triangle
from wingedge.tables import Floats


class FeatureReading(NamedTuple):
    """What can be said of one feature in one frame; lengths of the world."""

    body: str
    feature: Feature
    corners: Floats  # (k, 3) its vertices, world
    neighbours: tuple[Feature, ...]
    partner: str | None = None  # the nearest other body; None where there is none
    closest: tuple[Feature, ...] = ()  # what is closest to the partner
    is_closest: bool = False
    distance: float = nan  # from the feature to the surface of the partner
    onto: Feature | None = None  # the face of the partner that it is nearest to
    answer: float = nan  # the signed distance of the two bodies
    behind: float = nan  # how far it lies behind the closest point, along the normal


def read_feature(frame: Frame, body: str, feature: Feature) -> FeatureReading:
    """Measure a feature against the nearest other body, O(F) of it.

    The distance is that of triangles, 0 where they meet; ``behind`` says where bodies
    overlap, where distances of surfaces say nothing.
    """
    snapshot = frame.body(body)
    if not has_feature(snapshot.mesh, feature):
        raise IndexError(f"body {body!r} has no {feature}")
    corners = snapshot.world_points()[corners_of(snapshot.mesh, feature)]
    beside = neighbours(snapshot.mesh, feature)
    state = nearest_pair(frame, body)
    if state is None:
        return FeatureReading(body, feature, corners, beside)
    other = frame.body(state.b.name)
    distance, face = _distance(snapshot, feature, other)
    heights = (corners - state.point_a) @ state.normal
    return FeatureReading(
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


def nearest_pair(frame: Frame, body: str) -> PairState | None:
    """Return the state of a body, as A, with what is nearest to it; None if alone."""
    mine = [state for state in frame.pairs if body in (state.a.name, state.b.name)]
    if not mine:
        return None
    state = min(mine, key=lambda state: state.distance)
    return state if state.a.name == body else state.swapped()


def explain(reading: FeatureReading) -> list[str]:
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
        lines += [
            f"{_n(r.distance)} from its {r.onto}; the answer is {_n(r.answer)}",
            f"so {_n(more)} too far" if more > 0.0 else "as near: others were chosen",
        ]
    else:
        lines.append(f"the bodies overlap by {_n(-r.answer)}")
    where = "behind" if r.behind >= 0.0 else "beyond"
    lines.append(f"{_n(abs(r.behind))} {where} the closest point along the normal")
    return lines


def _n(value: float) -> str:
    return f"{value:.4g}"


def _distance(
    body: BodySnapshot, feature: Feature, other: BodySnapshot
) -> tuple[float, int]:
    """Return the distance to another surface, and the face of it that is nearest."""
    mine = body.world_points()[np.array(triangles_of(body.mesh, feature))]
    theirs = other.world_points()[other.mesh.fan.vertex]
    found = triangle_triangle.closest(
        *(mine[:, None, k] for k in range(3)), *(theirs[None, :, k] for k in range(3))
    ).distance
    row = int(np.argmin(found.min(axis=0)))
    return float(found[:, row].min()), int(other.mesh.fan.face[row])


LETTERS = 40  # that fit on a line of the sheet
_NEIGHBOURS = 10  # that are named


class SheetLine(NamedTuple):
    """One line; bold for what it is about, loud for what went wrong."""

    words: str
    bold: bool = False
    loud: bool = False
    minor: int = 0  # where there is no room 1 is left out first, then 2


def sheet(hands: Hands, frame: Frame, room: int = 99) -> list[SheetLine]:
    """Write what is chosen and what its feature says, in as many lines as fit."""
    return fitted(_all_lines(hands, frame), room)


def fitted(lines: list[SheetLine], room: int) -> list[SheetLine]:
    """Leave out what is minor, then cut, until there is room."""
    for minor in (1, 2):
        if len(lines) > room:
            lines = [line for line in lines if line.minor != minor]
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], SheetLine("…")]


def _all_lines(hands: Hands, frame: Frame) -> list[SheetLine]:
    here = any(body.name == hands.chosen for body in frame.bodies)
    if hands.chosen is None or not here:
        return [SheetLine(part) for part in wrapped(hands.said)]
    body = frame.body(hands.chosen)
    state = "held" if hands.holds else "chosen"
    lines = [SheetLine(f"{hands.chosen}, {state}", bold=True)]
    size = float(np.ptp(body.world_points(), axis=0).max())
    lines.append(SheetLine(f"at {'  '.join(said(body.pose.translation, size, 4))}"))
    mould = hands.mould
    if hands.sliders or any(mould):
        turned = f"twist {mould.twist:.0f}°  bend {mould.bend:.0f}°"
        lines.append(SheetLine(f"squash {mould.squash:.2f}  {turned}"))
    if hands.slides:
        lines.append(SheetLine("slides along other bodies"))
    if hands.feature is not None:
        lines += _feature_lines(hands, frame)
    bad = hands.said.startswith(("not ", "no "))
    return lines + [SheetLine(part, loud=bad) for part in wrapped(hands.said)]


def _feature_lines(hands: Hands, frame: Frame) -> list[SheetLine]:
    assert hands.chosen is not None
    assert hands.feature is not None
    try:
        reading = read_feature(frame, hands.chosen, hands.feature)
    except IndexError:  # the mesh was edited meanwhile
        return [SheetLine(f"{hands.feature} is gone", bold=True)]
    lines = [SheetLine(f"{hands.feature.kind} {hands.feature}", bold=True)]
    size = float(np.ptp(frame.body(hands.chosen).world_points(), axis=0).max())
    first = ("  ".join(said(corner, size, 5)) for corner in reading.corners[:4])
    lines += [SheetLine(f"  {words}", minor=2) for words in first]
    if len(reading.corners) > 4:
        words = f"  and {len(reading.corners) - 4} corners more"
        lines.append(SheetLine(words, minor=2))
    beside = [str(feature) for feature in reading.neighbours]
    more = f" and {len(beside) - _NEIGHBOURS} more" if len(beside) > _NEIGHBOURS else ""
    told = wrapped(f"beside it {' '.join(beside[:_NEIGHBOURS])}{more}")
    lines += [SheetLine(part, minor=1) for part in told]
    for sentence in explain(reading):
        lines += [SheetLine(part) for part in wrapped(sentence)]
    return lines


def said(place: Floats, size: float, digits: int) -> list[str]:
    """Write coordinates with so many digits; below 1e-9 of the size is zero."""
    least = 1e-9 * size
    return [f"{0.0 if abs(x) < least else x:.{digits}g}" for x in place.tolist()]


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
    eye, ray = view.position, ray_through(view, size, place)
    depth, found = np.inf, None
    for body in frame.bodies:
        t, row = first_hit(eye, ray, body)
        if t < depth:
            face = Feature("face", int(body.mesh.fan.face[row]))
            depth, found = t, Picked(body.name, face)
    mouse = np.asarray(place, np.float64)
    near: list[Near] = []
    for body in frame.bodies:
        own = found.feature.index if found and found.body == body.name else None
        near += _near(body, view, size, mouse, reach, depth, own)
    if near:
        _, _, name, feature = min(near)
        return Picked(name, feature)
    return found


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
    u, v = corners[:, 1] - origin, corners[:, 2] - origin
    across = np.cross(ray, v)
    volume = (u * across).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        away = eye - origin
        a = (away * across).sum(axis=1) / volume
        turned = np.cross(away, u)
        b = (turned @ ray) / volume
        t = (v * turned).sum(axis=1) / volume
        inside = (a >= 0) & (b >= 0) & (a + b <= 1) & (t > 0)
    t = np.where(inside, t, np.inf)
    row = int(np.argmin(t)) if len(t) else 0
    return (float(t[row]) if len(t) else np.inf), row


Near = tuple[int, float, str, Feature]  # vertices before edges, then by pixels


def _near(
    body: BodySnapshot,
    view: View,
    size: tuple[int, int],
    mouse: Floats,
    reach: float,
    limit: float,
    face: int | None,
) -> list[Near]:
    """List the nearest vertex and edge within reach, in front of or of this face."""
    points, mesh = body.world_points(), body.mesh
    depth = (view.position - points) @ view.direction
    # what is behind the eye lands anywhere: it counts as far, below
    seen = np.clip(project(points, view, size), -1e9, 1e9)
    own = [] if face is None else mesh.face_vertices(face).tolist()
    ahead = (depth > 0) & (depth < limit)
    ahead[own] = depth[own] > 0
    far = np.where(ahead, np.hypot(*(seen - mouse).T), np.inf)
    ends = mesh.edge_vertices
    tail, way = seen[ends[:, 0]], seen[ends[:, 1]] - seen[ends[:, 0]]
    length = (way * way).sum(axis=1)
    part = ((mouse - tail) * way).sum(axis=1) / np.where(length > 0, length, 1.0)
    part = np.clip(part, 0.0, 1.0)
    beside = tail + part[:, None] * way - mouse
    between = (1.0 - part) * depth[ends[:, 0]] + part * depth[ends[:, 1]]
    front = (depth[ends] > 0).all(axis=1) & (between < limit)
    sides = [] if face is None else mesh.face_edges(face).tolist()
    front[sides] = (depth[ends[sides]] > 0).all(axis=1)
    away = np.where(front, np.hypot(*beside.T), np.inf)
    found: list[Near] = []
    for rank, kind, pixels in ((0, "vertex", far), (1, "edge", away)):
        k = int(np.argmin(pixels))
        if pixels[k] <= reach:
            found.append((rank, float(pixels[k]), body.name, Feature(kind, k)))
    return found

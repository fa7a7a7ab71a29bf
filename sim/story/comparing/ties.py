"""Whether features that an answer does not name are as close as those it names."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.contact import PairState
from sim.frame import Frame
from sim.story.events import Touch
from sim.story.spelling import Ends
from wingedge import Feature, WingedEdgeMesh
from wingedge.primitives import point_triangle, segment_segment

Array = NDArray[np.float64]
Ids = NDArray[np.intp]


class NamedPart(NamedTuple):
    """The level part of a body that a feature names, as triangles and segments."""

    points: Array  # (n, 3) world
    triangles: Ids  # (t, 3) rows of points
    segments: Ids  # (s, 2)


class Nearness(NamedTuple):
    """How near two features are, and whether they might have been named instead."""

    tie: bool
    excess: float  # by how much they are farther apart than the bodies; nan: unknown


def nearness(
    frame: Frame, names: tuple[str, str], touch: Touch, tolerance: float
) -> Nearness | None:
    """Compare features with the closest ones of a pair in a frame.

    They are a tie where everything that would be said of them is true within
    ``tolerance`` times ``state.size``: along some direction both are level, their level
    parts are as far apart as the bodies, and so are their nearest points; for bodies
    that overlap, that direction separates them by the same least translation.

    Parameters
    ----------
    names : (str, str)
        The bodies, A's first as in ``touch``.

    Returns
    -------
    Nearness, or None where the frame does not report the pair.  Cost: about 1 ms; with
    level parts of n faces O(n^2).
    """
    try:
        state = frame.pair(*names)
    except KeyError:
        return None
    slack = tolerance * state.size
    places = [frame.body(name) for name in names]
    said = (touch.feature_a, touch.ends_a), (touch.feature_b, touch.ends_b)
    for place, (feature, ends) in zip(places, said, strict=True):
        if not _has(place.mesh, feature, ends):
            return Nearness(False, np.nan)
    # Far from the origin, positions keep their digits relative to a local one.
    origin = places[0].pose.translation
    whole = [place.world_points() - origin for place in places]
    named = [
        _part(place.mesh, points, [feature.index], feature.kind)
        for place, points, (feature, _) in zip(places, whole, said, strict=True)
    ]
    for n in _directions(state, *named):
        level = []
        for place, points, (feature, _) in zip(places, whole, said, strict=True):
            ids = _level_ids(place.mesh, points, feature, n, slack)
            if ids:
                level.append(_part(place.mesh, points, ids, feature.kind))
        if len(level) == 2 and _fits(state, whole, level[0], level[1], n, slack):
            return Nearness(True, 0.0)
    if state.distance < -slack:
        return Nearness(False, np.nan)
    return Nearness(False, apart(*named) - state.distance)


def apart(a: NamedPart, b: NamedPart) -> float:
    """Return the distance of two parts that do not cross."""
    found = [
        _corners_from(a, b),
        _corners_from(b, a),
        _sides_apart(a, b),
    ]
    return float(np.sqrt(min(found)))


def _fits(
    state: PairState,
    whole: list[Array],
    a: NamedPart,
    b: NamedPart,
    n: Array,
    slack: float,
) -> bool:
    """Say whether two level parts are the closest ones, along n."""
    d = state.distance
    high, low = _heights(a.points, n).max(), _heights(b.points, n).min()
    if d < -slack:
        top, bottom = _heights(whole[0], n).max(), _heights(whole[1], n).min()
        off = max(abs(bottom - top - d), abs(high - top), abs(low - bottom))
        b = b._replace(points=b.points - d * n)
        d = 0.0
    else:
        off = abs(low - high - d)
    return bool(off <= slack) and abs(apart(a, b) - d) <= slack


def _directions(state: PairState, a: NamedPart, b: NamedPart) -> Iterator[Array]:
    """List the normals that two features may have: their own, and the answer's."""
    yield state.normal
    lines = [_line(part) for part in (a, b)]
    across = [_normal(part) for part in (a, b)]
    if lines[0] is not None and lines[1] is not None:
        across.append(_unit(np.cross(lines[0], lines[1])))
    for n in across:
        if n is not None and n.any():
            yield n
            yield -n
    way = b.points[0] - a.points[0]
    for line in lines:
        if line is not None:
            way = way - _heights(way, line) * line
    if way.any():
        yield _unit(way)


def _part(mesh: WingedEdgeMesh, points: Array, ids: list[int], kind: str) -> NamedPart:
    """Make a part of vertices, of edges, or of faces as their triangles."""
    if kind == "vertex":
        rows = np.array(ids)
        return NamedPart(
            points[rows], np.zeros((0, 3), np.intp), np.zeros((0, 2), np.intp)
        )
    if kind == "edge":
        ends = mesh.edge_vertices[ids]
        rows, at = np.unique(ends, return_inverse=True)
        return NamedPart(points[rows], np.zeros((0, 3), np.intp), at.reshape(-1, 2))
    mine = np.isin(mesh.fan.face, ids)
    rows, at = np.unique(mesh.fan.vertex[mine], return_inverse=True)
    triangles = at.reshape(-1, 3)
    segments = np.concatenate(
        [triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]
    )
    return NamedPart(
        points[rows], triangles, np.unique(np.sort(segments, axis=1), axis=0)
    )


def _level_ids(
    mesh: WingedEdgeMesh, points: Array, feature: Feature, n: Array, slack: float
) -> list[int]:
    """List the faces, or the edges of one line, at one height with a feature.

    None at all where it is not level itself.
    """
    kind, start = feature
    if kind == "vertex":
        return [start]
    first = _vertices(mesh, feature)
    height = float(_heights(points[first[0]], n))
    line = _unit(points[first[1]] - points[first[0]])

    def belongs(i: int) -> bool:
        at = points[_vertices(mesh, Feature(kind, i))]
        if abs(_heights(at, n) - height).max() > slack:
            return False
        if kind == "face":
            return True
        off = at - points[first[0]]
        off = off - _heights(off, line)[:, None] * line
        return float(_heights(off * off, np.ones(3)).max()) <= slack * slack

    if not belongs(start):
        return []
    found, todo = {start}, [start]
    while todo:
        k = todo.pop()
        around = mesh.face_faces(k) if kind == "face" else mesh.edge_edges(k)
        for i in around.tolist():
            if i not in found and belongs(i):
                found.add(i)
                todo.append(i)
    return sorted(found)


def _vertices(mesh: WingedEdgeMesh, feature: Feature) -> list[int]:
    kind, i = feature
    if kind == "vertex":
        return [i]
    if kind == "edge":
        ends: list[int] = mesh.edge_vertices[i].tolist()
        return ends
    corners: list[int] = mesh.face_vertices(i).tolist()
    return corners


def _has(mesh: WingedEdgeMesh, feature: Feature, ends: Ends | None) -> bool:
    """Say whether a mesh has a feature, under the name that it is written by."""
    count = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    if feature.kind not in count or not feature.index < count[feature.kind]:
        return False
    return ends is None or tuple(mesh.edge_vertices[feature.index].tolist()) == ends


def _line(part: NamedPart) -> Array | None:
    """Return the direction of an edge; None for a vertex or a face."""
    if len(part.triangles) or not len(part.segments):
        return None
    tail, tip = part.segments[0]
    return _unit(part.points[tip] - part.points[tail])


def _normal(part: NamedPart) -> Array | None:
    """Return the normal of a face, the sum over its triangles; None for others."""
    if not len(part.triangles):
        return None
    p, q, r = (part.points[part.triangles[:, k]] for k in range(3))
    return _unit(np.cross(q - p, r - p).sum(axis=0))


def _unit(way: Array) -> Array:
    length = np.sqrt((way * way).sum())
    return way / length if length > 0.0 else way


def _heights(points: Array, n: Array) -> Array:
    heights: Array = (points * n).sum(axis=-1)
    return heights


def _corners_from(a: NamedPart, b: NamedPart) -> float:
    """Return the least squared distance from points of A to triangles of B."""
    if not len(b.triangles):
        return np.inf
    i, t = _all_pairs(len(a.points), len(b.triangles))
    corners = (b.points[b.triangles[t, k]] for k in range(3))
    return float(point_triangle.closest(a.points[i], *corners).distance_sq.min())


def _sides_apart(a: NamedPart, b: NamedPart) -> float:
    """Return the least squared distance of segments; a point is one, too."""
    (p0, p1), (q0, q1) = _sides(a), _sides(b)
    i, j = _all_pairs(len(p0), len(q0))
    hit = segment_segment.closest(p0[i], p1[i], q0[j], q1[j])
    return float(hit.distance_sq.min())


def _sides(part: NamedPart) -> tuple[Array, Array]:
    if not len(part.segments):
        return part.points, part.points
    return part.points[part.segments[:, 0]], part.points[part.segments[:, 1]]


def _all_pairs(n: int, m: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    return np.repeat(np.arange(n), m), np.tile(np.arange(m), n)

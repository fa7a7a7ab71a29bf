"""What is under the mouse: a body, and its vertex, edge or face."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.layout.camera import ANGLE, View, project
from wingedge import Feature

if TYPE_CHECKING:
    from sim import Frame
    from sim.frame import BodySnapshot

Floats = NDArray[np.float64]

REACH = 8.0  # pixels: a vertex or an edge that is no farther from the mouse is meant


class Picked(NamedTuple):
    """One feature of one body."""

    body: str
    feature: Feature


def pick(
    frame: "Frame",
    view: View,
    size: tuple[int, int],
    place: tuple[float, float],
    reach: float = REACH,
) -> Picked | None:
    """Find the body under a pixel, and which of its features is meant.

    Of the face that is seen there the nearest corner, where one is within reach, else
    its nearest edge, else the face itself. A little beside a body the vertex or edge
    of its outline that is within reach.

    Parameters
    ----------
    frame : Frame
    view : View
    size : (width, height)
        Of the picture, in pixels.
    place : (x, y)
        The mouse, in pixels from the lower left.
    reach : float
        In pixels.

    Returns
    -------
    Picked or None
        None where there is nothing.

    Notes
    -----
    Diagonals of polygons are no edges and are never found. Cost: O(V + E) of all
    bodies.
    """
    eye, ray = view.position, ray_through(view, size, place)
    best, found = np.inf, None
    for body in frame.bodies:
        t, row = first_hit(eye, ray, body)
        if t < best:
            best, found = t, (body, int(body.mesh.fan.face[row]))
    mouse = np.asarray(place, np.float64)
    if found is not None:
        body, face = found
        corners = body.mesh.face_vertices(face).astype(np.intp)
        edges = body.mesh.face_edges(face).astype(np.intp)
        near = _nearest(body, view, size, mouse, corners, edges)
        if near is None or near[0] > reach:
            return Picked(body.name, Feature("face", face))
        return Picked(body.name, _meant(near, reach))
    beside = []
    for body in frame.bodies:
        every = np.arange(body.mesh.n_vertices), np.arange(body.mesh.n_edges)
        near = _nearest(body, view, size, mouse, *every)
        if near is not None and near[0] <= reach:
            beside.append((near[0], body.name, _meant(near, reach)))
    if not beside:
        return None
    _, name, feature = min(beside)
    return Picked(name, feature)


def ray_through(
    view: View, size: tuple[int, int], place: tuple[float, float]
) -> Floats:
    """Return where a pixel is seen from the eye, (3,), 1 long along the view."""
    right, up, back = view.axes()
    scale = 2.0 * np.tan(np.radians(ANGLE) / 2) / size[1]
    x, y = (place[0] - size[0] / 2) * scale, (place[1] - size[1] / 2) * scale
    direction: Floats = x * right + y * up - back
    return direction


def first_hit(eye: Floats, ray: Floats, body: "BodySnapshot") -> tuple[float, int]:
    """Return where a ray first meets a body, and the row of ``mesh.fan`` there.

    Infinity where it meets nothing.
    """
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


Near = tuple[float, Feature, float, Feature]  # nearest of all, nearest vertex, pixels


def _nearest(
    body: "BodySnapshot",
    view: View,
    size: tuple[int, int],
    mouse: Floats,
    vertices: NDArray[np.intp],
    edges: NDArray[np.intp],
) -> Near | None:
    """Return the nearest edge and the nearest vertex in front, with their distances."""
    points = body.world_points()
    ahead = (view.position - points) @ view.direction > 0
    ends = body.mesh.edge_vertices
    vertices, edges = vertices[ahead[vertices]], edges[ahead[ends[edges]].all(axis=1)]
    if not len(vertices) or not len(edges):
        return None
    seen = project(points, view, size)
    far = np.hypot(*(seen[vertices] - mouse).T)
    tail, tip = seen[ends[edges, 0]], seen[ends[edges, 1]]
    way = tip - tail
    length = (way * way).sum(axis=1)
    part = ((mouse - tail) * way).sum(axis=1) / np.where(length > 0, length, 1.0)
    beside = tail + np.clip(part, 0.0, 1.0)[:, None] * way - mouse
    away = np.hypot(*beside.T)
    e, v = int(np.argmin(away)), int(np.argmin(far))
    return (
        float(away[e]),
        Feature("edge", int(edges[e])),
        float(far[v]),
        Feature("vertex", int(vertices[v])),
    )


def _meant(near: Near, reach: float) -> Feature:
    _, edge, far, vertex = near
    return vertex if far <= reach else edge

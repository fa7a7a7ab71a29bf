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

    The nearest vertex that is within reach, else the nearest edge, else the face that
    is seen there. Vertices and edges are those of that face, and what lies before it:
    so the outline of a body is found from a little beside it too.

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
    depth, found = np.inf, None
    for body in frame.bodies:
        t, row = first_hit(eye, ray, body)
        if t < depth:
            depth, found = (
                t,
                Picked(body.name, Feature("face", int(body.mesh.fan.face[row]))),
            )
    mouse = np.asarray(place, np.float64)
    near: list[Near] = []
    for body in frame.bodies:
        face = found.feature.index if found and found.body == body.name else None
        near += _near(body, view, size, mouse, reach, depth, face)
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


Near = tuple[int, float, str, Feature]  # vertices before edges, then by pixels


def _near(
    body: "BodySnapshot",
    view: View,
    size: tuple[int, int],
    mouse: Floats,
    reach: float,
    limit: float,
    face: int | None,
) -> list[Near]:
    """List the nearest vertex and the nearest edge that are within reach.

    Only what is in front of what the mouse is on, and what belongs to that face.
    """
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

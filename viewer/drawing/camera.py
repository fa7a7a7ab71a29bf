"""Place the camera, project points, order bodies, and say what hides what."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import PairState
from viewer.drawing.glyphs import PairGlyphs, witness_of
from wingedge.columns import columns, unit_normals
from wingedge.tables import Floats

ANGLE = 30.0  # vertical view angle in degrees: little distortion
_HALF = float(np.tan(np.radians(ANGLE) / 2))
_AZIMUTHS, _ELEVATIONS = np.radians(
    np.meshgrid(np.arange(0, 360, 15), [14.0, 22.0, 32.0, 48.0, 66.0], indexing="ij")
).reshape(2, -1)
_OUT, _UP = np.cos(_ELEVATIONS), np.sin(_ELEVATIONS)
_EYES = np.stack([_OUT * np.cos(_AZIMUTHS), _OUT * np.sin(_AZIMUTHS), _UP], axis=-1)
_HIGH = np.radians(40.0)  # from above is looked only where a contact is hidden else
_HIDES = 0.8, 0.3, 3.0  # what a surface before a contact, and height, cost; at most
_FAVOURITE = np.radians(-60.0)  # where the eye goes when nothing speaks against it
_KEPT = 0.4  # of a picture's width and height that bodies have, whatever is written
_TOUCHING = 1e-3  # of the size of what may hide: nearer surfaces are the place's own
SHOWN = 1.6, 12.0  # sizes of the smaller body around a contact: shown, and at most
_NO_SPOTS, _NO_TRIANGLES = np.empty((0, 3)), np.empty((0, 3, 3))


class Border(NamedTuple):
    """Pixels along the sides of a picture that stay free of bodies."""

    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    top: float = 0.0


class _Camera(NamedTuple):
    position: Floats  # (3,)
    focal: Floats  # (3,)
    up: Floats  # (3,) unit


class View(_Camera):
    """A perspective camera; world frame: ``position``, ``focal`` point, ``up``."""

    @property
    def direction(self) -> Floats:
        """The unit direction from the focal point to the eye, (3,)."""
        return np.asarray(self.axes[2])

    @cached_property
    def axes(self) -> Floats:
        """Right, up and towards the eye, unit vectors, (3, 3)."""
        back = _unit(np.subtract(self.position, self.focal))
        right = _unit(np.cross(self.up, back))
        return np.array([right, np.cross(back, right), back])


def best_direction(
    normal: Floats,
    faces: Floats,
    spots: Floats = _NO_SPOTS,
    triangles: Floats = _NO_TRIANGLES,
) -> Floats:
    """Choose the direction to look from, (3,) unit, world z up.

    Contacts are seen from the side, across the normal, lit faces from the front, and
    (k, 3) spots from where the fewest (t, 3, 3) triangles hide them.
    """
    across = np.sqrt(np.maximum(0.0, 1.0 - (_EYES @ normal) ** 2))
    shown = (_EYES @ faces.T > 0.12).mean(axis=1) if len(faces) else 0.0
    # 0.97: from there on the witness is seen from the side well enough
    score = 2.0 * np.minimum(across, 0.97) + 0.5 * shown
    cost, above, most = _HIDES
    score += 0.3 * np.cos(_AZIMUTHS - _FAVOURITE) - above * (_ELEVATIONS > _HIGH)
    for spot in spots:
        hidden = np.minimum(surfaces_before(spot, _EYES, triangles), most)
        score -= cost / len(spots) * hidden
    return np.array(_EYES[int(np.argmax(score))])


def fit(
    points: Floats, direction: Floats, size: tuple[int, int], border: Border
) -> View:
    """Place the eye so that all points just fit, looking from ``direction``."""
    up = np.eye(3)[1 if abs(direction[2]) > 0.999 else 2]
    right, upward, back = View(direction, np.zeros(3), up).axes
    z, per_pixel, spans = points @ back, 2.0 * _HALF / size[1], []
    for axis, pixels, sides in zip(
        (right, upward), size, (border[:2], border[2:]), strict=True
    ):
        # borders are narrower where they would leave nothing of a small picture
        room = min(1.0, (1.0 - _KEPT) * pixels / max(1.0, sum(sides)))
        low, high = (per_pixel * (pixels / 2 - room * side) for side in sides)
        # an eye at depth d and offset c sees c - low (d - z) <= x <= c + high (d - z)
        x = points @ axis
        reach = float((x + high * z).max()), float((low * z - x).max())
        spans.append((*reach, low, high))
    least = float(z.max()) + 1e-3 * float(np.ptp(points, axis=0).max())
    depth = max(least, *((a + b) / (low + high) for a, b, low, high in spans))
    # what is seen at this depth is in the middle
    cx, cy = ((a - b + (low - high) * depth) / 2 for a, b, low, high in spans)
    plane = cx * right + cy * upward
    middle = float(z.max() + z.min()) / 2
    return View(plane + depth * back, plane + middle * back, up)


def project(points: Floats, view: View, size: tuple[int, int]) -> Floats:
    """Return pixel positions of (n, 3) points, (n, 2), origin at the lower left."""
    seen: Floats = (points - view.position) @ view.axes.T
    depth = np.maximum(-seen[:, 2:], 1e-200)
    return seen[:, :2] / depth * (size[1] / 2 / _HALF) + [size[0] / 2, size[1] / 2]


def pixel(points: Floats, view: View, height: float) -> Any:
    """Return the length that covers one pixel at a point, or at each of (n, 3)."""
    return 2.0 * np.abs((view.position - points) @ view.direction) * _HALF / height


def _unit(vector: Floats) -> Floats:
    length = float(np.sqrt(vector @ vector))
    return vector / length if length > 0 else np.array([0.0, 0.0, 1.0])


def worth_seeing(
    points: Mapping[str, Floats],
    pairs: Sequence[PairGlyphs],
    others: Sequence[PairState] = (),
    sizes_shown: float = SHOWN[0],
) -> tuple[Floats, Floats, Floats]:
    """Return points to see, of a giant those near the contact; its normal, lit ones."""
    if not pairs:
        every = np.concatenate(list(points.values()))
        return every, np.array([1.0, 0.0, 0.0]), np.empty((0, 3))
    seen = []
    for state in (*(pair.state for pair in pairs), *others):
        both = points[state.a.name], points[state.b.name]
        sizes = [float(np.ptp(p, axis=0).max()) for p in both]
        # a body that collapsed to a point has no size to show
        reach = sizes_shown * min(s for s in sizes if s > 0.0 or s == max(sizes))
        witness = witness_of(state)
        middle = witness.mean(axis=0)
        reach += float(np.abs(witness - middle).max())
        seen += [np.clip(p, middle - reach, middle + reach) for p in both]
    corners = [part.triangles for pair in pairs for part in (pair.a, pair.b)]
    lit = unit_normals(*map(columns, np.concatenate(corners).swapaxes(0, 1)))
    return np.concatenate(seen), pairs[0].normal, lit


def far_to_near(
    middles: Mapping[str, Floats], pairs: Sequence[PairState], eye: Floats
) -> list[str]:
    """Order bodies by the distance of their middles, the farthest first, but pairs.

    The plane across the normal between the closest points parts two convex bodies: the
    one on the eye's side may hide the other, and comes after it.
    """
    order = sorted(middles, key=lambda name: -float(((middles[name] - eye) ** 2).sum()))
    for pair in pairs:
        back, front = pair.a.name, pair.b.name
        if (eye - witness_of(pair).sum(axis=0) / 2) @ pair.normal < 0.0:
            back, front = front, back
        if order.index(front) < order.index(back):
            order.remove(front)
            order.insert(order.index(back) + 1, front)
    return order


def surfaces_before(spot: Floats, ways: Floats, triangles: Floats) -> NDArray[np.intp]:
    """Count the surfaces that hide a spot from each of (n, 3) unit directions.

    ``triangles`` (t, 3, 3) are of closed bodies; those that the spot lies on hide
    nothing. Cost O(n t): 72 directions and 3000 triangles take a millisecond or two.
    """
    a, b, c = (triangles - spot).transpose(1, 0, 2)
    sides = np.cross(a, b), np.cross(b, c), np.cross(c, a)
    parts = np.array([ways @ side.T for side in sides])
    inside = (parts >= 0).all(axis=0) | (parts <= 0).all(axis=0)
    size = float(np.ptp(triangles.reshape(-1, 3), axis=0).max(initial=0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        away = (a * sides[1]).sum(axis=1) / parts.sum(axis=0)  # of unit directions
    return np.asarray((inside & (away > _TOUCHING * size)).sum(axis=1))

"""Whether the contacts that an answer lists lie where their features are."""

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.level import Level
from sim.tracking.proof.solid import Solid, deepest
from sim.tracking.proof.told import Corner, Told
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer
from wingedge import Feature

Array = NDArray[np.float64]


def check_contacts(
    told: Told, levels: tuple[Level, Level], near: float, *, hulls: bool
) -> None:
    """Hold every contact against the level parts, or as the deepest vertex of a body.

    ``near`` is how far a point may be off what it lies on; ``hulls``: the overlap is
    that of hulls, not of the bodies.

    Raises
    ------
    FalseAnswer
        If its points are elsewhere, or its features no part of what faces each other.
    """
    for k, corner in enumerate(told.corners):
        way = corner.points[1] - corner.points[0]
        if np.abs(way - told.distance * told.normal).max() > near:
            if not hulls:
                raise FalseAnswer(f"contact {k} is not distance times normal long")
            _check_deepest(told, corner, levels, near)
            continue
        if hulls and _is_own(told, corner):
            continue  # its points are held already, and may lie aside its features
        named = zip(levels, corner.features, strict=True)
        if hulls and not all(_is_part(level, feature) for level, feature in named):
            _check_deepest(told, corner, levels, near)
            continue
        for name, level, feature, point in zip(
            "AB", levels, corner.features, corner.points, strict=True
        ):
            if not _is_part(level, feature):
                raise FalseAnswer(f"contact {k}: {feature} is no part of {name}'s")
            off = _off(level, feature, point, near)
            if off > near:
                raise FalseAnswer(f"contact {k} is {off:g} off {feature} of {name}")
        off = np.abs(np.subtract(corner.points, told.points)).max()
        # Where edges cross at a small angle the place along them has few digits.
        wide = 1e-6 * told.size if told.kind == "EE" else near
        if len(told.corners) == 1 and off > wide:
            raise FalseAnswer(f"the only contact is {off:g} from the closest points")


def _is_own(told: Told, corner: Corner) -> bool:
    """Say whether a contact is the answer itself."""
    return corner.features == (told.parts[0][0], told.parts[1][0]) and np.array_equal(
        corner.points, told.points
    )


def _is_part(level: Level, feature: Feature) -> bool:
    """Say whether a feature is the level part by its name, or lies on it."""
    letter = level.parts[0].letter
    if feature.letter == letter and not level.solid.hulled:
        return feature == level.parts[0]
    if feature.letter == letter:
        return feature in level.parts
    ids = level.solid.vertices_of(feature)
    if level.solid.hulled:
        return bool(level.level[ids].all())
    return "VEF".index(feature.letter) < "VEF".index(letter) and bool(
        np.isin(ids, level.members).all()
    )


def _off(level: Level, feature: Feature, point: Array, near: float) -> float:
    """Return how far a point lies from a vertex, the line of an edge, a level part."""
    x = level.solid.x
    if feature.letter == "F":
        fans = np.concatenate([level.solid.fan_of(part) for part in level.parts])
        return level.solid.off(point, fans, near)
    ends = x[level.solid.vertices_of(feature)]
    e = ends[-1] - ends[0]
    length = float(np.linalg.norm(e))
    along = (point - ends[0]) @ e / length if length > 0.0 else 0.0
    return float(np.linalg.norm(point - ends[0] - along * e / (length or 1.0)))


def _check_deepest(
    told: Told, corner: Corner, levels: tuple[Level, Level], near: float
) -> None:
    """Hold a contact against the deepest vertex of one body inside the other."""
    letters = "".join(feature.letter for feature in corner.features)
    if len(told.corners) != 1 or letters not in ("VF", "FV"):
        raise FalseAnswer("a contact is elsewhere than distance and normal say")
    inner = letters.index("V")
    solids: tuple[Solid, Solid] = levels[0].solid, levels[1].solid
    vertex = int(solids[inner].vertices_of(corner.features[inner])[0])
    deep, foot = corner.points[inner], corner.points[1 - inner]
    off = float(np.abs(solids[inner].x[vertex] - deep).max())
    other = solids[1 - inner]
    fan = other.fan_of(corner.features[1 - inner])
    off = max(off, float(from_triangles(foot[None], other.x[fan]).min()))
    depth = float(other.depths(deep[None])[0])
    off = max(off, abs(float(np.linalg.norm(foot - deep)) - depth))
    off = max(off, deepest(*solids) - depth)
    if off > near:
        raise FalseAnswer(f"the deepest vertex is {off:g} from where it is said to be")

"""Whether the normal of two bodies is that of the features that hold their points."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.claim import EPS, RELATIVE, Case
from sim.tracking.proof.solid import Ids, Solid
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge.features import Feature
from wingedge.primitives import segment_segment

Array = NDArray[np.float64]
Way = tuple[Array, float, bool]  # a unit vector, how far off, and if lines cross

ROUNDED = 16.0 * EPS  # of the scale: what a difference of two points may be off
BESIDE = 1e-6  # of the scale: a point so near to the end of an edge may be there
PARALLEL = 1e-6  # sine below which two edges may be taken for parallel
BENT = 1e-8  # of the scale: edges so far off one line are several
KNOWN = 1e-3  # edges that know a way as well as this need no points to know it
HELD = 0.05  # a way that is known as well as this proves a normal
THIN = 1e-6  # of the area: level faces that look both ways tell no side
TINY = 1e-300  # instead of 0: what is as short knows no way


class LevelSide(NamedTuple):
    """What of one body is level across the normal, around the closest point."""

    solid: Solid
    letter: str
    members: Ids  # its vertices
    way: Array  # the normal, out of this body
    point: Array
    heights: Array  # of all vertices along the way, above the members
    level: float  # within it heights are one level
    turned: float  # by what angle the normal may be off, where points know it


def check_normal(case: Case) -> None:
    """Hold the normal against what holds the points, which must be level across it.

    In an overlap the rest is known: the normal is the axis of the depth.
    """
    claim = case.claim
    sides = _side(case, 0), _side(case, 1)
    if claim.distance < 0.0:
        return
    faces = [side for side in sides if side.letter == "F"]
    if faces:
        held = any([_leads_out(side) for side in faces])
    else:
        ways = _ways(case, sides)
        off = [float(np.linalg.norm(way - claim.normal)) for way, *_ in ways]
        if all(angle > way[1] for angle, way in zip(off, ways, strict=True)):
            raise FalseAnswer(f"the normal is turned by {min(off):g} against its parts")
        held = ROUNDED * case.scale <= HELD * claim.distance
        if not held and any(crosses and wide <= HELD for _, wide, crosses in ways):
            climbs = [*map(_climb, sides, sides[::-1])]
            if max(climbs) > case.level:
                raise FalseAnswer("the normal runs into the faces beside the edges")
            held = max(climbs) > -np.inf
    # A plane across the normal may part the bodies, as far as they are apart.
    if held or case.gap() >= claim.lower - case.slack:
        return
    if any(map(_rises, sides)):
        raise UnprovenAnswer("no plane parts the bodies around where they touch")


def _side(case: Case, which: int) -> LevelSide:
    """Find what is level: the parts or, far apart, what of their rim holds the point.

    Of a polygon off its plane some triangle or diagonal is enough.
    """
    claim, solid = case.claim, (case.a, case.b)[which]
    parts, point = claim.parts[which], claim.points[which]
    way = -claim.normal if which else claim.normal
    turned = 0.0
    if claim.distance > 0.0 and "F" not in claim.kind:  # a face knows its own normal
        turned = ROUNDED * case.scale / claim.distance
    high = solid.x @ way
    wide = 2.5 * case.level + turned * np.linalg.norm(solid.x - point, axis=1)

    def side(letter: str, ids: Ids) -> tuple[LevelSide, NDArray[np.bool_]]:
        # The point was rounded once more than the vertex of the parts level with it.
        above = high - high[ids[np.abs(high[ids] - point @ way).argmin()]]
        found = LevelSide(solid, letter, ids, way, point, above, case.level, turned)
        return found, np.abs(above[ids]) <= wide[ids]

    loops = [solid.vertices_of(part) for part in parts]
    members: Ids = np.unique(np.concatenate(loops))
    letter = parts[0].letter
    found, level = side(letter, members)
    if level.all():
        return found
    fans = solid.fans_of(parts)
    if len(parts) == 1 < len(fans):
        flat = np.isin(fans, members[level])
        if flat.all(axis=1).any() or flat[1:, :2].all(axis=1).any():
            return found
    rim = [np.stack([loop, np.roll(loop, 1)], axis=1) for loop in loops]
    far = claim.distance > RELATIVE * case.scale
    near = 16.0 * case.slack + case.drop if far else -np.inf
    for ids in (*(np.concatenate(rim) if letter == "F" else ()), *members[:, None]):
        off = from_triangles(point[None], solid.x[[[ids[0], ids[-1], ids[-1]]]])[0]
        found, level = side("VE"[len(ids) - 1], ids)
        if off <= near and level.all():
            return found
    raise FalseAnswer(f"the normal is not upright on the part of {'AB'[which]}")


def _leads_out(side: LevelSide) -> bool:
    """Refuse a normal that runs into its faces; say whether they tell."""
    solid = side.solid
    if solid.hulled:
        out, told = 2.5 * side.level - float(side.heights.max()), True
    else:
        level = np.isin(solid.corners, side.members)
        level &= np.abs(side.heights[solid.corners]) <= 2.5 * side.level
        flat = level.all(axis=1)  # none where a polygon off its plane has a ridge
        u, v, w = (solid.x[solid.corners[flat, k]] for k in range(3))
        areas = np.cross(v - u, w - u) @ side.way
        out = solid.sense * float(areas.sum())
        # of a body no thicker than what is level both of its sides are there
        told = abs(out) > THIN * float(np.abs(areas).sum())
    if told and out < 0.0:
        raise FalseAnswer("the normal runs into the faces of a body")
    return told


def _rises(side: LevelSide) -> bool:
    """Say whether a vertex beside the parts rises from them; of a hull any."""
    solid, ids = side.solid, np.arange(len(side.heights))
    if not solid.hulled:
        star = solid.mesh.star
        ids = np.concatenate(
            [star.vertex[star.start[v] : star.start[v + 1]] for v in side.members]
        )
    arm = np.linalg.norm(solid.x[ids] - side.point, axis=1)
    return bool((side.heights[ids] > 2.5 * side.level + side.turned * arm).any())


def _ways(case: Case, sides: tuple[LevelSide, LevelSide]) -> list[Way]:
    """List the ways from A's vertex or line to B's: between them, and across both.

    Lines that cross know theirs by themselves, whichever way the points are.
    """
    claim, size, wide = case.claim, case.scale, ROUNDED * case.scale
    lines = []
    for side in sides:
        x = side.solid.x[side.members]
        far = x[((x - x[0]) ** 2).sum(axis=1).argmax()]
        end = x[((x - far) ** 2).sum(axis=1).argmax()]
        lines.append(np.array([[far, end, end]]))
        bend = float(from_triangles(x, np.repeat(lines[-1], len(x), axis=0)).max())
        if bend > max(BENT, case.drop):
            raise FalseAnswer("the edges of a part are no line")
        wide += bend
    u, v = (line[0, 1] - line[0, 0] for line in lines)
    lengths = [float(np.linalg.norm(way)) for way in (u, v)]
    normal = np.cross(u, v) / max(lengths[0] * lengths[1], TINY)
    sine = float(np.linalg.norm(normal))
    if sine <= PARALLEL:  # elsewhere along them the way is another one
        wide += sine * (sum(lengths) + claim.distance)
    near = segment_segment.closest(*lines[0][0, :2], *lines[1][0, :2])
    gap, p, q = float(np.sqrt(near.distance_sq)), near.point_p, near.point_q
    known = wide / gap if gap > 0.0 else np.inf
    upright = q - p
    for line, length in zip((u, v), lengths, strict=True):
        e = line / max(length, TINY)
        if abs(upright @ e) <= BESIDE * gap:  # a little along a line is as near
            upright = upright - (upright @ e) * e
    ways = [(way / max(gap, TINY), known, False) for way in (q - p, upright)]
    if sine > 0.0:
        guide = ways[0][0] if known <= HELD else claim.normal
        across = normal / (sine if normal @ guide > 0.0 else -sine)
        off = ROUNDED * (1.0 + size / min(lengths)) / sine
        ways.append((across, off, True))
    least = max(KNOWN, min(off for _, off, _ in ways))
    return [way for way in ways if way[1] <= least]


def _climb(side: LevelSide, other: LevelSide) -> float:
    """Return how far the faces at the edge that holds the point rise, on average.

    Minus infinity where the other's line ends at its point; else no face may rise.
    """
    solid, high = side.solid, side.heights
    if solid.hulled:
        return float(high.max())
    ends = np.linalg.norm(other.solid.x[other.members] - other.point, axis=1)
    if ends.min() <= BESIDE:
        return -np.inf
    edges = np.flatnonzero(np.isin(solid.mesh.edge_vertices, side.members).all(axis=1))
    faces = [
        solid.mesh.edge_faces[edge]
        for edge in edges.tolist()
        if solid.off(other.point, (Feature("edge", edge),)) <= side.level
    ]
    return float(sum(high[solid.mesh.face_vertices(f)].mean() for f in np.ravel(faces)))

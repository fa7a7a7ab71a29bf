"""Whether the normal of two bodies is that of the features that hold their points."""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.tracking.proof.claim import EPS, RELATIVE, Case
from sim.tracking.proof.solid import Ids, Solid
from sim.tracking.proof.triangle_gap import from_triangles
from sim.tracking.proof.verdict import FalseAnswer, UnprovenAnswer
from wingedge import Feature
from wingedge.columns import cross, dot, subtract
from wingedge.exact import Point, point_segment_square, segment_parameter, unit

Array = NDArray[np.float64]
Way = tuple[Array, float, bool]  # a unit vector, how far it may be off, and if it holds

ROUNDED = 16.0 * EPS  # of the scale: what a difference of two points may be off
BESIDE = 1e-6  # of the scale: a point so near to the end of an edge may be there
PARALLEL = 1e-6  # sine below which two edges may be taken for parallel
BENT = 1e-8  # of the scale: edges so far off one line are several
KNOWN = 1e-3  # edges that know a way as well as this need no points to know it
HELD = 0.05  # a way that is known as well as this proves a normal


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
        off = [float(np.linalg.norm(way - claim.normal)) for way, _, _ in ways]
        if all(angle > way[1] for angle, way in zip(off, ways, strict=True)):
            raise FalseAnswer(f"the normal is turned by {min(off):g} against its parts")
        held = any(holds for _, wide, holds in ways if wide <= HELD)
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

    def above(ids: Ids) -> Array:
        # The point was rounded once more than the vertex of the parts level with it.
        own = high[ids]
        out: Array = high - own[np.abs(own - point @ way).argmin()]
        return out

    def level(ids: Ids) -> NDArray[np.bool_]:
        out: NDArray[np.bool_] = np.abs(above(ids)[ids]) <= wide[ids]
        return out

    def side(letter: str, ids: Ids) -> LevelSide:
        return LevelSide(solid, letter, ids, way, point, above(ids), case.level, turned)

    loops = [solid.vertices_of(part) for part in parts]
    members: Ids = np.unique(np.concatenate(loops))
    letter = parts[0].letter
    if level(members).all():
        return side(letter, members)
    fans = solid.fans_of(parts)
    if len(parts) == 1 < len(fans):
        flat = np.isin(fans, members[level(members)])
        if flat.all(axis=1).any() or flat[1:, :2].all(axis=1).any():
            return side(letter, members)
    rim = [np.stack([loop, np.roll(loop, 1)], axis=1) for loop in loops]
    far = claim.distance > RELATIVE * case.scale
    near = 16.0 * case.slack + case.drop if far else -np.inf
    for ids in (*(np.concatenate(rim) if letter == "F" else ()), *members[:, None]):
        off = from_triangles(point[None], solid.x[[[ids[0], ids[-1], ids[-1]]]])[0]
        if off <= near and level(ids).all():
            return side("VE"[len(ids) - 1], ids)
    raise FalseAnswer(f"the normal is not upright on the part of {'AB'[which]}")


def _leads_out(side: LevelSide) -> bool:
    """Refuse a normal that runs into its faces; say whether they tell."""
    solid = side.solid
    if solid.hulled:
        inward, told = float(side.heights.max()) > 2.5 * side.level, True
    else:
        flat = np.isin(solid.corners, side.members).all(axis=1)
        u, v, w = (solid.x[solid.corners[flat, k]] for k in range(3))
        out = float(np.cross(v - u, w - u).sum(axis=0) @ side.way)
        told = solid.sense != 0.0
        inward = told and not solid.sense * out > 0.0
    if inward:
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
    """List the ways from A's vertex or line to B's that may be the shortest.

    Across both lines if they cross, and from the ends of one to the other, unless
    rounding leaves no doubt which of the two.
    """
    claim, size = case.claim, case.scale
    one, other = map(_ends, sides)
    d, rounded = max(claim.distance, 1e-300), ROUNDED * size
    bends = [_bend(side) for side in sides]
    if max(bends) > BENT:
        raise FalseAnswer("the edges of a part are no line")
    wide = rounded + sum(bends)
    ways: list[Way] = []
    if len(one) + len(other) == 4:
        lines = subtract(one[1], one[0]), subtract(other[1], other[0])
        normal: Point = cross(*lines)
        shortest = min(map(_length, lines))
        sine = _length(normal) / (_length(lines[0]) * _length(lines[1]))
        if sine <= PARALLEL:  # elsewhere along them the way is another one
            wide += sine * (_length(lines[0]) + _length(lines[1]) + d)
        if sine > 0.0:
            between = _between(one, other) * shortest
            if between >= -rounded / sine:
                way, sure = _across(case, sides, normal, sine)
                # Edges know it, or points that are far enough from each other.
                known = ROUNDED * (1.0 + size / shortest) / sine, wide / d
                least = max(KNOWN, min(known))
                ways.append((way, max(off for off in known if off <= least), sure))
            if between > rounded / sine:
                return ways
    found = []
    for ends, line, sense in ((one, other, 1), (other, one, -1)):
        long = _length(subtract(line[-1], line[0]))
        off = wide + (min(long, wide * d / long) if long > 0.0 else 0.0)
        for p in ends:  # a short line knows its way less well
            t = segment_parameter(p, line[0], line[-1])
            foot = [u + t * (v - u) for u, v in zip(line[0], line[-1], strict=True)]
            gap = [sense * (x - y) for x, y in zip(foot, p, strict=True)]
            way = np.array(unit(gap)) if any(gap) else claim.normal
            found.append((_length(gap), way, off / d, True))
    least = min(length for length, *_ in found)
    return ways + [found[1:] for found in found if found[0] <= least + wide]


def _between(one: list[Point], other: list[Point]) -> float:
    """Return how far from their ends two lines cross, as a share; negative beyond."""
    lines = subtract(one[1], one[0]), subtract(other[1], other[0])
    apart, n = subtract(other[0], one[0]), cross(*lines)
    shares = [dot(cross(apart, line), n) / dot(n, n) for line in lines[::-1]]
    return float(min(min(share, 1 - share) for share in shares))


def _across(
    case: Case, sides: tuple[LevelSide, LevelSide], normal: Point, sine: float
) -> tuple[Array, bool]:
    """Return the way across two lines that cross, and whether it surely leads out."""
    way = np.array(unit(normal))
    gap: Any = dot(subtract(_ends(sides[1])[0], _ends(sides[0])[0]), normal)
    if abs(gap) > 4.0 * ROUNDED * case.scale / sine * _length(normal):
        return (way if gap > 0 else -way), True
    climbs = [*map(_climb, sides, sides[::-1])]
    if max(climbs) > case.level:
        raise FalseAnswer("the normal runs into the faces beside the edges")
    return (way if way @ case.claim.normal > 0.0 else -way), max(climbs) > -np.inf


def _ends(side: LevelSide) -> list[Point]:
    """Place the ends of a line, or a vertex, without rounding."""
    x = side.solid.x[side.members]
    far = int(((x - x[0]) ** 2).sum(axis=1).argmax())
    end = int(((x - x[far]) ** 2).sum(axis=1).argmax())
    return [side.solid.exactly(side.members[k]) for k in sorted({far, end})]


def _bend(side: LevelSide) -> float:
    """Return how far vertices of a line lie beside the way from end to end."""
    if len(side.members) < 3:
        return 0.0
    ends = _ends(side)
    points = (side.solid.exactly(v) for v in side.members)
    return sqrt(max(point_segment_square(p, ends[0], ends[-1]) for p in points))


def _climb(side: LevelSide, other: LevelSide) -> float:
    """Return how far the faces at the edge that holds the point rise, on average.

    Minus infinity where the other's line does not run on to both sides of its point: if
    it does no face may rise.
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


def _length(v: Point) -> float:
    square: Any = dot(v, v)
    return sqrt(square)

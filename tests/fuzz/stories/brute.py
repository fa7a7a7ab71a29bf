"""The truth about two surfaces of any shape, by formulas and code of its own.

Nothing here is the project's but the lists of faces: all vertex-triangle and edge-edge
pairs are measured (larger bodies: all but those that a ball around either end proves
farther), all edges are run through all triangles, and inside is where the surface
winds around.  Every distance is that of two points that were computed, so rounding can
only make it too large: by the square of its error, but where triangles have all but no
width by more.  Where that matters ``unrounded`` measures again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import Body
from wingedge import WingedEdgeMesh

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
BLOCK = 1 << 17  # pairs measured at once: stays in the cache
ALL_PAIRS = 60  # vertices up to which nothing is left out
REFINED = 32  # nearest pairs of edges that are measured with care
ROUNDING = 4e-16  # per unit of size: what a coordinate may be off
DEEP = 1e-7  # per unit of size: how far under a surface a point is tried


class Solid(NamedTuple):
    """A closed surface where it lies, relative to an origin shared by both bodies."""

    points: Array  # (V, 3)
    triangles: Ids  # (T, 3), polygons as fans from their first corner
    segments: Ids  # (S, 2) edges and inner diagonals
    stored: tuple[Array, Array, Array] | None = None  # positions, map, origin: exact


class Truth(NamedTuple):
    gap: float  # least distance of the surfaces, edges through faces not counted
    pierced: float  # how far the clearest crossing edge passes through; 0 for none
    contained: bool  # no crossing, and one lies inside the other
    inside: float  # depth of the deepest vertex of either in the other
    size: float  # largest coordinate about the shared origin
    pair: tuple[str, tuple[int, ...], tuple[int, ...]]  # what attains the gap


def parts(mesh: WingedEdgeMesh) -> tuple[Ids, Ids]:
    triangles = np.array(
        [
            [corners[0], corners[k], corners[k + 1]]
            for corners in (mesh.face_vertices(f) for f in range(mesh.n_faces))
            for k in range(1, len(corners) - 1)
        ],
        dtype=np.int64,
    )
    ends = np.sort(
        np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, ::2]])
    )
    return triangles, np.unique(ends, axis=0)


def solid(mesh: WingedEdgeMesh, shift: object = 0.0, scale: float = 1.0) -> Solid:
    return Solid(mesh.points * scale + shift, *parts(mesh))


def solids(a: Body, b: Body, known: dict[int, tuple[Ids, Ids]]) -> tuple[Solid, Solid]:
    """Place both bodies about A's translation; ``known`` keeps the parts of meshes."""
    placed = []
    for body in (a, b):
        key = id(body.mesh)
        if key not in known:
            known[key] = parts(body.mesh)
        shift = body.transform[:, 3] - a.transform[:, 3]
        at = body.positions @ body.transform[:, :3].T + shift
        exact = body.positions.copy(), body.transform.copy(), a.transform[:, 3].copy()
        placed.append(Solid(at, *known[key], exact))
    return placed[0], placed[1]


def truth(a: Solid, b: Solid) -> Truth:
    size = float(max(np.abs(a.points).max(), np.abs(b.points).max()))
    nearest = least_distance(a, b)
    pierced = max(_deepest_pierce(a, b), _deepest_pierce(b, a))
    if pierced > 0.0:
        deep = max(deepest(a, b), deepest(b, a))
        return Truth(nearest[0], pierced, False, deep, size, nearest[1])
    contained = _holds(a, b, nearest[0]) or _holds(b, a, nearest[0])
    deep = max(deepest(a, b), deepest(b, a)) if contained else 0.0
    return Truth(nearest[0], 0.0, contained, deep, size, nearest[1])


def share_interior(a: Solid, b: Solid, size: float) -> bool:
    """Say whether points well inside both exist, looked for under all triangles."""
    for one, other in ((a, b), (b, a)):
        under = spots_under(one, size)
        both = (winding(under, one) > 0.5) & (winding(under, other) > 0.5)
        if both.any() and distances(under[both], other).max() > 0.5 * DEEP * size:
            return True
    return False


def spots_under(solid: Solid, size: float) -> Array:
    """Return a point right under every triangle that has an area."""
    u, v, w = corners_of(solid)
    normal = np.cross(v - u, w - u)
    length = np.linalg.norm(normal, axis=1)
    if (u * normal).sum() < 0.0:
        normal = -normal  # inside-out: the same solid
    kept = length > 0.0
    middle = ((u + v + w) / 3.0)[kept]
    return middle - DEEP * size * (normal[kept] / length[kept, None])


def winding(points: Array, solid: Solid) -> Array:
    out = np.empty(len(points))
    a, b, c = corners_of(solid)
    for part in blocks(len(points), len(a)):
        p = points[part, None]
        u, v, w = a - p, b - p, c - p
        lu, lv, lw = (np.sqrt((x * x).sum(axis=2)) for x in (u, v, w))
        top = (u * np.cross(v, w)).sum(axis=2)
        low = lu * lv * lw + (u * v).sum(axis=2) * lw
        low = low + (v * w).sum(axis=2) * lu + (w * u).sum(axis=2) * lv
        out[part] = np.arctan2(top, low).sum(axis=1) / (2.0 * np.pi)
    return np.abs(out)


def distances(points: Array, solid: Solid) -> Array:
    corners = corners_of(solid)
    out = np.empty(len(points))
    for part in blocks(len(points), len(solid.triangles)):
        square = point_triangle(points[part, None], *(x[None] for x in corners))
        out[part] = np.sqrt(square.min(axis=1))
    return out


def deepest(a: Solid, b: Solid) -> float:
    """Return how deep the deepest vertex of A lies in B; 0 where none does."""
    low, high = b.points.min(axis=0), b.points.max(axis=0)
    maybe = a.points[((a.points >= low) & (a.points <= high)).all(axis=1)]
    if not len(maybe):
        return 0.0
    within = maybe[winding(maybe, b) > 0.5]
    return float(distances(within, b).max()) if len(within) else 0.0


def crosses_itself(solid: Solid) -> bool:
    """Say whether a surface passes through itself: what is inside is then no question.

    By more than rounding; edges and triangles that share a corner only touch.
    """
    size = float(np.abs(solid.points).max())
    return _deepest_pierce(solid, solid) > 1e-9 * size


def point_triangle(p: Array, a: Array, b: Array, c: Array) -> Array:
    """Return squares of distances: the foot where it is inside, else the rims."""
    u, v, w = b - a, c - a, p - a
    uu, uv, vv = _dot(u, u), _dot(u, v), _dot(v, v)
    wu, wv = _dot(w, u), _dot(w, v)
    area = uu * vv - uv * uv
    flat = area <= 0.0
    area = np.where(flat, 1.0, area)
    s, t = (vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area
    inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) & ~flat
    foot = w - s[..., None] * u - t[..., None] * v
    best = np.where(inside, _dot(foot, foot), np.inf)
    for tail, tip in ((a, b), (b, c), (c, a)):
        best = np.minimum(best, point_segment(p, tail, tip))
    return best


def point_segment(p: Array, tail: Array, tip: Array) -> Array:
    e, w = tip - tail, p - tail
    t = np.clip(_ratio(_dot(w, e), _dot(e, e)), 0.0, 1.0)
    gap = w - t[..., None] * e
    far = p - tip
    return np.minimum(_dot(gap, gap), np.minimum(_dot(w, w), _dot(far, far)))


def segment_segment(p: Array, q: Array, r: Array, s: Array) -> Array:
    """Return squares of distances of points inside both; infinite where none are.

    The ends are left to the vertices and triangles.
    """
    d, e, w = q - p, s - r, r - p
    dd, de, ee = _dot(d, d), _dot(d, e), _dot(e, e)
    wd, we = _dot(w, d), _dot(w, e)
    area = dd * ee - de * de
    flat = area <= 0.0
    area = np.where(flat, 1.0, area)
    x, y = (wd * ee - we * de) / area, (wd * de - we * dd) / area
    # A little beyond the ends is clipped to them: never farther than it is.
    inside = (x > -0.1) & (x < 1.1) & (y > -0.1) & (y < 1.1) & ~flat
    x, y = np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0)
    gap = w + y[..., None] * e - x[..., None] * d
    return np.where(inside, _dot(gap, gap), np.inf)


def refined(p: Array, q: Array, r: Array, s: Array) -> Array:
    """Return squares of distances of pairs of segments that are nearly parallel.

    The equations lose digits there, their residuals do not: a few steps of iterative
    refinement, the least of all that was met.
    """
    d, e, w = q - p, s - r, r - p
    dd, de, ee = _dot(d, d), _dot(d, e), _dot(e, e)
    area = dd * ee - de * de
    area = np.where(area <= 0.0, np.inf, area)
    x = y = np.zeros(area.shape)
    best = np.full(area.shape, np.inf)
    for _ in range(6):
        gap = w + y[..., None] * e - x[..., None] * d
        gd, ge = _dot(gap, d), _dot(gap, e)
        x = np.clip(x + (gd * ee - ge * de) / area, 0.0, 1.0)
        y = np.clip(y + (gd * de - ge * dd) / area, 0.0, 1.0)
        gap = w + y[..., None] * e - x[..., None] * d
        best = np.minimum(best, _dot(gap, gap))
    return best


def least_distance(
    a: Solid, b: Solid
) -> tuple[float, tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Return the least distance of two surfaces, and what attains it."""
    best = np.inf, ("", (), ())
    small = max(len(a.points), len(b.points)) <= ALL_PAIRS
    reach = np.inf if small else _vertex_gap(a.points, b.points)
    for name, one, other in (("VF", a, b), ("FV", b, a)):
        corners = corners_of(other)
        for i, j in near(one.points[:, None], np.stack(corners, axis=1), reach):
            square = point_triangle(one.points[i], *(x[j] for x in corners))
            k = int(square.argmin())
            if square[k] < best[0]:
                found = (int(i[k]),), tuple(other.triangles[j[k]].tolist())
                pair = found if name == "VF" else found[::-1]
                best = float(square[k]), (name, *pair)
    ends_a, ends_b = a.points[a.segments], b.points[b.segments]
    for i, j in near(ends_a, ends_b, reach):
        square = segment_segment(ends_a[i, 0], ends_a[i, 1], ends_b[j, 0], ends_b[j, 1])
        some = np.argpartition(square, min(REFINED, len(square)) - 1)[:REFINED]
        rows, columns = i[some], j[some]
        square[some] = np.minimum(
            square[some],
            refined(
                ends_a[rows, 0], ends_a[rows, 1], ends_b[columns, 0], ends_b[columns, 1]
            ),
        )
        k = int(square.argmin())
        if square[k] < best[0]:
            ids = tuple(a.segments[i[k]].tolist()), tuple(b.segments[j[k]].tolist())
            best = float(square[k]), ("EE", *ids)
    return float(np.sqrt(best[0])), best[1]


def _vertex_gap(a: Array, b: Array) -> float:
    from scipy.spatial import cKDTree

    return float(cKDTree(b).query(a)[0].min())


def near(one: Array, other: Array, reach: float):
    """Yield blocks of pairs (n, k, 3) x (m, l, 3) whose balls come within reach."""
    ca, cb = one.mean(axis=1), other.mean(axis=1)
    ra = np.linalg.norm(one - ca[:, None], axis=2).max(axis=1)
    rb = np.linalg.norm(other - cb[:, None], axis=2).max(axis=1)
    for part in blocks(len(ca), len(cb)):
        if np.isinf(reach):
            i, j = np.mgrid[part, 0 : len(cb)].reshape(2, -1)
        else:
            far = np.sqrt(
                sum((ca[part, k, None] - cb[None, :, k]) ** 2 for k in range(3))
            )
            limit = reach * (1.0 + 1e-9) + ra[part, None] + rb[None]
            i, j = np.nonzero(far <= limit)
            i = i + part.start
        for k in range(0, len(i), BLOCK):
            yield i[k : k + BLOCK], j[k : k + BLOCK]


def _deepest_pierce(a: Solid, b: Solid) -> float:
    """Return how far an edge of A passes through a triangle of B, at the clearest.

    The least of: how far its ends lie beyond the plane, and how far the piercing
    point lies within the rim.  0 where no edge passes.
    """
    ends = a.points[a.segments]
    u, v, w = corners_of(b)
    low = np.minimum(np.minimum(u, v), w)
    high = np.maximum(np.maximum(u, v), w)
    normal = np.cross(v - u, w - u)
    length = np.linalg.norm(normal, axis=1)
    normal = normal / np.where(length > 0.0, length, 1.0)[:, None]
    longest = np.linalg.norm(np.stack([v - u, w - u, w - v]), axis=2).max(axis=0)
    size = float(max(np.abs(a.points).max(), np.abs(b.points).max()))
    unsure = ROUNDING * size * _ratio(longest, length)
    best = 0.0
    for part in blocks(len(ends), len(u)):
        p, q = ends[part, 0], ends[part, 1]
        meet = np.broadcast_to(length > 0.0, (len(p), len(u)))
        for k in range(3):
            bottom = np.minimum(p[:, k], q[:, k])[:, None]
            top = np.maximum(p[:, k], q[:, k])[:, None]
            meet = meet & (bottom <= high[:, k]) & (top >= low[:, k])
        i, j = np.nonzero(meet)
        if not len(i):
            continue
        n, start = normal[j], u[j]
        hp, hq = _dot(p[i] - start, n), _dot(q[i] - start, n)
        through = hp * hq < 0.0
        i, j, n, hp, hq = (x[through] for x in (i, j, n, hp, hq))
        if not len(i):
            continue
        at = p[i] + (hp / (hp - hq))[:, None] * (q[i] - p[i])
        # The normal of a narrow triangle has few digits, the more so far from it.
        off_p, off_q = (np.linalg.norm(x[i] - u[j], axis=1) for x in (p, q))
        rim = np.minimum(np.abs(hp) - unsure[j] * off_p, np.abs(hq) - unsure[j] * off_q)
        for tail, tip in ((u, v), (v, w), (w, u)):
            e = tip[j] - tail[j]
            # Past this side the edge is as far inside as the two lines are apart.
            for across in (np.cross(n, e), np.cross(q[i] - p[i], e)):
                wide = np.linalg.norm(across, axis=1)
                off = np.abs(_ratio(_dot(at - tail[j], across), wide))
                rim = np.where(wide > 0.0, np.minimum(rim, off), rim)
            inside = _dot(at - tail[j], np.cross(n, e)) > 0.0
            rim = np.where(inside, rim, 0.0)
        best = max(best, float(rim.max()))
    return best


def _holds(a: Solid, b: Solid, gap: float) -> bool:
    spots = a.points
    if gap > 1e-9 * float(np.abs(spots).max()):
        return bool(winding(spots[:1], b)[0] > 0.5)
    # They all but touch: judge by the vertex that is farthest from the other surface.
    off = distances(spots, b)
    k = int(off.argmax())
    return bool(off[k] > 0.0 and winding(spots[k : k + 1], b)[0] > 0.5)


def corners_of(solid: Solid) -> tuple[Array, Array, Array]:
    at = solid.points[solid.triangles]
    return at[:, 0], at[:, 1], at[:, 2]


def blocks(rows: int, columns: int):
    step = max(1, BLOCK // max(1, columns))
    for k in range(0, rows, step):
        yield slice(k, min(rows, k + step))


def _dot(u: Array, v: Array) -> Array:
    return u[..., 0] * v[..., 0] + u[..., 1] * v[..., 1] + u[..., 2] * v[..., 2]


def _ratio(top: Array, bottom: Array) -> Array:
    safe = np.where(bottom > 0.0, bottom, 1.0)
    return np.where(bottom > 0.0, top / safe, 0.0)

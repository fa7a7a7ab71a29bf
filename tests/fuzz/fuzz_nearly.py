"""Track bodies that are convex only to rounding; judge the bounds in whole numbers.

    python tests/fuzz/fuzz_nearly.py --frames 100000 [--seed 0]

Of a certified answer ``lower <= truth <= upper`` must hold.  From below: the gap of all
vertices along the normal, exact, is no more than the truth.  From above, apart: the
distance of the two points, and of each from the part that is named, is no less; in
overlap no normal of a triangle or pair of edges has a wider gap, in every frame.  What
that leaves open is measured exactly (``stories/unrounded.py``) while bodies are small:
surfaces that cross lie as deep as the clearest edge or vertex at least, and the best of
all normals of faces and pairs of edges bounds the depth.  What even that cannot decide
is counted as open.  Warm must equal cold.  Exit code 1 where a frame is amiss.
"""

import sys
import time
from argparse import Namespace
from collections import Counter
from fractions import Fraction
from math import isqrt

import numpy as np
from runner import Say, list_cases, main
from stories import brute, unrounded
from stories.judge import _compare
from stories.lattice import Whole, cross, dot, minus, point_triangle
from stories.nearly import nearly_convex
from stories.story import FRAMES, Story, seeded

from sim import Body, PairState, PairTracker, closest
from wingedge import Feature
from wingedge.faces import triangles_of

SMALL = 100  # vertices of two bodies that are measured exactly where bounds leave doubt
TRIED = 64  # normals that are tried in whole numbers for a lower bound
DOUBTFUL = 400  # and for an upper one
SPLIT = 134217729.0
BITS = 300  # of a root beyond those of its radicand
Array = np.ndarray


class Scale:
    def __init__(self, *arrays: Array) -> None:
        some = np.abs(np.concatenate([np.ravel(x) for x in arrays]))
        self.shift = 60 - int(np.frexp(some[some > 0.0].min())[1])

    def whole(self, row: Array) -> list[int]:
        ratios = (x.as_integer_ratio() for x in np.ravel(row).tolist())
        return [n << (self.shift - d.bit_length() + 1) for n, d in ratios]


def product(a: Array, b: float) -> tuple[Array, Array]:
    """Multiply without loss."""
    p = a * b
    s, t = SPLIT * a, SPLIT * b
    u, v = s - (s - a), t - (t - b)
    return p, (a - u) * (b - v) - (((p - u * v) - (a - u) * v) - u * (b - v))


def support(body: Body, n: list[int], scale: Scale) -> int:
    """Return the greatest height of a body along a direction, in cubes of the unit.

    With twice the digits of a float first; the few vertices that this cannot tell from
    the highest are compared in whole numbers.
    """
    m = scale.whole(body.transform)
    d = [sum(n[i] * m[4 * i + k] for i in range(3)) for k in range(3)]
    over = max(abs(x) for x in d).bit_length() - 900  # a power of two: no digit is lost
    high, rest = np.zeros(len(body.positions)), np.zeros(len(body.positions))
    for k in range(3):
        main = float(d[k] >> over) if over > 0 else float(d[k])
        left = (
            float((d[k] >> over) - int(main)) if over > 0 else float(d[k] - int(main))
        )
        p, e = product(body.positions[:, k] * 2.0**-600, main)
        total = high + p
        t = total - high
        rest += (high - (total - t)) + (p - t) + e
        rest += body.positions[:, k] * 2.0**-600 * left
        high = total
    rest -= high.max() - high
    most = float(abs(body.positions).max()) * 2.0**-600
    floor = rest.max() - 1e-26 * most * 3.0 * (
        2.0**900 if over > 0 else max(map(abs, d))
    )
    tried = np.unique(body.positions[rest >= floor], axis=0)
    heights = (zip(d, scale.whole(p), strict=True) for p in tried)
    shift = sum(n[i] * m[4 * i + 3] for i in range(3)) << scale.shift
    return shift + max(sum(x * y for x, y in pairs) for pairs in heights)


def is_below(state: PairState, a: Body, b: Body, scale: Scale) -> bool:
    """Say whether the gap along the normal of the answer is ``lower`` or more."""
    n = scale.whole(state.normal)
    gap = -support(b, [-x for x in n], scale) - support(a, n, scale)
    lower = scale.whole(np.array([state.lower]))[0]
    wanted = lower * abs(lower) * sum(x * x for x in n) << 2 * scale.shift
    return gap * abs(gap) >= wanted


class Axes:
    """The normals of all triangles and pairs of edges of two bodies, and their gaps.

    A float cannot hold the normal of a needle's face: floats say where to look, and how
    far they may be off, whole numbers decide.
    """

    def __init__(self, a: Body, b: Body) -> None:
        one, other, _, self.unit = unrounded.placed(*brute.solids(a, b, {}))
        self.at = (one.at, other.at)
        solids = (one.rounded, other.rounded)
        p, q = (solid.points for solid in solids)
        self.sides = [(0, *t[:2], 0, *t[1:]) for t in one.ids]
        self.sides += [(1, *t[:2], 1, *t[1:]) for t in other.ids]
        self.sides += [(0, *s, 1, *t) for s in one.ends for t in other.ends]
        i, u, v, j, w, x = np.array(self.sides).T
        points = np.concatenate([p, q])
        d = points[u + len(p) * i] - points[v + len(p) * i]
        e = points[w + len(p) * j] - points[x + len(p) * j]
        n = np.cross(d, e)
        length, d, e = (np.linalg.norm(y, axis=1) for y in (n, d, e))
        n /= np.where(length > 0.0, length, 1.0)[:, None]
        self.gaps = np.maximum(
            (n @ q.T).min(axis=1) - (n @ p.T).max(axis=1),
            (n @ p.T).min(axis=1) - (n @ q.T).max(axis=1),
        )
        reach = float(abs(points).max())
        with np.errstate(divide="ignore", invalid="ignore"):
            turned = 16.0 * (reach * (d + e) + d * e) / length  # of a normal, in eps
        self.off = np.finfo(float).eps * reach * (16.0 + 8.0 * turned)

    def reaches(self, k: int, bound: float) -> bool:
        """Say whether the gap along an axis is so wide or wider."""
        i, u, v, j, w, x = self.sides[k]
        at = self.at
        across = cross(minus(at[i][u], at[i][v]), minus(at[j][w], at[j][x]))
        highs = [[dot(across, y) for y in points] for points in at]
        gap = max(min(highs[1]) - max(highs[0]), min(highs[0]) - max(highs[1]))
        wanted = Fraction(bound) / self.unit
        length = dot(across, across)
        return length > 0 and gap * abs(gap) >= wanted * abs(wanted) * length

    def likeliest(self) -> list[int]:
        """List the axes along which floats see the widest gaps."""
        return np.argsort(-self.gaps, kind="stable")[:TRIED].tolist()

    def above(self, bound: float) -> list[int]:
        """List the axes along which the gap may be wider than so."""
        return np.flatnonzero(~(self.gaps + self.off <= bound)).tolist()


def deeper_than(state: PairState, a: Body, b: Body) -> str:
    """Say whether a normal proves that an overlap is less deep than it is claimed.

    Of bodies that are convex without rounding one of the normals is that of the depth.
    """
    axes = Axes(a, b)
    doubtful = axes.above(state.upper)
    beyond = float(np.nextafter(state.upper, np.inf))
    if any(axes.reaches(k, beyond) for k in doubtful[:DOUBTFUL]):
        return "an axis proves that the overlap is less deep"
    whole = a.proves_by_rings() and b.proves_by_rings()
    return "" if whole and len(doubtful) <= DOUBTFUL else "open overlap"


def root(square: int, over: int = 1) -> int:
    """Return a root that is not too small, in units of 2^-BITS."""
    return isqrt((square << 2 * BITS) // over) + 1


def off_surface(
    point: Array, body: Body, parts: tuple[Feature, ...], scale: Scale
) -> int:
    """Return how far a point is from the part of a body that is named, or more."""
    triangles = np.array([t for f in parts for t in triangles_of(body.mesh, f)])
    corners = body.world_points()[triangles]
    square = brute.point_triangle(point[None], *(corners[:, k] for k in range(3)))
    chosen = triangles[int(np.argmin(square))].tolist()
    m = scale.whole(body.transform)

    def placed(v: int) -> Whole:
        p = [*scale.whole(body.positions[v]), 1 << scale.shift]
        x, y, z = (sum(m[4 * i + k] * p[k] for k in range(4)) for i in range(3))
        return x, y, z

    x, y, z = (c << scale.shift for c in scale.whole(point))
    i, j, k = (placed(v) for v in chosen)
    return root(*point_triangle((x, y, z), (i, j, k)))


def is_above(state: PairState, a: Body, b: Body, scale: Scale) -> bool:
    """Say whether surfaces are ``upper`` apart or less, through the two points."""
    p, q = (tuple(scale.whole(x)) for x in (state.point_a, state.point_b))
    across = sum(x * x for x in minus(p, q)) << 2 * scale.shift  # type: ignore[arg-type]
    way = root(across)
    way += off_surface(state.point_a, a, state.parts_a, scale)
    way += off_surface(state.point_b, b, state.parts_b, scale)
    upper = scale.whole(np.array([state.upper]))[0]
    return way <= upper << (scale.shift + BITS)


def judged_exactly(state: PairState, a: Body, b: Body) -> str:
    """Say what the truth without any rounding finds amiss, or "open"."""
    truth = unrounded.truth(*brute.solids(a, b, {}))
    d = truth.gap
    if truth.pierced > 0.0 or truth.contained:
        deep = max(truth.pierced, truth.inside)
        if state.lower > -deep:
            return f"{deep!r} deep"
        axes = Axes(a, b)
        found = any(axes.reaches(k, state.lower) for k in axes.likeliest())
        return "" if found else "open"
    slack = 2.0**-52 * d  # of a root that is right to its last bit
    held = state.lower - slack <= d <= state.upper + slack
    return "" if held else f"the truth is {d!r}"


def amiss(state: PairState, a: Body, b: Body) -> str:
    """Say what is wrong with a certified answer: nothing, "open" or a fault."""
    bodies = (a.positions, b.positions, a.transform, b.transform)
    said = (state.normal, state.point_a, state.point_b, [state.lower, state.upper])
    scale = Scale(*bodies, *map(np.asarray, said))
    below = is_below(state, a, b, scale)
    vertices = a.mesh.n_vertices + b.mesh.n_vertices
    if state.distance < 0.0:
        if not below and vertices > SMALL:
            return "the gap along the normal is less than lower"
        fault = "" if below else judged_exactly(state, a, b)
        if fault:
            return fault
        return deeper_than(state, a, b) if vertices <= SMALL else "open overlap"
    if below and is_above(state, a, b, scale):
        return ""
    if vertices > SMALL:
        return "open"
    return judged_exactly(state, a, b)


def follow(story: Story, total: Counter[str], cases: list[str]) -> None:
    a, b = story.bodies()
    tracker = PairTracker(a, b)
    total["bodies proved by rings"] += a.proves_by_rings()
    total["bodies"] += 1
    for frame in story.play(a, b):
        begin = time.process_time()
        state = tracker.update()
        total["ns"] += int(1e9 * (time.process_time() - begin))
        total["frames"] += 1
        total[f"proof {state.proof}"] += 1
        total["certified"] += state.certified
        total["overlaps"] += state.distance < 0.0
        total["overlaps certified"] += state.distance < 0.0 and state.certified
        total["searched over everything"] += state.work.fallbacks
        faults = _compare(state, closest(a, b)) if state.distance >= 0.0 else []
        if state.certified:
            fault = amiss(state, a, b)
            if fault.startswith("open"):
                total[fault] += 1
            elif fault:
                faults.append(f"certified and wrong: {fault}")
        for fault in faults:
            total[fault.split(":")[0]] += 1
            total["faults"] += 1
            cases.append(f"{story.seed}:{frame} {fault} | {state!r} {state.size!r}")


def run(options: Namespace, say: Say) -> bool:
    total: Counter[str] = Counter(faults=0)
    cases: list[str] = []
    for seed in range(options.seed, options.seed - (-options.frames // FRAMES)):
        follow(seeded("nearly_convex", seed, nearly_convex), total, cases)
    spent = total.pop("ns") / 1e3 / total["frames"]
    for key in sorted(total):
        say(f"{key:32}{total[key]:9}")
    say(f"{'us per frame':32}{spent:9.1f}")
    list_cases(cases, say)
    return not total["faults"]


if __name__ == "__main__":
    sys.exit(main(__doc__, run, frames=100_000, seed=0))

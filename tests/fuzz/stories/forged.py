"""False states, made of true ones field by field: what a checker must not prove.

Only fields that it judges: distance, bounds, points, normal, and features that the
points do not lie on.  Every change is larger than what an answer may be off (1e-9 of
the distance, 1e-12 of the size), and none makes another true statement: points are not
moved within a patch, bounds not widened.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import PairState, PairTracker, scenes, verify
from stories import FAMILIES, story
from stories.brute import crosses_itself, solids
from stories.notched import off_parts
from wingedge import Feature, WingedEdgeMesh, neighbours

Array = NDArray[np.float64]
Forgery = tuple[str, PairState]

EPS = float(np.finfo(float).eps)
NAN, INFINITE = float("nan"), float("inf")


def follow(
    family: str, seed: int, seen: Counter[str], every: int = 10
) -> Iterator[str]:
    """Yield true states of a story or scene that are refused, false ones believed."""
    for frame, state in answers(family, seed):
        answer = verify(state, state.a, state.b).answer
        seen[f"true: {answer}"] += 1
        if answer != "yes" and not any(
            map(crosses_itself, solids(state.a, state.b, {}))
        ):
            yield f"{family}:{seed}:{frame} true, but {answer}"
        if frame % every == seed % every:
            for what in believed(state, seen):
                yield f"{family}:{seed}:{frame} {what}: believed"


def answers(family: str, seed: int) -> Iterator[tuple[int, PairState]]:
    """Yield all answers of a story, or the first of each frame of a scene."""
    if family in FAMILIES:
        told = story(family, seed)
        tracker = PairTracker(*told.bodies())
        for frame in told.play(tracker.a, tracker.b):
            yield frame, tracker.update()
    else:
        for frame in scenes.load(family).run(scenes.length(family)):
            for state in frame.pairs[:1]:
                yield frame.index, state


def believed(state: PairState, seen: Counter[str]) -> list[str]:
    """List the forgeries of a state that are taken for true."""
    found = []
    for what, false in forgeries(state):
        answer = verify(false, state.a, state.b).answer
        seen[f"false: {answer}"] += 1
        found += [what] if answer == "yes" else []
    return found


def forgeries(state: PairState) -> Iterator[Forgery]:
    """Yield false states, each with the name of what was changed."""
    yield from _numbers(state)
    yield from _coherent(state)
    yield from _points(state)
    yield from _normals(state)
    yield from _features(state)
    yield from _garbage(state)


def _lengths(state: PairState) -> tuple[float, float]:
    """Return a small and a large length: beyond what the answer may be off.

    Far from the origin its points are rounded where they lie.
    """
    size, d = state.size, abs(state.distance)
    far = float(np.abs(state.a.transform[:, 3]).max())
    return 1e-8 * size + 1e-6 * d + 1e-12 * far, 0.1 * size + 0.1 * d


def _numbers(state: PairState) -> Iterator[Forgery]:
    d, n = state.distance, state.normal
    for name, off in zip(("a little", "much"), _lengths(state), strict=True):
        yield f"distance {name} more", state.replace(distance=d + off)
        yield f"distance {name} less", state.replace(distance=d - off)
        if state.upper < INFINITE:
            yield f"upper bound {name} too low", state.replace(upper=d - off)
        yield f"lower bound {name} too high", state.replace(lower=d + off)
        yield f"depth {name} more", state.replace(depth=state.depth + off)
    yield "normal too long", state.replace(normal=n * (1.0 + 1e-6))


def _moved(state: PairState, d: float, n: Array, **fields: Any) -> PairState:
    """Return a state whose distance, normal, points and bounds go together."""
    width = 1e-15 * state.size
    point = state.point_a
    told = {
        "distance": d,
        "lower": d - width,
        "upper": d + width,
        "normal": n,
        "point_a": point,
        "point_b": point + d * n,
    }
    return state.replace(**{**told, **fields})


def _coherent(state: PairState) -> Iterator[Forgery]:
    """Tell another distance with all that belongs to it."""
    d, n = state.distance, state.normal
    for name, off in zip(("a little", "much"), _lengths(state), strict=True):
        for sign, word in ((1.0, "farther"), (-1.0, "nearer")):
            new = d + sign * off
            proof = state.proof if new * d > 0.0 else "search"
            yield f"{name} {word}", _moved(state, new, n, proof=proof)
            yield (
                f"{name} {word}, of a great size",
                _moved(state, new, n, proof=proof, size=1e15 * state.size),
            )
    if abs(d) > 1e-6 * state.size:
        yield "touching", _moved(state, 0.0, n, proof="search")
        yield "touching, by a polytope", _moved(state, 0.0, n, proof="epa")
        yield "on the other side", _moved(state, -d, n, proof="search")
        flipped = _moved(state, -d, -n, proof="search")
        yield "turned round", flipped.replace(point_b=state.point_b)
    first, second = state.a.world_points(), state.b.world_points()
    rng = np.random.default_rng(len(first))
    for _ in range(2):
        i, j = rng.integers(len(first)), rng.integers(len(second))
        p, q = first[i], second[j]
        if float(np.linalg.norm(q - p)) > (1.0 + 1e-6) * max(d, 1e-9 * state.size):
            yield "two vertices", _between(state, p, int(i), q, int(j))


def _between(state: PairState, p: Array, i: int, q: Array, j: int) -> PairState:
    """Tell two vertices as the closest features, by a search of both surfaces."""
    d = float(np.linalg.norm(q - p))
    n = (q - p) / d if d > 0.0 else state.normal
    v, w = Feature("vertex", i), Feature("vertex", j)
    told = {"feature_a": v, "parts_a": (v,), "feature_b": w, "parts_b": (w,)}
    moved = state.replace(point_a=p)
    return _moved(moved, d, n, **told)


def _points(state: PairState) -> Iterator[Forgery]:
    pa, pb, n = state.point_a, state.point_b, state.normal
    for name, off in zip(("a little", "much"), _lengths(state), strict=True):
        for way in (n, _off_edge(state)):
            aside = off * way
            yield f"point A {name} off", state.replace(point_a=pa + aside)
            yield f"point B {name} off", state.replace(point_b=pb + aside)
        both = {"point_a": pa + off * n, "point_b": pb + off * n}
        yield f"both points {name} off along the normal", state.replace(**both)
        if state.unique:
            aside = off * _off_edge(state)
            both = {"point_a": pa + aside, "point_b": pb + aside}
            yield f"both points {name} aside", state.replace(**both)
    far = 10.0 * state.size * _off_edge(state)
    yield "both points far away", state.replace(point_a=pa + far, point_b=pb + far)


def _off_edge(state: PairState) -> Array:
    """Return a way across the normal that leaves the features that are no faces."""
    n = state.normal
    bodies = (state.a, state.feature_a), (state.b, state.feature_b)
    for body, feature in bodies:
        ids = _ends(body.mesh, feature)
        if len(ids) == 2:
            tail, tip = body.world_points()[ids]
            way: Array = np.cross(n, tip - tail)
            length = float(np.linalg.norm(way))
            if length > 0.0:
                return way / length
    way = np.cross(n, np.eye(3)[int(np.abs(n).argmin())])
    return way / float(np.linalg.norm(way))


def _ends(mesh: WingedEdgeMesh, feature: Feature) -> list[int]:
    if feature.kind == "edge":
        return [int(v) for v in mesh.edge_vertices[feature.index]]
    return list(feature.vertices)


def _normals(state: PairState) -> Iterator[Forgery]:
    """Turn the normal, alone and with what follows from it."""
    n, d = state.normal, state.distance
    yield "normal turned round alone", state.replace(normal=-n)
    aside = _off_edge(state)
    for angle in (1e-4, 0.1):
        turned = n + angle * aside
        turned /= np.linalg.norm(turned)
        least = 32.0 * EPS * state.size / angle if d >= 0.0 else 1e-3 * state.size
        # Edges that cross know it; along each other they have many, as vertices do.
        crossing = d < 0.0 and _cross(state)
        lines = ("VV", "VE", "EV") if crossing else ("VV", "VE", "EV", "EE")
        if state.kind in lines and abs(d) < least:
            continue  # it may part them as well
        if abs(d) > 1e-6 * state.size:
            yield f"normal turned by {angle:g} alone", state.replace(normal=turned)
        gap = state.replace(lower=state.lower, upper=state.upper)
        yield f"normal turned by {angle:g}", _moved(gap, d, turned)


def _cross(state: PairState) -> bool:
    """Say whether two edges are not all but along each other."""
    if state.kind != "EE":
        return False
    d, e = (
        np.diff(body.world_points()[_ends(body.mesh, feature)], axis=0)[0]
        for body, feature in ((state.a, state.feature_a), (state.b, state.feature_b))
    )
    sine = float(np.linalg.norm(np.cross(d, e)))
    return sine > 1e-6 * float(np.linalg.norm(d) * np.linalg.norm(e))


def _features(state: PairState) -> Iterator[Forgery]:
    """Name what is beside a feature, and does not hold the point."""
    for side in "ab":
        body, point = getattr(state, side), getattr(state, f"point_{side}")
        feature = getattr(state, f"feature_{side}")
        mesh = getattr(state, f"mesh_{side}")
        parts = getattr(state, f"parts_{side}")
        least = off_parts(body, parts, point) + _lengths(state)[0]
        ring = [
            f
            for f in neighbours(mesh, feature)
            if f not in parts and off_parts(body, (f,), point) > least
        ]
        for other in ring[:3] + ring[-3:]:
            told = {f"feature_{side}": other, f"parts_{side}": (other,)}
            alone = {f"feature_{side}": other}
            yield f"feature {side.upper()} alone", state.replace(**alone)
            yield f"feature {side.upper()} for its neighbour", state.replace(**told)
        gone = Feature("face", mesh.n_faces)
        told = {f"feature_{side}": gone, f"parts_{side}": (gone,)}
        yield f"a face of {side.upper()} that is none", state.replace(**told)
    yield "the bodies exchanged", state.replace(a=state.b, b=state.a)


def _garbage(state: PairState) -> Iterator[Forgery]:
    for name in ("distance", "lower"):
        yield f"{name} not a number", state.replace(**{name: NAN})
        yield f"{name} infinite", state.replace(**{name: INFINITE})
    yield "distance a word", state.replace(distance="near")
    yield "normal of nothing", state.replace(normal=np.zeros(3))
    yield "normal missing", state.replace(normal=None)
    yield "point in a plane", state.replace(point_a=(0.0, 0.0))
    yield "no parts", state.replace(parts_a=())
    yield "no feature", state.replace(feature_b=None)
    yield "a feature by number", state.replace(feature_a=0, parts_a=(0,))

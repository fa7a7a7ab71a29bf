"""False states, made of true ones field by field: what a checker must not prove.

Every change is larger than what an answer may be off (1e-9 of the distance, 1e-12 of
the size), and none makes another true statement: points are not moved within a patch,
bounds not widened.  Nor is what several statements are true of:

* The size of a search is the reach of the supports that prove it; of several that are
  as near any proves it.  Of other proofs it is that of the parts, whoever else has it.
* A face that misses the other one sideways by the tolerance may be named, as it is
  level, or its edge, which is nearest: by 0.4 to 3 of the tolerance rounding decides.
* A side of several edges on one line is named by any of them.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import PairState
from wingedge import Feature, WingedEdgeMesh, neighbours
from wingedge.primitives import point_triangle

Array = NDArray[np.float64]
Forgery = tuple[str, PairState]

EPS = float(np.finfo(float).eps)
NAN, INFINITE = float("nan"), float("inf")


def forgeries(state: PairState) -> Iterator[Forgery]:
    """Yield false states, each with the name of what was changed."""
    yield from _numbers(state)
    yield from _coherent(state)
    yield from _points(state)
    yield from _normals(state)
    if state.a.volume_sign() and state.b.volume_sign():  # flat ones may leave parts out
        yield from _features(state)
        yield from _patches(state)
    yield from _words(state)
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
    counted = _counted(state)
    for factor in (1.0 + 1e-6, 2.0, 0.5, 1e12):
        size = factor * state.size
        if np.abs(counted - size).min() > 1e-9 * size:
            yield f"size times {factor:g}", state.replace(size=size)
    yield "normal too long", state.replace(normal=n * (1.0 + 1e-6))
    yield "certified", state.replace(certified=not state.certified)


def _counted(state: PairState) -> Array:
    """List coordinates that may be the size, from the one origin or the other.

    Those of the parts; of a search also those of all that stands as high, or higher:
    the size is that of the supports that prove the answer, and of several as near any.
    """
    apart = state.b.transform[:, 3] - state.a.transform[:, 3]
    found = [np.stack([apart, apart])]
    for x, ring, way in zip(_placed(state), _rings(state), (1.0, -1.0), strict=True):
        counted = np.concatenate(ring)
        if state.proof not in ("ring", "epa"):
            high, least = (way * (y @ state.normal) for y in (x, counted))
            counted = x[high >= least.min() - 1e-6 * state.size]
        found += [counted, counted - apart]
    return np.abs(np.concatenate(found))


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
        "regime": _regime(state, d),
    }
    if "contacts" not in fields and state.regime == told["regime"] != "separated":
        told["contacts"] = tuple(
            c._replace(normal=n, distance=d, point_b=c.point_a + d * n)
            for c in state.contacts
        )
    return state.replace(**{**told, **fields})


def _regime(state: PairState, d: float) -> str:
    if d < 0.0:
        return "penetrating"
    return "contact" if state.regime == "penetrating" or d == 0.0 else state.regime


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
        yield "two vertices", _between(state, first[i], int(i), second[j], int(j))


def _between(state: PairState, p: Array, i: int, q: Array, j: int) -> PairState:
    """Tell two vertices as the closest features, by a search of both surfaces."""
    d = float(np.linalg.norm(q - p))
    far = d > (1.0 + 1e-6) * max(state.distance, 1e-9 * state.size)
    n = (q - p) / d if d > 0.0 else state.normal
    v, w = Feature("vertex", i), Feature("vertex", j)
    told = {"feature_a": v, "parts_a": (v,), "feature_b": w, "parts_b": (w,)}
    moved = state.replace(point_a=p)
    return _moved(
        moved,
        d,
        n,
        **told,
        kind="VV" if far else "none",  # by chance these are the closest
        patch=np.zeros((0, 3)),
        contacts=(),
        unique=True,
        regime="separated",
        proof="search",
    )


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
        crossing = d < 0.0 and not len(state.patch)
        lines = ("VV", "VE", "EV") if crossing else ("VV", "VE", "EV", "EE")
        if state.kind in lines and abs(d) < least:
            continue  # it may part them as well
        if abs(d) > 1e-6 * state.size:
            yield f"normal turned by {angle:g} alone", state.replace(normal=turned)
        gap = state.replace(lower=state.lower, upper=state.upper)
        yield f"normal turned by {angle:g}", _moved(gap, d, turned)


def _features(state: PairState) -> Iterator[Forgery]:
    missed = "F" in state.kind and _may_miss(state)
    for side in "ab":
        feature = getattr(state, f"feature_{side}")
        parts = getattr(state, f"parts_{side}")
        mesh = getattr(state, f"mesh_{side}")
        letter = "VEF".index(feature.letter)
        ring = [
            f
            for f in neighbours(mesh, feature)
            if f not in parts
            and not ("VEF".index(f.letter) > letter and _is_level(state, side, f))
            and not ("VEF".index(f.letter) < letter and missed)
        ]
        for other in ring[:2] + ring[-1:]:
            told = _named(state, side, (other,))
            yield (
                f"feature {side.upper()} alone",
                state.replace(**{f"feature_{side}": other}),
            )
            yield f"feature {side.upper()} for its neighbour", state.replace(**told)
        same = [f for f in ring if f.kind == feature.kind]
        if same:
            told = _named(state, side, tuple(sorted((*parts, same[0]))))
            yield f"one part of {side.upper()} more", state.replace(**told)
        if len(parts) > 1:
            for name, fewer in (("first", parts[1:]), ("last", parts[:-1])):
                told = _named(state, side, fewer)
                yield f"{name} part of {side.upper()} dropped", state.replace(**told)
            back = {f"parts_{side}": parts[::-1]}
            yield f"parts of {side.upper()} turned round", state.replace(**back)
        twice = {f"parts_{side}": (*parts, parts[-1])}
        yield f"a part of {side.upper()} twice", state.replace(**twice)
        gone = _named(state, side, (Feature("face", mesh.n_faces),))
        yield f"a face of {side.upper()} that is none", state.replace(**gone)
    yield "kind", state.replace(kind="VV" if state.kind != "VV" else "FF")


def _is_level(state: PairState, side: str, feature: Feature) -> bool:
    x, mesh = _placed(state)[side == "b"], getattr(state, f"mesh_{side}")
    ids = _ring(mesh, feature)
    wide = 3e-12 * state.size
    if "F" not in state.kind and state.distance > 0.0:  # so well a normal is known
        wide += 16.0 * EPS * state.size * (state.size / state.distance)
    return float(np.ptp(x[ids] @ state.normal)) <= wide


def _named(
    state: PairState, side: str, parts: tuple[Feature, ...]
) -> dict[str, object]:
    """Return the fields that name a part, the kind and the contacts among them."""
    letter = parts[0].letter
    kind = letter + state.kind[1] if side == "a" else state.kind[0] + letter
    told: dict[str, object] = {
        f"feature_{side}": parts[0],
        f"parts_{side}": parts,
        "kind": kind,
    }
    if len(state.contacts) == 1:
        only = state.contacts[0]._replace(kind=kind)
        if side == "a":
            told["contacts"] = (only._replace(feature_a=parts[0]),)
        else:
            told["contacts"] = (only._replace(feature_b=parts[0]),)
    return told


def _patches(state: PairState) -> Iterator[Forgery]:
    """Change the patch and the contacts, and whether there is one."""
    patch, contacts = state.patch, state.contacts
    if not _may_tie(state) and not _may_be_parallel(state):
        yield "unique", state.replace(unique=not state.unique)
    if contacts:
        yield "contacts dropped", state.replace(contacts=())
        yield "contacts doubled", state.replace(contacts=contacts + contacts)
        first, *rest = contacts
        other = "VF" if first.kind != "VF" else "EE"
        for name, changed in (
            ("elsewhere", _shifted(first, state.size * state.normal)),
            ("deeper", first._replace(distance=state.distance - 0.1 * state.size)),
            ("of another kind", first._replace(kind=other)),
        ):
            yield f"contact {name}", state.replace(contacts=(changed, *rest))
        yield from _renamed(state)
    else:
        made = PairState(state.numbers, "contact", 0, state.a, state.b).contacts
        yield "contacts of a pair apart", state.replace(contacts=made)
    if not len(patch):
        there = np.array([state.point_a, state.point_a])
        yield "a patch of one point", state.replace(patch=there)
        return
    middle = patch.mean(axis=0)
    wide = float(np.abs(patch - middle).max())
    far = float(np.abs(state.a.transform[:, 3]).max())
    if wide <= 1e-4 * state.size + 1e-8 * far:
        return
    for k, name in ((0, "first"), (len(patch) - 1, "last")):
        for off in (1e-3, 0.5, -0.5):
            new = patch.copy()
            new[k] += off * (patch[k] - middle)
            if (
                off < 0.0
                or _off_parts(state, new[k]) > 3e-12 * state.size + 1e-14 * far
            ):
                yield f"{name} corner moved by {off:g}", _patched(state, new)
        kept = [i for i in range(len(patch)) if i != k]
        beside = np.abs(patch[kept] - patch[k]).max(axis=1).min()
        if beside > 1e-6 * state.size + 1e-11 * far:  # else the corner was one too many
            yield f"{name} corner dropped", _patched(state, patch[kept], kept)
    lifted = patch + 1e-3 * wide * state.normal
    yield "patch lifted", _patched(state, lifted)
    turns = np.cross(patch - middle, np.roll(patch, -1, axis=0) - middle)
    if float(np.abs(turns.sum(axis=0)).max()) > 1e-6 * wide * state.size:
        kept = list(range(len(patch)))[::-1]
        yield "patch run backwards", _patched(state, patch[::-1], kept)
    kept = [*range(len(patch)), 0]
    inner = np.append(patch, [middle], axis=0)
    yield "a corner inside the patch", _patched(state, inner, kept)


def _renamed(state: PairState) -> Iterator[Forgery]:
    """Name what is beside the features of the first contact, and does not hold it.

    A corner is a vertex in a face or a crossing of two edges, whose side may go on.
    """
    first = state.contacts[0]
    for side, x in zip("ab", _placed(state), strict=True):
        mesh, name = getattr(state, f"mesh_{side}"), f"feature_{side}"
        at = getattr(first, f"point_{side}") - state.a.transform[:, 3]
        for other in neighbours(mesh, getattr(first, name))[:3]:
            new = first._replace(**{name: other})
            new = new._replace(kind=new.feature_a.letter + new.feature_b.letter)
            ends = x[_ring(mesh, other)[:2]] - at
            off = float(np.linalg.norm(np.cross(ends[0], ends[-1])))
            long = float(np.linalg.norm(ends[0] - ends[-1]))
            off = off / long if long > 0.0 else float(np.linalg.norm(ends[0]))
            fits = new.kind in ("VF", "FV", "EE") and off <= 1e-5 * state.size
            if not fits and other != getattr(state, name):
                told = (new, *state.contacts[1:])
                yield (
                    f"contact on {other.kind} of {side.upper()}",
                    state.replace(contacts=told),
                )


def _may_be_parallel(state: PairState) -> bool:
    """Say whether a patch of two edges, or none, is a matter of the tolerance."""
    if state.kind != "EE":
        return False
    (x, y), i, j = _placed(state), state.feature_a.index, state.feature_b.index
    lines = x[state.mesh_a.edge_vertices[i]], y[state.mesh_b.edge_vertices[j]]
    off = [0.0]
    for (p, q), ends in (lines, lines[::-1]):
        way = np.cross(q - p, state.normal)
        off += list(np.abs((ends - p) @ way) / (np.linalg.norm(way) or 1.0))
    return any(4e-13 < high / state.size < 3e-12 for high in off)


def _may_miss(state: PairState) -> bool:
    """Say whether the parts lie beside each other, by about the tolerance."""
    rings = _rings(state)
    ways = [
        np.cross(r - np.roll(r, 1, axis=0), state.normal)
        for side in rings
        for r in side
    ]
    way = np.concatenate(ways)
    long = np.linalg.norm(way, axis=1)[:, None]
    way = (way / np.where(long > 0.0, long, 1.0))[long[:, 0] > 0.0]
    way = np.concatenate([way, -way]).T
    x, y = map(np.concatenate, rings)
    gaps = (y @ way).min(axis=0) - (x @ way).max(axis=0)
    return bool(4e-13 < gaps.max(initial=0.0) / state.size < 3e-12)


def _off_parts(state: PairState, p: Array) -> float:
    """Return how far a point of a patch is off what it should lie on, of both sides."""
    p = p - state.a.transform[:, 3]
    off = []
    for at, side in zip(
        (p, p + state.distance * state.normal), _rings(state), strict=True
    ):
        fans = [
            (r[0], r[k - 1], r[k])
            for r in side
            for k in range(min(2, len(r) - 1), len(r))
        ]
        corners = np.array(fans).swapaxes(0, 1)
        off.append(float(point_triangle.closest(at, *corners).distance_sq.min()) ** 0.5)
    return max(off)


def _rings(state: PairState) -> list[list[Array]]:
    x, y = _placed(state)
    sides = (x, state.mesh_a, state.parts_a), (y, state.mesh_b, state.parts_b)
    return [[x[_ring(mesh, part)] for part in parts] for x, mesh, parts in sides]


def _ring(mesh: WingedEdgeMesh, feature: Feature) -> list[int]:
    if feature.kind == "face":
        return [int(v) for v in mesh.face_vertices(feature.index)]
    return _ends(mesh, feature)


def _placed(state: PairState) -> tuple[Array, Array]:
    x, y = (p.positions @ p.transform[:, :3].T for p in (state.a, state.b))
    return x, y + (state.b.transform[:, 3] - state.a.transform[:, 3])


def _may_tie(state: PairState) -> bool:
    """Say whether two axes of overlap are as shallow but for rounding, not exactly."""
    if state.distance > 0.0 and state.proof != "epa":
        return False
    (x, y), meshes = _placed(state), (state.mesh_a, state.mesh_b)
    both = list(zip((x, y), meshes, strict=True))
    d, e = (np.diff(p[mesh.edge_vertices], axis=1)[:, 0] for p, mesh in both)
    sides = [np.diff(p[mesh.fan.vertex], axis=1) for p, mesh in both]
    ways = [np.cross(side[:, 0], side[:, 1]) for side in sides]
    ways = np.concatenate([*ways, np.cross(d[:, None], e).reshape(-1, 3)])
    long = np.linalg.norm(ways, axis=1)[:, None]
    ways = (ways / np.where(long > 0.0, long, 1.0))[long[:, 0] > 1e-12 * long.max()]
    ways = np.concatenate([ways, -ways])
    ways = ways[ways @ state.normal < 1.0 - 1e-12]
    least = np.inf
    for block in np.array_split(ways, 1 + len(ways) // 4096):
        gaps = (y @ block.T).min(axis=0) - (x @ block.T).max(axis=0)
        least = min(least, np.abs(gaps - state.distance).min(initial=np.inf))
    off = least / (EPS * state.size)
    return bool(off < 128.0 and (state.unique or off > 0.0))


def _shifted(contact: Any, by: Array) -> Any:
    return contact._replace(point_a=contact.point_a + by, point_b=contact.point_b + by)


def _patched(
    state: PairState, patch: Array, kept: list[int] | None = None
) -> PairState:
    contacts = state.contacts
    if len(contacts) != len(state.patch):
        return state.replace(patch=patch)  # separated, or the deepest vertex alone
    old = [contacts[k] for k in (range(len(contacts)) if kept is None else kept)]
    step = state.distance * state.normal
    new = tuple(
        c._replace(point_a=p, point_b=p + step) for c, p in zip(old, patch, strict=True)
    )
    return state.replace(patch=patch, contacts=new)


def _words(state: PairState) -> Iterator[Forgery]:
    if state.certified:
        yield "no proof", state.replace(proof="none")
    yield "proof by word", state.replace(proof="trust me")
    d, size = state.distance, state.size
    if d < -1e-9 * size:
        yield "a ring for a depth", state.replace(proof="ring")
        yield "a scan for a depth", state.replace(proof="scan")
        yield "a deep contact", state.replace(regime="contact")
    elif d >= 0.0:
        yield "penetrating apart", state.replace(regime="penetrating")
    if d > 1e-3 * size:
        yield "a polytope apart", state.replace(proof="epa")
    if d <= 0.0:
        yield "apart at once", state.replace(regime="separated")
    yield "no regime", state.replace(regime="nearby")
    yield "the bodies exchanged", state.replace(a=state.b, b=state.a)


def _garbage(state: PairState) -> Iterator[Forgery]:
    for name in ("distance", "lower", "size"):
        yield f"{name} not a number", state.replace(**{name: NAN})
        yield f"{name} infinite", state.replace(**{name: INFINITE})
    yield "distance a word", state.replace(distance="near")
    yield "normal of nothing", state.replace(normal=np.zeros(3))
    yield "normal missing", state.replace(normal=None)
    yield "point in a plane", state.replace(point_a=(0.0, 0.0))
    yield "no parts", state.replace(parts_a=())
    yield "no feature", state.replace(feature_b=None)
    yield "a feature by number", state.replace(feature_a=0, parts_a=(0,))
    yield "no contacts", state.replace(contacts=None)
    yield "a patch of words", state.replace(patch="here")
    yield "unique perhaps", state.replace(unique=None)

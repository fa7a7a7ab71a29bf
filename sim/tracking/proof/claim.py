"""What an answer claims, read without trust, and the bodies that it is held against."""

from math import frexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.answer import Contact
from sim.result.state import PairState
from sim.tracking.proof.solid import Solid
from sim.tracking.proof.verdict import FalseAnswer, refuse
from wingedge import Feature

Array = NDArray[np.float64]

REGIMES = ("separated", "contact", "penetrating")
PROOFS = ("ring", "scan", "search", "epa", "none")
UNIT = 1e-12  # how far a unit normal may be off its length
NEAR = 1e-5  # per unit of size: so far apart, no polytope is asked
DEEP = 1e-9  # per unit of size: a pair this deep is penetrating


class Corner(NamedTuple):
    """One of the contacts that an answer lists."""

    features: tuple[Feature, Feature]
    points: Array  # (2, 3)


class Claim(NamedTuple):
    """What an answer claims of the present positions, as plain values."""

    distance: float
    lower: float
    upper: float  # infinite where nothing is proven
    size: float
    normal: Array
    points: Array  # (2, 3)
    parts: tuple[tuple[Feature, ...], tuple[Feature, ...]]
    kind: str
    patch: Array  # (k, 3)
    corners: tuple[Corner, ...]
    unique: bool
    certified: bool
    proof: str
    regime: str

    def moved(self, origin: Array, unit: float) -> "Claim":
        """Return the same relative to an origin, in another unit of length."""
        return self._replace(
            distance=self.distance * unit,
            lower=self.lower * unit,
            upper=self.upper * unit,
            size=self.size * unit,
            points=(self.points - origin) * unit,
            patch=(self.patch - origin) * unit,
            corners=tuple(
                c._replace(points=(c.points - origin) * unit) for c in self.corners
            ),
        )


def read(state: PairState, a: Body, b: Body) -> Claim:
    """Read all that an answer says of its bodies.

    Raises ``FalseAnswer`` if a field is no value of its kind, or contradicts another.
    """
    try:
        claim = Claim(
            float(state.distance),
            float(state.lower),
            float(state.upper),
            float(state.size),
            _vectors([state.normal])[0],
            _vectors([state.point_a, state.point_b]),
            (
                _parts("a", state.feature_a, state.parts_a, a),
                _parts("b", state.feature_b, state.parts_b, b),
            ),
            str(state.kind),
            _vectors(state.patch),
            tuple(_corner(contact, a, b) for contact in state.contacts),
            state.unique,
            state.certified,
            state.proof,
            state.regime,
        )
        refuse(*_contradictions(claim, float(state.depth)))
        for k, (corner, contact) in enumerate(
            zip(claim.corners, state.contacts, strict=True)
        ):
            same = np.array_equal(contact.normal, claim.normal)
            same = same and contact.distance == claim.distance
            kind = "".join(f.letter for f in corner.features)
            refuse(
                (not same, f"contact {k} has another normal or distance"),
                (
                    contact.kind != kind,
                    f"the features of contact {k} are no {contact.kind}",
                ),
            )
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise FalseAnswer(f"a field is no value of its kind: {error}") from None
    return claim


def _contradictions(claim: Claim, depth: float) -> list[tuple[bool, str]]:
    """List what bounds, regime, patch and contacts may not say beside each other."""
    d, lower, upper, size = claim[:4]
    length = float(np.linalg.norm(claim.normal))
    certified = upper - lower <= 1e-9 * abs(d) + 1e-14 * size
    # A touch may lie below zero by rounding.
    deep, shallow = d < -DEEP * size, claim.certified and upper >= 0.0
    proof, regime, count = claim.proof, claim.regime, len(claim.corners)
    wrong = (regime == "penetrating") != deep and (deep or d >= 0.0)
    corners = [corner.points[0] for corner in claim.corners]
    # The deepest vertex alone may be the contact: how deep is checked elsewhere.
    free = not count or (d < 0.0 and count == 1) or not len(claim.patch)
    letters = "".join(parts[0].letter for parts in claim.parts)
    return [
        (not np.isfinite([d, lower, size]).all(), "a length is not finite"),
        (not abs(length - 1.0) <= UNIT, f"the normal has length {length}"),
        (not size >= 0.0, f"the size {size} is no length"),
        (not lower <= upper, f"the bounds {lower} and {upper} are crossed"),
        (not lower <= d <= upper, f"the distance {d} lies outside its own bounds"),
        (depth != max(0.0, -d), f"the depth is {depth}, the distance {d}"),
        (claim.kind != letters, f"the features are no {claim.kind}"),
        (proof not in PROOFS, f"{proof!r} is no proof"),
        (regime not in REGIMES, f"{regime!r} is no regime"),
        (
            not all(isinstance(x, bool | np.bool_) for x in claim[10:12]),
            "unique or certified is neither True nor False",
        ),
        (
            claim.certified != certified,
            f"the bounds {lower} and {upper} say otherwise of certified",
        ),
        (claim.certified and proof == "none", "certified, with no proof"),
        (
            d < 0.0 and not shallow and proof in ("ring", "scan"),
            f"a {proof} proves no depth",
        ),
        (
            d > NEAR * size and proof == "epa",
            "a polytope proves no distance of bodies that are apart",
        ),
        (
            wrong or (d <= 0.0 and regime == "separated"),
            f"at a distance of {d} a pair is not {regime}",
        ),
        (
            claim.unique and len(claim.patch) > 0,
            "a patch, though the closest points are unique",
        ),
        (
            (regime == "separated") == bool(count),
            f"{count} contacts of a pair {regime}",
        ),
        (not len(claim.patch) and count > 1, f"{count} contacts, and no patch"),
        (
            not (free or np.array_equal(claim.patch, corners)),
            "the contacts are not the corners of the patch",
        ),
    ]


def _corner(contact: Contact, a: Body, b: Body) -> Corner:
    features = _feature(contact.feature_a, a), _feature(contact.feature_b, b)
    return Corner(features, _vectors([contact.point_a, contact.point_b]))


def _parts(
    side: str, feature: object, parts: object, body: Body
) -> tuple[Feature, ...]:
    """Read the parts of one side: of one kind, each once, ascending, lids last."""
    found = tuple(_feature(part, body) for part in parts)  # type: ignore[attr-defined]
    numbers = [part.index for part in found if part.kind != "lid"]
    first = [part.index for part in found[: len(numbers)]]
    refuse(
        (not found, f"parts_{side} lists nothing"),
        ((feature,) != found[:1], f"feature_{side} is not the first of parts_{side}"),
        (
            len({part.letter for part in found}) > 1 or len(set(found)) < len(found),
            f"parts_{side} are of several kinds, or not each once",
        ),
        (
            numbers != sorted(numbers) or first != numbers,
            f"parts_{side} are not in order",
        ),
        (
            len(found) > 1 and found[0].letter == "V",
            f"parts_{side} has more than one vertex",
        ),
    )
    return found


def _feature(value: object, body: Body) -> Feature:
    """Read a feature that the mesh of a body has; a lid, if it stands for its hull."""
    if not isinstance(value, Feature):
        raise FalseAnswer(f"{value!r} is no feature")
    mesh = body.mesh
    counts = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    ids: tuple[object, ...] = (value.index,)
    count = counts.get(value.kind, 0)
    if value.kind == "lid" and body.convexity == "hull":
        ids, count = value.vertices, mesh.n_vertices
    whole = all(isinstance(v, int | np.integer) and 0 <= v < count for v in ids)
    if not whole or len(set(ids)) < len(ids) or (value.kind == "lid" and len(ids) < 2):
        raise FalseAnswer(f"body '{body.name}' has no {value!r}")
    return value


def _vectors(value: object) -> Array:
    array = np.array(value, np.float64)
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise FalseAnswer(f"{value!r} is no point, or not finite")
    return array


SLACK = 1e-14  # per unit of scale: this checker's own rounding, and the answer's
RELATIVE = 1e-9  # of the distance: what a certified answer may be off
EPS = float(np.finfo(float).eps)


class Case(NamedTuple):
    """An answer and what it is held against, relative to the origin of A."""

    claim: Claim
    a: Solid
    b: Solid
    scale: float  # the largest coordinate that counts
    fine: float  # what rounding may move a height by, beside the bodies
    slack: float  # and a point, where it was placed in the world
    tolerance: float  # within it heights are one level
    level: float  # the same, with what rounding may add, beside the bodies
    drop: float  # and where points were placed in the world
    hulls: bool  # it is an overlap of hulls, whose bodies are not convex


def placed(claim: Claim, a: Body, b: Body, parallel_tolerance: float) -> Case:
    """Bring both bodies near to the origin, and all coordinates near to one."""
    origin = a.transform[:, 3].copy()
    far = [Solid(body, origin, 1.0).reach for body in (a, b)]
    if not np.isfinite(far).all():
        raise FalseAnswer("a body is no longer anywhere: a coordinate is not finite")
    unit = 2.0 ** -frexp(max(far))[1]
    claim = claim.moved(origin, unit)
    one, other = Solid(a, origin, unit), Solid(b, origin, unit)
    scale = max(map(np.max, _size(claim, one, other, np.zeros(3), supports=True)))
    # The points were rounded once more when they were moved to the world.
    fine = SLACK * scale
    slack = fine + 4.0 * EPS * unit * float(np.abs(origin).max())
    tolerance = parallel_tolerance * claim.size
    level, drop = (tolerance + 4.0 * off for off in (fine, slack))
    solid = one.sense != 0.0 and other.sense != 0.0
    hulls = claim.distance < 0.0 and claim.proof != "none"
    hulls = hulls and not (solid and one.convex and other.convex)
    return Case(claim, one, other, scale, fine, slack, tolerance, level, drop, hulls)


def _size(
    claim: Claim, a: Solid, b: Solid, origin: Array, *, supports: bool
) -> list[Array]:
    """Return the largest coordinates that count, relative to an origin.

    Those of the vertices of the closest parts, each, and of the origins of the bodies;
    with those that stand as high along the normal, or highest.
    """
    found = []
    if claim.proof != "none":  # the paper's search knows no origins
        found.append(np.abs(b.origin - a.origin).max(keepdims=True))
    for solid, parts, way in (
        (a, claim.parts[0], claim.normal),
        (b, claim.parts[1], -claim.normal),
    ):
        ids = np.concatenate([solid.vertices_of(part) for part in parts])
        if supports:
            high = solid.x @ way
            level = np.abs(high - high[ids[0]]) <= RELATIVE
            ids = np.flatnonzero(level | (high >= high.max() - RELATIVE))
        found.append(np.abs(solid.x[ids] - origin).max(axis=1))
    return found


def check_size(case: Case) -> None:
    """Recompute the size: relative to the first body, whichever that was.

    All vertices of the parts count.  A search counts what is level elsewhere, too; of
    a polygon off its plane, and where hulls overlap, it measures some of them alone.
    """
    claim, a, b = case.claim, case.a, case.b
    searched = claim.proof == "search"
    searched |= claim.proof == "scan" and not (a.convex and b.convex)
    parts = zip((a, b), claim.parts, strict=True)
    rough = [searched and len(p) == 1 < len(one.fan_of(p[0])) for one, p in parts]
    for origin in (a.origin, b.origin):
        *least, own_a, own_b = _size(claim, a, b, origin, supports=case.hulls)
        for own, some in zip((own_a, own_b), rough, strict=True):
            least.append(own.min() if some or case.hulls else own.max())
        low = float(max(map(np.max, least)))
        groups = _size(claim, a, b, origin, supports=True) if searched else []
        counted = np.concatenate([[low], *groups])
        counted = counted[counted >= low]
        if np.abs(counted - claim.size).min() <= 1e-12 * claim.size:
            return
    raise FalseAnswer(f"the size is {claim.size / low:g} times that of what counts")

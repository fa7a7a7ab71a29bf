"""What an answer claims, read without trust, and the bodies that it is held against."""

from math import frexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.state import PairState
from sim.tracking.proof.solid import Solid
from sim.tracking.proof.verdict import FalseAnswer, refuse
from wingedge.features import Feature

Array = NDArray[np.float64]

UNIT = 1e-12  # how far a unit normal may be off its length


class Claim(NamedTuple):
    """What an answer claims of the present positions, as plain values."""

    distance: float
    lower: float
    upper: float  # infinite where nothing is proven
    normal: Array
    points: Array  # (2, 3)
    parts: tuple[tuple[Feature, ...], tuple[Feature, ...]]

    @property
    def kind(self) -> str:
        """The letters of the parts, A's first."""
        return "".join(parts[0].letter for parts in self.parts)


def read(state: PairState, a: Body, b: Body) -> Claim:
    """Read what an answer says of its bodies, as far as it is judged.

    Raises ``FalseAnswer`` if a field is no value of its kind, or contradicts another.
    """
    try:
        vectors = np.array([state.normal, state.point_a, state.point_b], np.float64)
        if vectors.shape != (3, 3) or not np.isfinite(vectors).all():
            raise FalseAnswer("a point or the normal is none, or not finite")
        claim = Claim(
            float(state.distance),
            float(state.lower),
            float(state.upper),
            vectors[0],
            vectors[1:],
            (
                _parts("a", state.feature_a, state.parts_a, a),
                _parts("b", state.feature_b, state.parts_b, b),
            ),
        )
        depth = float(state.depth)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise FalseAnswer(f"a field is no value of its kind: {error}") from None
    d, lower, upper = claim[:3]
    length = float(np.linalg.norm(claim.normal))
    refuse(
        (not np.isfinite([d, lower]).all(), "a length is not finite"),
        (not abs(length - 1.0) <= UNIT, f"the normal has length {length}"),
        (not lower <= upper, f"the bounds {lower} and {upper} are crossed"),
        (not lower <= d <= upper, f"the distance {d} lies outside its own bounds"),
        (depth != max(0.0, -d), f"the depth is {depth}, the distance {d}"),
    )
    return claim


def _parts(
    side: str, feature: object, parts: object, body: Body
) -> tuple[Feature, ...]:
    """Read the parts of one side, all of one kind."""
    found = tuple(_feature(part, body) for part in parts)  # type: ignore[attr-defined]
    kinds = {part.letter for part in found}
    refuse(
        (not found, f"parts_{side} lists nothing"),
        ((feature,) != found[:1], f"feature_{side} is not the first of parts_{side}"),
        (len(kinds) > 1, f"parts_{side} are of several kinds"),
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


SLACK = 1e-14  # per unit of scale: this checker's own rounding, and the answer's
LEANS = 64.0  # times as far off as over the patch may a part be beside it
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
    level: float  # within it heights are one level, beside the bodies
    drop: float  # and where points were placed in the world
    hulls: bool  # it is an overlap of hulls, whose bodies are not convex

    def gap(self) -> float:
        """Return how far apart the bodies are along the normal."""
        n = self.claim.normal
        return float((self.b.x @ n).min() - (self.a.x @ n).max())


def placed(claim: Claim, a: Body, b: Body, within: tuple[float, float]) -> Case:
    """Bring both bodies near to the origin, and all coordinates near to one.

    Parameters: ``within``: what heights are level, per unit of size, and as a length.
    """
    origin = a.transform[:, 3].copy()
    solids = [Solid(body, origin, 1.0) for body in (a, b)]
    far = [float(np.abs([*solid.x, solid.origin]).max()) for solid in solids]
    if not np.isfinite(far).all():
        raise FalseAnswer("a body is no longer anywhere: a coordinate is not finite")
    unit = 2.0 ** -frexp(max(far))[1]
    d, lower, upper = (x * unit for x in claim[:3])
    points = (claim.points - origin) * unit
    claim = claim._replace(distance=d, lower=lower, upper=upper, points=points)
    one, other = Solid(a, origin, unit), Solid(b, origin, unit)
    scale = _scale(claim, one, other)
    # The points were rounded once more when they were moved to the world.
    fine = SLACK * scale
    slack = fine + 4.0 * EPS * unit * float(np.abs(origin).max())
    level, drop = (within[0] * scale + 4.0 * off for off in (fine, slack))
    level, drop = level + LEANS * within[1] * unit, drop + within[1] * unit
    hulls = claim.distance < 0.0 and not all(
        solid.sense != 0.0 and solid.convex for solid in (one, other)
    )
    return Case(claim, one, other, scale, fine, slack, level, drop, hulls)


def _scale(claim: Claim, a: Solid, b: Solid) -> float:
    """Return the largest coordinate of the parts, what is as high, and origins."""
    most = float(np.abs(b.origin - a.origin).max())
    for solid, parts, way in (
        (a, claim.parts[0], claim.normal),
        (b, claim.parts[1], -claim.normal),
    ):
        ids = np.concatenate([solid.vertices_of(part) for part in parts])
        high = solid.x @ way
        counted = np.abs(high - high[ids[0]]) <= RELATIVE
        counted |= high >= high.max() - RELATIVE
        counted[ids] = True
        most = max(most, float(np.abs(solid.x[counted]).max()))
    return most

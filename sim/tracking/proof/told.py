"""What an answer says, read without trust: its fields, and how they fit together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.result.state import PairState
from sim.tracking.proof.verdict import FalseAnswer
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


class Told(NamedTuple):
    """What an answer says of the present positions, as plain values."""

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

    def moved(self, origin: Array, unit: float) -> "Told":
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


def read(state: PairState, a: Body, b: Body) -> Told:
    """Read all that an answer says of its bodies.

    Raises
    ------
    FalseAnswer
        If a field is no value of its kind, or contradicts another one.
    """
    told = Told(
        _number("distance", state.distance),
        _number("lower", state.lower),
        _number("upper", state.upper, finite=False),
        _number("size", state.size),
        _vectors("normal", [state.normal])[0],
        _vectors("a closest point", [state.point_a, state.point_b]),
        (
            _parts("a", state.feature_a, state.parts_a, a),
            _parts("b", state.feature_b, state.parts_b, b),
        ),
        _choice("kind", state.kind, [p + q for p in "VEF" for q in "VEF"]),
        _vectors("patch", state.patch),
        _corners(state.contacts, a, b),
        _flag("unique", state.unique),
        _flag("certified", state.certified),
        _choice("proof", state.proof, PROOFS),
        _choice("regime", state.regime, REGIMES),
    )
    depth = _number("depth", state.depth)
    if depth != max(0.0, -told.distance):
        raise FalseAnswer(f"the depth is {depth}, the distance {told.distance}")
    _check_bounds(told)
    _check_regime(told)
    if told.kind != "".join(parts[0].letter for parts in told.parts):
        raise FalseAnswer(f"the features are no {told.kind}")
    _check_contacts(told, state)
    return told


def _check_bounds(told: Told) -> None:
    """Hold the bounds against each other, the distance and what they certify."""
    d, lower, upper = told.distance, told.lower, told.upper
    length = float(np.linalg.norm(told.normal))
    if abs(length - 1.0) > UNIT:
        raise FalseAnswer(f"the normal has length {length}")
    if not told.size >= 0.0:
        raise FalseAnswer(f"the size {told.size} is no length")
    if not lower <= upper:
        raise FalseAnswer(f"the bounds {lower} and {upper} are crossed")
    if not lower <= d <= upper:
        raise FalseAnswer(f"the distance {d} lies outside its own bounds")
    if told.certified != (upper - lower <= 1e-9 * abs(d) + 1e-14 * told.size):
        raise FalseAnswer(f"the bounds {lower} and {upper} say otherwise of certified")
    if told.certified and told.proof == "none":
        raise FalseAnswer("certified, with no proof")
    touch = told.certified and upper >= 0.0  # it may lie below zero by rounding
    if d < 0.0 and not touch and told.proof in ("ring", "scan"):
        raise FalseAnswer(f"a {told.proof} proves no depth")
    if d > NEAR * told.size and told.proof == "epa":
        raise FalseAnswer("a polytope proves no distance of bodies that are apart")


def _check_regime(told: Told) -> None:
    """Hold the regime against the distance: what no history can lead to."""
    d, regime = told.distance, told.regime
    deep = d < -DEEP * told.size
    wrong = (deep and regime != "penetrating") or (d >= 0.0 and regime == "penetrating")
    if wrong or (d <= 0.0 and regime == "separated"):
        raise FalseAnswer(f"at a distance of {d} a pair is not {regime}")


def _check_contacts(told: Told, state: PairState) -> None:
    """Hold the contacts against regime, patch, distance and normal."""
    if told.unique and len(told.patch):
        raise FalseAnswer("a patch, though the closest points are unique")
    if (told.regime == "separated") == bool(told.corners):
        raise FalseAnswer(f"{len(told.corners)} contacts of a pair {told.regime}")
    if not len(told.patch) and len(told.corners) > 1:
        raise FalseAnswer(f"{len(told.corners)} contacts, and no patch")
    for k, contact in enumerate(state.contacts):
        same = np.array_equal(contact.normal, told.normal)
        if not same or contact.distance != told.distance:
            raise FalseAnswer(f"contact {k} has another normal or distance")
        corner = told.corners[k]
        if contact.kind != "".join(f.letter for f in corner.features):
            raise FalseAnswer(f"the features of contact {k} are no {contact.kind}")
    if len(told.patch) and told.corners:
        same = len(told.patch) == len(told.corners) and all(
            np.array_equal(p, c.points[0])
            for p, c in zip(told.patch, told.corners, strict=True)
        )
        # The deepest vertex alone may be the contact: how deep is checked elsewhere.
        if not same and (told.distance >= 0.0 or len(told.corners) > 1):
            raise FalseAnswer("the contacts are not the corners of the patch")


def _corners(contacts: object, a: Body, b: Body) -> tuple[Corner, ...]:
    if not isinstance(contacts, tuple):
        raise FalseAnswer("the contacts are no tuple")
    found = []
    for contact in contacts:
        try:
            features = contact.feature_a, contact.feature_b
            points = contact.point_a, contact.point_b
            _ = contact.kind, contact.normal, contact.distance
        except AttributeError:
            raise FalseAnswer(f"{contact!r} is no contact") from None
        found.append(
            Corner(
                (_feature(features[0], a), _feature(features[1], b)),
                _vectors("contact", points),
            )
        )
    return tuple(found)


def _parts(
    side: str, feature: object, parts: object, body: Body
) -> tuple[Feature, ...]:
    """Read the parts of one side: of one kind, each once, ascending, lids last."""
    if not isinstance(parts, tuple) or not parts:
        raise FalseAnswer(f"parts_{side} lists nothing")
    found = tuple(_feature(part, body) for part in parts)
    if _feature(feature, body) != found[0]:
        raise FalseAnswer(f"feature_{side} is not the first of parts_{side}")
    numbers = [part.index for part in found if part.kind != "lid"]
    first = [part.index for part in found[: len(numbers)]]
    if len({part.letter for part in found}) > 1 or len(set(found)) < len(found):
        raise FalseAnswer(f"parts_{side} are of several kinds, or not each once")
    if numbers != sorted(numbers) or first != numbers:
        raise FalseAnswer(f"parts_{side} are not in order")
    if found[0].letter == "V" and len(found) > 1:
        raise FalseAnswer(f"parts_{side} has more than one vertex")
    return found


def _feature(value: object, body: Body) -> Feature:
    """Read a feature that the mesh of a body has; a lid, if it stands for its hull."""
    if not isinstance(value, Feature):
        raise FalseAnswer(f"{value!r} is no feature")
    mesh = body.mesh
    if value.kind == "lid":
        index: object = value.index
        ids: tuple[object, ...] = index if isinstance(index, tuple) else ()
        fits = body.convexity == "hull" and 2 <= len(ids) == len(set(ids))
        if fits and all(_is_number_below(v, mesh.n_vertices) for v in ids):
            return value
    count = {"vertex": mesh.n_vertices, "edge": mesh.n_edges, "face": mesh.n_faces}
    if _is_number_below(value.index, count.get(value.kind, 0)):
        return value
    raise FalseAnswer(f"body '{body.name}' has no {value!r}")


def _is_number_below(value: object, count: int) -> bool:
    return isinstance(value, int | np.integer) and bool(0 <= value < count)


def _number(name: str, value: object, *, finite: bool = True) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise FalseAnswer(f"{name} is {value!r}, no number") from None
    if not (abs(number) < np.inf or (number == np.inf and not finite)):
        raise FalseAnswer(f"{name} is {number}, not finite")
    return number


def _vectors(name: str, value: object) -> Array:
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError):
        raise FalseAnswer(f"{name} is no point") from None
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise FalseAnswer(f"{name} is no point, or not finite")
    return array


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise FalseAnswer(f"{name} is {value!r}, neither True nor False")
    return bool(value)


def _choice(name: str, value: object, choices: "tuple[str, ...] | list[str]") -> str:
    if not isinstance(value, str) or value not in choices:
        raise FalseAnswer(f"{name} is {value!r}, none of {', '.join(choices)}")
    return value

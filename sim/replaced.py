"""A state with other fields than were answered: what tests of a checker are made of."""

from typing import Any

from sim.contact import PairState

NUMBERS = (
    "distance",
    "lower",
    "upper",
    "size",
    "normal",
    "point_a",
    "point_b",
    "unique",
    "proof",
    "reason",
    "work",
)
HELD = ("regime", "frame", "a", "b", "editions", "regions", "hulls")
DECODED = (
    "certified",
    "contacts",
    "depth",
    "feature_a",
    "feature_b",
    "kind",
    "mesh_a",
    "mesh_b",
    "parts_a",
    "parts_b",
    "patch",
)
FIELDS = (*NUMBERS, *HELD, *DECODED)


class Replaced(PairState):
    """What ``PairState.replace`` makes: a state that says what it was given.

    What is decoded from other fields (``depth``, ``certified``, ``contacts``) follows
    them, unless it was given itself.
    """

    __slots__ = ("_given",)
    _given: dict[str, Any]


def replaced(state: PairState, fields: dict[str, Any]) -> PairState:
    """Return a copy of a state with other fields; see ``PairState.replace``."""
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown:
        raise TypeError(
            f"a state has no field {unknown[0]!r}; it has {', '.join(sorted(FIELDS))}"
        )
    numbers = state.numbers._replace(**{k: fields[k] for k in NUMBERS if k in fields})
    held = {k: fields.get(k, getattr(state, k)) for k in HELD}
    a, b, regime, frame = (held.pop(k) for k in ("a", "b", "regime", "frame"))
    copy = Replaced(numbers, regime, frame, a, b, **held)
    given = state._given if isinstance(state, Replaced) else {}
    copy._given = given | {k: fields[k] for k in DECODED if k in fields}
    return copy


def _told(name: str) -> property:
    """Make the property that says what was given, else what follows."""
    own = getattr(PairState, name)

    def told(self: Replaced) -> Any:
        return self._given[name] if name in self._given else own.__get__(self)

    return property(told, doc=own.__doc__)


for _name in DECODED:
    setattr(Replaced, _name, _told(_name))

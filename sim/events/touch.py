"""How the closest features of a pair are written, and how they go over.

And values of which a part is computed when it is first read (``Late``).
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import FrozenInstanceError
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from sim.result.answer import KINDS
from sim.result.answers import PairAnswers
from sim.result.state import PairState, Region
from wingedge.convex import ConvexityReport
from wingedge.features import Feature
from wingedge.mesh import Ends, WingedEdgeMesh, ends_of, neighbours, print_feature

LONGEST = 80  # letters of a text that a message repeats
AGAIN = "winding"  # no dent, but the surface winds round its inside more than once
DIGITS = 18  # what fits into 64 bits


def shown(text: str) -> str:
    """Quote a text in a message, the beginning of it where it is long."""
    if len(text) <= LONGEST:
        return repr(text)
    return f"{text[:LONGEST]!r}... ({len(text)} letters)"


def is_number(text: str) -> bool:
    """Say whether a text is a number as stories write it: 0, 7, 12, and not 012."""
    if not (text.isascii() and text.isdigit()) or len(text) > DIGITS:
        return False
    return text == "0" or text[0] != "0"


def split_name(text: str, bodies: Collection[str] = ()) -> tuple[str, str]:
    """Split ``foot.heel`` into a body and its part, "" where there is none.

    The body is the longest of ``bodies`` that fits, or what is before the first dot
    where nobody says which there are.
    """
    if text in bodies:
        return text, ""
    cuts = [k for k, sign in enumerate(text) if sign == "." and 0 < k < len(text) - 1]
    fits = [k for k in cuts if text[:k] in bodies] if bodies else cuts[:1]
    return (text[: fits[-1]], text[fits[-1] + 1 :]) if fits else (text, "")


def whole_name(body: str, part: str) -> str:
    """Write a body with its part, if it has one: ``foot.heel``."""
    return f"{body}.{part}" if part else body


def marks_of(identities: tuple[int, ...]) -> str:
    """Write identities of regions: ``#1+#4``."""
    return "+".join(f"#{identity}" for identity in identities)


def identities(text: str) -> tuple[int, ...]:
    """Read identities of regions back; none where the text is no ascending list."""
    marks = text.split("+")
    if not all(mark.startswith("#") and is_number(mark[1:]) for mark in marks):
        return ()
    found = tuple(int(mark[1:]) for mark in marks)
    return found if all(i < j for i, j in pairwise(found)) else ()


def parse_feature(text: str) -> tuple[Feature, Ends | None]:
    """Read a feature back, an edge with its tail and tip.

    Raises ValueError if the text is none.
    """
    name, bracket, rest = text.partition("(")
    if text.startswith("l"):  # a lid is its vertices
        corners = rest.removesuffix(")").split("-")
        if name != "l" or not rest.endswith(")") or not all(map(is_number, corners)):
            raise ValueError(
                f"{shown(text)} names no lid; write its vertices, as in 'l(3-9-12)'"
            )
        return Feature.parse(text), None
    if name[:1] not in ("v", "e", "f") or not is_number(name[1:]):
        raise ValueError(
            f"{shown(text)} names no feature; write v, e or f and a number, as in 'f3'"
        )
    feature = Feature.parse(name)
    if (feature.kind == "edge") != (bracket == "("):
        raise ValueError(
            f"{shown(text)}: an edge, and only an edge, has its two vertices"
        )
    if not bracket:
        return feature, None
    ends = rest.removesuffix(")").split("-")
    if len(ends) != 2 or not rest.endswith(")") or not all(map(is_number, ends)):
        raise ValueError(f"{shown(text)} is no edge; write it as 'e7(3-9)'")
    return feature, (int(ends[0]), int(ends[1]))


class Dent(NamedTuple):
    """The deepest dent of a body, as it is written: ``e12(3-9) 0.0123``.

    A polygon that left its plane and is folded inwards is named as ``f1 0.0123``; a
    surface that has no dent and winds round its inside more than once, ``winding 0``.
    """

    place: Feature | None
    ends: Ends | None  # the vertices of an edge, else None
    depth: float  # six digits, as written [length unit of the input]

    @classmethod
    def of(cls, report: ConvexityReport, mesh: WingedEdgeMesh) -> Self:
        """Read it off a report on a body that is not convex."""
        if not report.worst_depth > report.tolerance:
            return cls(None, None, 0.0)
        ends = ends_of(mesh, report.worst)
        return cls(report.worst, ends, float(f"{report.worst_depth:.6g}"))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read it back from its written form.

        Raises ValueError if the text is no place and a depth.
        """
        words = text.split(" ")
        if len(words) != 2:
            raise ValueError(
                f"{shown(text)} is no place and depth, as 'e12(3-9) 0.0123'"
            )
        try:
            depth = float(words[1])
        except ValueError:
            depth = inf
        if not 0.0 <= depth < inf or words[1].startswith("-"):
            raise ValueError(
                f"{shown(words[1])} is no depth; write a number, as '0.0123'"
            )
        if words[0] == AGAIN:
            return cls(None, None, depth)
        place, ends = parse_feature(words[0])
        return cls(place, ends, depth)

    def __str__(self) -> str:
        place = print_feature(self.place, self.ends) if self.place else AGAIN
        return f"{place} {self.depth:.6g}"


Chain = tuple[Feature, ...]


class Touch(NamedTuple):
    """The closest features of a pair, as they are written: ``EE e7(3-9) e9(1-4)``."""

    kind: str  # one of the nine, A's letter first
    feature_a: Feature
    feature_b: Feature
    ends_a: Ends | None  # the vertices of an edge, else None
    ends_b: Ends | None

    @classmethod
    def of(cls, state: PairState, region: Region | None = None) -> Self:
        """Read features off, with the vertices of their edges.

        Those of a state, or of one of its regions.
        """
        said = state if region is None else region
        a, b = said.feature_a, said.feature_b
        return cls(said.kind, a, b, ends_of(state.mesh_a, a), ends_of(state.mesh_b, b))

    def parts(self, mesh_a: WingedEdgeMesh, mesh_b: WingedEdgeMesh) -> dict[str, Any]:
        """Name the parts that the features are of, as ``part_a`` and ``part_b``."""
        a, b = mesh_a.part_of(self.feature_a), mesh_b.part_of(self.feature_b)
        return {"part_a": a, "part_b": b}

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read it back from its written form.

        Raises ValueError if the text is not two features with their kind in front.
        """
        words = text.split(" ")
        if len(words) != 3:
            raise ValueError(
                f"{shown(text)} is not a kind and two features, as 'VF v12 f5'"
            )
        (a, ends_a), (b, ends_b) = map(parse_feature, words[1:])
        kind = a.letter + b.letter
        if words[0] != kind:
            raise ValueError(
                f"{shown(text)}: {a} and {b} are {kind}, not {shown(words[0])}"
            )
        return cls(kind, a, b, ends_a, ends_b)

    def __str__(self) -> str:
        a = print_feature(self.feature_a, self.ends_a)
        return f"{self.kind} {a} {print_feature(self.feature_b, self.ends_b)}"


def touches_of(answers: PairAnswers) -> Iterator[Touch]:
    """Read the closest features of pairs off their rows."""
    rows = zip(answers.kind, answers.feature_a, answers.feature_b, strict=True)
    for k, (kind, *both) in enumerate(rows):
        if k in answers.kept:
            yield Touch.of(answers.kept[k])
            continue
        a, b = (Feature(KINDS[i], j) for i, j in (row.tolist() for row in both))
        mesh_a, mesh_b = (edition.mesh for edition in answers.whose(k)[3])
        yield Touch(str(kind), a, b, ends_of(mesh_a, a), ends_of(mesh_b, b))


def way(state: PairState, before: Touch, after: Touch) -> tuple[Chain, ...]:
    """Chain the features of a change, A's and B's; nothing where they do not connect.

    Parameters: ``state``: the pair after the change.  Nothing else is looked at, so a
    recording, which has it, says the same as the run did.
    """
    a = chain(state.mesh_a, before.feature_a, after.feature_a)
    b = chain(state.mesh_b, before.feature_b, after.feature_b)
    return (a, b) if a and b else ()


def chain(mesh: WingedEdgeMesh, old: Feature, new: Feature) -> Chain:
    """Connect two features over `wingedge.neighbours`, with one between at most.

    A vertex is its edges' and faces' neighbour as they are its own; two vertices are
    connected by their edge, or by the first face that they share.
    """
    if old == new:
        return (old,)
    of_old, of_new = neighbours(mesh, old), neighbours(mesh, new)
    if new in of_old or old in of_new:
        return (old, new)
    shared = set(of_new)
    between = next((feature for feature in of_old if feature in shared), None)
    return () if between is None else (old, between, new)


T = TypeVar("T", bound="Late")


class Late:
    """What ``later`` makes of it asks for an attribute that is empty, once.

    A copy, or a pickle, has asked.
    """

    __slots__ = ("_asks",)
    _asks: dict[str, Callable[[Any], Mapping[str, Any]]]

    if not TYPE_CHECKING:

        def __init_subclass__(cls) -> None:
            if "__setattr__" in vars(cls):  # a dataclass whose slots forget their class
                cls.__setattr__ = cls.__delattr__ = _refuse

        def __getattr__(self, name: str) -> Any:
            asks = {} if name == "_asks" else getattr(self, "_asks", {})
            if ask := asks.get(name):
                for key, value in ask(self).items():
                    object.__setattr__(self, key, value)
                    asks.pop(key, None)  # perhaps another thread has asked, too
            return object.__getattribute__(self, name)


def later(value: T, ask: Callable[[T], Mapping[str, Any]], *names: str) -> T:
    """Empty attributes of a value that nobody has seen yet; ``ask(value)`` says them.

    What it answers must be the same whenever it is asked, and in any thread.
    """
    for name in names:
        object.__delattr__(value, name)
    asks = getattr(value, "_asks", {}) | dict.fromkeys(names, ask)
    object.__setattr__(value, "_asks", asks)
    return value


def _refuse(_: Any, name: str, *value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")

"""How things are written in a story: numbers, an edge with its two vertices."""

from math import inf
from typing import NamedTuple, Self

from sim.body.audit import ConvexityResult
from wingedge.features import Feature
from wingedge.mesh import WingedEdgeMesh

Ends = tuple[int, int]  # tail and tip of an edge


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


def print_feature(feature: Feature, ends: Ends | None) -> str:
    """Write a feature, an edge with its tail and tip: ``e7(3-9)``."""
    return f"{feature}({ends[0]}-{ends[1]})" if ends else str(feature)


def parse_feature(text: str) -> tuple[Feature, Ends | None]:
    """Read a feature back, an edge with its tail and tip.

    Raises
    ------
    ValueError
        If the text is none.
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
    def of(cls, verdict: ConvexityResult, mesh: WingedEdgeMesh) -> Self:
        """Read it off a verdict on a body that is not convex."""
        if not verdict.depth > verdict.tolerance:
            return cls(None, None, 0.0)
        ends = None
        if verdict.worst.kind == "edge":
            tail, tip = mesh.edge_vertices[verdict.worst.index].tolist()
            ends = tail, tip
        return cls(verdict.worst, ends, float(f"{verdict.depth:.6g}"))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read it back from its written form.

        Raises
        ------
        ValueError
            If the text is no place and a depth.
        """
        words = text.split(" ")
        if len(words) != 2:
            raise ValueError(
                f"{shown(text)} is no place and depth, as 'e12(3-9) 0.0123'"
            )
        depth = _depth(words[1])
        if words[0] == AGAIN:
            return cls(None, None, depth)
        place, ends = parse_feature(words[0])
        return cls(place, ends, depth)

    def __str__(self) -> str:
        place = print_feature(self.place, self.ends) if self.place else AGAIN
        return f"{place} {self.depth:.6g}"


def _depth(text: str) -> float:
    try:
        depth = float(text)
    except ValueError:
        depth = inf
    if not 0.0 <= depth < inf or text.startswith("-"):
        raise ValueError(f"{shown(text)} is no depth; write a number, as '0.0123'")
    return depth

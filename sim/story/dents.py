"""Where a body is not convex, and the one way that it is written."""

from math import inf
from typing import NamedTuple, Self

from sim.body.audit import ConvexityResult
from sim.story.spelling import Ends, parse_feature, print_feature, shown
from wingedge import Feature, WingedEdgeMesh

AGAIN = "winding"  # no dent, but the surface winds round its inside more than once


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

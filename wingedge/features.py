"""Name the vertices, edges and faces of a body, and the facets of its hull."""

from collections.abc import Sequence
from typing import NamedTuple, Self

_LETTERS = {"vertex": "v", "edge": "e", "face": "f", "lid": "l"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}


def is_name(name: str) -> bool:
    """Say whether a body or a part of this name can be told from the rest of a line."""
    return bool(name) and name.isprintable() and "/" not in name and "->" not in name


class Feature(NamedTuple):
    """A vertex, an edge or a face of a mesh, in the user's own numbering.

    ``kind`` is "vertex", "edge" or "face"; prints as ``v7``, ``e12``, ``f3``.

    What closes a dent of a body that stands for its convex hull is no part of its mesh:
    a *lid*, an edge or a face of the hull, has no number and is named by its vertices.
    Its ``kind`` is "lid", its ``index`` the tuple of two or more vertices; it prints as
    ``l(3-9-12)``.
    """

    kind: str
    index: int  # type: ignore[assignment]  # a feature is no sequence to search

    @classmethod
    def lid(cls, vertices: Sequence[int]) -> Self:
        """Name an edge or a face of a hull by its vertices."""
        return cls("lid", tuple(vertices))  # type: ignore[arg-type]

    @property
    def vertices(self) -> tuple[int, ...]:
        """The vertices that name a lid, or a vertex itself; else none."""
        if self.kind == "lid":
            return self.index  # type: ignore[return-value]
        return (self.index,) if self.kind == "vertex" else ()

    @property
    def letter(self) -> str:
        """V, E or F, as in the kind of a contact; a lid is an edge or a face."""
        if self.kind == "lid":
            return "E" if len(self.vertices) == 2 else "F"
        return _LETTERS[self.kind].upper()

    def __str__(self) -> str:
        if self.kind == "lid":
            return f"l({'-'.join(map(str, self.vertices))})"
        return f"{_LETTERS[self.kind]}{self.index}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a feature from its printed form, as in ``Feature.parse("f3")``.

        Raises ValueError if the text is not a letter v, e or f and a number.
        """
        kind, digits = _KINDS.get(text[:1]), text[1:]
        if kind == "lid":
            corners = digits[1:-1].split("-")
            plain = all(c.isascii() and c.isdigit() for c in corners)
            if digits[:1] + digits[-1:] != "()" or len(corners) < 2 or not plain:
                said = f"{text!r} names no lid; write its vertices, as in 'l(3-9-12)'"
                raise ValueError(said)
            return cls.lid([int(c) for c in corners])
        if kind is None or not (digits.isascii() and digits.isdigit()):
            said = (
                f"{text!r} names no feature; write v, e or f and a number, as in 'f3'"
            )
            raise ValueError(said)
        return cls(kind, int(digits))

"""How things are written in a story: numbers, an edge with its two vertices."""

from wingedge import Feature

Ends = tuple[int, int]  # tail and tip of an edge


LONGEST = 80  # letters of a text that a message repeats
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

"""How a feature is written in a story: an edge with its two vertices."""

from wingedge import Feature

Ends = tuple[int, int]  # tail and tip of an edge


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
    if text.startswith("l"):  # a lid is its vertices
        return Feature.parse(text), None
    name, bracket, rest = text.partition("(")
    feature = Feature.parse(name)
    if (feature.kind == "edge") != (bracket == "("):
        raise ValueError(f"{text!r}: an edge, and only an edge, has its two vertices")
    if not bracket:
        return feature, None
    ends = rest.removesuffix(")").split("-")
    plain = all(end.isascii() and end.isdigit() for end in ends)
    if len(ends) != 2 or not plain or not rest.endswith(")"):
        raise ValueError(f"{text!r} is no edge; write it as 'e7(3-9)'")
    return feature, (int(ends[0]), int(ends[1]))

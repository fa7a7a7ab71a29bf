"""What a search tried on its way: pairs of parts, the test that each took, the loss."""

from typing import NamedTuple

from wingedge import Feature, WingedEdgeMesh


class Tried(NamedTuple):
    """One pair of parts that a search tried.

    Attributes
    ----------
    feature_a, feature_b : Feature
        The parts, each by its lowest number.
    test : str
        The test that it failed, or "certified", "passed" or "least" where it won.
    loss : float
        By what length it failed [length unit of the input]; 0 where it won, and where
        the test has no length.
    culprit : Feature or None
        What made it fail: a vertex that stands higher, the edge that it lies beyond.
    owner : str
        Whose feature the culprit is: "a", "b", or "" where there is none.
    next : (Feature, Feature) or None
        The parts that were tried next; None at the end.
    text : str
        The same in words.
    """

    feature_a: Feature
    feature_b: Feature
    test: str
    loss: float
    culprit: Feature | None = None
    owner: str = ""
    next: tuple[Feature, Feature] | None = None
    text: str = ""

    @property
    def won(self) -> bool:
        """Whether this pair is the answer."""
        return self.test in ("certified", "passed", "least", "epa", "search")

    def __str__(self) -> str:
        """Return the text."""
        return self.text


def printed(mesh: WingedEdgeMesh, feature: Feature) -> str:
    """Name a feature, an edge with its tail and tip: ``e7(3-9)``."""
    if feature.kind != "edge":
        return str(feature)
    tail, tip = mesh.edge_vertices[feature.index].tolist()
    return f"{feature}({tail}-{tip})"


def pair_name(
    mesh_a: WingedEdgeMesh, a: Feature, mesh_b: WingedEdgeMesh, b: Feature
) -> str:
    """Name a pair of parts as events do: ``VE v12 e7(3-9)``."""
    kind = a.letter + b.letter
    return f"{kind} {printed(mesh_a, a)} {printed(mesh_b, b)}"


def linked(tried: list[Tried]) -> tuple[Tried, ...]:
    """Let every entry say which parts were tried after it."""
    after = [(t.feature_a, t.feature_b) for t in tried[1:]]
    return tuple(t._replace(next=n) for t, n in zip(tried, [*after, None], strict=True))

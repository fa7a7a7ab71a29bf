"""The closest features of a pair as they are written, and how they go over."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from sim.events.spelling import Ends, parse_feature, print_feature, shown
from sim.result.answer import Region
from sim.result.state import PairState
from wingedge.features import Feature
from wingedge.graph import neighbours
from wingedge.mesh import WingedEdgeMesh

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

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read it back from its written form.

        Raises
        ------
        ValueError
            If the text is not two features with their kind in front.
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


def ends_of(mesh: WingedEdgeMesh, feature: Feature) -> Ends | None:
    """Return the vertices of an edge, else None."""
    if feature.kind != "edge":
        return None
    tail, tip = mesh.edge_vertices[feature.index].tolist()
    return tail, tip


def way(
    state: PairState, before: Touch, after: Touch, *, gone: bool = False
) -> tuple[tuple[Chain, ...], str]:
    """Chain the features of a change, A's and B's, or say why they do not connect.

    Parameters
    ----------
    state : PairState
        The pair after the change.  Nothing else is looked at, so a recording, which
        has it, says the same as the run did.
    gone : bool
        Whether an old feature is no part of its mesh any more.

    Returns
    -------
    path, jump
        One of them is empty: see `Event`.
    """
    if gone:
        return (), "remeshed"
    a = chain(state.mesh_a, before.feature_a, after.feature_a)
    b = chain(state.mesh_b, before.feature_b, after.feature_b)
    if a and b:
        return (a, b), ""
    # a patch, as of a face on a face, is not unique either and hides other places
    tied = not state.unique and not len(state.numbers.corners)
    return (), "tie" if tied else "not neighbours"


def chain(mesh: WingedEdgeMesh, old: Feature, new: Feature) -> Chain:
    """Connect two features over `wingedge.neighbours`, with one between at most.

    A vertex is its edges' and faces' neighbour as they are its own; two vertices are
    connected by their edge, or by the first face that they share.
    """
    if old == new:
        return (old,)
    return linked(old, new, neighbours(mesh, old), neighbours(mesh, new))


def linked(
    old: Feature, new: Feature, of_old: Sequence[Feature], of_new: Sequence[Feature]
) -> Chain:
    """Connect two features that differ over their neighbours, one between at most."""
    if new in of_old or old in of_new:
        return (old, new)
    shared = set(of_new)
    between = next((feature for feature in of_old if feature in shared), None)
    return () if between is None else (old, between, new)

"""How closest features went from one frame to the next: over neighbours, or not."""

from collections.abc import Sequence

from sim.contact import PairState
from wingedge import Feature, WingedEdgeMesh, neighbours

Chain = tuple[Feature, ...]
Closest = tuple[Feature, Feature]  # of A and of B


def way(
    state: PairState, before: Closest, after: Closest, *, gone: bool = False
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
    a = chain(state.mesh_a, before[0], after[0])
    b = chain(state.mesh_b, before[1], after[1])
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

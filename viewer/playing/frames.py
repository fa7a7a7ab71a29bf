"""Make a frame of what stands still: bodies, meshes, answers."""

from collections.abc import Sequence
from typing import TypeAlias

from sim import Body, Compound, PairState
from sim.frame import BodySnapshot, Frame, SnapshotRecorder
from wingedge import WingedEdgeMesh

Still: TypeAlias = "Body | Compound | PairState | WingedEdgeMesh | Frame"


def frame_of(shown: "Still | Sequence[Still]") -> Frame:
    """Make a frame of bodies, meshes and answers, where they are now.

    Parameters: ``shown``: a mesh is shown in its rest shape; of an answer the two
    bodies too, at their present positions: show it before they move.

    Raises TypeError if it is none of these.
    """
    from sim import PairState

    if isinstance(shown, Frame):
        return shown
    things = list(shown) if isinstance(shown, Sequence) else [shown]
    pairs = tuple(thing for thing in things if isinstance(thing, PairState))
    bodies = [thing for thing in things if not isinstance(thing, PairState)]
    for state in pairs:
        bodies += [body for body in (state.a, state.b) if body not in bodies]
    snapshots = tuple(_snapshot(body, k) for k, body in enumerate(bodies))
    index = pairs[0].frame if pairs else 0
    return Frame(index, 0.0, pairs, (), snapshots)


def _snapshot(body: object, k: int) -> BodySnapshot:
    from sim import Body, Compound
    from wingedge import WingedEdgeMesh

    if isinstance(body, WingedEdgeMesh):
        body = Body(body, name=f"mesh{k}" if k else "mesh")
    if not isinstance(body, Body | Compound):
        raise TypeError(
            f"a {type(body).__name__} cannot be shown: give bodies, meshes, states of "
            f"pairs, or a frame"
        )
    return SnapshotRecorder(body).take()

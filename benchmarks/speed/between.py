"""Between two frames: the first touch, and the proof that there is none."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bench import installed, sphere
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose
from sim.between.moves import world_at
from sim.peers.ipc import Ipctk
from speed import Table, interleaved

SIZES = 50, 1000, 5000
OFTEN = 20  # times that is timed what takes microseconds


def first_touch(quick: bool = False) -> Table:
    """Ask when two bodies first touch whose every vertex moves, and when they miss.

    The bodies are open and bend, turn and cross 4 radii; `asked` is the time of
    `passage.touch`, in us.  Tight Inclusion (ipctk) bounds the same step from below,
    with boxes as its broad phase; `early` says by how much of the frame.
    """
    found: Table = []
    for vertices in SIZES[: 1 if quick else None]:
        for aside, name in ((0.2, "touch"), (3.0, "miss")):
            found.append({"V": vertices, "way": name, **_measured(vertices, aside)})
    return found


def _measured(vertices: int, aside: float) -> dict[str, float]:
    a, b = (Body(sphere(vertices, k), name="ab"[k]) for k in (0, 1))
    start = Pose(None, (2.5, 0.1, 0.05))
    turn = Rotation.from_rotvec([0.1, 0.2, 0.3]).as_matrix()
    end = Pose(turn, (-1.5, aside, 0.1))
    ends = [a.mesh.points * 1.05, b.mesh.points * [1.1, 0.95, 1.0]]
    tracker = PairTracker(a, b)
    for body in (a, b):
        body.points[...] = body.mesh.points  # open from here on
    b.pose = start
    tracker.update()
    passage = tracker.advance(None, end, *ends)
    took = interleaved({"asked": partial(_often, passage)}, 5, 1e-6 * OFTEN)
    peers = {} if not installed("ipctk") else _inclusion(passage)
    took |= interleaved(peers, 3 if vertices < SIZES[-1] else 1, 1e-6)
    if "inclusion" in took:
        took["/ inclusion"] = took["asked"] / took["inclusion"]
        took["early"] = passage._there.lower - float(peers["inclusion"]())
    return took | {"updates": passage._there.updates}


def _often(passage: Any) -> None:
    for _ in range(OFTEN):
        passage._paths.moves = None  # so that both bodies are laid out again
        for name in ("_there", "touch"):
            passage.__dict__.pop(name, None)
        passage.touch  # noqa: B018


def _inclusion(passage: Any) -> dict[str, Callable[[], Any]]:
    peer = Ipctk()
    peer.lay_out(passage.state.a, passage.state.b)
    ways = [tuple(world_at(move, t) for t in (0.0, 1.0)) for move in passage.moves]
    return {"inclusion": lambda: peer.free_until(*ways, rescaling=0.8)}

"""Between two frames: the first touch, and the proof that there is none."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from bench import installed, sphere
from crosscheck import Ipctk
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose
from sim.between.moves import world_at
from sim.between.passage import Passage
from speed import Table, interleaved

SIZES = 50, 1000, 5000
OFTEN = 20  # times that is timed what takes microseconds


def first_touch(quick: bool = False) -> Table:
    """Ask when two bodies first touch whose every vertex moves, and when they miss.

    The bodies are open and bend, turn and cross 4 radii; `asked` is the time of
    `passage.touch`, in us.  Tight Inclusion (ipctk) bounds the same step from below,
    with boxes as its broad phase; `early` says by how much of the frame.  "dented":
    both are pressed in by a tenth in waves, and begin where they nearly touch.
    """
    found: Table = []
    for vertices in SIZES[: 1 if quick else None]:
        ways = {"touch": _crossing(vertices, 0.2), "miss": _crossing(vertices, 3.0)}
        for name, passage in (ways | {"dented": _dented(vertices)}).items():
            found.append({"V": vertices, "way": name, **_measured(vertices, passage)})
    return found


def _crossing(vertices: int, aside: float) -> Passage:
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
    return tracker.advance(None, end, *ends)


def _dented(vertices: int) -> Passage:
    a, b = (Body(sphere(vertices, k), name="ab"[k]) for k in (0, 1))
    for body in (a, b):
        waves = np.prod(np.sin(5.0 * body.mesh.points), axis=1)
        body.points[...] = body.mesh.points * (0.95 + 0.05 * waves)[:, None]
    tracker = PairTracker(a, b)
    for x in np.arange(2.2, 1.0, -0.002):
        b.pose = Pose(None, (x, 0.1, 0.05))
        if tracker.update().distance < 0.01:
            break
    ends = [body.positions * 1.05 for body in (a, b)]
    return tracker.advance(None, Pose(None, (x - 0.1, 0.15, 0.0)), *ends)


def _measured(vertices: int, passage: Passage) -> dict[str, float]:
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

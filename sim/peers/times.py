"""When two surfaces first touch between two frames, by Tight Inclusion and by us."""

import numpy as np

from sim.between.passage import Passage
from sim.between.verify import verify_passage
from sim.body.body import Body
from sim.frame import BodySnapshot, Frame
from sim.peers.ipc import Ipctk
from sim.peers.report import AGREE, OURS, THEIRS, TIE, UNDECIDED, Comparison
from sim.result.state import PairState
from sim.tracking.pair import PairTracker
from sim.tracking.proof.verdict import NO, YES

EARLY = 1e-3  # of a frame: a peer that stops so much before the touch is right


def compare_times(
    peer: Ipctk, state: PairState, last: Frame, now: Frame
) -> list[Comparison]:
    """Ask about a pair that may have met since the last frame; else nothing.

    The peer's time is a step that it calls free: right while it is not beyond the
    touch, and not earlier than it by more than a thousandth.
    """
    names = state.a.name, state.b.name
    starts, ends = ([frame.body(name) for name in names] for frame in (last, now))
    if any(s.mesh is not e.mesh for s, e in zip(starts, ends, strict=True)):
        return []
    ways = [
        (s.world_points(), e.world_points()) for s, e in zip(starts, ends, strict=True)
    ]
    moved = sum(float(np.linalg.norm(e - s, axis=1).max()) for s, e in ways)
    a, b = (_copied(body, s) for body, s in zip((state.a, state.b), starts, strict=True))
    tracker = PairTracker(a, b)
    gap = tracker.update().lower
    if not 0.0 < gap <= moved:
        return []
    theirs = peer.free_until(*ways)
    poses, points = [e.pose for e in ends], [e.points for e in ends]
    passage = tracker.advance(*poses, *points)
    lower, upper = _bounds(passage)
    verdict = _judged(passage, theirs, a, b)
    place = state.frame, *names, peer.name, "time"
    return [Comparison(*place, lower, theirs, lower, upper, 1.0, verdict)]


def _copied(body: Body, at: BodySnapshot) -> Body:
    """Return a body of its own where another was."""
    made = Body(at.mesh, name=body.name, pose=at.pose, convexity=body.convexity)
    made.points = at.points
    return made


def _bounds(passage: Passage) -> tuple[float, float]:
    touch = passage.touch
    return (1.0, 1.0) if touch is None else (touch.lower, touch.upper)


def _judged(passage: Passage, theirs: float, a: Body, b: Body) -> str:
    lower, upper = _bounds(passage)
    if lower - EARLY <= theirs <= upper:
        return AGREE
    answer = verify_passage(passage, a, b).answer
    if answer == NO:
        return OURS
    if answer == YES:
        return TIE if passage.reason else THEIRS
    return _seen(passage, theirs)


def _seen(passage: Passage, theirs: float) -> str:
    """Judge by single moments where no plane tells: surfaces that are not convex."""
    lower, upper = _bounds(passage)
    if theirs < lower:  # they stop early: right only if the bodies meet before us
        times = np.linspace(theirs, lower, 33)[:-1]
        met = any(passage.at(float(t)).upper < 0.0 for t in times)
        return OURS if met else THEIRS
    touches = passage.at(upper).lower <= 0.0
    return THEIRS if touches else UNDECIDED

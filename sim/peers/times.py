"""When two surfaces first touch between two frames, by Tight Inclusion and by us."""

import numpy as np

from sim.between.passage import Passage
from sim.between.verify import verify_passage
from sim.body.body import Body
from sim.frame import BodySnapshot, Frame
from sim.peers.ipc import Ipctk
from sim.peers.report import AGREE, OURS, THEIRS, TIE, UNDECIDED, Compared
from sim.result.state import PairState
from sim.tracking.pair import PairTracker
from sim.tracking.proof.verdict import NO, YES

EARLY = 1e-3  # of a frame: a peer that stops so much before the touch is right


def compare_times(
    peer: Ipctk, state: PairState, last: Frame, now: Frame
) -> list[Compared]:
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
    a, b = (
        _copied(body, s) for body, s in zip((state.a, state.b), starts, strict=True)
    )
    tracker = PairTracker(a, b)
    gap = tracker.update().lower
    if not 0.0 < gap <= moved:
        return []
    theirs = peer.free_until(*ways)
    to_a, to_b = ends
    passage = tracker.advance(to_a.pose, to_b.pose, to_a.points, to_b.points)
    lower, upper = _bounds(passage)
    verdict = _judged(passage, theirs, a, b)
    place = state.frame, *names, peer.name, "time"
    kind = not passage.reason, False
    return [Compared(*place, lower, theirs, lower, upper, 1.0, verdict, *kind)]


def _copied(body: Body, at: BodySnapshot) -> Body:
    """Return a body of its own where another was."""
    made = Body(at.mesh, name=body.name, pose=at.pose, convexity=body.convexity)
    made.points = at.points
    return made


def _bounds(passage: Passage) -> tuple[float, float]:
    """Return an interval that holds the first touch, by what we say of it."""
    touch, there = passage.touch, passage._there
    if touch is None:
        return (there.lower if passage.reason else 1.0), 1.0
    return touch.lower, touch.upper


def _judged(passage: Passage, theirs: float, a: Body, b: Body) -> str:
    lower, upper = _bounds(passage)
    if lower - EARLY <= theirs <= upper:
        return TIE if upper - lower > EARLY else AGREE
    answer = verify_passage(passage, a, b).answer
    if answer == YES:
        return THEIRS
    if answer == NO and not passage.reason:
        return OURS
    return _seen(passage, theirs, lower, upper)


def _seen(passage: Passage, theirs: float, lower: float, upper: float) -> str:
    """Judge by single moments where no planes tell of all of the way."""
    if theirs < lower:  # they stop early: right only if the bodies meet before that
        times = np.linspace(theirs, lower, 33)[:-1]
        met = any(passage.at(float(t)).upper < 0.0 for t in times)
        return OURS if met else THEIRS
    return THEIRS if passage.at(upper).lower <= 0.0 else UNDECIDED

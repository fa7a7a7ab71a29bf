"""Conservative advancement: until when surfaces stay on one side of a distance.

Surfaces of any shape change their distance no faster than their vertices move.  So a
look at a time holds around it, for as long as what it leaves of the distance lasts at
that speed (Mirtich 1996, conservative advancement): it clears as much time before it as
after it.  Where the distance falls evenly the next look is as far ahead as still clears
the way back.
"""

from math import sqrt

from sim.kernels import layout
from sim.kernels.between.chain import (
    FREE,
    MET,
    NEVER,
    STEP,
    UNDECIDED,
    WITHIN,
    put_both,
)
from sim.kernels.between.path import Path, allowance_of
from sim.kernels.language import Record, kernel, record
from sim.kernels.surface.search import true_frame
from sim.kernels.workspace import Workspace

GOING = -1
NARROW = 2.5  # steps: a meeting that is known as well
FAR = 8.0  # steps ahead, where a meeting would be seen
ROUNDED = 6.0  # allowances by which a distance falls in a step, at least
SLOW = 0.01  # of the speed: of a distance that falls more slowly all is a graze
SAFE = 0.9  # of the time that an even fall would let a look clear before it
FLOOR = 4.0  # allowances of margin that prove nothing any more
CLOSE = 8.0  # allowances within which that is so near to the level
UNKNOWN = 1e300  # beyond any distance


@record
class Advance(Record):
    """What is asked of surfaces, and how far the answer is."""

    level: float  # read: the distance that is asked about
    side: float  # read: 1: until when they are farther apart, -1: until when nearer
    speed: float  # read: how fast a distance may change, at most
    allowance: float  # by how much rounding may turn one
    until: float  # read: so until then; proven further
    met: float  # when they were seen on the other side; NEVER
    look: float  # when to look next
    gain: float  # time that the last good look cleared
    last: float  # when that was
    rate: float  # read: by how much the gain falls in a time: 1 at full speed
    step: float  # shortest time in which a fall shows: STEP, or what rounding takes
    ahead: float  # how far beyond ``until`` was looked for the other side
    seen: float  # when they were first within rounding of the level; NEVER
    looks: int
    most: int  # read: looks that may be taken


@kernel
def begin_advance(found: Advance) -> None:
    """Begin at ``until``."""
    found.look = found.last = found.until
    found.met = found.seen = NEVER
    found.gain = found.ahead = 0.0
    found.looks = 0
    take_rate(found, found.rate)


@kernel
def take_rate(found: Advance, rate: float) -> None:
    """Take how fast the distance falls."""
    found.rate = max(-0.9, min(1.0, rate))
    rounded = ROUNDED * found.allowance / (found.speed * max(found.rate, SLOW))
    found.step = max(STEP, rounded)


@kernel
def take_look(found: Advance, lower: float, upper: float) -> int:
    """Take bounds of the distance at ``look``; say how it ends, or where to look next.

    MET: on the other side at ``met``; UNDECIDED: nothing is proven from ``until`` on.
    """
    t = found.look
    found.looks += 1
    margin = lower - found.level
    over = found.level - upper
    if found.side < 0.0:
        margin, over = over, margin
    gain = (margin - FLOOR * found.allowance) / found.speed
    if gain > 0.0 and t - gain <= found.until:
        if t > found.last:
            take_rate(found, (found.gain - gain) / (t - found.last))
        found.gain = gain
        found.last = t
        found.ahead = 0.0
        found.until = max(found.until, t + gain)
        if found.until >= 1.0:
            return FREE
        found.look = t + gain * (1.0 + SAFE * (2.0 / (1.0 + found.rate) - 1.0))
        if gain > 0.5 * found.step * max(found.rate, SLOW):
            return bracket(found)
    elif t == 0.0:
        return WITHIN
    elif over > found.allowance:
        found.met = min(found.met, t)
        found.look = found.until
        if t > found.until and found.ahead == 0.0:
            return bracket(found)
    elif t > found.until and found.ahead == 0.0:
        found.look = found.until  # from there it clears the way for sure
        return GOING
    elif over > -CLOSE * found.allowance:
        found.seen = min(found.seen, t)
        if found.ahead > FAR * found.step:
            return give_up(found)
    return look_ahead(found)


@kernel
def bracket(found: Advance) -> int:
    """Keep the next look before the meeting that was seen, if that is not near."""
    if found.met - found.until <= NARROW * found.step:
        return MET
    if found.met < NEVER:
        found.look = min(found.look, 0.5 * (found.until + found.met))
    found.look = min(1.0, found.look)
    return GOING if found.looks < found.most else give_up(found)


@kernel
def look_ahead(found: Advance) -> int:
    """Look a little beyond what is proven, farther every time."""
    if found.until + found.ahead >= 1.0 or found.looks >= found.most:
        return give_up(found)
    found.ahead = max(found.step, 2.0 * found.ahead)
    if found.until + found.ahead >= found.met:
        return MET
    found.look = min(1.0, found.until + found.ahead)
    return GOING


@kernel
def give_up(found: Advance) -> int:
    """Say what is left open."""
    if found.met < NEVER:
        return MET
    found.met = min(1.0, found.seen)
    return UNDECIDED


@kernel
def advance_surfaces(a: Path, b: Path, pair: Workspace, found: Advance) -> int:
    """Advance two surfaces from ``found.until``; return how it ends.

    Of bodies that are settled.  Cost: a search of both a look; five to some dozens.
    """
    found.allowance = allowance_of(a, b, found.level)
    begin_advance(found)
    ended = GOING
    search = pair.search
    while ended == GOING:
        put_both(a, b, found.look)
        status = true_frame(a.scanned, b.scanned, pair)
        result = pair.result
        lower = result.lower
        upper = result.upper
        if status != layout.CERTIFIED and status != layout.SEARCHED:
            lower = -UNKNOWN
            upper = sqrt(search.state.square) + search.state.pad
            if status == layout.OVERLAP:
                upper = -2.0 * found.allowance  # wherever rounding moves them
        ended = take_look(found, lower, upper)
    return ended

"""What an answer says of a body that is no convex solid."""

from collections.abc import Iterable

from sim.body import guard
from sim.body.audit import ConvexityResult
from sim.body.body import Body
from sim.body.guard import flaw, remark
from sim.result.answer import Numbers
from sim.result.rows import Rows
from sim.result.state import PairState

UNPROVEN = float("inf")


def counts_as_convex(body: Body, verdict: ConvexityResult | None = None) -> bool:
    """Say whether an overlap with a body is answered as one of convex bodies.

    One made with ``"flag"`` or ``"trust"`` always does; any other while it is convex
    within the default tolerance of ``convexity``. ``verdict`` saves an audit to those
    who have it.
    """
    if body.convexity in ("flag", "trust"):
        return True
    return (body.verdict() if verdict is None else verdict).convex


def remark_of(body: Body) -> str:
    """Say what an answer about a body must say of it; empty for most.

    That it is not convex, of one made with ``"flag"``; and of any body but one made
    with ``"trust"``, that it is inside-out or has collapsed.  An open body is asked for
    the sign of its volume (see ``is_upright``); of a closed one it is known.
    """
    if body.is_open and body.convexity not in ("flag", "trust"):
        return guard.remark_on(body.volume_sign(), body.name)
    if body.convexity != "flag":
        return remark(body.known_verdict(), body.name)
    verdict = body.verdict()
    if verdict.convex:
        return remark(verdict, body.name)
    return flaw(verdict, body.mesh, body.name)


def is_upright(source: Rows | Numbers) -> bool:
    """Say whether an answer shows that no open body is inside-out, or has collapsed."""
    return isinstance(source, Rows) and source.result.upright == 1


def is_flagged(body: Body) -> bool:
    """Say whether no answer about a body is certified: ``"flag"``, and not convex."""
    return body.convexity == "flag" and not body.verdict().convex


def remarked(source: Rows | Numbers, a: Body, b: Body) -> Rows | Numbers:
    """Add to an answer what must be said of its bodies.

    Of a body made with ``"flag"`` that is not convex the upper bound is not proven:
    whatever the scan of its vertices proves from below still holds.
    """
    # In one order, whichever of the bodies is called A.
    one, two = remark_of(a), remark_of(b)
    if not (one or two):
        return source
    said = sorted(text for text in (one, two) if text)
    numbers = source if isinstance(source, Numbers) else source.numbers()
    if is_flagged(a) or is_flagged(b):
        return numbers._replace(reason="; ".join(said), upper=UNPROVEN)
    if numbers.reason:
        said.append(numbers.reason)
    return numbers._replace(reason="; ".join(said))


def saying(state: PairState, remarks: Iterable[str]) -> PairState:
    """Return a state with remarks in its ``reason``, each once."""
    reason = state.numbers.reason
    new = [text for text in remarks if text and text not in reason]
    if not new:
        return state
    said = "; ".join([*new, reason] if reason else new)
    return PairState(
        state.numbers._replace(reason=said),
        state.regime,
        state.frame,
        state.a,
        state.b,
        state.editions,
        state.regions,
    )

"""What a body is from frame to frame: convex or not, inside-out, collapsed."""

from typing import NamedTuple

import numpy as np

from sim.body.audit import ConvexityCheck, ConvexityResult
from sim.body.body import Body
from sim.body.guard import refuse_magnitude
from sim.events.event import Event
from sim.events.touch import Dent


class BodyStatus(NamedTuple):
    """What an audit told last.

    While a body is collapsed nobody can say whether it is convex or inside-out: it
    still counts as what it was before.
    """

    convex: bool
    inverted: bool
    collapsed: bool

    @classmethod
    def at_rest(cls, verdict: ConvexityResult) -> "BodyStatus":
        """Read off what a body is to begin with."""
        return cls(verdict.convex, verdict.sign < 0, verdict.sign == 0)

    def followed_by(self, verdict: ConvexityResult) -> "BodyStatus":
        """Return what the body is now."""
        if verdict.sign == 0:
            return self._replace(collapsed=True)
        return BodyStatus(verdict.convex, verdict.sign < 0, False)


SOUND = BodyStatus(convex=True, inverted=False, collapsed=False)


class BodyMonitor:
    """Audit one body whenever its positions may be new, and tell what changed.

    What it was at the beginning is what its mesh is at rest; that is looked at when
    its positions change for the first time, so a stiff body is never audited.
    """

    __slots__ = ("body",)

    def __init__(self, body: Body) -> None:
        self.body = body

    def look(self, frame: int, standing: BodyStatus | None) -> ConvexityResult | None:
        """Return the verdict on the present positions, or None where none is needed.

        ``standing`` is what was told last; None: as at rest, nobody looked.  Cost: one
        audit where the positions may be new and rings do not show a convex solid, else
        nothing (the body knows the verdict).

        Raises ValueError if a coordinate is not finite or of no use, naming the body
        and the frame.
        """
        body = self.body
        if body.convexity == "trust":
            return None
        if not body.is_open and body.version == 0 and standing is None:
            return None  # at rest, as it was
        if standing == SOUND and body.is_shown_convex():
            return None  # as it was
        try:
            if body.is_open:
                refuse_magnitude(body.positions, body.name, frame)
            return body.verdict()
        except ValueError:
            body.refuse_unfinite(frame)
            raise

    def tell(
        self, verdict: ConvexityResult, frame: int, old: BodyStatus | None
    ) -> tuple[tuple[Event, ...], BodyStatus]:
        """Tell what happened to the body since it was ``old``, and what it is now."""
        body = self.body
        if old is None:
            rest = ConvexityCheck(body.mesh, np.array(body.mesh.points))
            old = BodyStatus.at_rest(rest.audit())
        new = old.followed_by(verdict)
        if new == old:
            return (), new
        events = []
        for was, now, began, ended in (
            (old.collapsed, new.collapsed, "collapsed", "expanded"),
            (old.inverted, new.inverted, "inverted", "upright"),
            (not old.convex, not new.convex, "convexity_lost", "convexity_restored"),
        ):
            if was != now:
                kind = began if now else ended
                lost = kind == "convexity_lost"
                dent = Dent.of(verdict, body.mesh) if lost else None
                events.append(Event(frame, kind, body.name, "", -1, dent=dent))
        return tuple(events), new

"""What bodies are from frame to frame: convex or not, inside-out, collapsed."""

from collections.abc import Sequence
from typing import NamedTuple

from sim.body.audit import Findings, at_rest, judging
from sim.body.body import Body
from sim.body.guard import refuse_magnitude
from sim.body.revisions import MeshRevision
from sim.engine.bound import Bound
from sim.events.event import Event
from sim.events.touch import Dent
from sim.kernels.audit.hinges import CONVEX, UNSURE, judge_each


class BodyStatus(NamedTuple):
    """What was told last.

    While a body is collapsed nobody can say whether it is convex or inside-out: it
    still counts as what it was before.
    """

    convex: bool
    inverted: bool
    collapsed: bool

    @classmethod
    def of(cls, found: Findings | Body) -> "BodyStatus":
        """Return what positions are, by their report."""
        sign = found.volume_sign()
        return cls(found.is_convex(), sign < 0, sign == 0)


SOUND = BodyStatus(convex=True, inverted=False, collapsed=False)
DENT = BodyStatus(convex=False, inverted=False, collapsed=False)
SURELY, MAYBE = 10.0, 4.0  # resolutions: as deep is a dent that is told, that lasts
Statuses = tuple[BodyStatus | None, ...]  # None: as at rest, nobody looked
Meshes = Sequence[MeshRevision]  # of all bodies in the frame before, and now


class BodyMonitor:
    """Say what became of bodies, by one pass over the edges of all that have changed.

    At the beginning a body is what its mesh is at rest; that is looked at when its
    positions change first, a stiff body never.  ``shells``: what the last pass told.
    """

    def __init__(self, bodies: Sequence[Body], resolution: Sequence[float]) -> None:
        self._bodies, self._resolution = bodies, resolution
        self.shells = judging([])
        self._laid: tuple[Sequence[int], Meshes] = (), ()  # whom they are of
        self._judge = Bound(judge_each)

    def after(
        self, places: list[int], frame: int, before: Statuses, *meshes: Meshes
    ) -> tuple[list[Event], Statuses]:
        """Look at bodies whose positions may be new; tell what happened to them.

        Raises ValueError if a coordinate is not finite or of no use, by body and frame.
        """
        if not places:
            return [], before
        if self._laid != (places, meshes[1]):
            self.shells = judging([self._bodies[k].hinges for k in places])
            self._laid = places, meshes[1]
        self._judge(self.shells)
        statuses, events = list(before), []
        for k, told in zip(places, list(self.shells.told), strict=False):  # type: ignore[call-overload]
            body, old = self._bodies[k], before[k]
            body.standing = told
            if told == CONVEX and old is SOUND:
                continue
            new = SOUND if told == CONVEX else DENT
            if told == UNSURE:
                if body.is_open:
                    body.refuse_unfinite(frame)
                    refuse_magnitude(body.positions, body.name, frame)
                new = BodyStatus.of(body)
            old = old or BodyStatus.of(at_rest((meshes[0] or meshes[1])[k].mesh))
            limit = (SURELY if old.convex else MAYBE) * self._resolution[k]
            if limit and not new.convex:
                report = body.audit()  # is the dent deeper than positions can tell?
                flat = report.tolerance < report.worst_depth <= limit
                new = new._replace(convex=flat)
            if new.collapsed:
                new = old._replace(collapsed=True)
            statuses[k] = new
            events += _told(body, old, new, frame)
        return events, tuple(statuses)


def _told(body: Body, old: BodyStatus, new: BodyStatus, frame: int) -> list[Event]:
    """Tell what happened to a body."""
    events = []
    for was, now, began, ended in (
        (old.collapsed, new.collapsed, "collapsed", "expanded"),
        (old.inverted, new.inverted, "inverted", "upright"),
        (not old.convex, not new.convex, "convexity_lost", "convexity_restored"),
    ):
        if was != now:
            kind = began if now else ended
            lost = kind == "convexity_lost"
            dent = Dent.of(body.audit(), body.mesh) if lost else None
            events.append(Event(frame, kind, body.name, "", -1, dent=dent))
    return events

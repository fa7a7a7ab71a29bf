"""Choose, hold, move, turn, deform, slide and release the bodies of a timeline."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sim import Body, Pose, World, deform, motion
from sim.response.hand import Hand
from viewer.drawing.glyphs import Names, nearest_pairs
from viewer.sources import RunningWorld
from viewer.timeline import Timeline
from wingedge import Feature
from wingedge.tables import Floats

Item = TypeVar("Item")
# how far its shape is changed at most: a part of its height, degrees
AMOUNTS = MappingProxyType({"squash": 0.8, "twist": 180.0, "bend": 180.0})
AT_REST: Mapping[str, float] = MappingProxyType(dict.fromkeys(AMOUNTS, 0.0))
NO_WORLD = "what was recorded cannot be moved; watch the world itself"


def sliding(body: Body, world: World) -> Hand:
    """Take a body into a hand that stops at whatever the world does not ignore."""
    others = [b for b in world.bodies if b is not body]
    return Hand(body, [b for b in others if not world.ignores(body.name, b.name)])


def turned(pose: Pose, middle: Floats, axis: ArrayLike, degrees: float) -> Pose:
    """Turn a pose about an axis of the world, (3,), through a point of its body."""
    turn, about = motion.spin(axis, np.radians(degrees))(1.0), pose.apply(middle)
    return Pose(turn.linear, about - turn.apply(about)) @ pose


class Taken(NamedTuple):
    """What a body was when it was taken, and how much it is deformed since."""

    pose: Pose
    points: Floats
    amounts: Mapping[str, float] = AT_REST

    def deformed(self, amounts: Mapping[str, float]) -> Floats:
        """Squash, then twist, then bend it along z, about its middle; ValueError."""
        if not any(amounts.values()):
            return self.points.copy()
        about = (self.points.min(axis=0) + self.points.max(axis=0)) / 2
        points = deform.squash(amounts["squash"], about=about)(self.points)
        points = deform.twist(np.radians(amounts["twist"]), about=about)(points)
        return deform.bend(np.radians(amounts["bend"]), about=about)(points)


class Hands:
    """Move and deform one body of a running world; read features of any frame.

    The first time that the chosen body is changed it is held: its scripts stand still
    (`sim.World.hold`) until `let_go`. While the world is playing, the next frame has
    what was done; while it is paused a frame is made at once, in which time goes on
    only for what is held. What cannot be done is undone and told in ``said``.

    Where a law moves bodies each push makes a frame, paused or not, and others answer:
    a step that the law refuses is undone.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.chosen: str | None = None
        self.feature: Feature | None = None
        self.pair: tuple[str, str] | None = None
        self.slides = self.sliders = False
        self.said = ""
        self._taken: dict[str, Taken] = {}
        self._wanted: Pose | None = None
        self._amounts: Mapping[str, float] | None = None
        self._sliding: Hand | None = None

    @property
    def world(self) -> World | None:
        """The world that is shown; None for what was recorded."""
        source = self.timeline.source
        return source.world if isinstance(source, RunningWorld) else None

    @property
    def looked_at(self) -> Names:
        """The pair that was chosen, or the body; nothing where neither was."""
        return self.pair or ((self.chosen,) if self.chosen else ())

    @property
    def holds(self) -> bool:
        """Whether the chosen body is held."""
        held = () if self.world is None else self.world.held
        return self.chosen in self._taken and self.chosen in held

    @property
    def body(self) -> Body | None:
        """The chosen body itself, where it can be moved."""
        world, name = self.world, self.chosen
        return None if world is None or name is None else world.body(name)

    @property
    def amounts(self) -> Mapping[str, float]:
        """How much the chosen body is deformed, or is to be with the next `work`."""
        taken = self._taken[self.chosen or ""] if self.holds else None
        return self._amounts or (AT_REST if taken is None else taken.amounts)

    def choose(self, name: str | None, feature: Feature | None = None) -> None:
        """Mark a body and one of its features, or nothing."""
        if name != self.chosen:
            self._wanted = self._amounts = self._sliding = None
        self.pair = self.pair if name and name == self.chosen else None
        self.chosen, self.feature, self.said = name, feature, ""

    def next(self) -> None:
        """Choose the next body in their order; after the last one the first."""
        frame = self.timeline.frame
        names = [] if frame is None else [body.name for body in frame.bodies]
        if names:
            self.choose(_following(names, self.chosen))

    def next_pair(self) -> None:
        """Look at the next pair, the nearest first; of the chosen body alone."""
        frame = self.timeline.frame
        body = () if self.chosen is None else (self.chosen,)
        pairs = [] if frame is None else nearest_pairs(frame, body)
        self.said = "" if pairs else "no pair is reported near it"
        if pairs:
            self.pair = _following(pairs, self.pair)

    def let_go(self) -> None:
        """Let go of all bodies, and choose none; scripts go on where they were."""
        if self.world is not None:
            for name in sorted(self._taken.keys() & {*self.world.held}):
                self.world.let_go(name)
        self.choose(None)

    def move_to(self, pose: Pose) -> None:
        """Want the chosen body there, with the next `work`."""
        if self._can_move():
            self._wanted = pose

    def deform(self, **amounts: float) -> None:
        """Want other amounts of the chosen body's squash, twist or bend."""
        if self._can_move():
            self._amounts = {**self.amounts, **amounts}

    def put_back(self) -> None:
        """Want the chosen body where and as it was when it was taken."""
        body, world = self.body, self.world
        if not self._can_move() or body is None or world is None:
            return
        if (taken := self._taken.get(body.name)) is None:
            self.said = "nothing was done to it yet"
            return
        world.hold(body.name)
        self._wanted, self._amounts = taken.pose, AT_REST

    def flip_sliders(self) -> None:
        """Show the amounts of the chosen body, or hide them."""
        if self.sliders or self._can_move():
            self.sliders = not self.sliders

    def flip_slides(self) -> None:
        """Stop at other bodies and slide along them, or pass through them."""
        self.slides, self._sliding = not self.slides, None
        self.said = f"others are {'in the way' if self.slides else 'passed through'}"
        if self.world is not None and self.world.law is not None:
            self.said = "bodies push each other: a law moves them"

    def middle(self) -> Floats:
        """Return the middle of the chosen body's box, (3,), body frame."""
        assert self.body is not None
        places = self.body.positions
        return np.asarray(places.min(axis=0) + places.max(axis=0)) / 2

    def work(self) -> bool:
        """Do what is wanted, the newest wish once; tell whether something changed."""
        body, world, wanted = self.body, self.world, self._wanted
        amounts = self._amounts
        if body is None or world is None or (wanted is None and amounts is None):
            return False
        before = Taken(body.pose, body.positions.copy())
        if not self.holds:
            world.hold(body.name)
            self._taken[body.name] = before
        self._wanted, self._amounts, self.said = None, None, ""
        taken = self._taken[body.name]
        law = world.law is not None
        try:
            if amounts is not None:
                body.points = taken.deformed(amounts)
                self._taken[body.name] = taken._replace(amounts=amounts)
            if wanted is not None and self.slides and not law:
                self._sliding = self._sliding or sliding(body, world)
                drag = self._sliding.move_to(wanted)
                self.said = drag.reason or drag.response
            elif wanted is not None:
                body.pose = wanted
            if law or not self.timeline.playing:
                self._make_frame(world)
        except Exception as error:  # whatever a hand does, the window stays
            body.pose, body.points, self._sliding = before.pose, before.points, None
            self._taken[body.name] = taken
            self.said = f"not done: {error}"
        return True

    def _can_move(self) -> bool:
        """Tell whether a body that can be moved is chosen; say why, if none is."""
        if self.body is None:
            away = getattr(self.timeline.source, "out_of_reach", NO_WORLD)
            self.said = away if self.world is None else "choose a body first: Tab"
        return self.body is not None

    def _make_frame(self, world: World) -> None:
        """Make a frame and show it: only what is held changed, or a law answers."""
        source, law = self.timeline.source, world.law is not None
        assert isinstance(source, RunningWorld)
        others = [b.name for b in world.bodies if not law and b.name not in world.held]
        for name in others:
            world.hold(name)
        try:
            source.extend(more=True)
        finally:
            for name in others:
                world.let_go(name)
        self.timeline.to_end()
        if self.timeline.playing:
            self.timeline.play()  # the next frame is due after this one


def _following(things: Sequence[Item], present: Item | None) -> Item:
    """Return the next one; after the last, or none, the first."""
    here = things.index(present) if present in things else -1
    return things[(here + 1) % len(things)]

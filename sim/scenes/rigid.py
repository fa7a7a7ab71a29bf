"""Scenes of bodies that keep their shape: every way to touch, once or often."""

from dataclasses import replace
from math import sqrt

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform.deformer import Points
from sim.motion import ramp
from sim.scenes.table import led, on_table, over, scene, still, table_top, world
from sim.scenes.ways import EDGE, HAIR, Soft, X, Y, Z, lowest, ridge_pose, touch, turned
from sim.world import World
from wingedge import shapes


@scene(115)
def slide() -> World:
    """Slide a block that stands on a corner across the table and off its end."""
    above = ramp((0.0, 0.2, 1.8), (0.1, HAIR, HAIR))
    tilt, across = turned((0.0, 1.0, 0.2), 0.7), ramp((0.2, 1.8), (0.0, 1.9))
    return on_table("block", shapes.box((0.5, 0.9, 0.5)), tilt, above, across)


@scene(100)
def tip() -> World:
    """Tip a block over its edge from one side onto the next."""
    turn = turned(Y, ramp((0.4, 1.2), (0.0, np.pi / 2), smooth=True))

    def across(t: float) -> float:
        return 0.3 - float(turn(t).apply((0.3, 0.0, -0.4))[0])

    block = shapes.box((0.6, 0.5, 0.8))
    return on_table("block", block, turn, touch(0.3, 1.4, 1.6), across)


@scene(140)
def spin() -> World:
    """Let a coin spin down on the table: it rolls round on its rim, ever flatter."""
    lean = ramp((0.0, 1.5, 1.9), (0.9, 0.1, 0.0))
    round_ = ramp((0.0, 1.9), (0.0, 11.0))
    turn = turned(Z, lambda t: -0.8 * round_(t), X, lean, Z, round_)
    return on_table("coin", shapes.prism(12, 0.4, 0.08), turn, touch(0.2, 2.1, 2.3))


@scene(100)
def face_on_face() -> World:
    """Lower a box flat onto another, push it half over the end and lift it."""
    block = shapes.grid_box((2, 3, 1), (0.8, 0.6, 0.4))
    turn, across = (ramp((0.4, 1.2), (0.0, to)) for to in (0.8, EDGE))
    return on_table("block", block, turned(Z, turn), touch(0.3, 1.4, 1.6), across)


@scene(120)
def edge_on_edge() -> World:
    """Cross two ridges, turn them until they are parallel, and part them."""
    ridge = shapes.prism(3, 0.5, 1.6)
    low = Body(ridge, name="lower", pose=ridge_pose(0.0, 0.0, up=True))
    angle = ramp((0.4, 1.0, 1.3, 1.6), (1.2, 0.0, 0.0, -0.4))
    above = ramp((0.0, 0.3, 1.7, 1.9), (0.3, HAIR, HAIR, 0.2))

    def crossed(t: float) -> Pose:
        return ridge_pose(angle(t), 1.0 + above(t), up=False)

    return led("upper", ridge, low, crossed)


@scene(100)
def pass_through() -> World:
    """Send a ball straight through a plate: in, through, out on the other side."""
    fall = motion.stack(
        motion.spin((1.0, 2.0, 0.5), 1.5),
        motion.linear((0.1, 0.05, -1.0), start=(0.0, 0.0, 0.8)),
    )
    plate = still("plate", shapes.box((1.6, 1.6, 0.2)))
    return led("ball", shapes.icosphere(1, 0.4), plate, fall)


@scene(80)
def arch() -> World:
    """Press an arch down: one foot touches, then the other, then what is between.

    The case that the paper leaves open (Yokoyama et al., section 5, Fig. 8): while a
    body that is not convex touches at A it is moved down, and B touches too.  Pressed
    further the three contacts become one, and fall apart again when it is lifted.
    """
    legs = ramp(
        (-1.0, -0.75, -0.5, 0.0, 0.5, 0.75, 1.0), (0.5, 0.5, 0.1, 0.2, 0.1, 0.4, 0.4)
    )
    rest = shapes.grid_box((12, 1, 1), (2.0, 0.6, 0.8))
    points = rest.points.copy()
    low = points[:, 2] < 0.0
    points[low, 2] = [-legs(x) for x in points[low, 0].tolist()]
    height = ramp((0.0, 0.1, 0.6, 0.7, 1.2, 1.3), (0.55, 0.5, 0.08, 0.08, 0.5, 0.55))

    def soft(points: Points, t: float) -> Points:
        """Give way below the table's top, never through it: there, and above is lower.

        Far above the top a foot stands at the height itself.
        """
        moved, little = points.copy(), 4.0 * HAIR * HAIR
        z = moved[:, 2] = points[:, 2] + height(t)
        root = np.sqrt(z * z + little)
        with np.errstate(divide="ignore"):
            stands = np.where(z > 0.0, 0.5 * (z + root), 0.5 * little / (root - z))
        moved[:, 2] = np.where(points[:, 2] < 0.0, stands, z)
        return moved

    body = Body(replace(rest, points=points), name="arch")
    return world(body, table_top(), deform={"arch": soft}, regions=True)


@scene(60)
def knead() -> World:
    """Press two wavy pads together: hills meet, join into a ridge and part again."""
    waves = ramp((-1.0, -0.5, 0.0, 0.5, 1.0), (0.0, 1.0, 0.0, 0.8, 0.0))
    rest = shapes.grid_box((8, 1, 1), (2.0, 0.8, 0.5))
    hills = np.array([waves(x) for x in rest.points[:, 0].tolist()])
    down = rest.points[:, 2] < 0.0
    height = ramp((0.0, 0.2, 0.5, 0.6, 0.9), (0.1, 0.1, 0.0025, 0.0025, 0.1))
    gap = touch(0.2, 0.7, 0.9)

    def swell(sign: float) -> Soft:
        def soft(points: Points, t: float) -> Points:
            moved = points.copy()
            inner = down if sign < 0.0 else ~down
            moved[inner, 2] += sign * height(t) * (hills[inner] - 1.0)
            moved[:, 2] -= sign * (0.25 + 0.5 * gap(t))
            return moved

        return soft

    deform = {"upper": swell(-1.0), "lower": swell(1.0)}
    return world(*(still(n, rest) for n in deform), deform=deform, regions=True)


@scene(120)
def roll() -> World:
    """Roll a barrel along the table, from one side of it onto the next, once round."""
    sides, radius = 8, 0.3
    barrel = shapes.prism(sides, radius, 0.8)
    step = 2.0 * np.pi / sides
    angle = ramp((0.3, 1.7), (0.0, 8.0 * step), smooth=True)
    above = touch(0.2, 1.8, 2.0)
    lying = turned(Z, 0.5 * step, X, np.pi / 2)(0.0)
    turn = turned(Y, angle)
    ring = lying.apply(barrel.points[:sides])
    side = ring[1] - ring[0]
    length = sqrt(float(side[0] * side[0] + side[2] * side[2]))
    first = int(np.argmin(ring[:, 2] - 0.5 * ring[:, 0]))  # low, and ahead

    def rolled(t: float) -> Pose:
        """Turn about the edge that lies ahead; it stays where it is."""
        pose = turn(t) @ lying
        steps = int(angle(t) / step)
        points = pose.apply(barrel.points)
        ahead = float(points[(first + steps) % sides, 0])
        place = (steps - 4) * length - ahead
        return Pose(pose.linear, (place, 0.0, above(t) - lowest(points)))

    return led("barrel", barrel, table_top(), rolled)


@scene(125)
def top() -> World:
    """Spin a top on its tip; it sways, topples over and lies on its rim."""
    round_ = ramp((0.0, 2.0), (0.0, 15.0))
    lean = ramp((0.3, 1.2, 1.6), (0.0, 0.3, 1.2), smooth=True)
    turn = turned(Z, round_, X, lean, Z, lambda t: 0.25 * round_(t))
    return on_table("top", shapes.needle(0.8, 1.25, 6), turn, touch(0.2, 1.9, 2.1))


@scene(130)
def seesaw() -> World:
    """Rock a plank on a ridge until one end meets the table, then the other."""
    ridge, plank = shapes.prism(3, 0.16, 0.5), shapes.box((1.6, 0.3, 0.06))
    high = 0.304
    angle = ramp((0.3, 0.7, 0.9, 1.4, 1.6, 1.9), (0.0, high, high, -high, -high, 0.0))
    above, turn = touch(0.2, 2.0, 2.2), turned(Y, angle)

    def rocked(t: float) -> Pose:
        pose = turn(t)
        x, _, z = pose.apply((0.0, 0.0, -0.03)).tolist()  # what lies on the ridge
        return Pose(pose.linear, (-x, 0.0, 0.24 + above(t) - z))

    low = Body(ridge, name="ridge", pose=ridge_pose(0.0, 0.08, up=True))
    bodies, apart = (still("plank", plank), low, table_top()), [("ridge", "table")]
    return world(*bodies, motion={"plank": rocked}, ignore=apart)


@scene(110)
def thread() -> World:
    """Push a peg through the hole of a ring, along one wall and then the other."""
    down, wall = ramp((0.0, 1.8), (0.9, -0.9)), 0.05 - HAIR
    aside = ramp((0.5, 0.8, 0.9, 1.2), (0.0, wall, wall, -wall))

    def pushed(t: float) -> Pose:
        return Pose(None, (aside(t), 0.0, down(t)))

    ring = still("ring", shapes.ring((1.2, 1.2, 0.3)))
    return led("peg", shapes.prism(6, 0.15, 1.0), ring, pushed)


@scene(60)
def teleport() -> World:
    """Move a ball by leaps: no place has to do with the last, near, deep or far."""
    ball, block = shapes.icosphere(1, 0.4), shapes.box((1.0, 0.8, 0.6))
    high, low = ball.points.max(axis=0) + HAIR, ball.points.min(axis=0) - HAIR
    right, behind, over = (np.array((0.5, 0.4, 0.3)) - low).tolist()
    left, before, under = (-np.array((0.5, 0.4, 0.3)) - high).tolist()
    places = (
        (3.0, 2.0, 1.0),
        (right, 0.1, 0.05),
        (left, -0.1, 0.0),
        (0.0, 0.0, over),
        (0.3, 0.2, under),
        (1000.0, -1000.0, 500.0),
        (0.1, behind, -0.1),
        (-0.3, before, 0.1),
        (0.75, 0.1, 0.0),  # deep
        (0.0, 0.0, -0.6),
        (right, -0.3, 0.2),
        (0.7, 0.6, 0.5),  # at a corner
        (0.0, 0.0, 0.0),  # one middle upon the other
        (left, 0.2, -0.2),
        (-2.0, 0.0, 0.0),
    )
    leaps = {"ball": lambda t: Pose(None, places[min(int(t), len(places) - 1)])}
    # in a margin what leaps out of it in contact has to be told all the same
    bodies = still("ball", ball), still("block", block)
    return world(*bodies, motion=leaps, dt=0.25, margin=0.1)


@scene(80)
def hail() -> World:
    """Let a dozen stones fall on the table, each in its turn, and bounce off.

    Two by two they brush against each other in the air.
    """
    stone = shapes.icosphere(0, 0.15)

    def falling(k: int) -> motion.Motion:
        x, y, start = -0.75 + 0.5 * (k % 4), -0.4 + 0.4 * (k // 4), 0.04 * k
        toward = 0.12 if k % 2 == 0 else -0.12
        times = [start + s for s in (0.0, 0.3, 0.4, 0.55)]
        height = ramp(times, (0.9, HAIR, HAIR, 0.3))
        aside = ramp([start + s for s in (0.4, 0.6, 0.65, 0.9)], (0, toward, toward, 0))
        turn = motion.spin((1.0 + k, 2.0, 3.0 - k), 4.0)
        return over(stone, turn, height, lambda t: (x + aside(t), y))

    motions = {f"stone{k}": falling(k) for k in range(12)}
    stones = (still(name, stone) for name in motions)
    return world(*stones, table_top(), motion=motions, margin=0.1)


@scene(105)
def rock() -> World:
    """Rock a body that stands on two legs from one to the other, and lift it."""
    angle = ramp((0.2, 0.5, 0.9, 1.3), (0.0, 0.06, -0.06, 0.05))
    turn = turned(X, -np.pi / 2, (0.0, 1.0, 0.1), angle)  # its notch looks down
    legs = shapes.u_block((1.2, 0.8, 0.5))
    return on_table("legs", legs, turn, touch(0.2, 1.4, 1.6))


@scene(100)
def reach() -> World:
    """Stretch an arm until it meets a post that is far from where the arm rests."""
    arm, rod = shapes.grid_box((4, 1, 1), (0.8, 0.3, 0.3)), shapes.prism(6, 0.2, 1.0)
    post = replace(rod, points=rod.points + np.array((1.4, 0.0, 0.0)))
    length = ramp((0.2, 0.8, 1.1, 1.5), (1.0, 3.0 - HAIR, 3.0 - HAIR, 1.2))

    def stretched(points: Points, t: float) -> Points:
        """Draw out the far half, and thin what is drawn out."""
        moved = points.copy()
        far = points[:, 0] > 0.0
        moved[far, 0] *= length(t)
        moved[far, 1] /= length(t)
        return moved

    posts = still("post", post), still("other", post, -1.4, 2.0, 0.0)
    return world(still("arm", arm), *posts, deform={"arm": stretched}, margin=0.1)


@scene(100)
def brink() -> World:
    """Lead a corner over the rim of the table, and stop a hair of a hair beyond it."""
    tilt, block = turned((0.3, 1.0, 0.0), 0.7), shapes.box((0.4, 0.4, 0.4))
    corners = tilt(0.0).apply(block.points)
    corner = float(corners[corners[:, 2].argmin(), 0])
    beyond = ramp((0.2, 0.6, 1.0, 1.2), (-0.1, -1e-8, 1e-8, 1e-8))
    above = ramp((0.0, 0.2, 1.3, 1.5), (0.1, 0.006, 0.006, 0.1))
    return on_table("block", block, tilt, above, lambda t: EDGE - corner + beyond(t))

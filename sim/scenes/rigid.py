"""Scenes of bodies that keep their shape: every way to touch, once or often."""

from collections.abc import Callable
from math import sqrt

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform.deformer import Points
from sim.motion import ramp
from sim.scenes.table import (
    EDGE,
    HAIR,
    lowest,
    on_table,
    over,
    ridge_pose,
    scene,
    table_top,
)
from sim.world import World
from wingedge import WingedEdgeMesh, shapes


def slide() -> World:
    """Slide a block that stands on a corner across the table and off its end."""
    tilt = motion.turn((0.0, 1.0, 0.2), lambda t: 0.7)
    return on_table(
        "block",
        shapes.box((0.5, 0.9, 0.5)),
        turn=tilt,
        above=ramp((0.0, 0.2, 1.8), (0.1, HAIR, HAIR)),
        across=ramp((0.2, 1.8), (0.0, 1.9)),
    )


def brink() -> World:
    """Lead a corner over the rim of the table, and stop a hair of a hair beyond it."""
    tilt = motion.turn((0.3, 1.0, 0.0), lambda t: 0.7)
    block = shapes.box((0.4, 0.4, 0.4))
    corners = tilt(0.0).apply(block.points)
    corner = float(corners[corners[:, 2].argmin(), 0])
    beyond = ramp((0.2, 0.6, 1.0, 1.2), (-0.1, -1e-8, 1e-8, 1e-8))
    return on_table(
        "block",
        block,
        turn=tilt,
        above=ramp((0.0, 0.2, 1.3, 1.5), (0.1, 0.006, 0.006, 0.1)),
        across=lambda t: EDGE - corner + beyond(t),
    )


def tip() -> World:
    """Tip a block over its edge from one side onto the next."""
    quarter = ramp((0.4, 1.2), (0.0, np.pi / 2), smooth=True)
    turn = motion.turn((0.0, 1.0, 0.0), quarter)
    return on_table(
        "block",
        shapes.box((0.6, 0.5, 0.8)),
        turn=turn,
        above=ramp((0.0, 0.3, 1.4, 1.6), (0.1, HAIR, HAIR, 0.1)),
        across=lambda t: 0.3 - float(turn(t).apply((0.3, 0.0, -0.4))[0]),
    )


def spin() -> World:
    """Let a coin spin down on the table: it rolls round on its rim, ever flatter."""
    lean = ramp((0.0, 1.5, 1.9), (0.9, 0.1, 0.0))
    round_ = ramp((0.0, 1.9), (0.0, 11.0))
    turn = motion.stack(
        motion.turn((0.0, 0.0, 1.0), lambda t: -0.8 * round_(t)),
        motion.turn((1.0, 0.0, 0.0), lean),
        motion.turn((0.0, 0.0, 1.0), round_),
    )
    return on_table(
        "coin",
        shapes.prism(12, 0.4, 0.08),
        turn=turn,
        above=ramp((0.0, 0.2, 2.1, 2.3), (0.1, HAIR, HAIR, 0.1)),
    )


def face_on_face() -> World:
    """Lower a box flat onto another, push it half over the end and lift it."""
    return on_table(
        "block",
        shapes.grid_box((2, 3, 1), (0.8, 0.6, 0.4)),
        turn=motion.turn((0.0, 0.0, 1.0), ramp((0.4, 1.2), (0.0, 0.8))),
        above=ramp((0.0, 0.3, 1.4, 1.6), (0.1, HAIR, HAIR, 0.1)),
        across=ramp((0.4, 1.2), (0.0, EDGE)),
    )


def edge_on_edge() -> World:
    """Cross two ridges, turn them until they are parallel, and part them."""
    ridge = shapes.prism(3, 0.5, 1.6)
    low = Body(ridge, name="lower", pose=ridge_pose(0.0, 0.0, up=True))
    angle = ramp((0.4, 1.0, 1.3, 1.6), (1.2, 0.0, 0.0, -0.4))
    above = ramp((0.0, 0.3, 1.7, 1.9), (0.3, HAIR, HAIR, 0.2))
    return scene(
        Body(ridge, name="upper"),
        low,
        motion={"upper": lambda t: ridge_pose(angle(t), 1.0 + above(t), up=False)},
    )


def pass_through() -> World:
    """Send a ball straight through a plate: in, through, out on the other side."""
    ball, plate = shapes.icosphere(1, 0.4), shapes.box((1.6, 1.6, 0.2))
    fall = motion.stack(
        motion.spin((1.0, 2.0, 0.5), 1.5),
        motion.linear((0.1, 0.05, -1.0), start=(0.0, 0.0, 0.8)),
    )
    return scene(
        Body(ball, name="ball"), Body(plate, name="plate"), motion={"ball": fall}
    )


def roll() -> World:
    """Roll a barrel along the table, from one side of it onto the next, once round."""
    sides, radius = 8, 0.3
    barrel = shapes.prism(sides, radius, 0.8)
    step = 2.0 * np.pi / sides
    angle = ramp((0.3, 1.7), (0.0, 8.0 * step), smooth=True)
    above = ramp((0.0, 0.2, 1.8, 2.0), (0.1, HAIR, HAIR, 0.1))
    lying = motion.stack(
        motion.turn((0.0, 0.0, 1.0), lambda t: 0.5 * step),
        motion.turn((1.0, 0.0, 0.0), lambda t: np.pi / 2),
    )(0.0)
    turn = motion.turn((0.0, 1.0, 0.0), angle)
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

    return scene(Body(barrel, name="barrel"), table_top(), motion={"barrel": rolled})


def top() -> World:
    """Spin a top on its tip; it sways, topples over and lies on its rim."""
    round_ = ramp((0.0, 2.0), (0.0, 15.0))
    lean = ramp((0.3, 1.2, 1.6), (0.0, 0.3, 1.2), smooth=True)
    turn = motion.stack(
        motion.turn((0.0, 0.0, 1.0), round_),
        motion.turn((1.0, 0.0, 0.0), lean),
        motion.turn((0.0, 0.0, 1.0), lambda t: 0.25 * round_(t)),
    )
    return on_table(
        "top",
        shapes.needle(0.8, 1.25, 6),
        turn=turn,
        above=ramp((0.0, 0.2, 1.9, 2.1), (0.1, HAIR, HAIR, 0.1)),
    )


def seesaw() -> World:
    """Rock a plank on a ridge until one end meets the table, then the other."""
    ridge, plank = shapes.prism(3, 0.16, 0.5), shapes.box((1.6, 0.3, 0.06))
    angle = ramp(
        (0.3, 0.7, 0.9, 1.4, 1.6, 1.9), (0.0, 0.304, 0.304, -0.304, -0.304, 0.0)
    )
    above = ramp((0.0, 0.2, 2.0, 2.2), (0.1, HAIR, HAIR, 0.1))
    turn = motion.turn((0.0, 1.0, 0.0), angle)

    def rocked(t: float) -> Pose:
        pose = turn(t)
        x, _, z = pose.apply((0.0, 0.0, -0.03)).tolist()  # what lies on the ridge
        return Pose(pose.linear, (-x, 0.0, 0.24 + above(t) - z))

    return scene(
        Body(plank, name="plank"),
        Body(ridge, name="ridge", pose=ridge_pose(0.0, 0.08, up=True)),
        table_top(),
        motion={"plank": rocked},
        ignore=[("ridge", "table")],
    )


def thread() -> World:
    """Push a peg through the hole of a ring, along one wall and then the other."""
    peg, ring = shapes.prism(6, 0.15, 1.0), shapes.ring((1.2, 1.2, 0.3))
    down = ramp((0.0, 1.8), (0.9, -0.9))
    aside = ramp((0.5, 0.8, 0.9, 1.2), (0.0, 0.05 - HAIR, 0.05 - HAIR, HAIR - 0.05))
    turn = motion.turn((0.0, 0.0, 1.0), lambda t: 0.0)
    return scene(
        Body(peg, name="peg"),
        Body(ring, name="ring"),
        motion={"peg": lambda t: Pose(turn(t).linear, (aside(t), 0.0, down(t)))},
    )


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
    return scene(
        Body(ball, name="ball"),
        Body(block, name="block"),
        motion={"ball": lambda t: Pose(None, places[min(int(t), len(places) - 1)])},
        dt=0.25,
        margin=0.1,  # what leaps out of it in contact has to be told all the same
    )


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
    low = rest.points[:, 2] < 0.0
    points = rest.points.copy()
    points[low, 2] = [-legs(x) for x in points[low, 0].tolist()]
    faces = [rest.face_vertices(f).tolist() for f in range(rest.n_faces)]
    body = WingedEdgeMesh.from_faces(points, faces)
    height = ramp((0.0, 0.1, 0.6, 0.7, 1.2, 1.3), (0.55, 0.5, 0.08, 0.08, 0.5, 0.55))

    def soft(points: Points, t: float) -> Points:
        """Give way below the table's top, never through it."""
        moved = points.copy()
        moved[:, 2] = [
            _yield(z + height(t)) if z < 0.0 else z + height(t)
            for z in points[:, 2].tolist()
        ]
        return moved

    return scene(
        Body(body, name="arch"), table_top(), deform={"arch": soft}, regions=True
    )


def knead() -> World:
    """Press two wavy pads together: hills meet, join into a ridge and part again."""
    waves = ramp((-1.0, -0.5, 0.0, 0.5, 1.0), (0.0, 1.0, 0.0, 0.8, 0.0))
    rest = shapes.grid_box((8, 1, 1), (2.0, 0.8, 0.5))
    hills = np.array([waves(x) for x in rest.points[:, 0].tolist()])
    down = rest.points[:, 2] < 0.0
    height = ramp((0.0, 0.2, 0.5, 0.6, 0.9), (0.1, 0.1, 0.0025, 0.0025, 0.1))
    gap = ramp((0.0, 0.2, 0.7, 0.9), (0.1, HAIR, HAIR, 0.1))

    def swell(sign: float) -> Callable[[Points, float], Points]:
        def soft(points: Points, t: float) -> Points:
            moved = points.copy()
            inner = down if sign < 0.0 else ~down
            moved[inner, 2] += sign * height(t) * (hills[inner] - 1.0)
            moved[:, 2] -= sign * (0.25 + 0.5 * gap(t))
            return moved

        return soft

    return scene(
        Body(rest, name="upper"),
        Body(rest, name="lower"),
        deform={"upper": swell(-1.0), "lower": swell(1.0)},
        regions=True,
    )


def hail() -> World:
    """Let a dozen stones fall on the table, each in its turn, and bounce off.

    Two by two they brush against each other in the air.
    """
    stone = shapes.icosphere(0, 0.15)

    def falling(k: int) -> motion.Motion:
        x, y, start = -0.75 + 0.5 * (k % 4), -0.4 + 0.4 * (k // 4), 0.04 * k
        toward = 0.12 if k % 2 == 0 else -0.12
        height = ramp(
            [start + s for s in (0.0, 0.3, 0.4, 0.55)], (0.9, HAIR, HAIR, 0.3)
        )
        aside = ramp([start + s for s in (0.4, 0.6, 0.65, 0.9)], (0, toward, toward, 0))
        turn = motion.spin((1.0 + k, 2.0, 3.0 - k), 4.0)
        return over(stone, turn, height, lambda t: (x + aside(t), y))

    return scene(
        *(Body(stone, name=f"stone{k}") for k in range(12)),
        table_top(),
        motion={f"stone{k}": falling(k) for k in range(12)},
        margin=0.1,
    )


def rock() -> World:
    """Rock a body that stands on two legs from one to the other, and lift it."""
    legs = shapes.u_block((1.2, 0.8, 0.5))
    over = motion.turn((1.0, 0.0, 0.0), lambda t: -np.pi / 2)  # its notch looks down
    angle = ramp((0.2, 0.5, 0.9, 1.3), (0.0, 0.06, -0.06, 0.05))
    sway = motion.turn((0.0, 1.0, 0.1), angle)
    above = ramp((0.0, 0.2, 1.4, 1.6), (0.1, HAIR, HAIR, 0.1))
    return on_table("legs", legs, turn=lambda t: sway(t) @ over(t), above=above)


def reach() -> World:
    """Stretch an arm until it meets a post that is far from where the arm rests."""
    arm, rod = shapes.grid_box((4, 1, 1), (0.8, 0.3, 0.3)), shapes.prism(6, 0.2, 1.0)
    faces = [rod.face_vertices(f).tolist() for f in range(rod.n_faces)]
    post = WingedEdgeMesh.from_faces(rod.points + np.array((1.4, 0.0, 0.0)), faces)
    length = ramp((0.2, 0.8, 1.1, 1.5), (1.0, 3.0 - HAIR, 3.0 - HAIR, 1.2))

    def stretched(points: Points, t: float) -> Points:
        """Draw out the far half, and thin what is drawn out."""
        moved = points.copy()
        far = points[:, 0] > 0.0
        moved[far, 0] *= length(t)
        moved[far, 1] /= length(t)
        return moved

    return scene(
        Body(arm, name="arm"),
        Body(post, name="post"),
        Body(post, name="other", pose=Pose(None, (-1.4, 2.0, 0.0))),
        deform={"arm": stretched},
        margin=0.1,
    )


def _yield(height: float) -> float:
    """Return the height at which a soft foot stands: above 0, and above what is lower.

    Far above it is the height itself.
    """
    soft = 4.0 * HAIR * HAIR
    if height > 0.0:
        return 0.5 * (height + sqrt(height * height + soft))
    return 0.5 * soft / (sqrt(height * height + soft) - height)

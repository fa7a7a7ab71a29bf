"""Scenes of several contacts at once: in one pair, or of many bodies."""

from collections.abc import Callable
from math import sqrt

import numpy as np

from sim import motion
from sim.body.body import Body
from sim.body.pose import Pose
from sim.deform import Points
from sim.motion import ramp
from sim.scenes.table import HAIR, lowest, on_table, table_top
from sim.world import World
from wingedge import WingedEdgeMesh, shapes


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

    return World(
        [Body(body, name="arch"), table_top()],
        deform={"arch": soft},
        contact_distance=0.01,
        regions=True,
    )


def knead() -> World:
    """Press two wavy pads together: hills meet, join into a ridge and part again."""
    waves = ramp(
        (-1.0, -0.5, 0.0, 0.5, 1.0),
        (0.0, 1.0, 0.0, 0.8, 0.0),
    )
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

    return World(
        [Body(rest, name="upper"), Body(rest, name="lower")],
        deform={"upper": swell(-1.0), "lower": swell(1.0)},
        contact_distance=0.01,
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

        def fallen(t: float) -> Pose:
            pose = turn(t)
            z = height(t) - lowest(pose.apply(stone.points))
            return Pose(pose.linear, (x + aside(t), y, z))

        return fallen

    return World(
        [*(Body(stone, name=f"stone{k}") for k in range(12)), table_top()],
        motion={f"stone{k}": falling(k) for k in range(12)},
        contact_distance=0.01,
        margin=0.1,
    )


def rock() -> World:
    """Rock a body that stands on two legs from one to the other, and lift it."""
    legs = shapes.u_block((1.2, 0.8, 0.5))
    over = motion.turn((1.0, 0.0, 0.0), lambda t: -np.pi / 2)  # its notch looks down
    angle = ramp((0.2, 0.5, 0.9, 1.3), (0.0, 0.06, -0.06, 0.05))
    sway = motion.turn((0.0, 1.0, 0.1), angle)
    above = ramp((0.0, 0.2, 1.4, 1.6), (0.1, HAIR, HAIR, 0.1))
    return on_table(
        "legs",
        legs,
        turn=lambda t: sway(t) @ over(t),
        above=above,
        across=lambda t: 0.0,
    )


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

    return World(
        [
            Body(arm, name="arm"),
            Body(post, name="post"),
            Body(post, name="other", pose=Pose(None, (-1.4, 2.0, 0.0))),
        ],
        deform={"arm": stretched},
        contact_distance=0.01,
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

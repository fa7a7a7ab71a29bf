"""Named scenes: the same worlds for tests, examples, benchmarks and the demo.

``scenes.load(name)`` builds a fresh world, ``scenes.length(name)`` says how many frames
its story takes. No clock, no chance: all positions come from + - * / and square roots
alone, so a scene has the same bits on every machine.
"""

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import deform, motion
from sim.body import Body
from sim.deform import Points
from sim.motion import Motion, ramp
from sim.pose import Pose
from sim.world import World
from wingedge import WingedEdgeMesh, shapes

TABLE = (2.4, 1.6, 0.4)  # its top is at height 0, its edges at x = 1.2 and y = 0.8
EDGE = 1.2
HAIR = 0.0005  # what stays between bodies that touch

__all__ = ["length", "load", "names"]


class Scene(NamedTuple):
    """How to build a world, and how many frames its story takes."""

    build: Callable[[], World]
    length: int


def names() -> tuple[str, ...]:
    """List the scenes, the demo first."""
    return tuple(SCENES)


def load(name: str) -> World:
    """Build a scene, at its first frame.

    Raises
    ------
    ValueError
        If there is no such scene.
    """
    return _scene(name).build()


def length(name: str) -> int:
    """Say how many frames the story of a scene takes, at its ``dt``.

    Raises
    ------
    ValueError
        If there is no such scene.
    """
    return _scene(name).length


def demo() -> World:
    """Squash a turning ball onto a table, roll it over the edge and let it go."""
    ball, radius = shapes.icosphere(2, 0.5), 0.5
    soft = deform.squash(
        ramp((0.3, 0.9, 1.1, 1.7), (0.0, 0.25, 0.25, 0.0), smooth=True)
    )
    across = ramp((0.9, 2.1, 2.6), (0.0, EDGE + 0.4, EDGE + 1.4), smooth=True)
    above = ramp(
        (0.0, 0.65, 0.8, 1.0, 1.1, 1.6, 1.8),
        (0.6, HAIR, -0.004, -0.004, HAIR, HAIR, 0.012),
        smooth=True,
    )
    turned = motion.stack(
        motion.turn((0.0, 0.0, 1.0), ramp((0.0, 0.8), (0.3, 1.0))),
        motion.turn((0.0, 1.0, 0.0), lambda t: across(t) / radius),
    )

    def rolling(t: float) -> Pose:
        x = across(t)
        over = min(max(0.0, x - EDGE), 0.45)
        fallen = radius - sqrt(radius * radius - over * over)
        turn = turned(t)
        height = above(t) - fallen - _lowest(turn.apply(soft(ball.points, t)))
        return Pose(turn.linear, (x, 0.0, height))

    return World(
        [Body(ball, name="jelly"), _table()],
        motion={"jelly": rolling},
        deform={"jelly": soft},
        contact_distance=0.01,
    )


def press() -> World:
    """Press a soft prism down with a shear, and release it."""
    block = shapes.prism(5, 0.5, 0.8)
    soft = deform.stack(
        deform.squash(ramp((0.4, 0.8, 1.2), (0.0, 0.3, 0.0), smooth=True)),
        deform.shear(ramp((0.5, 0.8, 1.1), (0.0, 0.4, 0.0))),
    )
    tilt = motion.turn((1.0, 2.0, 0.0), ramp((0.4, 0.8, 1.2), (0.3, 0.0, 0.2)))
    return _on_table(
        "jelly",
        block,
        turn=tilt,
        soft=soft,
        above=ramp((0.0, 0.4, 1.2, 1.6), (0.4, HAIR, HAIR, 0.4), smooth=True),
        across=lambda t: 0.0,
    )


def slide() -> World:
    """Slide a block standing on its edge across the table and off its end."""
    tilt = motion.turn((0.0, 1.0, 0.2), lambda t: 0.7)
    return _on_table(
        "block",
        shapes.box((0.5, 0.9, 0.5)),
        turn=tilt,
        above=ramp((0.0, 0.2, 1.8), (0.1, HAIR, HAIR)),
        across=ramp((0.2, 1.8), (0.0, 1.9)),
    )


def tip() -> World:
    """Tip a block over its edge from one side onto the next."""
    quarter = ramp((0.4, 1.2), (0.0, np.pi / 2), smooth=True)
    turn = motion.turn((0.0, 1.0, 0.0), quarter)
    return _on_table(
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
    return _on_table(
        "coin",
        shapes.prism(12, 0.4, 0.08),
        turn=turn,
        above=ramp((0.0, 0.2, 2.1, 2.3), (0.1, HAIR, HAIR, 0.1)),
        across=lambda t: 0.0,
    )


def face_on_face() -> World:
    """Lower a box flat onto another, push it half over the end and lift it."""
    return _on_table(
        "block",
        shapes.grid_box((2, 3, 1), (0.8, 0.6, 0.4)),
        turn=motion.turn((0.0, 0.0, 1.0), ramp((0.4, 1.2), (0.0, 0.8))),
        above=ramp((0.0, 0.3, 1.4, 1.6), (0.1, HAIR, HAIR, 0.1)),
        across=ramp((0.4, 1.2), (0.0, EDGE)),
    )


def edge_on_edge() -> World:
    """Cross two ridges, turn them until they are parallel, and part them."""
    ridge = shapes.prism(3, 0.5, 1.6)
    low = Body(ridge, name="lower", pose=_ridge(0.0, 0.0, up=True))
    angle = ramp((0.4, 1.0, 1.3, 1.6), (1.2, 0.0, 0.0, -0.4))
    above = ramp((0.0, 0.3, 1.7, 1.9), (0.3, HAIR, HAIR, 0.2))
    return World(
        [Body(ridge, name="upper"), low],
        motion={"upper": lambda t: _ridge(angle(t), 1.0 + above(t), up=False)},
        contact_distance=0.01,
    )


def pass_through() -> World:
    """Send a ball straight through a plate: in, through, out on the other side."""
    ball, plate = shapes.icosphere(1, 0.4), shapes.box((1.6, 1.6, 0.2))
    fall = motion.stack(
        motion.spin((1.0, 2.0, 0.5), 1.5),
        motion.linear((0.1, 0.05, -1.0), start=(0.0, 0.0, 0.8)),
    )
    return World(
        [Body(ball, name="ball"), Body(plate, name="plate")],
        motion={"ball": fall},
        contact_distance=0.01,
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
    rest = shapes.grid_box((16, 1, 1), (2.0, 0.6, 0.8))
    low = rest.points[:, 2] < 0.0
    points = rest.points.copy()
    points[low, 2] = [-legs(x) for x in points[low, 0].tolist()]
    faces = [rest.face_vertices(f).tolist() for f in range(rest.n_faces)]
    body = WingedEdgeMesh.from_faces(points, faces)
    height = ramp((0.0, 0.2, 0.9, 1.1, 1.7, 1.8), (0.55, 0.5, 0.08, 0.08, 0.5, 0.55))

    def soft(points: Points, t: float) -> Points:
        """Give way below the table's top, never through it."""
        moved = points.copy()
        moved[:, 2] = [
            _yield(z + height(t)) if z < 0.0 else z + height(t)
            for z in points[:, 2].tolist()
        ]
        return moved

    return World(
        [Body(body, name="arch"), _table()],
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
    rest = shapes.grid_box((12, 1, 1), (2.0, 0.8, 0.5))
    hills = np.array([waves(x) for x in rest.points[:, 0].tolist()])
    down = rest.points[:, 2] < 0.0
    height = ramp((0.0, 0.4, 0.8, 1.0, 1.4), (0.1, 0.1, 0.0025, 0.0025, 0.1))
    gap = ramp((0.0, 0.4, 1.2, 1.6), (0.1, HAIR, HAIR, 0.1))

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


SCENES = {
    "demo": Scene(demo, 160),
    "press": Scene(press, 100),
    "slide": Scene(slide, 115),
    "tip": Scene(tip, 100),
    "spin": Scene(spin, 140),
    "face_on_face": Scene(face_on_face, 100),
    "edge_on_edge": Scene(edge_on_edge, 120),
    "pass_through": Scene(pass_through, 100),
    "arch": Scene(arch, 110),
    "knead": Scene(knead, 100),
}


def _scene(name: str) -> Scene:
    if name not in SCENES:
        raise ValueError(f"there is no scene {name!r}; there are {', '.join(SCENES)}")
    return SCENES[name]


def _table() -> Body:
    top = Pose(None, (0.0, 0.0, -TABLE[2] / 2))
    return Body(shapes.box(TABLE), name="table", pose=top)


def _on_table(
    name: str,
    mesh: WingedEdgeMesh,
    *,
    turn: Motion,
    above: Callable[[float], float],
    across: Callable[[float], float],
    soft: deform.Deformer | None = None,
) -> World:
    """Move a body along x so that its lowest point stays ``above`` the table's top."""

    def shape(t: float) -> NDArray[np.float64]:
        return mesh.points if soft is None else np.asarray(soft(mesh.points, t))

    def moved(t: float) -> Pose:
        pose = turn(t)
        height = above(t) - _lowest(pose.apply(shape(t)))
        return Pose(pose.linear, (across(t), 0.0, height))

    return World(
        [Body(mesh, name=name), _table()],
        motion={name: moved},
        deform={} if soft is None else {name: soft},
        contact_distance=0.01,
    )


def _yield(height: float) -> float:
    """Return the height at which a soft foot stands: above 0, and above what is lower.

    Far above it is the height itself.
    """
    soft = 4.0 * HAIR * HAIR
    if height > 0.0:
        return 0.5 * (height + sqrt(height * height + soft))
    return 0.5 * soft / (sqrt(height * height + soft) - height)


def _lowest(points: NDArray[np.float64]) -> float:
    return float(points[:, 2].min())


def _ridge(angle: float, height: float, *, up: bool) -> Pose:
    """Lay a prism down with one edge along y, on top or at the bottom, and turn it."""
    lying = motion.turn((1.0, 0.0, 0.0), lambda t: np.pi / 2)(0.0)
    side = motion.turn((0.0, 1.0, 0.0), lambda t: -np.pi / 2 if up else np.pi / 2)(0.0)
    turn = motion.turn((0.0, 0.0, 1.0), lambda t: angle)(0.0)
    return Pose(None, (0.0, 0.0, height)) @ turn @ side @ lying

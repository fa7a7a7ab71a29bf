"""A sphere walks through a room: along walls, through a doorway, round a pillar.

A point would come to stand in the wall; a sphere keeps its distance (Yamazaki 2002,
section 6).  You will see a line for every leg of the walk: where it ended, what became
of the last step, and what it met.  Then the walk in a window.
"""

import numpy as np

from sim import Body, Pose, World, motion, response
from wingedge import shapes

RADIUS, STEP, START, EYE = 0.35, 0.15, (-3.6, -2.6, 0.5), np.eye(3)
WALLS = {  # where the middle is, and how long, wide and high
    "floor": ((0, 0, -0.1), (10.4, 6.4, 0.2)),
    "west": ((-5.1, 0, 0.5), (0.2, 6.0, 1.0)),
    "east": ((5.1, 0, 0.5), (0.2, 6.0, 1.0)),
    "south": ((0, -3.1, 0.5), (10.4, 0.2, 1.0)),
    "north": ((0, 3.1, 0.5), (10.4, 0.2, 1.0)),
    "left of the door": ((0, 1.9, 0.5), (0.2, 2.2, 1.0)),
    "right of the door": ((0, -1.8, 0.5), (0.2, 2.4, 1.0)),
}
LEGS = [((1, 0.5), 46), ((1, -0.6), 36), ((0.5, 1), 32), ((-1, 0.3), 24)]


def room() -> list[Body]:
    parts = {name: (shapes.box(size), at) for name, (at, size) in WALLS.items()}
    parts["pillar"] = shapes.prism(8, 0.7, 1.0), (2.4, -0.5, 0.5)
    return [Body(m, name=n, pose=Pose(EYE, at)) for n, (m, at) in parts.items()]


def walk(bodies: list[Body]) -> list[response.Outcome]:
    obstacles, here, steps = response.Obstacles(*bodies), np.array(START), []
    for way, count in LEGS:
        step = STEP * np.array([*way, -0.3]) / np.hypot(*way)  # and down: it is heavy
        for _ in range(count):
            steps.append(response.move_sphere(here, here + step, RADIUS, obstacles))
            here = steps[-1].end
        met = [c.triangle for out in steps[-count:] for c in out.contacts]
        names = {bodies[k].name for k in obstacles.source[met, 0]}
        print(here.round(3), steps[-1].response, "- met", ", ".join(sorted(names)))
    return steps


def main(view: bool = True) -> None:
    bodies = room()
    steps = walk(bodies)
    if view:
        import viewer

        ball = Body(shapes.icosphere(2, RADIUS), name="walker")
        way = motion.waypoints(range(len(steps)), [out.end for out in steps])
        world = World([*bodies, ball], motion={"walker": way}, margin=0.0, dt=0.5)
        viewer.watch(world, frames=2 * len(steps))
    assert {out.response for out in steps} == {"free", "slide", "stop"}
    assert steps[-1].end[0] > 0  # through the door


if __name__ == "__main__":
    main()

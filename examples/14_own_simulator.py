"""Your own simulator, followed: a soft ball of springs falls on a table and bounces.

Whatever moves bodies is a source: it has ``bodies``, and ``advance()`` takes a step and
puts them there.  This one is 20 lines and knows nothing of contacts.  You will see when
the ball meets the table, by which vertex, how flat it gets and when it is gone again.
``bounce.png`` shows it at its flattest.
"""

import numpy as np

from sim import Body, Pose, World
from wingedge import shapes


class Bounce:
    def __init__(self):
        self.ball = Body(shapes.icosphere(2), name="ball", pose=Pose(None, (0, 0, 1.3)))
        table = Body(shapes.box((4, 4, 1)), name="table", pose=Pose(None, (0, 0, -0.5)))
        self.bodies = self.ball, table
        self.rest, self.dt = self.ball.mesh.points, 1 / 120
        self.x, self.v = self.rest.copy(), np.zeros_like(self.rest)

    def advance(self):
        step = self.dt / 20
        for _ in range(20):  # every vertex is held where it is in the ball at rest
            force = 300.0 * (self.x.mean(axis=0) + self.rest - self.x)
            force[:, 2] += 9e3 * np.maximum(0.0, -1.3 - self.x[:, 2]) - 9.8
            self.v += step * (force - 0.5 * self.v)
            self.x += step * self.v
        self.ball.points = self.x
        return True


def main(view: bool = True) -> list:
    source = Bounce()
    world = World(source.bodies, dt=source.dt, between=True)
    frames = [world.step()]
    while len(frames) < 160 and source.advance():
        frames.append(world.step())
    told = [event for frame in frames for event in frame.events]
    told = [event for event in told if event.kind in ("begin", "end")]
    for event in told:
        print(f"{event.time:.5f} s  {event}")
    heights = [np.ptp(frame.body("ball").points[:, 2]) for frame in frames]
    print(f"flattest in frame {np.argmin(heights)}: {min(heights):.2f} high")
    if view:
        import viewer

        try:
            viewer.picture(frames[np.argmin(heights)], "bounce.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)  # nothing here draws
    assert [event.kind for event in told[:2]] == ["begin", "end"]
    assert min(heights) < 1.9
    return told


if __name__ == "__main__":
    main()

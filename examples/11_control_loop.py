"""A control loop at 1 kHz lets a ball down on a table and lifts it, again and again.

The loop is a law: what it does next depends on what the last frame said.  The window, a
process of its own, takes the newest frame when it has time: the loop never waits.
"""

import time

from sim import Body, Pose, World
from wingedge import shapes

TICK, SPEED = 1e-3, 0.5


class Loop:
    height, speed = 0.8, -SPEED

    def advance(self, bodies, frame, dt):
        if frame is not None:
            gap = frame.pair("ball", "table").distance
            self.speed = SPEED if gap <= 0.0 else -SPEED if gap > 0.1 else self.speed
            self.height += self.speed * dt
        return {"ball": Pose(None, (0.0, 0.0, self.height))}

    def state(self):
        return vars(self)

    def restore(self, arrays):
        vars(self).update(arrays)


def main(view: bool = True) -> list:
    ball = Body(shapes.icosphere(3, 0.5), name="ball")
    table = Body(shapes.grid_box((8, 8, 1), (3.0, 3.0, 0.3)), name="table")
    world = World([ball, table], law=Loop(), dt=TICK)
    screen, told, due = open_screen() if view else None, [], time.perf_counter()
    for frame in world.run(600 if screen is None else 10_000):
        told += frame.events
        if screen is not None:
            screen.show(frame)
            due += TICK
            time.sleep(max(0.0, due - time.perf_counter()))
    print(*told[:8], sep="\n")
    if screen is not None:
        screen.wait()
    assert [event.kind for event in told[:2]] == ["begin", "penetrate"]
    return told


def open_screen():
    import viewer

    try:
        return viewer.ProcessScreen()
    except (ImportError, viewer.NoPicture):
        return None


if __name__ == "__main__":
    main()

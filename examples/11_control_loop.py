"""A control loop at 1 kHz lets a ball down on a table and lifts it, again and again.

What it does next depends on what the last frame said.  The window lives in a process
of its own and takes the newest frame whenever it has time for one: the loop never waits
for it.  You will see when ball and table met, and how long handing over a frame took.
"""

import time

from sim import Body, Pose, World
from wingedge import shapes

TICK = 1e-3  # seconds
SPEED = 0.5  # lengths a second


def main(view: bool = True) -> list:
    ball = Body(shapes.icosphere(3, 0.5), name="ball", pose=Pose(None, (0, 0, 0.8)))
    table = Body(shapes.grid_box((8, 8, 1), (3.0, 3.0, 0.3)), name="table")
    world = World([ball, table], dt=TICK)
    screen = open_screen() if view else None
    speed, height, spent, told = -SPEED, 0.8, [0.0], []
    due = time.perf_counter()
    for _ in range(600 if screen is None else 10_000):
        frame = world.step()
        told += frame.events
        gap = frame.pair("ball", "table").distance
        speed = SPEED if gap <= 0.0 else -SPEED if gap > 0.1 else speed
        height += speed * TICK
        ball.pose = Pose(None, (0.0, 0.0, height))
        if screen is not None:
            begin = time.perf_counter()
            screen.show(frame)
            spent.append(time.perf_counter() - begin)
            due += TICK
            time.sleep(max(0.0, due - time.perf_counter()))
    for event in told[:8]:
        print(event)
    if screen is not None:
        print(f"{screen.drawn} of {screen.count} frames were drawn; handing one over")
        print(f"took {1e3 * sorted(spent)[len(spent) // 2]:.2f} ms. Close the window.")
        screen.wait()
    assert [event.kind for event in told[:2]] == ["begin", "penetrate"]
    return told


def open_screen():
    import viewer

    try:
        return viewer.ProcessScreen()
    except (ImportError, viewer.NoPicture) as error:
        print(error)
        return None


if __name__ == "__main__":
    main()

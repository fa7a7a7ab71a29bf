"""A body deforms: a soft ball is pressed flat against a plate and sheared to and fro.

Writing ``body.points`` is the whole deformation API; no structure is updated by you.
You will see the closest feature wander over the ball while it is pressed, and that in
every frame the tracker says the same as the search over all pairs. With a screen or
without, ``squashed.png`` shows the frame in which the ball is flattest, if GL is there.
"""

import numpy as np

from sim import Body, World, exhaustive
from wingedge import shapes

FRAMES = 60


def main(view: bool = True) -> None:
    ball = Body(shapes.icosphere(2), name="ball")
    plate = Body(shapes.box((4.0, 4.0, 0.5)), name="plate")
    world = World([ball, plate], contact_distance=0.01)
    rest = ball.mesh.points
    seen, flattest = {}, None  # a dict keeps the order
    for k in range(FRAMES):
        t = k / (FRAMES - 1)
        press = 4.0 * t * (1.0 - t)  # 0, up to 1, and back
        points = rest * (1.0 + 0.2 * press, 1.0 + 0.2 * press, 1.0 - 0.3 * press)
        points[:, 2] += (1.2 * t - 0.6) * points[:, 0]  # shear
        points[:, 2] += 0.255 - points[:, 2].min()  # 0.005 above the plate
        ball.points[...] = points
        frame = world.step()
        state = frame.pair("ball", "plate")
        for event in frame.events:
            print(event)
        seen[state.feature_a] = k
        truth = exhaustive(ball, plate).distance
        assert abs(state.distance - truth) <= 1e-9 * abs(truth) + 1e-13
        if k == FRAMES // 2:
            flattest = frame
    print(f"closest on the ball, one after the other: {', '.join(map(str, seen))}")
    if view:
        import viewer

        try:
            viewer.picture(flattest, "squashed.png")
            print("now look at squashed.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)
    height = np.ptp(flattest.body("ball").points, axis=0)[2]
    assert height < 1.5
    assert len(seen) > 3


if __name__ == "__main__":
    main()

"""Bend a drop until it first touches the table at half of the frame.

The drop falls on a tilted table within one frame and becomes another shape on the way.
How tall and how slanted it ends are two numbers; gradient descent changes them until
the first touch, which is known as a proven interval, is at t = 0.5.  The derivatives of
that time by the vertices that touch come from ``touch.derivatives()``.
"""

import numpy as np

from sim import Body, PairTracker, Pose
from wingedge import shapes

GOAL = 0.5
START, END = Pose(None, (0.3, 0.2, 3.0)), Pose(None, (0.3, 0.2, 0.6))
LEANS = np.array([0.3, -0.2, 1.0])  # turned a little: one vertex is the lowest


def shape(rest: np.ndarray, by: np.ndarray) -> np.ndarray:
    tall, slant = by
    height = rest @ LEANS
    return rest + np.outer(height, (slant, 0.0, tall))


def fall(by: np.ndarray):
    tilt = Pose.rigid((0.05, 0.2, 0.0, 1.0))
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table", pose=tilt)
    drop = Body(shapes.icosphere(1), name="drop", pose=START)
    tracker = PairTracker(table, drop)
    return tracker.advance(pose_b=END, points_b=shape(drop.mesh.points, by))


def main(view: bool = True) -> np.ndarray:
    by, rest = np.zeros(2), shapes.icosphere(1).points
    for step in range(20):
        touch = fall(by).touch
        time = 0.5 * (touch.lower + touch.upper)
        print(f"{step:2}: first touch at {time:.9f} +- {touch.upper - touch.lower:.1g}")
        if abs(time - GOAL) < 1e-8:
            break
        ids, rows = touch.derivatives().end.points_b  # of the time, by end positions
        height = (rest @ LEANS)[ids]
        slope = np.array([(height * rows[:, 2]).sum(), (height * rows[:, 0]).sum()])
        by -= (time - GOAL) * slope / (slope @ slope)
    print("ends taller by", by[0], "and slanted by", by[1])
    assert abs(time - GOAL) < 1e-8
    return by


if __name__ == "__main__":
    main()

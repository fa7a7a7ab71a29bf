"""Two bodies meet: a tilted box comes down on a table, touches it and leaves again.

You will see one line per event: which vertex, edge or face of the box (in its own
numbering) is closest to which of the table, from "begin" to "end". Then the same world
once more in a window, if there is a screen: Space pauses, q ends.
"""

from sim import Body, World, motion
from wingedge import shapes


def world() -> World:
    box = Body(shapes.box((1.0, 0.8, 0.6)), name="box")
    table = Body(shapes.box((3.0, 3.0, 0.4)), name="table")
    tumble = motion.spin((1.0, 0.4, 0.2), 2.0, phase=0.5)
    down_and_up = motion.waypoints(
        [0.0, 0.6, 1.2, 1.8],
        [(0.0, 0.0, 1.6), (0.0, 0.0, 0.72), (0.3, 0.0, 0.72), (0.3, 0.0, 1.6)],
    )
    return World(
        [box, table],
        motion={"box": motion.stack(tumble, down_and_up)},
        contact_distance=0.02,
    )


def main(view: bool = True) -> None:
    story = []
    for frame in world().run(110):
        for event in frame.events:
            print(event)
            story.append(event)
    if view:
        import viewer

        viewer.watch(world(), frames=110)
    kinds = [event.kind for event in story]
    assert kinds[0] == "begin"
    assert kinds[-1] == "end"


if __name__ == "__main__":
    main()

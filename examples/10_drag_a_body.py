"""A hand drags a box through a room: it slides, rests in a corner, and lets go.

It is pulled along the floor to a slanted slab, along that into the corner with a wall,
and lifted.  You will see one line whenever the response, or what the box rests on,
changes; ``drag.png`` shows the box in the corner, if GL is there.
"""

from sim import Body, Pose, World
from sim.response import Hand
from wingedge import shapes

PULLS = [((0.0, 0.0, -0.03), 40), ((0.03, 0.03, -0.02), 90), ((-0.01, -0.02, 0.03), 25)]
PLACES = {  # extents, quaternion, centre
    "floor": ((4.0, 3.0, 0.2), (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, -0.1)),
    "slab": ((2.4, 0.2, 0.5), (0.0, 0.0, 0.2, 1.0), (0.1, 0.4, 0.25)),
    "wall": ((0.2, 3.0, 0.8), (0.0, 0.0, 0.0, 1.0), (1.4, 0.0, 0.4)),
}


def room() -> tuple[Body, list[Body]]:
    start = Pose(None, (-0.7, -0.7, 0.8))
    box = Body(shapes.box((0.5, 0.4, 0.3)), name="box", pose=start)
    return box, [
        Body(shapes.box(extents), name=name, pose=Pose.rigid(turn, at))
        for name, (extents, turn, at) in PLACES.items()
    ]


def main(view: bool = True) -> list:
    box, obstacles = room()
    hand = Hand(box, obstacles, gap=1e-3)
    world = World([box, *obstacles], contact_distance=hand.gap)
    drags, told, corner, start = [], [], None, world.step()
    for pull, frames in PULLS:
        for _ in range(frames):
            drag = hand.move(pull)
            drags.append(drag)
            on = "+".join(held.obstacle.name for held in drag.contacts)
            if not told or told[-1] != (drag.response, on):
                told.append((drag.response, on))
                print(f"frame {len(drags) - 1:3}: {drag.response} {on}")
            if corner is None and told[-1] == ("rest", "floor+slab+wall"):
                corner = world.step()
            assert all(0.0 < held.distance <= hand.gap for held in drag.contacts)
    if view:
        import viewer

        try:
            viewer.picture(corner, "drag.png", before=start)  # so it knows what moved
            print("now look at drag.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)
    assert told[0][0] == told[-1][0] == "free"
    assert told.index(("slide", "floor+slab")) < told.index(("rest", "floor+slab+wall"))
    return drags


if __name__ == "__main__":
    main()

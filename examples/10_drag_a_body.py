"""A hand drags a box through a room: it slides, turns at a post, rests in a corner.

The hand pulls the box along the floor against a slanted slab, along it into the corner
with a wall, and lets go upwards.  You will see one line whenever the response or what
the box rests on changes; ``drag.png`` shows the way, the contacts and their normals.
"""

from sim import Body, Pose
from sim.response import Hand
from wingedge import shapes


def room() -> tuple[Body, list[Body]]:
    box = Body(shapes.box((0.5, 0.4, 0.3)), name="box", pose=Pose(None, (-1.6, -0.5, 1)))
    floor = Body(shapes.box((4.0, 3.0, 0.2)), name="floor", pose=Pose(None, (0, 0, -0.1)))
    slab = Body(
        shapes.box((2.4, 0.2, 0.5)),
        name="slab",
        pose=Pose.rigid((0.0, 0.0, 0.2, 1.0), (0.1, 0.4, 0.25)),
    )
    wall = Body(shapes.box((0.2, 3.0, 0.8)), name="wall", pose=Pose(None, (1.4, 0, 0.4)))
    return box, [floor, slab, wall]


PULLS = [((0.0, 0.0, -0.03), 40), ((0.035, 0.02, -0.02), 110), ((-0.01, -0.02, 0.03), 25)]


def main(view: bool = True) -> None:
    box, obstacles = room()
    hand = Hand(box, obstacles, gap=1e-3)
    way, told, rests = [box.pose.translation], [], []
    for pull, frames in PULLS:
        for _ in range(frames):
            drag = hand.move(pull)
            way.append(drag.pose.translation)
            on = "+".join(held.obstacle.name for held in drag.contacts)
            if not told or told[-1] != (drag.response, on):
                told.append((drag.response, on))
                print(f"frame {len(way) - 2:3}: {drag.response} {on}")
            if drag.response == "rest" and len(drag.contacts) == 3:
                rests.append(drag)
            assert all(0.0 < held.distance <= hand.gap for held in drag.contacts)
    if view:
        draw(obstacles, way, rests[0])
    words = [word for word, _ in told]
    assert words[0] == words[-1] == "free"
    assert "slide" in words
    assert rests, "it never came to rest in the corner"


def draw(obstacles, way, rest) -> None:
    try:
        from docs.draw_drag import draw as picture
    except ImportError as error:
        print(error)
        return
    picture(room()[0].mesh, obstacles, way, rest, "drag.png")
    print("now look at drag.png")


if __name__ == "__main__":
    main()

"""Refine the mesh where it touches, while it is tracked.

A pad slides along over a dome. The face that touches first gets a vertex in its middle,
which gives way a little: the mesh changes between two frames, and the contact goes on.
Only local numbers change: a face that was split keeps its name for one of its pieces.
``refined.png`` shows the last frame, if GL is there.
"""

from sim import Body, Pose, World, verify
from wingedge import Feature, edits, shapes, validate


def slide(t: float) -> Pose:
    return Pose(translation=(0.35 - t, 0.1, max(1.45 - 0.6 * t, 1.29)))


def main(view: bool = True) -> None:
    pad = Body(shapes.box((2.0, 2.0, 0.6)), name="pad")
    dome = Body(shapes.icosphere(2), name="dome")
    world = World([pad, dome], motion={"pad": slide}, contact_distance=0.02)
    refined = 0
    contacts = set()
    for frame in world.run(40):
        (state,) = frame.pairs
        assert verify(state, pad, dome)
        for event in frame.events:
            print(event)
            if event.contact >= 0:  # else it is about the body: convexity_lost
                contacts.add(event.contact)
        touched = state.feature_a
        if state.regime != "contact" or touched.kind != "face" or refined == 3:
            continue
        # a vertex in the middle of the face; all other elements keep their numbers
        mesh, maps = edits.poke_face(pad.mesh, touched.index)
        validate(mesh)
        assert maps.feature(Feature("face", 1)) == Feature("face", 1)
        new = pad.mesh.n_vertices
        pad.replace(mesh, maps)
        with pad.edit() as points:
            points[new, 2] += 0.005  # the pad gives way there
        refined += 1
        print(f"{frame.index} refined {touched}: {mesh}")
    if view:
        import viewer

        try:
            viewer.picture(frame, "refined.png")
            print("now look at refined.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)
    assert refined == 3
    assert (pad.mesh.n_vertices, pad.mesh.n_faces) == (8 + 3, 6 + 3 + 2 + 2)
    assert len(contacts) == 1  # one contact from its beginning on


if __name__ == "__main__":
    main()

"""Refine the mesh where it touches, while it is tracked.

A box sinks onto a dome. Each time something else of the box touches, that face gets a
vertex in its middle, which then is pushed in a little: the mesh grows, the tracker goes
on. Only local numbers change, so the story reads as if nothing had been built anew.
"""

from sim import Body, PairTracker, Pose, verify
from wingedge import Feature, edits, shapes, validate


def main(view: bool = True) -> None:
    pad = Body(shapes.box((2.0, 2.0, 0.6)), name="pad")
    dome = Body(shapes.icosphere(2), name="dome")
    tracker = PairTracker(pad, dome, contact_distance=0.02)
    below = Feature("face", 0)
    refined = 0
    for frame in range(40):
        x = 0.35 - 0.016 * frame
        pad.pose = Pose(translation=(x, 0.1, 1.45 - 0.01 * min(frame, 15)))
        state = tracker.update()
        print(frame, state.kind, state.feature_a, state.feature_b, state.regime)
        assert verify(state, pad, dome)
        touched = state.feature_a
        if state.regime == "separated" or touched.kind != "face" or refined == 3:
            continue
        # a vertex in the middle of the face that touches, the rest keeps its number
        mesh, maps = edits.poke_face(pad.mesh, touched.index)
        validate(mesh)
        assert maps.feature(below) == below
        new = pad.mesh.n_vertices
        pad.replace(mesh, maps)
        with pad.edit() as points:  # the rubber gives way
            points[new, 2] += 0.01
        refined += 1
    print(pad.mesh, "after", refined, "refinements; answered without a break")
    assert refined == 3
    assert pad.mesh.n_faces == 6 + 3 + 2 + 2
    if view:
        import viewer

        viewer.show_pair(tracker) if hasattr(viewer, "show_pair") else None


if __name__ == "__main__":
    main()

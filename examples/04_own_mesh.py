"""Your own mesh: a house with polygon faces falls onto its roof.

Vertices, faces and edges keep your numbers: you will see the ridge of the roof named in
the events as the edge between vertices 8 and 9, whatever else happens. Polygons stay
polygons: the walls with the gables have five corners and are one face each.
"""

from sim import Body, Pose, World
from wingedge import Feature, WingedEdgeMesh, convexity, neighbours, shapes

POINTS = [
    *[(x, y, 0.0) for x, y in ((0, 0), (2, 0), (2, 1), (0, 1))],  # 0-3: the floor
    *[(x, y, 1.0) for x, y in ((0, 0), (2, 0), (2, 1), (0, 1))],  # 4-7: the eaves
    (0.0, 0.5, 1.5),  # 8 and 9: the ridge
    (2.0, 0.5, 1.5),
]
FACES = [
    [3, 2, 1, 0],  # the floor
    [0, 1, 5, 4],  # two walls
    [2, 3, 7, 6],
    [1, 2, 6, 9, 5],  # two walls with gables
    [3, 0, 4, 8, 7],
    [4, 5, 9, 8],  # two halves of the roof
    [6, 7, 8, 9],
]


def main(view: bool = True) -> None:
    mesh = WingedEdgeMesh.from_faces(POINTS, FACES)
    print(mesh, "- convex" if convexity(mesh).is_convex() else "- not convex")
    around = ", ".join(map(str, neighbours(mesh, Feature("face", 3))))
    print(f"around the gable wall f3: {around}")
    house = Body(mesh, name="house")
    ground = Body(shapes.box((8.0, 8.0, 1.0)), name="ground")
    upside_down = Pose.rigid([1.0, 0.0, 0.0, 0.0], (0.0, 0.0, 2.48))

    def fall(t: float) -> Pose:
        return Pose.rigid(None, (0.0, 0.0, -0.5 * t * t)) @ upside_down

    def world() -> World:
        bodies = [house, ground]
        return World(bodies, motion={"house": fall}, dt=1 / 30, contact_distance=0.05)

    frames = list(world().run(30))
    for frame in frames:
        for event in frame.events:
            print(event)
    if view:
        import viewer

        viewer.watch(world(), frames=30)
    ridge = frames[-1].pair("house", "ground").feature_a
    assert ridge.kind == "edge"
    assert sorted(mesh.edge_vertices[ridge.index].tolist()) == [8, 9]


if __name__ == "__main__":
    main()

"""Cut a part that is not convex into convex pieces, and let each piece be a body.

CoACD cuts a bent arm into two hulls, the bodies ``arm-0`` and ``arm-1``: one motion
moves both, and they ignore each other. The arm glides past a ball, and what touches it
is first one piece, then the other. You will see the events by the names of the pieces,
how near the arm is, the least distance of its pieces, and the story of the arm: one
contact, from the first piece that touches to the last one that lets go. ``pieces.png``
shows a frame in which both touch, if GL is there.

The arm itself can be one body, too: Body(mesh), tracked by its true surface. Pieces are
for what must be convex, as in simulators, or read from their files (read_pieces). Where
a ball sinks in, each piece proves its own depth; the arm is at least as deep as the
deepest.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from sim import Body, Frame, Pose, World, closest
from wingedge import MeshError, WingedEdgeMesh, convex_hull, shapes


def decomposed(mesh: WingedEdgeMesh, threshold: float = 0.05) -> list[WingedEdgeMesh]:
    """Cut a body into hulls whose union is it, to about the threshold."""
    import coacd  # in the extra: pip install "wingedge[decompose]"

    coacd.set_log_level("error")
    # about its middle, at size 1: CoACD's own tolerances are absolute
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    middle, size = (low + high) / 2.0, (high - low).max()
    soup = coacd.Mesh((mesh.points - middle) / size, mesh.fan.vertex)
    pieces = []
    for points, _ in coacd.run_coacd(soup, threshold=threshold, seed=0):
        try:
            pieces.append(convex_hull(points * size + middle, merge_coplanar=True))
        except MeshError:
            continue  # flat: it adds nothing
    return pieces


def part_of(name: str) -> str:
    return name.partition("-")[0]


def story_of_parts(frames: Iterable[Frame]) -> Iterator[str]:
    """Tell what pieces do as what their parts do: arm-0/ball and arm-1/ball are one."""
    touching: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for frame in frames:
        before = {pair: set(pieces) for pair, pieces in touching.items()}
        for event in frame.events:
            pieces = touching.setdefault((part_of(event.a), part_of(event.b)), set())
            if event.kind == "begin":
                pieces.add((event.a, event.b))
            elif event.kind == "end":
                pieces.remove((event.a, event.b))
        for (a, b), pieces in touching.items():
            was = before.get((a, b), set())
            if pieces != was:
                kind = ("change" if pieces else "end") if was else "begin"
                by = f" by {' '.join(a for a, _ in sorted(pieces))}" if pieces else ""
                yield f"{frame.index} {kind} {a}/{b}{by}"


def glide(t: float) -> Pose:
    return Pose(translation=(0.0, 2.0 * t - 1.0, 0.0))


def main(view: bool = True) -> None:
    arm = shapes.l_block()
    try:
        pieces = decomposed(arm)
    except ImportError:
        print("CoACD is not there; run \"pip install 'wingedge[decompose]'\"")
        return
    bodies = [Body(piece, name=f"arm-{k}") for k, piece in enumerate(pieces)]
    names = [body.name for body in bodies]
    ball = Body(shapes.icosphere(2, 0.1), name="ball", pose=Pose(None, (-0.605, 0, 0)))
    world = World(
        [*bodies, ball],
        motion=dict.fromkeys(names, glide),
        ignore=combinations(names, 2),
        contact_distance=0.01,
    )
    whole = Body(arm, name="arm")
    frames = list(world.run(61))
    for frame in frames:
        for event in frame.events:
            print(event)
        whole.pose = glide(frame.time)
        nearest = min(frame.pairs, key=lambda state: state.distance)
        if frame.index % 10 == 0:
            print(f"    {nearest.distance:.4f} from arm to ball, by {nearest.a.name}")
        assert abs(nearest.distance - closest(whole, ball).distance) < 1e-3
    story = list(story_of_parts(frames))
    print("\n".join(story))
    both = next(f for f in frames if all(s.regime == "contact" for s in f.pairs))
    if view:
        import viewer

        try:
            viewer.picture(both, "pieces.png")
            print("now look at pieces.png")
        except (ImportError, viewer.NoPicture) as error:
            print(error)
    assert names == ["arm-0", "arm-1"]
    kinds = [line.split()[1] for line in story]
    assert kinds == ["begin", "change", "change", "end"]  # both touch at the seam


if __name__ == "__main__":
    main()

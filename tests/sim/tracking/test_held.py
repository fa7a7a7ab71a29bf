"""sim.tracking.held: what the precision of positions cannot tell is not told."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import (
    Body,
    PairTracker,
    Pose,
    Recording,
    World,
    closest,
    scenes,
    set_engine,
    verify,
)
from sim.tracking.held import may_last
from sim.tracking.options import rest_size
from wingedge import WingedEdgeMesh, convex_hull, read, shapes, write
from wingedge.positions import single_rounding

CUBE, FLOOR = shapes.box((1.0, 1.0, 1.0)), shapes.box((10.0, 4.0, 1.0))
ON = np.array([0.2, 0.1, 1.0])


def turned(angle, yaw=0.0):
    return Rotation.from_euler("yz", [angle, yaw]).as_matrix()


def told(bodies, frames, resolution, **how):
    """Lines of bodies that are put where each frame has them."""
    world, lines = None, []
    for frame in frames:
        for body, points in zip(bodies, frame, strict=True):
            body.points = points
        world = world or World(bodies, resolution=resolution, **how)
        lines += map(str, world.step().events)
    return lines


def slid(shape, turn, start, count, size=1.0, where=0.0):
    """Frames of a shape that slides on a turned floor, in single precision."""
    floor = (size * FLOOR.points @ turn.T + where).astype(np.float32)
    way = (shape.points + np.add(start, [0.05 * k, 0.0, 0.0]) for k in range(count))
    return [((size * p @ turn.T + where).astype(np.float32), floor) for p in way]


def noise(rng, points, r):
    off = rng.normal(size=points.shape)
    off *= r * rng.uniform(size=(len(off), 1)) / np.linalg.norm(off, axis=1)[:, None]
    return points + off


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(("angle", "yaw"), [(20, 0), (5, 0), (33.3, 31)])
@pytest.mark.parametrize("offset", [0.0, 1.0, 1e3])
def test_a_block_on_a_ramp_in_single_precision_has_one_line(angle, yaw, size, offset):
    turn = turned(np.radians(angle), np.radians(yaw))
    frames = slid(CUBE, turn, [-3.0, 0.1, 1.0], 80, size, size * offset)
    bodies = [Body(CUBE, name="block"), Body(FLOOR, name="ramp")]
    lines = told(bodies, frames, None, contact_distance=1e-3 * max(size, size * offset))
    assert lines == ["0 begin block/ramp FF f0 f1"]


@pytest.mark.parametrize("r", [1e-9, 1e-5])
@pytest.mark.parametrize("depth", [1e-3, 0.0, -1e-3])
@pytest.mark.parametrize("engine", ["compiled", "python"])
def test_flush_faces_are_level_within_the_resolution(r, depth, engine, request):
    set_engine(engine)
    request.addfinalizer(lambda: set_engine("auto"))
    rng = np.random.default_rng(3)
    a, b = Body(CUBE), Body(shapes.box((8.0, 8.0, 1.0)))
    tracker = PairTracker(a, b, resolution=r, contact_distance=0.01)
    for _ in range(12):
        a.points = noise(rng, CUBE.points + ON + [3.5, 0.0, depth], r)  # overhanging
        b.points = noise(rng, b.mesh.points, r)
        state, exact = tracker.update(), closest(a, b, resolution=0.0)
        assert (state.kind, len(state.contacts)) == ("FF", 4)
        assert (state.distance, state.lower) == (exact.distance, exact.lower)
        assert (state.normal == exact.normal).all()
        assert verify(state, a, b, resolution=r).answer != "no"


def test_a_grid_beside_a_tiny_face_is_named_whole():
    rng, plate = np.random.default_rng(1), shapes.grid_box((20, 15, 1), (6.0, 5.0, 1.0))
    a, b, r = Body(shapes.box((0.02, 0.02, 0.02))), Body(plate), 1e-12
    for _ in range(12):
        a.points = noise(rng, np.add(a.mesh.points, (0.31, 0.17, 0.51)), r)
        b.points = noise(rng, plate.points, r)
        assert len(closest(a, b, resolution=r).parts_b) == 300


@pytest.mark.parametrize("r", [1e-9, 1e-5])
def test_what_lifts_or_lies_flat_by_more_is_told(r):
    def tilted(k, rise):
        x, y, _ = CUBE.points.T + 0.5
        points = CUBE.points + np.array([0.0, 0.0, 1.0])
        points[:, 2] += rise(k) * (x + 0.7 * y)
        return points

    for rise, kinds in (
        (lambda k: 0.5 * k * r, ["FF f0 f1", "FF f0 f1 -> VF v0 f1"]),
        (lambda k: max(0, 30 - k) * r, ["VF v0 f1", "VF v0 f1 -> FF f0 f1"]),
    ):
        frames = [(tilted(k, rise), FLOOR.points) for k in range(40)]
        lines = told([Body(CUBE, name="a"), Body(FLOOR, name="b")], frames, r)
        assert [line.split(" ", 3)[3] for line in lines] == kinds
    last = int(lines[1].split()[0])
    assert 1.7 * (30 - last) <= 4.0 < 1.7 * (31 - last)
    flat, steep = tilted(0, lambda _: 0.0), tilted(0, lambda _: 6.0 * r)
    frames = [(np.add(flat, (0.0, 0.0, 0.1)), FLOOR.points), (steep, FLOOR.points)]
    lines = told([Body(CUBE, name="a"), Body(FLOOR, name="b")], frames, r)
    assert lines == ["1 begin a/b VF v0 f1"], "what was closest apart is not kept"


FLICKER = ("demo", "arch", "knead", "teleport", "pass_through", "squeeze")


@pytest.mark.parametrize("name", FLICKER)
def test_noise_within_the_resolution_undoes_nothing(name):
    world = scenes.load(name)
    count = min(scenes.length(name), 120)
    ways = [[body.world_points() for body in world.bodies] for _ in world.run(count)]
    rules, rng = world._manager.rules, np.random.default_rng(5)
    size = min(map(rest_size, world.bodies))
    how = dict(contact_distance=rules.contact_distance, ignore=rules.ignore)

    def story(r, off):
        bodies = [Body(body.mesh, name=body.name) for body in world.bodies]
        moved = ([noise(rng, p, off) if off else p for p in way] for way in ways)
        return [line.split(" ", 1)[1] for line in told(bodies, moved, r, **how)]

    for r in (1e-9 * size, 1e-5 * size):
        still, moved = story(r, 0.0), story(r, r)
        assert undone(moved) <= undone(still), moved


def undone(lines):
    """Count changes of a pair that the next event of it takes back."""
    back = {"end": "begin", "separate": "penetrate"}
    back |= {was: kind for kind, was in back.items()}
    last, count = {}, 0
    for kind, pair, *rest in (line.split(" ", 2) for line in lines):
        touches = "".join(rest).split(" -> ")
        was, then = last.get(pair, ("", ()))
        count += back.get(kind) == was or (kind == was == "change" and then == touches)
        last[pair] = kind, touches[::-1]
    return count


def test_readers_and_arrays_of_single_precision_say_so(tmp_path):
    points = (FLOOR.points @ turned(0.3, 0.2).T).astype(np.float32)
    faces = map(FLOOR.face_vertices, range(FLOOR.n_faces))
    mesh = WingedEdgeMesh.from_faces(points, [*faces], planar_tolerance=1e-5)
    assert mesh.resolution == single_rounding(points) > 0.0
    write(mesh, tmp_path / "floor.stl")
    write(mesh, tmp_path / "floor.obj")
    assert read(tmp_path / "floor.stl").resolution == mesh.resolution
    assert read(tmp_path / "floor.obj").resolution == 0.0
    body = Body(FLOOR)
    assert body.resolution == 0.0
    body.points = points
    assert body.resolution == mesh.resolution
    assert PairTracker(body, Body(CUBE)).resolution == mesh.resolution
    with pytest.raises(ValueError, match="give larger distances"):
        PairTracker(body, Body(CUBE), resolution=0.1)
    with pytest.raises(ValueError, match="no length, 'float32' or None"):
        World([body, Body(CUBE)], resolution="float16")


@pytest.mark.parametrize(
    ("mesh", "regime"), [(CUBE, "contact"), (shapes.l_block(), "penetrating")]
)
def test_an_overlap_of_what_is_no_hull_ends_beyond_what_is_level(mesh, regime):
    bodies = Body(mesh, name="a"), Body(CUBE, name="b")
    world = World(bodies, resolution=1e-4, contact_distance=0.01)
    for z, told in ((0.9, "penetrating"), (1.0 + 1e-5, regime)):
        bodies[1].pose = Pose(translation=(-0.2, -0.2, z))
        assert world.step().pairs[0].regime == told


def test_what_is_held_is_recorded_resumed_and_has_margins(tmp_path):
    def world():
        block, ramp = Body(CUBE, name="block"), Body(FLOOR, name="ramp")

        def shape(rest, t):
            k = round(60 * t)
            lift = 3e-6 * max(0, min(k - 10, 10)) if k < 30 else 0.0
            points = rest + np.array([0.02 * k, 0.1, 1.0 + 1e-4 * max(0, k - 40)])
            points[:, 2] += (rest[:, 0] + 0.5) * lift
            return points.astype(np.float32).astype(float) + 1e-8 * np.sin(9.0 * rest)

        return World([block, ramp], deform={"block": shape}, resolution=2e-7)

    with (made := world()).record(tmp_path / "whole"):
        list(made.run(70))
    for k in (5, 15, 35):
        with (first := world()).record(tmp_path / "parts"):
            list(first.run(k))
        with (second := world()).record(tmp_path / "parts", resume=True):
            list(second.run(70 - k))
        with (
            Recording.open(tmp_path / "whole") as whole,
            Recording.open(tmp_path / "parts") as parts,
        ):
            assert parts.story.lines == whole.story.lines
    with Recording.open(tmp_path / "whole") as whole:
        kinds = [line.split()[1] for line in whole.story.lines]
        assert kinds == ["begin", "change", "change", "end"]
        again = [str(event) for frame in whole.rerun() for event in frame.events]
        assert tuple(again) == whole.story.lines
        margin = whole.story.margins(whole)["margin"]
    assert margin[0] == margin[3] == pytest.approx(2.5e-4)
    assert 2.5e-6 <= margin[1] == margin[2] < 2.5e-5


@pytest.mark.parametrize("r", [0.0, 1e-9, 1e-6])
def test_a_face_holds_no_vertex_that_has_left_it_in_overlap(r):
    rolled = ([CUBE.points @ turned(0.3 * k).T, FLOOR.points] for k in range(1, 12))
    frames = [[p - [0, 0, p[:, 2].min() - 0.5 + 1e-4], floor] for p, floor in rolled]
    lines = told([Body(CUBE, name="a"), Body(FLOOR, name="b")], frames, r)
    names = [line.split()[-2] for line in lines if "change" in line]
    assert len(names) == 2, lines


def test_what_a_plane_parts_by_less_than_it_is_apart_is_held():
    # the plane of a small face that noise turns, beside the far end of a wide body
    state = closest(Body(CUBE, pose=Pose(None, (0.2, 0.1, 1.1))), Body(FLOOR))
    low = state.distance - 1e-8
    turned_away = state.replace(distance=low, lower=low)
    assert may_last(state, turned_away, 1e-9)
    assert not may_last(state, turned_away.replace(upper=low), 1e-9)


def test_far_from_the_origin_nothing_lies_flat_that_the_state_does_not_name():
    block = shapes.l_block()
    frames = slid(block, turned(0.4, 0.3), [-1.0, 0.2, 1.0], 30, where=1e6)
    bodies = [Body(block, name="a"), Body(FLOOR, name="b")]
    assert len(told(bodies, frames, None, contact_distance=1.0, status=False)) <= 2


@pytest.mark.parametrize("shape", [shapes.cup(8), shapes.l_block(), shapes.star(5)])
def test_hulls_of_which_the_facets_are_others_in_every_frame_rest(shape):
    frames = slid(shape, turned(np.radians(33.3), 0.5), [-2.0, 0.1, 1.0], 60)
    a, b = Body(shape, name="a", convexity="hull"), Body(FLOOR, name="b")
    assert len(told([a, b], frames, None, contact_distance=1.0)) == 1


def ridge(*tops):
    ends = [(x, y, 0.0) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
    return Body(convex_hull(np.array([*ends, *tops]), merge_coplanar=True))


def test_the_last_resort_names_no_face_beside_an_edge_where_it_falls_off():
    roof = ridge((-1.0, 0.0, 0.1), (1.0, 0.0, 0.1))
    tip = Body(shapes.tetrahedron(), pose=Pose.rigid((0.3, 0.1, 0.2, 1.0)))
    low = min(tip.world_points().tolist(), key=lambda x: x[2])
    tip.pose = Pose(tip.pose.linear, (0.05, 0.0, 0.3) - np.array(low))
    tracker = PairTracker(roof, tip, contact_distance=0.1, resolution=1e-6)
    assert tracker.update().kind == tracker.enumerate().kind == "EV"


def test_edges_in_line_within_the_resolution_are_proved_to_be_a_part():
    roof = ridge((-1.0, 0.0, 0.5), (0.0, 0.0, 0.5 + 1e-6), (1.0, 0.0, 0.5))
    across = Body(ridge((-1.0, 0.0, 0.5), (1.0, 0.0, 0.5)).mesh)
    turn = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    across.pose = Pose(turn, (0.5, 0.0, 2.0))
    options = {"resolution": 1e-6}
    state = closest(roof, across, contact_distance=0.1, **options)
    assert (state.kind, len(state.parts_a)) == ("EE", 2)
    assert verify(state, roof, across, **options).answer == "yes"

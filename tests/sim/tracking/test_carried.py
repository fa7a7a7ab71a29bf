"""sim.tracking.carried: what a frame leaves to the next."""

import copy
import pickle

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, Recording, World, set_engine
from sim.kernels import pairs
from sim.story.compare import first_difference
from sim.tracking.carried import is_of
from wingedge import WingedEdgeMesh, edits, shapes


def at(x, y=0.0, z=0.0):
    return Pose(None, (x, y, z))


HOOK = at(-2.0), at(0.0), at(0.0, 0.0, 1.5)


def told(frame):
    return [(str(p), p.lower, p.upper, p.numbers.parts_a) for p in frame.pairs]


def test_a_copied_world_recalls_no_row_that_another_pair_left():
    """Rows of pairs that a tracker answers kept ids of other pairs: IndexError."""
    bent = Body(shapes.u_block(), name="bent", pose=at(0))
    box = Body(shapes.box(), name="box", pose=at(50))
    balls = [
        Body(shapes.icosphere(3), name=n, pose=at(100 + 2.5 * k, 0.1 * k, 0.2))
        for k, n in enumerate("cde")
    ]
    world = World([bent, box, *balls], margin=2.0)
    world.step()
    balls[2].pose = at(200)
    for k in range(2):
        box.pose = at(2.6 + 0.1 * k)
        world.step()
    twin = copy.deepcopy(world)
    assert told(world.step()) == told(twin.step())


@pytest.mark.parametrize("count", [1, 4])
def test_an_overlap_whose_axes_tie_is_resumed_to_the_same_bits(tmp_path, count):
    def world():
        a, b = (Body(shapes.icosphere(1, 0.5), name=n) for n in "ab")
        place = {"a": lambda t: at(0.125 * t), "b": lambda t: at(0.0, 0.9)}
        return World([a, b], motion=place, contact_distance=0.03)

    whole, parts = tmp_path / "whole.vtkhdf", tmp_path / "parts.vtkhdf"
    with (run := world()).record(whole):
        list(run.run(6))
    with (run := world()).record(parts):
        list(run.run(count))
    with (run := world()).record(parts, resume=True):
        list(run.run(6 - count))
    with Recording.open(whole) as one, Recording.open(parts) as other:
        assert not first_difference(other, one)
        with one.save_as(tmp_path / "cut.vtkhdf", slice(count, 6)) as cut:
            assert not first_difference(cut.replay(), cut)


@pytest.mark.parametrize("sides", [4, 12, 32])
def test_a_peg_in_a_hole_stays_at_one_wall(sides):
    """The answer went to walls beside it, or to any if many were as near."""
    turns = np.exp(1j * np.pi * np.arange(1, 2 * sides, 2) / sides)
    ring = np.array([2 * turns, turns]).ravel() / turns[0].real
    points = np.array([[p.real, p.imag, z] for z in (-1, 1) for p in ring])
    rods = [[p.real, p.imag, z] for z in (-2, 2) for p in 0.875 * ring[sides:]]
    faces, ends = [], [list(range(sides))[::-1], list(range(sides, 2 * sides))]
    for k in range(sides):
        n, m = (k + 1) % sides, 2 * sides
        faces += [
            [k, k + sides, n + sides, n],
            [k + m, n + m, n + m + sides, k + m + sides],
        ]
        faces += [
            [k, n, n + m, k + m],
            [k + sides, k + m + sides, n + m + sides, n + sides],
        ]
        ends.append([k, n, n + sides, k + sides])
    turn = Pose.rigid(np.array([0.3, 0.5, 0.7, 1.0]) / np.sqrt(1.83), (0.0, 0.0, 0.0))
    frame = Body(WingedEdgeMesh.from_faces(points, faces), name="frame", pose=turn)
    peg = Body(WingedEdgeMesh.from_faces(rods, ends), name="peg")
    tracker, seen = PairTracker(frame, peg, contact_distance=0.2), set()
    for k in range(60):
        peg.pose = turn @ at(0.0, 0.0, 0.01 * k)
        state = tracker.update()
        seen.add((state.kind, state.feature_a, state.feature_b))
        assert not state.unique
        assert state.distance == pytest.approx(0.125)
    assert len(seen) == 1


def test_what_an_overlap_remembers_is_held_against_the_bodies():
    a, b = Body(shapes.icosphere(1)), Body(shapes.box(), pose=at(0.7, 0.1))
    tracker = PairTracker(a, b)
    tracker.update()
    kept, sizes = tracker.overlap(), (a.mesh.n_vertices, b.mesh.n_vertices)
    assert is_of(kept, sizes)
    for k, value in [(0, 2), (2, 42), (10, 3), (13, 99), (len(kept) - 1, 4)]:
        other = kept.copy()
        other[k] = value
        assert not is_of(other, sizes)
    assert not is_of(kept[:-1], sizes)


def test_a_copied_tracker_of_hulls_keeps_a_contact_whose_part_is_gone():
    """A lid has no name in an edited mesh: the copy began cold, and apart."""
    a = Body(shapes.u_block(), name="a", convexity="hull")
    b = Body(shapes.box(0.2), name="b", pose=at(0.0, 0.65))
    tracker = PairTracker(a, b, contact_distance=0.1, release_distance=0.5)
    assert tracker.update().feature_a.kind == "lid"
    a.replace(*edits.split_edge(a.mesh, 0))
    b.pose = at(0.0, 0.8)
    for own in (tracker, copy.deepcopy(tracker)):
        assert (own.update().regime, bool(own.explain().steps)) == ("contact", True)


def test_a_copy_stays_on_the_leg_that_stood():
    """Of two legs on a table the answer for hulls named one by what it had met last."""
    legs = Body(shapes.u_block((1.2, 0.8, 0.5)), name="legs")
    tracker = PairTracker(legs, Body(shapes.box((4.0, 4.0, 1.0)), pose=at(0, 0, -0.5)))
    down = Pose.rigid((-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)), (0.0, 0.0, 1.0))
    for lean in (0.025, 0.0):
        legs.pose = Pose.rigid((0.0, lean, 0.0, 1.0)) @ down
        tracker.update()
    told = [str(own.update()) for own in (copy.deepcopy(tracker), tracker)]
    assert told[0] == told[1]


def test_a_pair_of_hulls_that_was_far_apart_begins_anew():
    """The world's own tracker kept a corner of before, which no copy of it knew."""
    flat = Body(shapes.box((2.0, 2.0, 1.0)), convexity="hull", pose=at(0.0, 0.0, -0.5))
    bar = Body(shapes.box((0.5, 0.5, 1.0)))
    world = World([flat, bar], margin=0.3)
    for place in (at(-0.9, 0.0, 0.6), at(0.0, 0.0, 5.0)):
        bar.pose = place
        world.step()
    bar.pose = at(0.0, 0.0, 0.6)
    found = [w.step().pairs[0].point_b.tolist() for w in (copy.copy(world), world)]
    assert found[0] == found[1]


def test_a_copy_of_a_hull_that_bends_goes_on_alike():
    """What the facets of a hull lie on was measured at points that a copy has not."""
    rng, box = np.random.default_rng(255), shapes.box()
    rows = [box.points * (1 + 0.08 * rng.integers(-2, 3, (8, 3))) for _ in range(3)]
    bent = Body(box, name="bent", convexity="hull", pose=at(0.3, 0.2, 0.4))
    script = {"bent": lambda rest, t: rows[round(60 * t)]}
    world = World([bent, Body(shapes.u_block(), name="u")], deform=script)
    world.step(), world.step()
    own, other = (w.step().pairs[0] for w in (world, copy.deepcopy(world)))
    assert own.numbers._replace(work=None) == other.numbers._replace(work=None)


@pytest.mark.parametrize("mesh", [shapes.box(), shapes.grid_box(4)])
def test_a_copy_of_a_hull_is_told_the_corner_that_the_next_frame_stays_at(mesh):
    """It lies on a square face, and any of two facets of the hull was remembered."""
    a, b = Body(mesh, name="a", convexity="hull"), Body(shapes.box(), name="b")
    c, s = 0.48050538113915653, 0.8769917780095284
    b.pose = Pose([[0, c, s], [0, -s, c], [1, 0, 0]], (0, 0.5, 1))
    grown = 1 + 0.06 * np.array([-1, 1, 0, 0, 1, -1, 0, 1])[:, None]
    bodies = {"b": lambda rest, t: rest * (grown if t == 0 else 1.0)}
    places = at(0.0544, 0.0563, 0.0339), at(0.0586, 0.0041, 0.0087)
    world = World([a, b], motion={"a": lambda t: places[t > 0]}, deform=bodies)
    world.step()
    own, other = (w.step().pairs[0] for w in (world, copy.deepcopy(world)))
    assert own.numbers._replace(work=None) == other.numbers._replace(work=None)


@pytest.mark.parametrize("ended", [3, 2])
def test_a_pair_that_left_the_margin_is_resumed_as_one_that_never_met(tmp_path, ended):
    """Of a pair that the last frame passed over the corner before was in the file."""
    places = [at(0, 0, 1), at(50, 0, 1), at(50, 0, 1), at(0, 0, 1), at(0, 0, 1)]
    turned = Pose.rigid((0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)), (0.0, 0.0, 1.0))

    def world():
        a, b = (Body(shapes.box(), name=n) for n in "ab")
        where = {"b": lambda t: turned if t == 0 else places[round(60 * t)]}
        return World([a, b], motion=where, margin=0.5)

    path = tmp_path / "run.vtkhdf"
    with (run := world()).record(path):
        list(run.run(ended))
    whole = list(run.run(5 - ended))
    with (run := world()).record(path, resume=True):
        assert [told(f) for f in run.run(5 - ended)] == [told(f) for f in whole]


def test_an_interrupt_within_a_kernel_leaves_no_marks(monkeypatch, engine_kept):
    """The scratch of all pairs kept the level parts of the one that was left."""
    kept = iter([pairs.keep] * 2)  # of two pairs of three

    def keep(*given):
        for own in kept:
            return own(*given)
        raise KeyboardInterrupt

    def world():
        made = zip("abc", (shapes.prism(6), *[shapes.box()] * 2), HOOK, strict=True)
        return World([Body(mesh, name=n, pose=pose) for n, mesh, pose in made])

    set_engine("python")
    own, other = world(), world()
    monkeypatch.setattr(pairs, "keep", keep)
    with pytest.raises(KeyboardInterrupt):
        own.step()
    monkeypatch.undo()
    assert told(own.step()) == told(other.step())


def test_a_copy_takes_no_row_that_its_bodies_cannot_have_left(engine):
    """Ids of a forged memory were indices: IndexError, or the end of the process."""
    meshes = shapes.icosphere(1), shapes.box(), shapes.box(), shapes.u_block()
    places = at(0.0), at(0.7, 0.1), at(1.3, -0.2, 0.4), at(5.0)
    made = zip("abcd", meshes, places, strict=True)
    world = World([Body(mesh, name=n, pose=pose) for n, mesh, pose in made])
    world.step(), world.step()
    memory = world._manager.told.memory
    rows = memory.ids, memory.pool, memory.normals
    kept, truth = [x.copy() for x in rows], copy.deepcopy(world).step()
    rng = np.random.default_rng(5)
    wild = (-(2**31), -1, 0, 1, 2, 5, 42, 2**20, 2**31 - 1, np.nan)
    for _ in range(20):
        for own, before, most in zip(rows, kept, (10, 3, 1), strict=True):
            own[:] = before
            places = rng.integers(own[:6].size, size=rng.integers(most + 1))
            own.flat[places] = rng.choice(wild[: 9 + (own is rows[2])], len(places))
        frame = pickle.loads(pickle.dumps(world)).step()
        assert np.allclose(frame.pairs.distance, truth.pairs.distance, 1e-9)

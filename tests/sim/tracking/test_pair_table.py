"""sim.tracking.pair_table: a tracker of each pair says what one call of all says."""

from operator import attrgetter

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sim import Body, PairTracker, Pose, World, motion
from wingedge import shapes

BALLS = shapes.icosphere(1), shapes.icosphere(0)
SOLIDS = shapes.box(1.4), shapes.prism(7), shapes.l_block()
MESHES = (BALLS[0], *SOLIDS, BALLS[1], shapes.tetrahedron())
WORDS = ("surface", "trust", "flag", "hull", "surface", "surface")
said = attrgetter("a.name", "b.name", "regime", "frame", "numbers")


def crowd(count, seed):
    """Place bodies of many kinds close together."""
    rng = np.random.default_rng(seed)
    poses = [
        Pose.rigid(rng.normal(size=4), rng.uniform(-1, 1, 3) * count**0.4)
        for _ in range(count)
    ]
    return [
        Body(MESHES[k % 6], name=f"b{k}", convexity=WORDS[k % 5], pose=pose)
        for k, pose in enumerate(poses)
    ]


def moved(bodies, rng, frame):
    """Turn and push every body a little; some deform, one lies open."""
    for k, body in enumerate(bodies):
        turn = Rotation.from_rotvec(0.05 * rng.normal(size=3))
        body.pose = Pose.rigid(turn, 0.03 * rng.normal(size=3)) @ body.pose
        if k % 4 == 1 and frame % 3 == 0:
            body.points = body.mesh.points * rng.uniform(0.8, 1.2, 3)
        if k % 7 == 5 and frame > 4:
            body.points[...] = body.mesh.points * rng.uniform(0.9, 1.1, 3)


def test_many_corners_of_patches_take_no_more_memory_from_frame_to_frame():
    """Room was multiplied where it was short: 4e9 rows for a thousand boxes."""
    cells = np.ndindex(6, 6, 1)
    bodies = [Body(shapes.box(1.0), pose=Pose(None, cell)) for cell in cells]
    world = World(bodies, contact_distance=0.1)
    rooms = []
    for frame in range(8):
        world.poses[:, 2, 3] = 0.01 * frame
        pairs = world.step().pairs
        rooms.append(len(world._manager.told.memory.pool))
    assert sum(len(state.patch) for state in pairs) > 4 * len(bodies)
    assert len(set(rooms[2:])) <= 2, "two memories, by turns"
    assert max(rooms) < 100 * len(pairs)
    assert len(pairs.parts) < 20 * len(pairs), "corners alone grow"


def test_more_threads_than_bodies_take_neither_time_nor_room():
    bodies = [Body(shapes.box(), pose=Pose(None, (k, 0.0, 0.0))) for k in (0, 2, 4)]
    world = World(bodies, threads=10**6)
    assert len(world.step().pairs) == len(world._manager._table._runs) == 3


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("margin", [None, 0.4])
def test_a_table_says_of_every_pair_what_a_tracker_of_its_own_says(threads, margin):
    """What it cost, too: the table remembers all that a tracker does."""
    bodies = crowd(14, 5)
    world = World(bodies, contact_distance=0.02, threads=threads, margin=margin)
    alone, rng, regimes = {}, np.random.default_rng(2), set()
    for frame in range(25):
        moved(bodies, rng, frame)
        saw = world._manager.told.versions
        pairs = world.step().pairs
        looked = {(a, b) for a, b in world._manager.told.answers.pairs()}
        # a pair that comes back begins anew
        alone = {pair: alone[pair] for pair in looked & set(alone)}
        for a, b in looked - set(alone):
            alone[a, b] = PairTracker(bodies[a], bodies[b], contact_distance=0.02)
        for k, pair in enumerate(world._manager.told.answers.pairs()):
            alone[pair].next_frame = frame
            alone[pair].saw = saw[pair[0]], saw[pair[1]]
            state = alone[pair].update()
            regimes.add(state.regime)
            assert said(world._manager.told.answers.state(k)) == said(state)
        near = [alone[pair].state for pair in sorted(looked)]
        near = [s for s in near if margin is None or not s.distance > margin]
        assert list(map(said, pairs)) == list(map(said, near))
        assert pairs.point_a.tolist() == [s.point_a.tolist() for s in near]
        for name in ("distance", "kind", "regime", "certified"):
            assert getattr(pairs, name).tolist() == [getattr(s, name) for s in near]
    assert regimes == {"separated", "contact", "penetrating"}


def test_a_tracker_hands_its_pair_back_once_a_plain_frame_is_certified():
    """Deep overlaps need one; it kept the pair where it answers plain frames itself."""
    a, b = (Body(shapes.icosphere(3, r), name=str(r)) for r in (1.0, 0.7))
    out = motion.linear((3.0, 0.1, 0.2), start=(-0.2, 0.01, 0.02))
    world = World([a, b], motion={"0.7": out}, margin=9.0, dt=1 / 30)
    kept = [len(world._manager._trackers) for _ in world.run(30)]
    assert sum(kept)
    assert kept[15:] == [0] * 15


def test_surfaces_that_are_apart_are_searched_without_a_tracker():
    """Each of these pairs took a round of Python in every frame."""
    fork, peg = Body(shapes.u_block(), name="fork"), Body(shapes.box(0.2), name="peg")
    world = World([fork, peg], motion={"peg": motion.linear((0.05, 0.1, 0.0))}, dt=0.1)
    kept = [(f.pairs[0].proof, len(world._manager._trackers)) for f in world.run(5)]
    assert kept == 5 * [("search", 0)]

from pathlib import Path

import numpy as np
import pytest

from sim import Pose, World, exhaustive
from sim.compound import Compound, CompoundTracker
from wingedge import MeshError, read, read_pieces
from wingedge.primitives import point_triangle

pytestmark = pytest.mark.real_data

SURFACES = {"xarm6_link4": "link4.stl", "book_holder": "visual.ply"}
PIECES = {
    "xarm6_link4": "link4_vhacd.obj",
    "book_holder": "collision.obj",
    "mini_claw_hammer": "collision.obj",
    "lego_brick": "lego_vhacd.obj",
}


@pytest.fixture
def load(real_data: Path):

    def compound(name: str) -> Compound:
        folder = real_data / "decomposed" / name
        surface = read(folder / SURFACES[name]) if name in SURFACES else None
        return Compound(read_pieces(folder / PIECES[name]), surface, name=name)

    return compound


def approach(a: Compound, b: Compound, frames: int):
    """Turn B and let it come down onto A until their boxes meet."""
    middle = [0.5 * (x.rest_points.max(0) + x.rest_points.min(0)) for x in (a, b)]
    reach = 0.5 * sum(np.ptp(x.rest_points, axis=0)[2] for x in (a, b))
    for k in range(frames):
        t = k / frames
        turn = Pose.rigid((0.3 * t, 0.2, 0.1, 1.0)).linear
        at = middle[0] + [0.0, 0.1 * reach * t, 1.4 * reach * (1.0 - 0.25 * t)]
        b.pose = Pose(turn, at - turn @ middle[1])
        yield k


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("xarm6_link4", "mini_claw_hammer"),
        ("book_holder", "xarm6_link4"),
        ("lego_brick", "book_holder"),
    ],
)
def test_real_pieces_are_tracked_to_the_least_over_all_pairs(load, one, other):
    a, b = load(one), load(other)
    tracker, mirror = CompoundTracker(a, b), CompoundTracker(b, a)
    apart = 0
    for k in approach(a, b, 12):
        state, turned = tracker.update(), mirror.update().swapped()
        assert (state.distance, state.lower) == (turned.distance, turned.lower)
        if state.distance <= 0.0:
            continue
        apart += 1
        assert state.certified
        if k % 6 == 0:
            near = exhaustive(a.pieces[state.piece_a], b.pieces[state.piece_b])
            assert abs(near.distance - state.distance) <= 1e-9 * near.distance
            for i, p in enumerate(a.pieces[:4]):
                for j, q in enumerate(b.pieces[:4]):
                    if (i, j) != (state.piece_a, state.piece_b):
                        assert exhaustive(p, q).distance >= state.lower
    assert apart > 5


@pytest.mark.parametrize("name", SURFACES)
def test_pieces_of_real_files_lie_near_their_surface_and_say_how_near(load, name):
    a, b = load(name), load("mini_claw_hammer")
    corners = a.mesh.points[a.mesh.fan.vertex].transpose(1, 0, 2)
    size = np.ptp(a.mesh.points, axis=0).max()
    tracker = CompoundTracker(a, b)
    for _ in approach(a, b, 6):
        state = tracker.update()
        # A is at rest in the world: its closest point can be asked directly
        every = point_triangle.closest(state.point_a[None], *corners).distance_sq
        off = np.sqrt(every.min())
        assert 0.0 < off < 0.06 * size  # what the decomposition left
        assert state.offset_a == pytest.approx(off if off > 1e-6 * size else 0.0)
        faces = a.mesh.fan.face[every <= every.min() + 1e-18]
        assert state.feature_a.kind == "face"
        assert state.feature_a.index in faces


def test_a_surface_that_is_no_closed_body_leaves_its_pieces(real_data: Path, load):
    folder = real_data / "decomposed"
    with pytest.raises(MeshError, match="cross each other"):
        read(folder / "mini_claw_hammer/visual.ply")
    with pytest.raises(MeshError, match="has 4 faces"):
        read(folder / "lego_brick/lego.obj")
    brick, hammer = load("lego_brick"), load("mini_claw_hammer")
    for _ in approach(brick, hammer, 1):
        state = CompoundTracker(brick, hammer).update()
    assert state.certified
    on_piece = state.nearest.state.feature_a
    assert state.feature_a == brick.in_all(state.piece_a, on_piece)
    assert state.offset_a == 0.0


def test_a_squashed_arm_carries_its_pieces_along(load):
    arm, hammer = load("xarm6_link4"), load("mini_claw_hammer")
    for _ in approach(arm, hammer, 1):
        pass
    world = World(
        [arm, hammer],
        deform={"xarm6_link4": lambda rest, t: rest * [1.0, 1.0, 1.0 - 6.0 * t]},
    )
    before = arm.rest_points
    for frame in world.run(3):
        state = frame.pairs[0]
        squash = [1.0, 1.0, 1.0 - 6.0 * frame.time]
        now = np.concatenate([piece.positions for piece in arm.pieces])
        assert np.abs(now - before * squash).max() < 1e-12
        assert state.certified

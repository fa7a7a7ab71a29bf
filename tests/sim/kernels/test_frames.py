import numpy as np
import pytest

from sim import Body, PairTracker, Pose
from sim.engine.bound import floats
from sim.kernels import layout, trajectory
from sim.kernels.rows import store
from sim.kernels.trajectory import STIFF, STILL, Placements, Trajectory
from sim.tracking.track import Track
from wingedge import shapes

BOX = shapes.box((1.0, 1.0, 1.0))


@pytest.fixture
def pair():
    """A box above another, faces parallel, answered once."""
    a, b = Body(BOX), Body(BOX)
    b.pose = Pose(translation=(0.25, 0.5, 2.0))
    tracker = PairTracker(a, b)
    assert tracker.update().certified
    return tracker


def tape_of(pair, frames, **rooms):
    """Lay out a reel that moves B up by 1 per frame."""
    poses = np.array(
        [Pose(translation=(0.25, 0.5, 2.0 + k)).matrix for k in range(frames)]
    )
    track = Track(pair.a, pair.b, 0, frames)
    maps = Placements(floats(poses), frames, floats(np.array([1.0, 3.0, 100.0])))
    track.facts[...] = 0
    rows = track.lay_out()._replace(**rooms)
    return track, rows, Trajectory(frames, STILL, maps, STIFF, STIFF)


PARTS = [("parts_room", room, fits) for room, fits in ((9, 4), (8, 4), (7, 3), (1, 0))]
CORNERS = [("corners_room", n, fits) for n, fits in ((19, 4), (16, 4), (15, 3), (0, 0))]


@pytest.mark.parametrize(("pool", "room", "fits"), PARTS + CORNERS)
def test_a_trajectory_stops_where_names_or_corners_do_not_fit(pair, pool, room, fits):
    track, *reel = tape_of(pair, 5, **{pool: room})
    assert pair.run_trajectory(*reel) == layout.CERTIFIED
    assert reel[0].cursor[trajectory.FRAME] == fits
    assert not track.facts[fits].any(), "no row is half written"


def test_a_trajectory_stops_at_a_number_that_is_not_finite(pair):
    _, *reel = tape_of(pair, 5)
    pair.b._points[:, 2] = np.nan
    pair.run_trajectory(*reel)
    assert reel[0].cursor[trajectory.FRAME] == 0
    assert not np.isfinite(pair._buffers.result.nan_sum)


def test_rows_are_turned_to_the_callers_order(pair):
    track, rows, _ = tape_of(pair, 1)
    other, turned, _ = tape_of(pair, 1)
    turned.cursor[trajectory.SWAPPED] = 1
    for own in (rows, turned):
        assert store(*pair._buffers.tables, own)
        own.cursor[trajectory.FRAME] = 1
    track.took(rows)
    other.took(turned)
    assert other[0].numbers == track[0].numbers.mirrored()

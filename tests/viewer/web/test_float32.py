import numpy as np  # of viewer.web.marks

from sim import Body, Pose, World, scenes
from viewer.sources import source_of
from viewer.web.marks import SIZE, float32_frame, seen_in
from wingedge import shapes

AWAY = np.array([3e9, -2e9, 1e9])


def test_whatever_the_size_it_fills_the_room_and_one_point_has_one():
    for scale in [1e-150, 1e-9, 1.0, 1e9, 1e150]:
        points = scale * shapes.icosphere(1).points
        placed = float32_frame(points).place(points)
        assert np.isclose(np.ptp(placed, axis=0).max(), SIZE, rtol=1e-6)
        assert np.abs(placed).max() <= 0.5 * SIZE * (1 + 1e-6)
    local = float32_frame(np.array([[1.0, 2.0, 3.0]]))
    assert local.scale == 1.0
    np.testing.assert_array_equal(local.place(np.array([1.0, 2.0, 3.0])), np.zeros(3))
    points = AWAY + np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    near = AWAY + np.array([[0.25, 0.5, 0.5], [0.25 + 2.0**-12, 0.5, 0.5]])
    placed = float32_frame(points).place(near)
    assert np.isclose(placed[1, 0] - placed[0, 0], SIZE * 2.0**-12, rtol=1e-3)


def test_a_body_that_dwarfs_the_others_is_seen_near_the_contact_only():
    small = Body(shapes.box(), name="small", pose=Pose.rigid(None, (40.0, 0.0, 1.0)))
    ground = Body(shapes.box((1000.0, 1000.0, 1.0)), name="ground")
    seen, _ = seen_in(source_of(World([small, ground]).step()))
    assert np.ptp(seen, axis=0).max() < 10.0
    assert abs(seen[:, 0].mean() - 40.0) < 5.0


def test_the_camera_sees_all_frames_of_what_is_stored():
    frames = list(scenes.load("demo").run(100))
    stored, one = (seen_in(source_of(f))[0] for f in (frames, frames[:1]))
    for frame in frames[::9]:
        points, _ = seen_in(source_of(frame))
        assert (points >= stored.min(axis=0) - 0.2).all()
        assert (points <= stored.max(axis=0) + 0.2).all()
    assert np.ptp(stored, axis=0).max() > np.ptp(one, axis=0).max()

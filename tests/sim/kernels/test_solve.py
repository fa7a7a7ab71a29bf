import numpy as np  # of sim.kernels.solve, sim.kernels.closest.answer
import pytest
from stories.checked import Checked

from sim import Body, PairTracker, Pose, exhaustive, verify
from sim.kernels import layout
from sim.kernels.language import KERNELS
from sim.kernels.solve import solve
from sim.tracking.buffers import Buffers
from wingedge import shapes

READ_ONLY = ("points", "pose", "start", "star", "star_edge", "star_face")
READ_ONLY += ("corner_start", "corner_vertex")


def checked(record):
    return record._replace(
        **{
            name: Checked(value, name in READ_ONLY)
            for name, value in record._asdict().items()
            if isinstance(value, memoryview)
        }
    )


class Twice:
    """One pair answered on plain buffers and on checked ones, frame after frame."""

    def __init__(self, a, b, scanned=0):
        self.plain, self.safe = Buffers(a, b, 1e-12), Buffers(a, b, 1e-12)
        for buffers in (self.plain, self.safe):
            for side in buffers.tables[:2]:
                side.proofs.scanned = scanned

    def answer(self):
        p, s = self.plain, self.safe
        sides = checked(s.first), checked(s.second)
        status = solve(*sides, 0, checked(s.workspace))
        assert status == solve(p.first, p.second, 0, p.workspace)
        if status == layout.CERTIFIED:
            assert s.told("ring", in_order=True) == p.told("ring", in_order=True)
        return status


@pytest.mark.parametrize("other", ["edge", "face"])
def test_an_edge_collapsed_to_a_point_is_answered(other):
    """Its direction is zero: it was divided by, over an edge and over a face alike."""
    box = shapes.box((1.0, 1.0, 1.0))
    a, b = Body(box, name="a"), Body(box, name="b")
    ends = box.edge_vertices
    low = ends[(box.points[ends, 2] < 0.0).all(axis=1)][0]
    high = ends[(box.points[ends, 2] > 0.0).all(axis=1)][0]
    points = box.points.copy()
    tip = points[low].mean(axis=0) - (0.0, 0.0, 0.25)
    points[low] = tip
    b.points = points
    top = 0.5
    if other == "edge":
        points = box.points.copy()
        points[high, 2] = top = 0.75
        a.points = points
        aim = points[high].mean(axis=0)
    else:
        aim = (0.0, 0.0, 0.5)
    b.pose = Pose(translation=(*(aim - tip)[:2], top + 1.0 - tip[2]))
    state = PairTracker(a, b).update()
    assert state.distance == pytest.approx(1.0, abs=1e-15)
    assert state.distance == pytest.approx(exhaustive(a, b).distance, abs=1e-15)
    assert verify(state, a, b)
    assert Twice(a, b, 1).answer() == layout.CERTIFIED


@pytest.mark.parametrize(("n", "step"), [(5, 2), (7, 3), (11, 5), (15, 7)])
def test_the_patch_of_two_stars_fits_or_is_left_to_the_search(n, step):
    """Two stars {11/5} cross 121 times: that wrote past the end of the patch."""
    mesh = shapes.prism(n)
    x, y, z = mesh.points.T
    turn = np.arctan2(y, x) * step
    a, b = Body(mesh), Body(mesh)
    a.points = b.points = np.stack([np.cos(turn), np.sin(turn), z], axis=1)
    half = np.pi / (2.0 * n)
    b.pose = Pose.rigid((0.0, 0.0, np.sin(half), np.cos(half)), (0.0, 0.0, 1.5))
    state = PairTracker(a, b).update()
    assert state.distance == pytest.approx(0.5, abs=1e-15)
    assert state.certified
    Twice(a, b, 1).answer()


def test_a_patch_that_does_not_fit_is_left_to_the_search():
    box = shapes.box((1.0, 1.0, 1.0))
    pair = Buffers(
        Body(box), Body(box, pose=Pose(translation=(0.25, 0.25, 1.5))), 1e-12
    )
    for side in pair.tables[:2]:
        side.proofs.scanned = 1
    tight = pair.workspace._replace(capacity=3)
    assert solve(pair.first, pair.second, 0, tight) == layout.WANTED
    pair.workspace.simplex[0] = 0
    assert solve(pair.first, pair.second, 0, pair.workspace) == layout.CERTIFIED
    assert pair.result.corners == 4


def above(flat, mesh, vertex, off):
    """Put a body 8 above a flat one, a vertex of its lower face off the level.

    By less than the tolerance; the normal is that of the flat face of the first.
    """
    a, b = Body(flat), Body(mesh, pose=Pose(translation=(0.25, 0.5, 9.0)))
    b._points[vertex, 2] += off
    pair = Buffers(a, b, 1e-6)
    for side in pair.tables[:2]:
        side.proofs.scanned = 1
    status = solve(pair.first, pair.second, 0, pair.workspace)
    assert status == layout.CERTIFIED
    assert len(pair.told("scan", in_order=True).labels) == 16
    return pair, b.world_points()[vertex]


SMALL_BOX, WIDE_BOX = shapes.box((1.0, 1.0, 1.0)), shapes.box((9.0, 9.0, 1.0))
LOW = np.nonzero(SMALL_BOX.points[:, 2] < 0.0)[0].tolist()
OFF = 2.0**-30


@pytest.mark.parametrize("vertex", LOW)
def test_of_the_corners_of_a_rough_patch_the_nearest_carries_the_points(vertex):
    pair, at = above(WIDE_BOX, SMALL_BOX, vertex, -OFF)
    numbers = pair.told("scan", in_order=True)
    assert numbers.point_b == tuple(at.tolist())
    assert numbers.distance == 8.0 - OFF
    assert numbers.lower <= 8.0 - OFF <= numbers.upper < 8.0 - 0.5 * OFF


@pytest.mark.parametrize("vertex", LOW)
def test_the_roughness_over_a_patch_widens_its_upper_bound(vertex):
    """B's corner outside of the patch is high: how high B is over it, nobody knows."""
    pair, _ = above(SMALL_BOX, WIDE_BOX, vertex, OFF)
    first = pair.told("scan", in_order=True)
    assert first.distance == 8.0
    assert first.lower <= 8.0
    assert 8.0 + OFF <= first.upper <= 8.0 + 1.001 * OFF
    # Whichever corner carries the points: all four are as near, so the last one stays.
    for k in range(4):
        for i in range(4):
            pair.last[i] = first.labels[4 * k + i]
        solve(pair.first, pair.second, 0, pair.workspace)
        again = pair.told("scan", in_order=True)
        assert again.point_a == first.corners[6 * k : 6 * k + 3]
        assert (again.lower, again.upper) == (first.lower, first.upper)


def test_every_kernel_is_registered_once_and_says_its_types():
    assert len({k.__module__ + "." + k.__name__ for k in KERNELS}) == len(KERNELS) > 100
    for function in KERNELS:
        arguments = function.__code__.co_varnames[: function.__code__.co_argcount]
        assert set(arguments) <= set(function.__annotations__), function.__name__
        assert "return" in function.__annotations__, function.__name__
        assert not function.__defaults__, "an engine knows no defaults"

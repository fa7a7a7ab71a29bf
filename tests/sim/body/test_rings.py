import numpy as np  # of sim.body.audit, sim.body.judged
import pytest
from queries._exact import height, rational

from sim import Body, Pose, closest, verify
from sim.body.audit import Findings, hinges_of
from sim.engine.bound import floats
from sim.kernels.audit import hinges as kernel
from sim.kernels.audit.hinges import CONVEX, EDGES, RINGS, found, found_each, judged
from sim.kernels.walk.gjk import true_support
from sim.kernels.workspace import Result
from sim.tracking.buffers import make_view
from wingedge import WingedEdgeMesh, convexity, shapes

ZOO = dict(shapes.zoo())
BENT = {n: m for n, m in shapes.zoo(non_convex=True) if n not in ZOO}
TILT = Pose.rigid((0.1, 0.2, 0.3, 1.0)).linear


def proves(mesh, points=None):
    points = mesh.points if points is None else points
    proven = Findings(mesh, points).look()[1] >= RINGS
    return proven and convexity(mesh, points).is_convex()


def is_convex_exactly(mesh, points):
    """Say in rationals whether no hinge is reflex and every polygon flat."""
    triangles, face = mesh.fan
    at = rational(*points)
    beside = {}
    for (a, b, c), f in zip(triangles.tolist(), face.tolist(), strict=True):
        for tail, tip, third in ((a, b, c), (b, c, a), (c, a, b)):
            beside[tail, tip] = third, f
    for (tail, tip), (third, f) in beside.items():
        apex, g = beside[tip, tail]
        over = height(*(at[k] for k in (tail, tip, third, apex)))
        if over > 0 or (f == g and over != 0):
            return False
    return True


def supports(view, far):
    view.proofs.far, n = far, range(view.size)
    return [true_support(view, v, tuple(d), Result()) for d in TILT.tolist() for v in n]


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.parametrize("scale", [2.0**-40, 1.0, 3e5])
def test_rings_prove_what_is_convex_exactly_and_nothing_else(name, scale):
    """Turned by their points, flat parts are flat to rounding: half of them bend."""
    mesh = ZOO[name]
    for points in (mesh.points, Pose(TILT).apply(mesh.points)):
        points = points * scale
        assert proves(mesh, points) == is_convex_exactly(mesh, points)


@pytest.mark.parametrize("off", [1e-16, -1e-16, 1e-12, -1e-12, 1e-6, -0.1])
def test_a_warped_polygon_proves_nothing(off):
    """Outwards or inwards: its own rings do not see the inner diagonal of its fan."""
    mesh = shapes.box((1.0, 1.0, 1.0))
    points = mesh.points.copy()
    points[7, 2] += off
    assert not proves(mesh, points)


def test_a_wedge_is_blunt_from_sixty_degrees():
    for angle, proof in [(59.9, RINGS), (60.1, EDGES)]:
        y = np.tan(np.radians(angle / 2.0))
        rhombus = [(-1.0, 0.0), (0.0, -y), (1.0, 0.0), (0.0, y)]
        points = [[*p, z] for z in (0.0, 1.0) for p in rhombus]
        faces = [[3, 2, 1, 0], [4, 5, 6, 7]]
        faces += [[k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4] for k in range(4)]
        mesh = WingedEdgeMesh.from_faces(np.array(points), faces)
        assert told(mesh, mesh.points) == proof


def test_rings_of_what_is_not_convex_or_collapsed_prove_nothing(star_prism):
    mesh, points = star_prism
    assert proves(mesh)
    report = convexity(mesh, points)
    assert len(report.reflex_edges) == 0
    assert not report.globally_convex
    assert not proves(mesh, points)
    mesh = shapes.icosphere(1)
    assert not proves(mesh, -mesh.points)
    assert not proves(mesh, mesh.points * (1.0, 1.0, 0.0))
    assert not proves(mesh, np.zeros_like(mesh.points))


@pytest.mark.parametrize(
    ("mesh", "answers"),
    [
        (shapes.grid_box((2, 3, 2), (1.0, 0.7, 0.5), triangles=True), {True, False}),
        (shapes.icosphere(1), {True}),
        (shapes.box((1.0, 2.0, 3.0)), {False}),
    ],
)
def test_a_hinge_is_reflex_or_not_without_rounding(mesh, answers):
    """Moved by single bits: what is flat bends in or out, and no limit lies between."""
    rng = np.random.default_rng(mesh.n_vertices)
    told = set()
    for k in range(60):
        points = mesh.points.copy()
        some = rng.integers(0, mesh.n_vertices, 1 + k % 3)
        points[some] *= 1.0 + 2.0**-52 * rng.integers(0, 3, (len(some), 3))
        expected = is_convex_exactly(mesh, points)
        assert proves(mesh, points) == expected
        view = make_view(Body(mesh))._replace(points=floats(points))
        far = judged(hinges_of(mesh, points), kernel.SIGNS)[2]
        assert supports(view, far) == supports(view, 0.0)
        told.add(expected)
    assert told == answers


def test_a_groove_along_a_triangle_without_width_is_seen(groove):
    """Two faces on both sides of a sliver stand in a V; each edge looks convex.

    The body was judged convex, and an overlap 0.25 deep certified where 0.12 are free.
    """
    mesh, grooved = groove
    body = Body(mesh)
    body.points = grooved
    report = body.audit()
    assert not report.is_convex()
    assert report.worst_depth > 0.1
    assert not body.proof()
    box = Body(shapes.box(0.1), pose=Pose(None, (0.003, 0.001, 0.2)))
    state = closest(body, box)
    assert state.distance > 0.1
    assert verify(state, body, box)


def told(mesh, points):
    """What the pass says, by the source and by its stand-ins."""
    hinges = hinges_of(mesh, np.ascontiguousarray(points))
    mean = tuple((points.sum(axis=0) / len(points)).tolist())
    limits = mean, 1e-9, 1e-14, 1e-24, 1e-9, 1e-7
    assert found(hinges, limits) == found_each(hinges, limits)
    said, proof, _ = judged(hinges, kernel.PROOF)
    if said == CONVEX:  # what the audit is not asked for any more
        report = convexity(mesh, points)
        assert (report.is_convex(), report.volume_sign) == (True, 1)
    return proof


@pytest.mark.parametrize("name", [*ZOO, *BENT])
def test_source_and_stand_in_say_the_same_of_any_positions(name):
    mesh = {**ZOO, **BENT}[name]
    rng = np.random.default_rng(len(name))
    found = set()
    for power in (-60, -52, -48, -20, -4, 0):
        noise = 2.0**power * rng.normal(size=mesh.points.shape)
        found.add(told(mesh, mesh.points + noise * (rng.random(3) < 0.5)))
    assert found <= {kernel.NOTHING, RINGS, EDGES}
    assert kernel.NOTHING in found or name == "tetrahedron"


def test_who_asks_while_another_thread_is_looking_gets_the_same_answer(monkeypatch):
    """A half-done answer was read as "nothing": threads then told other bits."""
    body = Body(shapes.icosphere(1))
    look, meanwhile = Findings.look, []

    def interrupted(test, *edges):
        if not meanwhile:
            meanwhile.append(None)
            meanwhile[0] = body.proof()
        return look(test, *edges)

    monkeypatch.setattr(Findings, "look", interrupted)
    assert body.proof() == EDGES
    assert meanwhile == [EDGES]

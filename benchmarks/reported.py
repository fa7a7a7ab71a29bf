"""What other engines answered where somebody reported it, beside what is right.

    python benchmarks/reported.py [--write docs/evidence.md]

Shapes and poses are those of public reports: ``report`` is repository#number, or the
name of a test of MuJoCo's that holds the numbers.  ``right`` is exact on these
polyhedra.  Boxes are given by half sizes, quaternions w x y z.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from bench import Say, heading, main
from paper_experiments.page import put, text

from sim import Body, PairTracker, Pose, World, closest, verify
from wingedge import MeshError, WingedEdgeMesh, convex_hull, shapes

Vector = Sequence[float]
FOOT = 500  # steps up and down
# half sizes, place and turn of one box and the other, of four tests
THIN = """
0.047 0.032 0.00035
2.8218257713084481e-05 -0.013292121195706197 0.029256072037790268
0.84130787082244052 0.54054898504499482 0.0015299333749655413 0.0023495878161510389
0.047 0.032 0.00035
-5.3521944872628108e-05 0.01427117523229726 0.029254416229696868
0.8413227886432264 -0.54053283716888822 0.00024615852936852315 -0.00039580009650069315

0.00044359468518251132 0.0019427705390657074 0.00056716790015765711
0 0 0
0.28720146798163904 -0.083561810000907483 -0.51853459717827233 0.80103346511099693
0.00062288175555326323 0.0010906336314477707 0.00030803275652456415
-0.0011513383735175778 -0.0013813387665010076 -0.00043818094448460645
0.51588977358544519 0.63445106644895233 0.50962161111201376 -0.26761053656263345

0.018352361395955086 0.038452208042144775 0.047704100608825684
0 0 0
-0.90091776847839355 -0.42279955744743347 0.097014322876930237 -0.013262901455163956
0.026817722246050835 0.0014398059574887156 0.0082265362143516541
-0.026325162500143051 0.030753342434763908 0.02338058315217495
0.23919239640235901 0.056073460727930069 0.91227829456329346 0.32770577073097229

0.044790275394916534 0.0057221869938075542 0.0049537895247340202
0 0 0
0.040385473519563675 0.75189536809921265 -0.55430221557617188 0.35464280843734741
0.026496950536966324 0.019804427400231361 0.0057344711385667324
0.0094044031575322151 0.020275400951504707 -0.017358051612973213
-0.6716417670249939 0.085770353674888611 0.69683432579040527 -0.23656430840492249
"""


class Case(NamedTuple):
    """A pair that somebody reported, what was answered there, and what is right."""

    report: str
    answered: str
    right: float
    a: Body
    b: Body


def put_at(
    mesh: WingedEdgeMesh,
    at: Vector = (0, 0, 0),
    q: Vector = (1, 0, 0, 0),
    name: str | None = None,
) -> Body:
    """Place a mesh by a point and a quaternion w x y z."""
    return Body(mesh, name=name, pose=Pose.rigid((*q[1:], q[0]), at))


def box(
    half: Vector | float,
    at: Vector = (0, 0, 0),
    q: Vector = (1, 0, 0, 0),
    name: str | None = None,
) -> Body:
    """Place a box of half sizes."""
    return put_at(shapes.box(2.0 * np.asarray(half, float) * np.ones(3)), at, q, name)


def turned(axis: Vector, angle: float) -> tuple[float, ...]:
    """Return the quaternion w x y z of a turn by radians about an axis."""
    unit = np.asarray(axis, float) / np.linalg.norm(axis)
    return (np.cos(angle / 2), *(np.sin(angle / 2) * unit))


def wedge() -> WingedEdgeMesh:
    """Build the triangle of a height field's cell, extruded 50 down."""
    top = np.array([(0.0, 0.0, 0.0), (100.0, 320.0, 0.0), (0.0, 320.0, 0.0)])
    sides = [[0, 3, 4, 1], [1, 4, 5, 2], [2, 5, 3, 0]]
    points = np.concatenate([top, top - [0.0, 0.0, 50.0]])
    return WingedEdgeMesh.from_faces(points, [[0, 1, 2], [5, 4, 3], *sides])


def capsule(subdivisions: int, radius: float, half: float) -> WingedEdgeMesh:
    """Build the hull of two balls along y."""
    ball = shapes.icosphere(subdivisions, radius).points
    end = np.array((0.0, half, 0.0))
    return convex_hull(np.concatenate([ball + end, ball - end]))


def cases() -> Iterator[Case]:
    """Yield the pairs that were reported."""
    q = 0.77515626, -0.16498479, 0.36682746, -0.48718625
    for z, right in ((0.00036136055, -0.06171912051), (0.0, -0.06208048106)):
        roller = put_at(
            shapes.cylinder(32, 0.02, 0.14), (28.87991333, 260.53430176, z), q
        )
        yield Case("newton#3773", "58.83; a tangent", right, Body(wedge()), roller)
    yield from thin_boxes()
    for power, right in (
        (-9, -1.000002343e-5),
        (-5, -1.023425936e-5),
        (-2, -2.429864833e-4),
    ):
        tilted = box(0.05, (0, 0, 0.1 - 1e-5), turned((1, 0.5, 3), 10.0**power))
        name = f"MuJoCo NearAligned 1e{power}"
        yield Case(name, "normal drifts, points vanish", right, box(0.05), tilted)
    for x in (0.5, 0.79, 0.8, 0.81, 1.2, 1.3):
        yield Case(f"contained, x {x}", "NaN, 0", x - 1.2, box(1), box(0.2, (x, 0, 0)))
    yield Case("contained, the same", "NaN, 0", -2.0, box(1), box(1))
    for s in (1, 100, 10000):
        slab, cube = box((s, s, 0.25)), box(0.1, (0, 0, 0.35 - 1e-5))
        yield Case(f"mujoco_warp#1430, {s}", "sinks with s", -1e-5, slab, cube)
    stacked = box(0.2), box(0.2, (0, 0, 0.4 - 2.5e-4))
    yield Case("mujoco_warp#1526", "none", -2.5e-4, *stacked)
    ball = put_at(shapes.icosphere(3, 0.25), (0, 0, 1))
    yield Case("mujoco_warp#1649", "changes with the margin", 0.25, box(0.5), ball)
    wall = box((0.025, 0.195, 0.735), (0.8, -0.385, 0.735), (0.707107, 0, 0, 0.707107))
    drum = shapes.cylinder(32, 0.18, 0.18)
    drum = put_at(drum, (0.4, -0.4, 0.93), (0.991445, 0, 0, -0.130526))
    yield Case("fcl#319", "throws", 0.02542979183, wall, drum)
    pair = box(1), box((1, 2, 1), (-5.573167, 0, 0))
    yield Case("parry#431", "3.710461, swapped 3.573167", 3.573167, *pair)
    yield Case("parry#431, swapped", "3.573167", 3.573167, *reversed(pair))
    cubes = box(0.5, (0.5, 0.5, 0.5)), box(0.5, (1.5, 0.5, 0.5))
    yield Case("parry#315", "normal -y", 0.0, *cubes)
    corner = box(0.1, (0.4, 0.4, 0.4))
    yield Case("fcl#545", "sqrt 3 too deep", -0.2, box(0.5), corner)
    turn = turned((0, 0, 1), np.pi / 4)
    yield Case("coal#574", "no area", -0.05, box(0.5, q=turn), box(0.5, (0, 0, 0.95)))
    small = put_at(shapes.icosphere(3, 0.08), (0.08, 0.06, 0.06))
    ball = Body(shapes.icosphere(3, 0.1))
    yield Case("genesis#2525", "none", -0.06266717582, ball, small)
    points = [(0, 1, 0), (-1, -0.5, 0), (0, -0.5, -1), (1, -0.5, 0)]
    faces = [[0, 1, 3], [0, 2, 1], [0, 3, 2], [1, 2, 3]]
    mesh = WingedEdgeMesh.from_faces(np.array(points, float), faces)
    yield Case("parry#194", "slow", 998.0, Body(mesh), put_at(mesh, (1000, 0, 0)))
    rod = convex_hull(shapes.prism(64, 0.4975, 0.6).points[:, [1, 2, 0]])
    rod = put_at(rod, (-0.951660156, -2.09155273, -7.63574218))
    pill = Body(capsule(3, 7.19732189, 2.03114343))
    yield Case("Jolt#2103", "7.25 deep", 0.026737158462, pill, rod)
    turn, half = turned((1, 0, 0), np.pi / 6), 0.05 * (np.cos(np.pi / 6) + 0.5)
    block = box(0.05, (0, 0, half - 0.005), turn)
    yield Case("simbody#736", "top faces push", -0.005, box(1, (0, 0, -1)), block)


def thin_boxes() -> Iterator[Case]:
    """Yield what MuJoCo's tests of thin boxes hold: sizes, places, turns."""
    rows = np.array(THIN.split(), float).reshape(-1, 20)
    named = [
        ("ThinBoxNoSpuriousDeepContact", "deep", 1.934904269e-5),
        ("ThinBoxShallowPenetration", "dropped", -1.039413809e-4),
        ("EdgeContactAtDepthBound 1", "off 1000 times", -1.048510286e-3),
        ("EdgeContactAtDepthBound 2", "off 1000 times", -1.381299204e-3),
    ]
    for (name, answered, right), row in zip(named, rows, strict=True):
        a, b = (box(own[:3], own[3:6], own[6:]) for own in row.reshape(2, 10))
        yield Case(f"MuJoCo {name}", answered, right, a, b)


def far_away() -> str:
    """Say whether an overlap keeps its bits when both bodies move away along y."""
    said = set()
    for y in (0.0, 1.0, 1e3, 1e6):
        a, b = box(0.5, (0, y, 0)), box(0.5, (0.875, y, 0.25))
        said.add(closest(a, b, exact=True).distance)
    return "the same bits" if len(said) == 1 else f"{len(said)} answers"


def foot() -> str:
    """Count the contacts of a foot that goes up and down."""
    bodies = box(0.1, name="foot"), box((1, 1, 0.1), (0, 0, -0.1), name="ground")

    def path(t: float) -> Pose:
        return Pose(None, (0.0, 0.0, 0.1 if round(t / 0.02) % 2 else 0.15))

    world = World(bodies, motion={"foot": path}, dt=0.02)
    kinds = [event.kind for frame in world.run(2 * FOOT + 1) for event in frame.events]
    return f"{kinds.count('begin')} begin, {kinds.count('end')} end"


def rocking() -> str:
    """Name what a box does that turns into another about a hinge."""
    half, hinge = (0.007, 0.007, 0.01), np.array((0.0, 0.02, 0.0))
    bodies = box(half, (0, 0, 0.05), (1, 0, 1e-6, 0)), box(half, name="arm")

    def path(t: float) -> Pose:
        angle = 0.08 + 0.035 * t / 200.0
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([(1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c)])
        return Pose(turn, hinge + turn @ (0.0, 0.0, 0.06))

    world = World(bodies, motion={"arm": path}, dt=1.0, contact_distance=5e-4)
    return ", ".join(e.kind for frame in world.run(200) for e in frame.events)


def sinking() -> str:
    """Count the frames in which a ball sinks into a large box."""
    ball, ground = Body(shapes.icosphere(3, 0.5)), box(50, (0, -50, 0))
    tracker, count = PairTracker(ball, ground), 0
    for k in range(200):
        ball.pose = Pose(None, (0.0, -0.5 + 0.005 * k, 0.0))
        count += tracker.update().distance < 0.0
    return f"overlap in {count} of 200"


def leaving() -> str:
    """Say when a cube meets another that it does not move to, leaves, or moves to."""
    said = []
    for by in (0.0, 1.0, -1.0):
        b = box(0.5, (0, 1.1, 0))
        tracker = PairTracker(box(0.5), b)
        touch = tracker.advance(pose_b=Pose(None, (0.0, 1.1 + by, 0.0))).touch
        said.append("none" if touch is None else f"{touch.upper:.6g}")
    return ", ".join(said)


def flat() -> str:
    """Say what refuses points of a plane that were to become a body."""
    corners = [(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)]
    try:
        convex_hull(np.array(corners, float))
    except MeshError as error:
        return "a sentence" if "give points that span" in str(error) else str(error)
    return "no error"


STORIES: list[tuple[str, str, str, Callable[[], str]]] = [
    ("mujoco_warp#1546", "lost at 1", "the same bits", far_away),
    ("IsaacLab#7283", "148 of 500", "500 begin, 500 end", foot),
    ("mujoco#2471", "on, off, on", "begin, penetrate", rocking),
    ("parry#70", "dozens apart", "overlap in 200 of 200", sinking),
    ("parry#141", "hit when leaving", "none, none, 0.1", leaving),
    ("mujoco#3260", "Qhull's own text", "a sentence", flat),
]


def told() -> list[list[str]]:
    """Return the table: report, what was answered there, what is right, ours."""
    rows = [["report", "answered there", "right", "wingedge", "bounds, apart"]]
    for case in cases():
        state = closest(case.a, case.b, exact=True)
        proof = verify(state, case.a, case.b).answer
        width = f"{state.upper - state.lower:.1e}, verify: {proof}"
        row = [
            case.report,
            case.answered,
            f"{case.right:.10g}",
            f"{state.distance:.10g}",
        ]
        rows.append([*row, width])
    for report, answered, right, call in STORIES:
        rows.append([report, answered, right, call(), ""])
    return rows


def run(options: Namespace, say: Say) -> None:
    """Print the table, and write it."""
    table = text(told())
    say(table)
    if options.write:
        put(options.write, "reports", f"{heading()}.\n\n{table}")


if __name__ == "__main__":
    sys.exit(main(__doc__, run, write=None))

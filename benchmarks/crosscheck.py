"""The shared scenes through other engines: who is right wherever they differ.

    python benchmarks/crosscheck.py [--scenes tip dent] [--write docs/evidence.md]

Every pair of every frame is asked of coal, FCL, ipctk and MuJoCo, those that are
installed (``pip install coal python-fcl ipctk mujoco``), with their default tolerances.
The truth is not a vote: `verify`, which shares no code with what found our answer,
proves its bounds from positions alone.  Exit code 1 where one of ours is wrong.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from math import inf, isnan, nan
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from bench import Say, heading, installed, main
from paper_experiments.page import put, text
from peers_deforming import coal_hull, coal_mesh, fcl_hull, fcl_mesh
from stories import rational as oracle

from sim import Body, Frame, PairState, PairTracker, World, closest, exhaustive, scenes
from sim import verify as proved
from sim.tracking.proof.triangle_gap import surface_gap
from sim.tracking.proof.verdict import NO, YES

Answer = tuple[float, bool]  # nan: none; whether it is signed, of solids
VERDICTS = "agree", "theirs wrong", "no answer", "ours wrong", "tie"
AGREE, THEIRS, UNANSWERED, OURS, TIE = VERDICTS
RELATIVE = 1e-9  # two distances that differ by less, per unit of either, agree
RIGID = 1e-14  # a map this near a rotation is one
EARLY = 1e-3  # of a frame: a peer that stops so much before the touch is right
coal, fcl, ipctk, mujoco = (
    import_module(name) if find_spec(name) else None
    for name in ("coal", "fcl", "ipctk", "mujoco")
)  # type: Any, Any, Any, Any


class Compared(NamedTuple):
    """One question about one pair in one frame, asked of both engines.

    ``what``: "distance" of bodies that are apart, "depth" of an overlap, "crossing" of
    surfaces, "time" of the first touch since the frame before, 1 where there is none.
    """

    frame: int
    pair: str
    engine: str
    what: str
    ours: float
    theirs: float
    lower: float  # of the truth, proven
    upper: float
    size: float  # what rounding is measured by
    verdict: str
    certified: bool  # ours

    @property
    def off(self) -> float:
        """By how much the other engine is outside what is proven."""
        return max(self.lower - self.theirs, self.theirs - self.upper, 0.0)


def is_solid(body: Body) -> bool:
    """Tell whether a body stands for the hull of its vertices, to rounding."""
    if body.convexity == "hull":
        return True
    trifle = 16.0 * float(np.finfo(np.float64).eps * np.abs(body.positions).max())
    report = body.audit()
    return report.is_convex() and report.worst_depth <= trifle


class Peer:
    """A pair as another engine has it: two hulls, else the surfaces of both."""

    name = package = ""  # the package on PyPI
    resolution = 1e-13  # per unit of size: what rounding of its own numbers may change
    makers: tuple[Callable[[Any, Any], Any], ...] = ()  # of a hull, of a surface

    def __init__(self) -> None:
        self.made: dict[tuple[int, bool], tuple[bytes, Any]] = {}

    def placed(self, a: Body, b: Body, solid: bool) -> Iterator[tuple[Any, ...]]:
        """Yield shape, rotation, translation; a stretched shape turned in float64."""
        for k, body in enumerate((a, b)):
            turn, shift = body.transform[:, :3].copy(), body.transform[:, 3].copy()
            points = body.positions
            if np.abs(turn @ turn.T - np.eye(3)).max() > RIGID:
                points, turn = points @ turn.T, np.eye(3)
            key, had = points.tobytes(), self.made.get((k, solid), (b"", None))
            if key != had[0]:
                points = np.ascontiguousarray(points)
                had = key, self.makers[not solid](points, body.mesh.fan.vertex)
                self.made[k, solid] = had
            yield had[1], turn, shift


class Coal(Peer):
    """coal (formerly hpp-fcl): GJK and EPA, warm-started from its own guess."""

    name = package = "coal"
    makers = coal_hull, coal_mesh

    def __init__(self) -> None:
        super().__init__()
        self.request, self.result = coal.DistanceRequest(), coal.DistanceResult()
        self.request.gjk_initial_guess = coal.GJKInitialGuess.CachedGuess

    def distance(self, a: Body, b: Body) -> Answer:
        solid = is_solid(a) and is_solid(b)
        asked: list[Any] = []
        for shape, turn, shift in self.placed(a, b, solid):
            asked += [shape, coal.Transform3s(turn, shift)]
        self.result.clear()
        found = float(coal.distance(*asked, self.request, self.result))
        self.request.updateGuess(self.result)
        return (found if solid else max(found, 0.0)), solid


class Fcl(Peer):
    """FCL through python-fcl: libccd, cold every frame; of an overlap one contact."""

    name, package = "fcl", "python-fcl"
    makers = fcl_hull, lambda points, rows: fcl.CollisionObject(fcl_mesh(points, rows))

    def distance(self, a: Body, b: Body) -> Answer:
        solid = is_solid(a) and is_solid(b)
        asked = []
        for shape, turn, shift in self.placed(a, b, solid):
            shape.setTransform(fcl.Transform(turn, shift))
            asked.append(shape)
        found = fcl.distance(*asked, fcl.DistanceRequest(), fcl.DistanceResult())
        if found > 0.0 or not solid:
            return max(float(found), 0.0), solid
        result, ask = fcl.CollisionResult(), fcl.CollisionRequest(enable_contact=True)
        fcl.collide(*asked, ask, result)
        depths = [abs(contact.penetration_depth) for contact in result.contacts]
        return (-float(depths[0]) if depths else nan), solid


class Mujoco(Peer):
    """MuJoCo's ``mj_geomDistance`` of two meshes, which are hulls of float32 points."""

    name = package = "mujoco"
    resolution = 1e-6  # its vertices have 24 bits, and its ccd_tolerance is 1e-6
    makers = (lambda points, triangles: (points, triangles),)
    shapes: tuple[Any, ...] = ()

    def distance(self, a: Body, b: Body) -> Answer:
        if not (is_solid(a) and is_solid(b)):
            return nan, True
        shapes, *places = zip(*self.placed(a, b, True), strict=True)
        if any(x is not y for x, y in zip(shapes, self.shapes or "ab", strict=True)):
            spec, self.shapes = mujoco.MjSpec(), shapes
            for k, (points, faces) in enumerate(shapes):
                rows = points.ravel().tolist(), faces.ravel().tolist()
                spec.add_mesh(name=f"m{k}", uservert=rows[0], userface=rows[1])
                at = spec.worldbody.add_body(mocap=True)
                at.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"m{k}")
            self.model = spec.compile()
            self.data = mujoco.MjData(self.model)
        for k, (turn, shift) in enumerate(zip(*places, strict=True)):
            mujoco.mju_mat2Quat(self.data.mocap_quat[k], turn.ravel())
            self.data.mocap_pos[k] = shift
        mujoco.mj_kinematics(self.model, self.data)
        far = 10.0 * float(np.abs(self.data.mocap_pos).max()) + 100.0
        found = mujoco.mj_geomDistance(self.model, self.data, 0, 1, far, None)
        return float(found), True


class Ipctk(Peer):
    """ipctk: both surfaces as one collision mesh; no inside, so no depth."""

    name = package = "ipctk"
    meshes: tuple[object, ...] = ()
    reach = 0.0  # half of what was near last time

    def distance(self, a: Body, b: Body) -> Answer:
        self.lay_out(a, b)
        x = np.vstack([o.positions @ o.transform[:, :3].T for o in (a, b)])
        # about the origin of A, since positions far from it keep their digits
        x[len(a.positions) :] += b.transform[:, 3] - a.transform[:, 3]
        x = np.asfortranarray(x)
        if ipctk.has_intersections(self.mesh, x):
            return 0.0, False
        reach, least = self.reach or 0.5 * float(np.ptp(x, axis=0).max()), inf
        while least > reach * reach:  # boxes inflated by half of it meet
            reach *= 2.0
            near = ipctk.Candidates()
            near.build(self.mesh, x, 0.5 * reach)
            pairs = *near.fv_candidates, *near.ee_candidates
            tables = x, self.mesh.edges, self.mesh.faces
            least = min((c.compute_distance(*tables) for c in pairs), default=inf)
        self.reach = 0.505 * float(np.sqrt(least))
        return float(np.sqrt(least)), False

    def free_until(self, a: Any, b: Any, *, rescaling: float = 1.0) -> float:
        """Ask Tight Inclusion up to which time the surfaces surely do not meet.

        Of world positions (V, 3) at the start and at the end, of bodies that were laid
        out; 1 where they never meet.  With ``rescaling=0.8``, its own default, it keeps
        a fifth of the distance at the start.
        """
        ends = [np.asfortranarray(np.vstack(both)) for both in zip(a, b, strict=True)]
        ask = ipctk.TightInclusionCCD(conservative_rescaling=rescaling)
        step = ipctk.compute_collision_free_stepsize
        return float(step(self.mesh, *ends, narrow_phase_ccd=ask))

    def lay_out(self, a: Body, b: Body) -> None:
        """Make the collision mesh of two bodies, where they have another mesh."""
        if self.meshes == (a.mesh, b.mesh):
            return
        counts = a.mesh.n_vertices, b.mesh.n_vertices
        faces = np.vstack([a.mesh.fan.vertex, b.mesh.fan.vertex + counts[0]])
        rims = np.vstack([faces[:, [k, (k + 1) % 3]] for k in range(3)])
        edges = np.unique(np.sort(rims), axis=0).astype(np.int32)
        x = np.asfortranarray(np.vstack([a.positions, b.positions]))
        self.mesh = ipctk.CollisionMesh(x, edges, faces.astype(np.int32))
        sides = np.repeat([0, 1], counts).astype(np.int32)
        self.mesh.can_collide = ipctk.make_vertex_patches_filter(sides)
        self.meshes = a.mesh, b.mesh


ENGINES: dict[str, Any] = {kind.name: kind for kind in (Coal, Fcl, Ipctk, Mujoco)}


class PairCheck:
    """One pair in one frame: our answer, and what is proven of it, when it is asked.

    An answer that is not certified is asked again, ``exact``.  With ``rational`` the
    truth is from exact arithmetic.
    """

    def __init__(self, state: PairState, *, rational: bool = False) -> None:
        self.bodies, self.name = (state.a, state.b), f"{state.a.name}/{state.b.name}"
        self.state = state if state.certified else closest(*self.bodies, exact=True)
        self.exact = oracle.truth(*self.bodies) if rational else None
        self.size = max(self.state.size, self.exact.size if self.exact else 0.0)

    @cached_property
    def proof(self) -> Any:
        """What the checker says of our answer."""
        return proved(self.state, *self.bodies).answer

    @cached_property
    def truth(self) -> tuple[float, float]:
        """Bounds of the true distance; those of our answer unless it is wrong."""
        state, found = self.state, self.exact
        if found is None and self.proof == YES:
            return state.lower, state.upper
        if found is None:
            found = exhaustive(*self.bodies)
            slack = RELATIVE * abs(found.distance) + 1e-13 * found.size
            if self.proof != NO and abs(found.distance - state.distance) <= slack:
                return min(found.lower, state.lower), max(found.upper, state.upper)
        return found.lower, found.upper

    @cached_property
    def is_wrong(self) -> bool:
        """Whether our answer is outside the truth, or its proof does not hold."""
        refuted = self.exact is None and self.proof == NO
        return refuted or not self.holds(self.state.distance, self.slack(1e-13))

    def slack(self, resolution: float) -> float:
        """Return what two right answers may differ by."""
        return RELATIVE * abs(self.state.distance) + resolution * self.size

    def holds(self, distance: float, slack: float) -> bool:
        """Tell whether a distance is within the truth."""
        return self.truth[0] - slack <= distance <= self.truth[1] + slack

    def compare(self, peer: Any) -> Compared:
        """Ask another engine where the bodies are now."""
        state = self.state
        try:
            theirs, solid = peer.distance(*self.bodies)
        except Exception:  # whatever an engine raises, it gave no answer
            theirs, solid = nan, True
        what = "distance" if state.distance >= 0.0 else "depth" if solid else "crossing"
        verdict = self._judged(what, theirs, self.slack(peer.resolution))
        bounds = (0.0, 0.0) if what == "crossing" else (state.lower, state.upper)
        if what != "crossing" and (self.exact or verdict in (THEIRS, OURS, TIE)):
            bounds = self.truth
        place = state.frame, self.name, peer.name
        numbers = state.distance, theirs, *bounds, self.size
        return Compared(*place, what, *numbers, verdict, state.certified)

    def _judged(self, what: str, theirs: float, slack: float) -> str:
        if isnan(theirs):
            return UNANSWERED
        if self.exact is not None and self.is_wrong:
            return OURS
        if what == "crossing" and theirs != 0.0:  # right if one is inside the other
            corners = (x.world_points()[x.mesh.fan.vertex] for x in self.bodies)
            if abs(surface_gap(*corners) - theirs) > slack:
                return THEIRS
            return OURS if self.is_wrong else AGREE
        if what == "crossing" or abs(theirs - self.state.distance) <= slack:
            return AGREE
        if self.is_wrong:
            return OURS
        return TIE if self.holds(theirs, slack) else THEIRS


def compare_times(
    peer: Any, case: PairCheck, last: Frame, now: Frame
) -> Iterator[Compared]:
    """Ask for the free part of a frame, of a pair that may have met since the last.

    Right while it is not beyond the touch, nor more than a thousandth earlier.
    """
    starts, ends = ([f.body(body.name) for body in case.bodies] for f in (last, now))
    if any(x.mesh is not y.mesh for x, y in zip(starts, ends, strict=True)):
        return
    bodies = []
    for body, at in zip(case.bodies, starts, strict=True):
        bodies.append(Body(at.mesh, pose=at.pose, convexity=body.convexity))
        bodies[-1].points = at.points
    sides = zip(starts, ends, strict=True)
    ways = [(one.world_points(), other.world_points()) for one, other in sides]
    moved = sum(float(np.linalg.norm(y - x, axis=1).max()) for x, y in ways)
    tracker = PairTracker(*bodies)
    if not 0.0 < tracker.update().lower <= moved:
        return
    theirs = peer.free_until(*ways)
    passage = tracker.advance(*(at.pose for at in ends), *(at.points for at in ends))
    lower, upper = (0.0 if passage.reason else 1.0), 1.0
    if passage.touch is not None:
        lower, upper = passage.touch.lower, passage.touch.upper
    if lower - EARLY <= theirs <= upper:
        verdict = TIE if upper - lower > EARLY else AGREE
    elif theirs > upper:  # ours is right if the bodies have met by then
        verdict = THEIRS if passage.at(upper).lower <= 0.0 else OURS
    else:  # theirs is right only if the bodies meet before our touch
        times = np.linspace(theirs, lower, 33)[:-1].tolist()
        verdict = OURS if any(passage.at(t).upper < 0.0 for t in times) else THEIRS
    found = lower, theirs, lower, upper, 1.0, verdict, not passage.reason
    yield Compared(now.index, case.name, peer.name, "time", *found)


def check(
    world: World, engines: list[str], frames: int, *, rational: bool = False
) -> Iterator[Compared]:
    """Step a world, and ask engines about every reported pair of every frame.

    With ``rational`` about those of convex bodies of at most 60 vertices.
    """
    pairs: dict[str, list[Any]] = {}
    last: Frame | None = None
    for frame in world.run(frames):
        for state in frame.pairs:
            if rational and not all(map(oracle.is_small, (state.a, state.b))):
                continue
            case = PairCheck(state, rational=rational)
            if case.name not in pairs:
                pairs[case.name] = [ENGINES[name]() for name in engines]
            for peer in pairs[case.name]:
                yield case.compare(peer)
                if isinstance(peer, Ipctk) and last is not None and not rational:
                    yield from compare_times(peer, case, last, frame)
        last = frame


def table(rows: list[Compared]) -> list[list[str]]:
    """Count verdicts by engine and question; how far they were off at worst."""
    lines = [["engine", "asked", *VERDICTS, "worst"]]
    for engine, what in dict.fromkeys((row.engine, row.what) for row in rows):
        these = [row for row in rows if (row.engine, row.what) == (engine, what)]
        verdicts = [row.verdict for row in these]
        offs = [row.off / row.size for row in these]
        worst = max((off for off in offs if off < inf), default=0.0)
        counts = [str(verdicts.count(verdict)) for verdict in VERDICTS]
        lines.append([engine, what, *counts, f"{worst:.1e}"])
    return lines


def run(options: Namespace, say: Say) -> bool:
    """Print the table and what of ours is wrong; tell whether nothing is."""
    engines = [name for name, kind in ENGINES.items() if installed(kind.package)]
    rows: list[Compared] = []
    for name in options.scenes:
        rows += check(scenes.load(name), engines, scenes.length(name))
    wrong = [str(row) for row in rows if row.verdict == OURS]
    lines = text(table(rows))
    say("\n".join([*wrong, lines]))
    if options.write:
        of = heading("scipy", *(ENGINES[name].package for name in engines))
        put(options.write, "scenes", f"{fill(of, 88)}.\n\n{lines}")
    return not wrong


if __name__ == "__main__":
    sys.exit(main(__doc__, run, scenes=[*scenes.names()], write=None))

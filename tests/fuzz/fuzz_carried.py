"""Copy, pickle, resume and retry random worlds at a random frame: the same frames?

    python tests/fuzz/fuzz_carried.py --worlds 1000 --processes 2
    WINGEDGE_ENGINE=python python tests/fuzz/fuzz_carried.py --worlds 200 --seed 1000

2 to 8 bodies of any shape, most of them with a face, edge or vertex against one of an
earlier body, at gaps of -0.3 to 1 and in exact touch, that move on a lattice or a
little, bend, and change their mesh, in worlds of every option.  Bits, names and events
of all frames are compared, not what they cost.  Exit code 1 when anything differs.
"""

import copy
import pickle
import sys
import tempfile
from argparse import Namespace
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from runner import Say, list_cases, main, played
from stories.bending import BENDS
from stories.placing import anchor, facing
from stories.solids import bent, convex

from sim import Body, Pose, World, laws
from wingedge import MeshError, edits, shapes

FRAMES = 12
GAPS = (0.5, 0.25, 0.1, 1e-3, 1e-9, 0.0, 0.0, -1e-9, -0.05, -0.3)


class Script:
    """Poses, or positions, of every frame; the first time in one frame it raises."""

    def __init__(self, rows, fails=-1):
        self.rows, self.fails = rows, fails

    def __call__(self, *given):
        frame = round(given[-1] * 60)
        if frame == self.fails:
            self.fails = -1
            raise KeyError("this once")
        return self.rows[frame]


class Sink:
    """A law: whoever is near to something goes down, the more the longer it was."""

    def __init__(self):
        self.deep = np.zeros(8)

    def advance(self, bodies, frame, dt):
        moved = {}
        for k, body in enumerate(bodies):
            near = frame and any(body.name in (p.a.name, p.b.name) for p in frame.pairs)
            self.deep[k] += 0.0625 if near else -0.0625
            x, y, z = body.pose.translation
            moved[body.name] = Pose(body.pose.linear, (x, y, z - 0.5 * self.deep[k]))
        return moved

    def state(self):
        return {"deep": self.deep}

    def restore(self, arrays):
        self.deep = np.array(arrays["deep"])


def drawn(rng):
    """Return a world, without copies: whoever calls twice gets it twice."""
    count, regions = int(rng.integers(2, 9)), rng.random() < 0.2
    law = rng.random() < 0.15
    bodies, motion, deform, meshes = [], {}, {}, []
    for k in range(count):
        mesh = (convex if rng.random() < 0.5 else bent)(rng, "small")
        mesh = shapes.box() if rng.random() < 0.15 else mesh
        mesh = meshes[-1] if meshes and rng.random() < 0.25 else mesh
        meshes.append(mesh)
        kinds = ("surface", "surface", "surface", "flag", "hull", "hull")
        kind = "surface" if regions else str(rng.choice(kinds))
        pose = Pose.rigid(rng.normal(size=4)) if rng.random() < 0.3 else Pose()
        if k > 0:
            j = int(rng.integers(k))
            on = [
                anchor(m, str(rng.choice(list("VEFF"))), rng) for m in (meshes[j], mesh)
            ]
            options = {"twist": float(rng.choice([0, 1, 2, rng.random()]))}
            options["tilt"] = float(rng.choice([0, 0, 0, 1e-9, 0.1]))
            slide = tuple(rng.choice([0.0, 0.0, 0.25, 0.5], 2))
            gap = float(rng.choice(GAPS))
            put = facing(meshes[j], mesh, *on, gap, slide=slide, **options)
            pose = bodies[j].pose @ put
        body = Body(mesh, name=f"b{k}", pose=pose, convexity=kind)
        bodies.append(body)
        if rng.random() < 0.2:
            _ = body.points
        how = rng.choice(["still", "lattice", "line", "drift"])
        if how != "still" and not (law and k == 0):
            steps = rng.choice([-0.25, 0.0, 0.0, 0.25], (FRAMES, 3))
            steps = np.tile(steps[0] / 4, (FRAMES, 1)) if how == "line" else steps
            steps = rng.normal(size=(FRAMES, 3)) * 0.02 if how == "drift" else steps
            at = pose.translation + np.cumsum(steps, 0) - steps[0]
            motion[body.name] = Script([Pose(pose.linear, x) for x in at])
        if rng.random() < 0.25:
            bend = BENDS[str(rng.choice(list(BENDS)))](rng, mesh)
            amounts = np.clip(
                np.cumsum(rng.choice([0.0, 0.0, 0.2, -0.2], FRAMES)), 0, 1
            )
            deform[body.name] = Script([bend(float(x)) for x in amounts])
    names = [body.name for body in bodies]
    options = {
        "margin": rng.choice([None, 0.0, 0.3, 2.0]),
        "contact_distance": rng.choice([None, 0.0, 0.05, 0.3]),
        "threads": int(rng.choice([1, 1, 2, 3])),
        "between": bool(rng.random() < 0.2 and not law),
        "ignore": [tuple(names[:2])] if rng.random() < 0.1 else [],
        "law": Sink() if law else None,
    }
    return World(bodies, motion=motion, deform=deform, regions=regions, **options)


def edited(world, rng):
    """Split an edge of a body that no script deforms."""
    body = world.bodies[int(rng.integers(len(world.bodies)))]
    if body.name not in world._deform:
        edge = int(rng.integers(body.mesh.n_edges))
        body.replace(*edits.split_edge(body.mesh, edge))


def stepped(world, edit=None):
    if edit is not None:
        edited(world, np.random.default_rng(edit))
    frame = world.step()
    told = [
        (repr(s.numbers._replace(work=None)), s.regime, s.feature_a, s.feature_b,
         [(r.identity, repr(r.numbers._replace(work=None))) for r in s.regions])
        for s in frame.pairs
    ]  # fmt: skip
    events = [(str(e), e.contact, e.when, e.jump, str(e.path)) for e in frame.events]
    return told, events, world.poses.tobytes()


def differing(one, other):
    for k, (x, y) in enumerate(zip(one, other, strict=True)):
        for what, a, b in zip(("answers", "events", "poses"), x, y, strict=True):
            if a != b:
                odd = (
                    [(p, q) for p, q in zip(a, b) if p != q] if what != "poses" else []
                )
                return f"{what} of the {k}th frame after: {odd[:1] or (len(a), len(b))}"
    return ""


def follow(seed):
    """Return the faults of one world."""

    def world():
        return drawn(np.random.default_rng([seed, 77]))

    rng = np.random.default_rng(seed)
    cut = int(rng.integers(1, FRAMES - 1))
    edits = [
        int(rng.integers(1 << 30)) if rng.random() < 0.06 else None
        for _ in range(FRAMES)
    ]
    faults = []
    try:
        one = world()
        whole = [stepped(one, e) for e in edits]
    except MeshError:
        return []  # a hull that is flat

    def ask(what, go):
        try:
            found = differing(whole[cut:], go())
        except Exception as error:
            found = repr(error)
        if found:
            faults.append(f"{seed}:{cut} {what}: {found}")

    begun = world()
    for e in edits[:cut]:
        stepped(begun, e)
    data = pickle.dumps(begun)
    twins = {
        "copy": copy.copy(begun),
        "deepcopy": copy.deepcopy(begun),
        "pickle": pickle.loads(data),
    }
    for what, twin in twins.items():
        ask(what, lambda: [stepped(twin, e) for e in edits[cut:]])

    def retried():
        again = pickle.loads(data)
        scripts = [*again._motion.values(), *again._deform.values()]
        out = []
        for k, e in enumerate(edits[cut:], cut):
            if e is not None:
                edited(again, np.random.default_rng(e))
            if scripts:
                scripts[int(rng.integers(len(scripts)))].fails = (
                    k if rng.random() < 0.5 else -1
                )
            try:
                interrupted(again, int(10 ** rng.uniform(0.5, 3)))
            except (KeyError, KeyboardInterrupt):
                pass
            if again.index == k:
                for s in scripts:
                    s.fails = -1
                out.append(stepped(again))
            else:
                out.append(whole[k])
        return out

    ask("retried", retried)
    if any(edits):
        return faults
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.vtkhdf"

        def resumed():
            for begin, end in ((0, cut), (cut, FRAMES)):
                with (run := world()).record(path, resume=True):
                    out = [stepped(run) for _ in range(begin, end)]
            return out

        ask("resumed", resumed)
    return faults


def interrupted(world, at):
    left = [at]

    def count(frame, event, _):
        code = frame.f_code
        own = event == "call" and "/sim/" in code.co_filename
        left[0] -= own and code.co_name not in ("step", "__exit__", "laid_out")
        if left[0] == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(count)
    try:
        world.step()
    finally:
        sys.setprofile(None)


def run(options, say):
    first, cases = options.seed, []
    for found in played(
        follow, range(first, first + options.worlds), options.processes
    ):
        cases += found
        for case in found:
            print(case[:3000], flush=True)
    say(f"{options.worlds} worlds: {len(cases)} faults")
    list_cases(cases, say)
    return not cases


if __name__ == "__main__":
    sys.exit(main(__doc__, run, worlds=100, seed=0, processes=1))

"""Bodies that answer contact: a step of `sim.laws.Affine` beside two other programs."""

from functools import partial
from typing import Any

import numpy as np
from bench import installed

from sim import Body, Pose, World, laws
from speed import Table, interleaved
from wingedge import shapes

NEAR = 0.01
BOX = '<body pos="{} {} {}"><freejoint/><geom type="box" size=".5 .5 .5"/></body>'
MODEL = """<mujoco><option timestep="{}"/><worldbody><geom type="plane" size="99 99 1"/>
{}</worldbody></mujoco>"""
PILES = {
    "10 at rest": [(0.0, 0.0, 0.51 + 1.01 * k) for k in range(10)],
    "100 apart": [(2.0 * (k % 10), 2.0 * (k // 10), 60.0) for k in range(100)],
}


def law(quick: bool = False) -> Table:
    """Move unit boxes by 1/60 s: ten at rest on each other, a hundred that fall apart.

    `step`: `world.step()`, ms, every gap on the way proven free. `mujoco`: eight steps
    of 1/480. ipctk with the same positions and reach, once each (a solver needs several
    a step): `contacts` with gradient and Hessian; the `free` part of the way there.
    """
    return [{"boxes": name, **_timed(PILES[name])} for name in [*PILES][: 2 - quick]]


def _timed(at: list[tuple[float, float, float]]) -> dict[str, float]:
    box, pose = shapes.box(1.0), Pose(None, (0.0, 0.0, -0.5))
    bodies = [Body(box, name=f"{k}", pose=Pose(None, x)) for k, x in enumerate(at)]
    bodies.append(Body(shapes.box((99.0, 99.0, 1.0)), name="ground", pose=pose))
    own = laws.Affine(fixed=["ground"], kappa=1e9, contact_distance=NEAR)
    world = World(bodies, law=own, contact_distance=NEAR, margin=0.1)
    *_, start, end = world.run(60)
    calls: dict[str, Any] = {"step": world.step}
    if installed("mujoco"):
        import mujoco

        text = MODEL.format(1 / 480, "".join(BOX.format(*x) for x in at))
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 480)
        calls["mujoco"] = partial(mujoco.mj_step, model, data, 8)
    if installed("ipctk"):
        ends = [[b.world_points() for b in frame.bodies] for frame in (start, end)]
        calls |= _ipctk(*map(np.asfortranarray, map(np.vstack, ends)))
    ms = interleaved(calls, 20, 1e-3)
    return ms | ({"/ mujoco": ms["step"] / ms["mujoco"]} if "mujoco" in ms else {})


def _ipctk(x: Any, y: Any) -> dict[str, Any]:
    import ipctk

    fan, owner = shapes.box(1.0).fan.vertex, np.arange(len(x), dtype="i4") // 8
    faces = np.vstack([k + fan for k in range(0, len(x), 8)]).astype("i4")
    mesh = ipctk.CollisionMesh(x, ipctk.edges(faces), faces)
    mesh.can_collide = ipctk.make_vertex_patches_filter(owner)
    barrier, found = ipctk.BarrierPotential(NEAR, 1.0), ipctk.NormalCollisions()

    def contacts() -> None:
        found.build(mesh, y, NEAR)
        barrier.gradient(found, mesh, y)
        barrier.hessian(found, mesh, y)

    free = ipctk.compute_collision_free_stepsize
    return {"contacts": contacts, "free": partial(free, mesh, x, y)}

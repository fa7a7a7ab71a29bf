"""MuJoCo: the geoms and flexes of a model as bodies, where the simulation has them.

A model that was read from MJCF or URDF comes the same way.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from sim.bridges.mujoco_meshes import flex_mesh, geom_mesh
from wingedge import MeshError


class Follower:
    """The bodies of a MuJoCo simulation; made by ``follow``.

    Attributes
    ----------
    bodies : tuple of Body
        One for each geom and flex, by its name in MuJoCo, ``geom3`` where it has none.
    ignore : tuple of pairs of str
        Bodies that MuJoCo welds together, for ``World(ignore=...)``.
    left_out : dict of str to str
        What became no body, and why.
    dt : float
        Time between two steps.
    """

    def __init__(self, model: Any, data: Any, *, surfaces: bool = False) -> None:
        import mujoco

        for given, kind in ((model, mujoco.MjModel), (data, mujoco.MjData)):
            if not isinstance(given, kind):
                raise TypeError(f"follow takes a {kind.__name__} here, not {given!r}")
        self._mujoco = mujoco
        self.model, self.data = model, data
        self.dt = float(model.opt.timestep)
        self.left_out: dict[str, str] = {}
        mujoco.mj_forward(model, data)
        geoms = list(self._found(mujoco.mjtObj.mjOBJ_GEOM, surfaces))
        flexes = list(self._found(mujoco.mjtObj.mjOBJ_FLEX, surfaces))
        self._geoms = np.array([k for k, *_ in geoms], int)
        self._flexes = [(body, vertices) for _, body, vertices in flexes]
        self.bodies = tuple(body for _, body, _ in geoms + flexes)
        weld = model.body_weldid[model.geom_bodyid[self._geoms]].tolist()
        self.ignore = tuple(
            (self.bodies[i].name, self.bodies[j].name)
            for j in range(len(weld))
            for i in range(j)
            if weld[i] == weld[j]
        )
        self.read()

    def _found(
        self, kind: Any, surfaces: bool
    ) -> Iterator[tuple[int, Body, NDArray[np.int64] | None]]:
        """Make what becomes a body of one kind: number, body, vertices of a flex."""
        import mujoco

        model, is_geom = self.model, kind == mujoco.mjtObj.mjOBJ_GEOM
        for k in range(model.ngeom if is_geom else model.nflex):
            word = "geom" if is_geom else "flex"
            name = mujoco.mj_id2name(model, kind, k) or f"{word}{k}"
            try:
                if is_geom:
                    yield (
                        k,
                        Body(geom_mesh(model, k, surfaces=surfaces), name=name),
                        None,
                    )
                else:
                    mesh, used = flex_mesh(model, self.data, k)
                    yield k, Body(mesh, name=name), used
            except (MeshError, ValueError) as error:
                self.left_out[name] = str(error)

    def read(self) -> None:
        """Put the bodies where ``data.qpos`` has them; nothing is simulated.

        ``mj_step`` leaves poses where they were before it moved what has joints.
        """
        data, geoms = self.data, self._geoms
        self._mujoco.mj_kinematics(self.model, data)
        if self._flexes:
            self._mujoco.mj_comPos(self.model, data)
            self._mujoco.mj_flex(self.model, data)
        turns = data.geom_xmat[geoms].reshape(-1, 3, 3)
        poses = np.concatenate([turns, data.geom_xpos[geoms][:, :, None]], axis=2)
        for body, pose in zip(self.bodies, poses, strict=False):
            body.transform[...] = pose
        for body, vertices in self._flexes:
            body.points = data.flexvert_xpos[vertices]

    def advance(self) -> bool:
        """Simulate one step by ``mj_step`` and put the bodies there."""
        self._mujoco.mj_step(self.model, self.data)
        self.read()
        return True


def follow(model: Any, data: Any, *, surfaces: bool = False) -> Follower:
    """Make bodies of what a MuJoCo simulation moves, and follow it step by step.

    Boxes and meshes are what they are; of a mesh that is not convex MuJoCo itself
    meets the hull, and so does this.  Spheres, ellipsoids, capsules and cylinders are
    hulls of points on them: at most 1.5 % of the radius inside.  A plane is a slab
    below it.  A flex must be solid, or a closed shell; its radius is not added.

    Parameters
    ----------
    model, data : mujoco.MjModel, mujoco.MjData
    surfaces : bool
        Take a mesh that is not convex as its surface, not as its hull.

    Returns
    -------
    Follower
        Its ``bodies`` and ``advance()`` are a ``Source``.  What became no body, as a
        height field, stands in ``left_out``.
    """
    return Follower(model, data, surfaces=surfaces)

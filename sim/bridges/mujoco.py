"""MuJoCo: the geoms and flexes of a model as bodies, where the simulation has them.

A model that was read from MJCF or URDF comes the same way.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.body.body import Body
from wingedge import MeshError, WingedEdgeMesh, convex_hull, convexity, shapes
from wingedge.positions import single_rounding

Array = NDArray[np.float64]

FAR = 10.0  # a plane without an end is a slab so many times as wide as the model


def geom_mesh(model: Any, geom: int, *, surfaces: bool) -> WingedEdgeMesh:
    """Return the mesh of a geom in its own frame.

    Raises ValueError if a geom of this kind becomes none; MeshError if a surface that
    is wanted is no closed one.
    """
    import mujoco

    kind, size = mujoco.mjtGeom(model.geom_type[geom]), model.geom_size[geom]
    ball = shapes.icosphere(2).points
    match kind:
        case mujoco.mjtGeom.mjGEOM_BOX:
            return shapes.box(2.0 * size)
        case mujoco.mjtGeom.mjGEOM_MESH:
            made = _mesh(model, int(model.geom_dataid[geom]), surfaces=surfaces)
            return replace(made, resolution=single_rounding(made.points))
        case mujoco.mjtGeom.mjGEOM_PLANE:
            wide = np.where(size[:2] > 0.0, size[:2], FAR * model.stat.extent)
            deep = 0.1 * float(wide.min())
            slab = shapes.box((2.0 * wide[0], 2.0 * wide[1], deep))
            return replace(slab, points=slab.points - [0.0, 0.0, 0.5 * deep])
        case mujoco.mjtGeom.mjGEOM_SPHERE:
            return convex_hull(size[0] * ball)
        case mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            return convex_hull(size * ball)
        case mujoco.mjtGeom.mjGEOM_CAPSULE:
            end = np.array([0.0, 0.0, size[1]])
            ends = [size[0] * ball + s * end for s in (-1, 1)]
            return convex_hull(np.vstack(ends))
        case mujoco.mjtGeom.mjGEOM_CYLINDER:
            turn = 2.0 * np.pi * np.arange(32) / 32
            rim = np.stack([np.cos(turn), np.sin(turn)], axis=1) * size[0]
            sides = [np.insert(rim, 2, s * size[1], axis=1) for s in (-1.0, 1.0)]
            return convex_hull(np.vstack(sides), merge_coplanar=True)
    raise ValueError(f"a geom of type {kind.name[7:].lower()} becomes no body")


def flex_mesh(
    model: Any, data: Any, flex: int
) -> tuple[WingedEdgeMesh, NDArray[np.int64]]:
    """Return the skin of a flex, where it is now, and its vertices among all flexes'.

    Raises MeshError or ValueError if it has no closed skin.
    """
    if model.flex_dim[flex] == 3:
        start = model.flex_shelldataadr[flex]
        rows = model.flex_shell[start : start + 3 * model.flex_shellnum[flex]]
    elif model.flex_dim[flex] == 2:
        start = model.flex_elemdataadr[flex]
        rows = model.flex_elem[start : start + 3 * model.flex_elemnum[flex]]
    else:
        raise ValueError("a cable has no surface; it becomes no body")
    used, faces = np.unique(rows, return_inverse=True)
    used = used.astype(np.int64) + int(model.flex_vertadr[flex])
    return _closed(data.flexvert_xpos[used], faces.reshape(-1, 3)), used


def _mesh(model: Any, mesh: int, *, surfaces: bool) -> WingedEdgeMesh:
    first, start = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh]
    points = model.mesh_vert[first : first + model.mesh_vertnum[mesh]].astype(float)
    faces = model.mesh_face[start : start + model.mesh_facenum[mesh]]
    try:
        found = _closed(points, faces)
    except MeshError:
        if surfaces:
            raise
        return convex_hull(points)
    is_solid = surfaces or convexity(found).is_convex(tolerance=0.0)
    return found if is_solid else convex_hull(points)


def _closed(points: Array, faces: NDArray[Any]) -> WingedEdgeMesh:
    """Make a mesh whose faces look outward."""
    corners = points[faces]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    return WingedEdgeMesh.from_faces(points, faces[:, ::-1] if volume < 0.0 else faces)


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
        made: list[tuple[int, Body, NDArray[np.int64] | None]] = []
        kinds = mujoco.mjtObj.mjOBJ_GEOM, mujoco.mjtObj.mjOBJ_FLEX
        for kind, count in zip(kinds, (model.ngeom, model.nflex), strict=True):
            for k in range(count):
                word = mujoco.mju_type2Str(kind)
                name = mujoco.mj_id2name(model, kind, k) or f"{word}{k}"
                try:
                    if kind == kinds[0]:
                        mesh, used = geom_mesh(model, k, surfaces=surfaces), None
                    else:
                        mesh, used = flex_mesh(model, data, k)
                    made.append((k, Body(mesh, name=name), used))
                except (MeshError, ValueError) as error:
                    self.left_out[name] = str(error)
        self._geoms = np.array([k for k, _, used in made if used is None], int)
        self._flexes = [(body, used) for _, body, used in made if used is not None]
        self.bodies = tuple(body for _, body, _ in made)
        weld = model.body_weldid[model.geom_bodyid[self._geoms]].tolist()
        self.ignore = tuple(
            (self.bodies[i].name, self.bodies[j].name)
            for j, i in zip(*np.tril_indices(len(weld), -1), strict=True)
            if weld[i] == weld[j]
        )
        self.read()

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


def follow(
    model: Any, data: Any, *, surfaces: bool = False, resolution: float | None = None
) -> Follower:
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
    resolution : float, optional
        How far at most each vertex may be off; if left out, of meshes, which MuJoCo
        holds in single precision, that, of all others 0.

    Returns
    -------
    Follower
        Its ``bodies`` and ``advance()`` are a ``Source``.  What became no body, as a
        height field, stands in ``left_out``.
    """
    made = Follower(model, data, surfaces=surfaces)
    if resolution is not None:
        for body in made.bodies:
            body.resolution = resolution
    return made

"""USD out: the bodies of a recording or a world as meshes with time samples."""

from collections.abc import Iterable
from os import PathLike, fspath
from typing import Any

import numpy as np

from sim.arguments import check_above_zero
from sim.frame import BodySnapshot, Frame

HOME = "/bodies"
ENDINGS = (".usda", ".usdc")
NAME = "wingedge:name"  # of the body, since a prim's name has letters and digits only


def write_usd(
    path: str | PathLike[str], frames: Iterable[Frame], *, dt: float = 1 / 60
) -> None:
    """Write bodies as they move and deform, frame by frame, to a USD file.

    One ``UsdGeom.Mesh`` a body, with the polygons and numbers of its mesh; its pose is
    a time sample in every frame, its points are one wherever they change, and in the
    frame before, since USD goes straight from one sample to the next.  It holds points
    in float32 and poses in float64.

    Parameters
    ----------
    path : path
        Ends with .usda (text) or .usdc; what is there is replaced.
    frames : iterable of Frame
        A ``Recording``, or ``world.run(n)``.
    dt : float
        Time between two frames; the time code of a frame is its index.

    Raises
    ------
    ValueError
        If there are no frames, the ending is another, or a body gets another mesh: USD
        has one topology a prim.
    ModuleNotFoundError
        If usd-core is not installed.
    """
    try:
        from pxr import Gf, Sdf, Usd, UsdGeom
    except ImportError:
        raise ModuleNotFoundError(
            "write_usd needs usd-core: pip install usd-core"
        ) from None
    if not fspath(path).lower().endswith(ENDINGS):
        raise ValueError(f"{fspath(path)}: give a name that ends in .usda or .usdc")
    dt = check_above_zero("dt", dt)
    layer = Sdf.Layer.CreateAnonymous(".usda")
    stage = Usd.Stage.Open(layer)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    stage.SetTimeCodesPerSecond(1.0 / dt)
    stage.SetFramesPerSecond(1.0 / dt)
    root = UsdGeom.Scope.Define(stage, HOME)
    stage.SetDefaultPrim(root.GetPrim())
    known: dict[str, tuple[BodySnapshot, Any, Any]] = {}
    first = last = None
    for frame in frames:
        first = frame.index if first is None else first
        last = frame.index
        for body in frame.bodies:
            if body.name not in known:
                mesh = _prim(stage, f"{HOME}/{_free(known, body.name)}", body)
                place = UsdGeom.Xformable(mesh).AddTransformOp()
                known[body.name] = body, mesh, place
                mesh.GetPointsAttr().Set(_points(body), last)
            before, mesh, place = known[body.name]
            if body.mesh is not before.mesh:
                raise ValueError(
                    f"body '{body.name}' has another mesh in frame {last}; USD has one "
                    f"topology a prim: write the frames of each mesh to their own file"
                )
            if not np.array_equal(body.points, before.points):
                mesh.GetPointsAttr().Set(_points(before), last - 1)
                mesh.GetPointsAttr().Set(_points(body), last)
            matrix = np.vstack([body.pose.matrix, [0, 0, 0, 1]])
            # its rows are the images of the axes
            place.Set(Gf.Matrix4d(*matrix.T.ravel().tolist()), last)
            known[body.name] = body, mesh, place
    if first is None or last is None:
        raise ValueError("there are no frames to write")
    stage.SetStartTimeCode(first)
    stage.SetEndTimeCode(last)
    if not layer.Export(fspath(path)):
        raise OSError(f"{fspath(path)} could not be written")


def _free(known: dict[str, Any], name: str) -> str:
    """Return a name for a prim that no other body has."""
    from pxr import Tf

    word = str(Tf.MakeValidIdentifier(name))
    taken = {mesh.GetPrim().GetName() for _, mesh, _ in known.values()}
    return word if word not in taken else f"{word}_{len(known)}"


def _prim(stage: Any, path: str, body: BodySnapshot) -> Any:
    from pxr import Sdf, UsdGeom

    mesh = UsdGeom.Mesh.Define(stage, path)
    faces = [body.mesh.face_vertices(f) for f in range(body.mesh.n_faces)]
    mesh.CreateFaceVertexCountsAttr([len(face) for face in faces])
    mesh.CreateFaceVertexIndicesAttr([int(v) for face in faces for v in face])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    text = Sdf.ValueTypeNames.String
    mesh.GetPrim().CreateAttribute(NAME, text).Set(body.name)
    return mesh


def _points(body: BodySnapshot) -> Any:
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(body.points, np.float32))

"""wingedge.io.parsing, sim.sequence.formats: parts that files of others name."""

import numpy as np
import pytest
import pyvista
import trimesh
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial, SimpleMaterial

from sim import sequence
from viewer import to_polydata
from wingedge import MeshError, from_polydata, read, shapes, write

BOX = shapes.box(2.0)
FACES = np.array([BOX.face_vertices(f) for f in range(6)])
NAMES = np.array(["", "heel", "toe", "toe", "", ""])
PARTS = {"heel": [1], "toe": [2, 3]}


def parts_of(mesh):
    return {name: faces.tolist() for name, faces in mesh.parts.items()}


def read_obj(path, lines):
    rows = [f"v {x} {y} {z}" for x, y, z in BOX.points.tolist()]
    for face, above in zip(FACES.tolist(), lines, strict=True):
        rows += [*above, f"f {' '.join(str(v + 1) for v in face)}"]
    path.write_text("\n".join(rows), encoding="utf-8")
    return read(path)


def test_groups_of_obj_are_parts_or_materials_where_groups_tell_nothing(tmp_path):
    path = tmp_path / "a.obj"
    both = [["usemtl red"], ["g heel", "usemtl blue"], ["g toe"], [], ["g"], []]
    assert parts_of(read_obj(path, both)) == PARTS
    one = [["g all", "usemtl red"], ["usemtl blue"], [], [], [], []]
    told = {"red": [0], "blue": [1, 2, 3, 4, 5]}
    assert parts_of(read_obj(path, one)) == told
    assert read_obj(path, [["g all"], [], [], [], [], []]).parts == {}


@pytest.mark.parametrize("form", ["glb", "obj"])
def test_materials_are_parts_in_what_trimesh_writes(tmp_path, form):
    path, scene = tmp_path / f"a.{form}", trimesh.Scene()
    mesh = trimesh.Trimesh(BOX.points, BOX.fan.vertex)
    inks = PBRMaterial(name="heel"), PBRMaterial(name="toe.1 b")
    if form == "obj":
        inks = [
            SimpleMaterial(name=ink.name, diffuse=[len(ink.name)] * 3) for ink in inks
        ]
    for ink, heel in zip(inks, (True, False), strict=True):
        some = np.flatnonzero((BOX.fan.face == 1) == heel)
        part = mesh.submesh([some], append=True, repair=False)
        part.visual = TextureVisuals(uv=np.zeros((len(part.vertices), 2)), material=ink)
        scene.add_geometry(part)
    scene.export(path)
    assert {k: len(v) for k, v in read(path).parts.items()} == {
        "heel": 2,
        "toe.1 b": 10,
    }
    (body,) = sequence.read(path).bodies
    assert parts_of(body.mesh) == parts_of(read(path))


def test_cell_arrays_of_vtk_arrays_of_npz_and_subsets_of_usd_are_parts(tmp_path):
    Usd, UsdGeom = map(pytest.importorskip, ("pxr.Usd", "pxr.UsdGeom"))
    named = PARTS | {"足 é": [0]}
    assert parts_of(from_polydata(to_polydata(BOX.with_parts(named)))) == named
    data = pyvista.PolyData(BOX.points, to_polydata(BOX).faces)
    data.cell_data["part"] = NAMES
    data.save(tmp_path / "vtk.vtp")
    rest = {"points": BOX.points[None], "faces": FACES}
    np.savez(tmp_path / "npz.npz", part=NAMES, **rest)
    np.savez(tmp_path / "short.npz", part=NAMES[:4], **rest)
    stage = Usd.Stage.CreateNew(str(tmp_path / "usd.usda"))
    prim = UsdGeom.Mesh.Define(stage, "/usd")
    prim.CreatePointsAttr(BOX.points.tolist())
    prim.CreateFaceVertexCountsAttr([4] * 6)
    prim.CreateFaceVertexIndicesAttr(FACES.ravel().tolist())
    for name, some in PARTS.items():
        UsdGeom.Subset.CreateGeomSubset(prim, name, "face", some)
    stage.Save()
    for path in ("vtk.vtp", "npz.npz", "usd.usda"):
        assert parts_of(sequence.read(tmp_path / path).bodies[0].mesh) == PARTS
    with pytest.raises(ValueError, match="give the name of every face"):
        sequence.read(tmp_path / "short.npz")
    UsdGeom.Subset.CreateGeomSubset(prim, "sole", "face", [0, 3])
    stage.Save()
    with pytest.raises(ValueError, match="face 3 is in two subsets, toe and sole"):
        sequence.read(tmp_path / "usd.usda")


def test_names_are_kept_or_left_out_by_name(tmp_path):
    path, odd = tmp_path / "a.obj", ["Cube.001", "left side", "右足", "a/b"]
    lines = [[f"g {name}"] for name in odd] + [["g"], []]
    with pytest.warns(UserWarning, match="part 'a/b' is left out: a name has no '/'"):
        mesh = read_obj(path, lines)
    assert parts_of(mesh) == {name: [k] for k, name in enumerate(odd[:3])}
    write(mesh, path)
    assert parts_of(read(path)) == parts_of(mesh)
    for name in ("a  b", "a#b", "a\\"):
        with pytest.raises(MeshError, match="has a name that OBJ cannot hold"):
            write(BOX.with_parts({name: [0]}), path)

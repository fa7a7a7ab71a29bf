import logging
import struct

import numpy as np
import pytest
import trimesh

from wingedge import MeshError, shapes
from wingedge.io.parsing import parse_binary

BOX = shapes.grid_box(1, 2.0, triangles=True)
BODY = trimesh.Trimesh(BOX.points, BOX.fan.vertex, process=False)
KINDS = ("stl", "ply", "glb")


def exported(kind, *bodies):
    scene = trimesh.Scene(list(bodies or [BODY]))
    return (
        scene.export(file_type=kind) if kind == "glb" else BODY.export(file_type=kind)
    )


@pytest.mark.parametrize("kind", [*KINDS, "stl_ascii"])
def test_triangles_come_back_in_order(kind):
    data = exported(kind)
    data = data.encode() if isinstance(data, str) else data
    soup = parse_binary(data, kind[:3])
    assert soup.points.dtype == np.float64
    corners = soup.points[np.asarray(soup.faces)]
    assert (corners == BOX.points[BOX.fan.vertex]).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:50],
        lambda data: data[:-7],
        lambda data: b"hello world, this is no mesh",
        lambda data: b"\x00\x01junk" * 50,
        lambda data: bytes(range(256)) * 4,
    ],
    ids=["half", "start", "all but the end", "words", "junk", "bytes"],
)
def test_a_damaged_file_is_refused_in_one_sentence(kind, damage):
    with pytest.raises(MeshError) as refused:
        parse_binary(damage(exported(kind)), kind)
    assert "\n" not in str(refused.value)
    assert "export the mesh again" in str(refused.value)


def test_what_is_no_single_closed_mesh_is_refused():
    with pytest.raises(MeshError, match="12 triangles are announced, but 5 follow"):
        parse_binary(exported("stl")[: 84 + 5 * 50 + 7], "stl")
    with pytest.raises(MeshError, match="no triangles found"):
        parse_binary(b"solid x\nendsolid x\n", "stl")
    with pytest.raises(MeshError, match="no triangles found"):
        parse_binary(bytes(80) + struct.pack("<I", 0), "stl")
    other = BODY.copy()
    other.apply_translation([5, 0, 0])
    with pytest.raises(MeshError, match="holds 2 meshes"):
        parse_binary(exported("glb", BODY, other), "glb")
    cloud = trimesh.PointCloud(BOX.points).export(file_type="ply")
    with pytest.raises(MeshError, match="no triangles found"):
        parse_binary(cloud, "ply")


def test_one_mesh_in_many_places_is_counted_and_never_copied(monkeypatch):
    """20 000 places of one mesh, in a file of 2 MB, took 1.8 GB."""
    scene = trimesh.Scene(BODY)
    (name,) = scene.geometry
    for k in range(300):
        scene.graph.update(f"place {k}", "world", geometry=name)
    data = scene.export(file_type="glb")
    monkeypatch.setattr(trimesh.Scene, "dump", None)
    with pytest.raises(MeshError, match="holds 301 meshes"):
        parse_binary(data, "glb")


def test_the_transform_of_a_glb_node_is_applied():
    scene = trimesh.Scene()
    scene.add_geometry(BODY, transform=np.diag([2.0, 1, 1, 1]))
    soup = parse_binary(scene.export(file_type="glb"), "glb")
    assert np.ptp(soup.points, axis=0).tolist() == [4, 2, 2]


def test_trimesh_is_silenced_only_while_it_reads(capfd):
    log = logging.getLogger("trimesh")
    before = log.level
    with pytest.raises(MeshError):
        parse_binary(b"ply\nformat ascii 1.0\ncomment TextureFile x.png\n", "ply")
    assert log.level == before
    assert capfd.readouterr().err == ""

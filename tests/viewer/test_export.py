"""Recordings in forms that other programs read."""

import numpy as np
import pytest

from sim import Body, Pose, World, scenes
from viewer.export import export
from wingedge import shapes

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def frames():
    return list(scenes.load("demo").run(110))


def test_blocks_are_bodies_by_name_contacts_and_markers(frames, tmp_path):
    pv = pytest.importorskip("pyvista")
    opened = export(frames[100:], tmp_path / "run.pvd")
    reader = pv.PVDReader(opened)
    assert reader.time_values == [frame.time for frame in frames[100:]]
    reader.set_active_time_point(4)
    (block,) = reader.read()
    frame = frames[104]
    assert block.keys() == ["jelly", "table", "contacts", "markers"]
    state = frame.pair("jelly", "table")
    assert state.regime == "contact"
    jelly, body = block["jelly"], frame.body("jelly")
    assert np.array_equal(jelly.points, body.world_points())
    assert jelly.cell_data["face"].tolist() == list(range(body.mesh.n_faces))
    lit = np.flatnonzero(jelly.cell_data["closest"]).tolist()
    edge = state.feature_a
    assert (edge.kind, lit) == ("edge", sorted(body.mesh.edge_faces[edge.index]))
    contacts = block["contacts"]
    assert np.array_equal(contacts.points[:2], [state.point_a, state.point_b])
    assert contacts.point_data["role"].tolist() == [0, 1, 2]
    assert (contacts.point_data["normal"] == state.normal).all()
    assert (contacts.point_data["distance"] == state.distance).all()
    assert contacts.point_data["feature_a"][0] == edge.index
    legend = block.field_data["legend of regime"]
    assert legend[contacts.point_data["regime"][0]] == "1 contact"
    assert block["markers"].n_cells > 100


def test_faces_say_in_which_contact_region_they_are(tmp_path):
    pv = pytest.importorskip("pyvista")
    frame = list(scenes.load("arch").run(28))[-1]
    regions = frame.pair("arch", "table").regions
    assert len(regions) == 3
    (block,) = pv.PVDReader(export([frame], tmp_path / "run.pvd")).read()
    arch = block["arch"].cell_data["region"]
    for region in regions:
        near = np.unique(region.faces[:, 0]).tolist()
        assert np.flatnonzero(arch == region.identity).tolist() == near
    oldest = min(region.identity for region in regions)  # the table's top is in all
    assert sorted(block["table"].cell_data["region"]) == [-1] * 5 + [oldest]


def test_frames_without_a_pair_and_any_name_are_written(tmp_path):
    """No pair, no marker, and an empty array of colours was refused."""
    pv = pytest.importorskip("pyvista")
    far = Body(shapes.box(1.0), name="markers", pose=Pose(None, (9.0, 0.0, 0.0)))
    world = World([Body(shapes.box(1.0), name="box"), far], margin=1.0)
    opened = export(list(world.run(2)), tmp_path / "run.pvd")
    (block,) = pv.PVDReader(opened).read()
    assert block.keys() == ["box", "markers", "contacts", "markers"]
    assert [part and part.n_cells for part in block] == [6, 6, None, None]
    with pytest.raises(IndexError, match="no frame to export"):
        export([], tmp_path / "none.pvd")


def test_a_frame_as_gltf_is_read_back_with_its_bodies(frames, tmp_path):
    import trimesh

    scene = trimesh.load(export(frames, tmp_path / "run.glb", frame=104))
    assert set(scene.geometry) == {"jelly", "table", "markers"}
    low, high = scene.geometry["jelly"].bounds
    points = frames[104].body("jelly").world_points()
    assert np.allclose([low, high], [points.min(axis=0), points.max(axis=0)], atol=1e-6)


def test_nothing_is_written_over_and_nothing_is_left_over(frames, tmp_path):
    pytest.importorskip("pyvista")
    (tmp_path / "run").mkdir()
    with pytest.raises(FileExistsError, match="is there already"):
        export(frames, tmp_path / "run.pvd")
    with pytest.raises(ValueError, match=r"is exported as \.pvd or \.glb"):
        export(frames, tmp_path / "run.vtk")
    with pytest.raises(IndexError, match="no frame 200; there are 110"):
        export(frames, tmp_path / "a.pvd", frame=200)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(frames, tmp_path / "a.pvd", progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]

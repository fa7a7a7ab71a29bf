import numpy as np  # of viewer.web.scene, viewer.web.marks
import pytest

from sim import Body, Pose, World, scenes
from viewer.theme import EXTRA, LIGHT, Layers
from wingedge import shapes

viser = pytest.importorskip("viser", reason="viser is in the extra 'web'")
pytestmark = pytest.mark.web


@pytest.fixture
def server():
    made = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    yield made
    made.stop()


@pytest.fixture
def stage_for(server):
    from viewer.sources import source_of
    from viewer.web.marks import seen_in
    from viewer.web.scene import BrowserScene

    def make(frame):
        return BrowserScene(server, *seen_in(source_of(frame)), LIGHT, panel=0.0)

    return make


def world_of(server, frame32, k):
    skin = server.scene.get_handle_by_name(f"/bodies/{k}")
    w, axis = skin.wxyz[0], skin.wxyz[1:]
    local = np.asarray(skin.vertices, dtype=float)
    once = np.cross(axis, local)
    placed = local + 2 * w * once + 2 * np.cross(axis, once) + skin.position
    return placed / frame32.scale + frame32.origin


@pytest.mark.parametrize("scene", ["demo", "spin", "wring", "far", "tiny", "huge"])
def test_every_body_is_drawn_where_it_is(server, stage_for, scene):
    frames = list(scenes.load(scene).run(12))
    scene = stage_for(frames[0])
    for frame in (frames[0], frames[5], frames[11]):
        scene.show(frame, Layers())
        for k, body in enumerate(frame.bodies):
            wanted = body.world_points()
            size = max(np.ptp(wanted, axis=0).max(), 1 / scene.local.scale)
            error = np.abs(world_of(server, scene.local, k) - wanted).max()
            assert error <= 1e-4 * size


def test_an_affine_pose_is_drawn_as_it_is(server, stage_for):
    shear = Pose(np.array([[1.0, 0.5, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.25]]))
    body = Body(shapes.box(), name="box", pose=shear)
    frame = World([body]).step()
    scene = stage_for(frame)
    scene.show(frame, Layers())
    found = world_of(server, scene.local, 0)
    np.testing.assert_allclose(found, frame.bodies[0].world_points(), atol=1e-5)


def test_closest_faces_are_lit_and_go_out_and_lines_lead_to_their_names(
    server, stage_for, face_on_face
):
    from dataclasses import replace

    scene = stage_for(face_on_face)
    scene.show(face_on_face, Layers())
    lit = server.scene.get_handle_by_name("/sheets/0")
    assert len(lit.faces) == 2
    clear = server.scene.get_handle_by_name("/bodies/0").opacity
    ends = np.concatenate([m.points for n, m in scene._marks.items() if "lines" in n])
    names = [mark.position for name, mark in scene._marks.items() if "names" in name]
    assert [(np.abs(ends - x).max(-1) < 1e-5).any() for x in names] == 3 * [True]
    scene.show(replace(face_on_face, pairs=()), Layers())
    assert server.scene.get_handle_by_name("/bodies/0").opacity == clear
    assert server.scene.get_handle_by_name("/sheets/0") is None


def test_bodies_come_and_go(server, stage_for, heap, overlapping):
    scene = stage_for(heap)
    scene.show(heap, Layers())
    scene.show(overlapping, Layers())
    assert server.scene.get_handle_by_name("/bodies/1") is not None
    assert server.scene.get_handle_by_name("/bodies/2") is None
    scene.show(heap, Layers())
    assert server.scene.get_handle_by_name("/bodies/5") is not None


def test_a_browser_shows_the_colours_of_the_theme():
    """It bends light by a curve (ACES, three.js): bodies were pale and grey."""
    from viewer.web.marks import _AFTER, _BEFORE, light_of, sent

    colours = np.array([[10, 90, 170], [200, 88, 40], [190, 166, 230], [70, 78, 88]])
    once = sent(light_of(colours), curved=True) / 255  # as a page reads its own kind
    for light in (sent(light_of(colours)) / 255, ((once + 0.055) / 1.055) ** 2.4):
        v = np.transpose(_BEFORE @ light.T) / 0.6
        v = v * (v + 0.0245786) - 0.000090537, v * (0.983729 * v + 0.432951) + 0.238081
        out = np.transpose(_AFTER @ (v[0] / v[1]).T).clip(0.003, 1)
        shown = 255 * (1.055 * out ** (1 / 2.4) - 0.055)
        np.testing.assert_allclose(shown, colours, atol=5)


@pytest.mark.parametrize("layer", EXTRA)
def test_every_layer_of_the_window_is_drawn_in_a_browser_too(server, stage_for, layer):
    """They were switches of the window only, and were left out in silence."""
    k = 20 if layer == "distance" else 37
    *_, before, frame = scenes.load("demo").run(k + 1)
    frame.bodies.meshes = [m.with_parts({"top": [0]}) for m in frame.bodies.meshes]
    scene = stage_for(frame)

    def sent(layers):
        scene.show(frame, layers, before)
        lines, named = (
            [mark for name, mark in scene._marks.items() if name.startswith(kind)]
            for kind in ("/marks", "/names")
        )
        words = [handle.text for handle in named]
        words += [name for name in scene._marks if name.startswith("/parts")]
        return sum(len(handle.points) for handle in lines), words

    plain, shown = sent(Layers()), sent(Layers(**{layer: True}))
    assert scene.empty == []
    assert shown != plain
    assert shown[0] > plain[0] or layer in ("distance", "parts")
    assert sent(Layers()) == plain

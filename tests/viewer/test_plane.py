"""viewer.theme: both examples of the plane: keys, colours, pictures, two segments."""

import os

import disk_triangle
import numpy as np
import pytest
import two_segments
from disk_triangle import TINTS, Disk, Plane, parsed, play
from two_segments import Segments

from viewer.theme import LIGHT

DEMOS = {"disk_triangle": Disk, "two_segments": Segments}


def played(kind, log):
    demo = kind()
    for keys in parsed(log, demo.KEYS):
        demo.step(keys)
    return demo


def drawn(kind, log):
    plotter = Plane(played(kind, log)).draw()
    image = plotter.screenshot(return_img=True)
    plotter.close()
    return image


def has(image, colour, off=0):
    return int((np.abs(image.astype(int) - colour).max(axis=-1) <= off).sum()) > 20


def test_segments_cross_touch_to_the_bit_part_and_share_a_piece():
    demo = Segments()
    assert (demo.kind, demo.found.s, demo.found.t) == ("crossing", 0.5, 0.125)
    demo = played(Segments, "K*5")
    assert (demo.kind, demo.found.s, demo.found.t) == ("touching", 0.5, 0.0)
    assert demo.lines[-1] == "5 touching t1 0.5 t2 0 at (0, 0)"
    demo = played(Segments, "K*6")
    assert demo.kind == "apart"
    assert demo.found.distance == pytest.approx(0.1, abs=1e-15)
    for log in ("Shift+R*180 J*15 L*25", "R*180 J*15 L*25"):
        demo = played(Segments, log)
        assert demo.kind == "overlap"
        assert demo.found.s_range.tolist() == [0.625, 1.0]
        assert demo.found.ends.tolist() == [[0.5, 0.0], [2.0, 0.0]]
    for log in ("J*15 Shift+S*100", "1 2+J*15 Shift+S*100"):
        demo = played(Segments, log)
        assert (demo.kind, demo.found.s, demo.found.t) == ("touching", 0.5, 0.0)
    demo = played(Segments, Segments.TOUR)
    kinds = [line.split()[1] for line in demo.lines]
    assert list(dict.fromkeys(kinds)) == ["crossing", "apart", "overlap"]
    assert demo.frame == 350


def test_a_segment_is_chosen_by_digits_and_every_key_has_an_inverse():
    demo = played(Segments, "1+L*3 K*2")
    assert demo.steps == [(3, 2, 0, 100), (0, 15, 180, 100)]
    demo = played(Segments, "1+L*3 K*2 2 R*4 Shift+S*5")
    assert demo.steps == [(3, 2, 0, 100), (0, 15, 184, 95)]
    demo = played(Segments, "L*9 K R*7 S*3 H*9 J Shift+R*7 Shift+S*3")
    assert demo.steps == Segments().steps
    with pytest.raises(ValueError, match="'T': keys are Shift and 12HJKLRS"):
        played(Segments, "T")


@pytest.mark.parametrize("module", [disk_triangle, two_segments])
def test_without_a_view_the_tour_is_told(module, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module.main(view=False)
    kind = DEMOS[module.__name__]
    assert capsys.readouterr().out.splitlines() == played(kind, kind.TOUR).lines
    assert os.listdir() == []


@pytest.mark.gui
def test_every_region_has_its_colour_and_the_nearest_edge_is_lit():
    image = drawn(Disk, "L*20 K*10 R*20")
    assert all(has(image, tint) for tint in TINTS.values())
    assert has(image, LIGHT.body(1).feature)
    assert len(set(TINTS.values())) == 7
    flat = drawn(Disk, "Shift+T*100 K*20")[:, disk_triangle.PANEL + 10 :]
    assert not any(has(flat, tint) for tint in TINTS.values())


@pytest.mark.gui
def test_what_two_segments_share_is_marked():
    for log, shared in (("", True), ("K*12", False), ("R*180 J*15 L*25", True)):
        image = drawn(Segments, log)[:, disk_triangle.PANEL :]
        assert has(image, LIGHT.regimes["contact"], 2) == shared


@pytest.mark.gui
@pytest.mark.parametrize("kind", DEMOS.values())
def test_keys_of_a_window_move_and_those_of_pyvista_and_vtk_do_nothing(
    kind, monkeypatch, capsys
):
    import pyvista

    shown = pyvista.Plotter.show

    def typed(plotter):
        shown(plotter, auto_close=False, interactive=False)
        before = plotter.camera_position
        interactor = plotter.iren.interactor
        others = [*"wpef3vC", "Up", "plus"]
        for key in [*demo.KEYS, *demo.KEYS.lower(), *others]:
            interactor.SetKeySym(key)
            interactor.SetKeyCode(key if len(key) == 1 else "\0")
            interactor.KeyPressEvent()
            interactor.CharEvent()
        assert plotter.camera_position == before
        meshes = [a for a in plotter.actors.values() if isinstance(a, pyvista.Actor)]
        assert {mesh.prop.style for mesh in meshes} == {"Surface"}

    demo = kind()
    monkeypatch.setattr(disk_triangle, "SIZE", (400, 240))
    monkeypatch.setattr(
        disk_triangle, "Plane", lambda demo, window: Plane(demo, window=False)
    )
    monkeypatch.setattr(pyvista.Plotter, "show", typed)
    play(demo)
    typed = [*demo.KEYS, *demo.KEYS.lower()]
    log = " ".join(f"Shift+{key}" if key.isupper() else key.upper() for key in typed)
    assert capsys.readouterr().out == f"your keys: {log}\n"
    assert demo.lines == played(kind, log).lines
    if kind is Disk:
        assert demo.state.steps == Disk().state.steps

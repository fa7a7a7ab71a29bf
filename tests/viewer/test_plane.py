"""The two examples of the plane: keys in a window, colours, pictures, two segments."""

import os
import subprocess
import sys
import threading

import disk_triangle
import numpy as np
import pytest
import two_segments
from disk_triangle import TINTS, Disk, Plane, clipped, parsed, play
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


def test_seven_regions_cover_the_window_once():
    square = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)])
    a, b, c = np.array([(1.0, 1.0), (1.5, 3.0), (3.0, 1.2)])
    total = 0.0
    for region in range(8):
        part = square
        for bit, start, end in ((4, a, b), (2, b, c), (1, c, a)):
            part = clipped(part, start, end, 1 if region & bit else -1)
        assert (region > 0) == (len(part) > 0)
        x, y = part.reshape(-1, 2).T
        total += abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
    assert total == pytest.approx(16.0)


@pytest.mark.gui
def test_every_region_has_its_colour_and_the_nearest_edge_is_lit():
    image = drawn(Disk, "L*20 K*10 R*20")
    assert all(has(image, tint) for tint in TINTS.values())
    assert has(image, LIGHT.body(1).feature)
    assert len(set(TINTS.values())) == 7
    flat = drawn(Disk, "Shift+T*100 K*20")[:, disk_triangle.PANEL + 10 :]
    assert not any(has(flat, tint) for tint in TINTS.values())


@pytest.mark.gui
@pytest.mark.parametrize(
    ("log", "region"),
    [("K*9", 3), ("J*9", 2), ("L*85 K*30", 5), ("Shift+S*200 L*60 K*9", 6)],
)
def test_the_place_of_the_centre_has_the_colour_of_its_region(log, region):
    state = played(Disk, log).state
    assert state.region == region
    # beyond the rim, beside the label that is on the side away from the triangle
    away = complex(*(state.center - state.point))
    away *= 1.15 * np.exp(0.25j * np.pi) / abs(away)
    x, y = np.add(state.center, (away.real, away.imag))
    row, column = round(360 - 72 * y), round((1280 + disk_triangle.PANEL) / 2 + 72 * x)
    around = drawn(Disk, log)[row - 9 : row + 9, column - 9 : column + 9]
    assert has(around, TINTS[region])


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


@pytest.mark.gui
@pytest.mark.parametrize("module", [disk_triangle, two_segments])
def test_a_real_window_takes_keys_and_ends_with_q(module, display, tmp_path):
    child = subprocess.Popen(
        [sys.executable, module.__file__],
        cwd=tmp_path,
        env={**display.environment, "PYTHONSAFEPATH": ""},  # one example uses another
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    killer = threading.Timer(120.0, child.kill)
    killer.start()
    try:
        display.window("PyVista")
        display.send("mousemove", 200, 200)
        display.send("key", "l", "key", "shift+r", "key", "w", "key", "q")
        out, err = child.communicate()
    finally:
        killer.cancel()
        child.kill()
    assert (child.returncode, err) == (0, "")
    assert out.startswith("your keys: L Shift+R\n")
    assert os.listdir(tmp_path) == [f"{module.__name__}.png"]

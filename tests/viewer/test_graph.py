import numpy as np
import pytest

pytest.importorskip("matplotlib")

from sim import scenes
from sim.story.graph import contact_graph
from viewer.graph import draw_graph


def graph_of(name):
    return contact_graph(scenes.load(name).run(scenes.length(name)))


def pixels(path):
    from PIL import Image

    return np.asarray(Image.open(path).convert("RGB"))


def test_a_picture_names_every_state_its_dwell_and_frequent_transitions(
    tmp_path, monkeypatch
):
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "svg.fonttype", "none")  # keep texts as texts
    draw_graph(graph_of("tip"), tmp_path / "tip.svg")
    text = (tmp_path / "tip.svg").read_text()
    for said in ("apart", "30 frames, 0.5 s", "EF e2(3-1) f1", "47 frames, 0.783 s"):
        assert f">{said}<" in text
    assert ">block/table: 4 states, 4 transitions<" in text
    draw_graph(graph_of("collapse"), tmp_path / "collapse.svg")
    assert (tmp_path / "collapse.svg").read_text().count(">2x<") == 2


@pytest.mark.parametrize("ending", [".svg", ".pdf", ".png"])
def test_the_same_graph_makes_the_same_file(tmp_path, ending):
    graph = graph_of("tip")
    for name in ("one", "two"):
        draw_graph(graph, tmp_path / f"{name}{ending}")
    one, two = ((tmp_path / f"{n}{ending}").read_bytes() for n in ("one", "two"))
    assert one == two


def test_nothing_is_cut_off(tmp_path):
    draw_graph(graph_of("thread"), tmp_path / "thread.png")
    image = pixels(tmp_path / "thread.png")
    rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    assert (rim == 255).all()


def test_another_ending_and_a_run_without_contact_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"as \.png, \.svg, \.pdf"):
        draw_graph(graph_of("tip"), tmp_path / "tip.bmp")
    graph = contact_graph(scenes.load("tip").run(5))
    with pytest.raises(ValueError, match="no contact was told of"):
        draw_graph(graph, tmp_path / "tip.png")
    assert not list(tmp_path.iterdir())

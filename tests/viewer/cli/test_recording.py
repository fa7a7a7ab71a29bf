import re  # of viewer.cli.show

import h5py
import pytest

from sim import Recording
from sim.story.file.recorder import Recorder


def test_what_is_not_trusted_is_read_by_another_process_first(wingedge, recording):
    plain = wingedge("events", recording).out
    assert wingedge("events", recording, "--untrusted").out == plain
    with h5py.File(recording, "r+") as file:
        file["wingedge"].move("journal", "other")
        file["wingedge/journal"] = h5py.SoftLink("/wingedge/other")
    result = wingedge("events", "--untrusted", recording)
    assert result.code == 2
    assert "'journal' is elsewhere; copy it here" in result.sentence


def test_a_table_is_printed_and_written(wingedge, recording, tmp_path):
    shown = wingedge("table", recording).out.splitlines()
    assert shown[0].split()[:4] == ["frame", "time", "a", "b"]
    with Recording.open(recording) as opened:
        count, whole = len(opened), opened.table().to_csv()
        contacts = opened.contacts()
    assert len(shown) == 1 + count <= 10
    assert wingedge("table", "--csv", recording).out == whole
    written = tmp_path / "a.csv"
    for form in (["--csv"], []):  # or as the ending says
        assert wingedge("table", *form, "--output", written, recording).code == 0
        assert written.read_text() == whole
        written.unlink()
    told = wingedge("table", "--contacts", "--csv", recording).out
    assert told == contacts.to_csv()
    assert wingedge("table", "--when", recording).sentence == (
        "wingedge table: --when goes with --contacts"
    )


def test_a_plot_is_drawn_beside_the_recording(wingedge, recording, monkeypatch):
    pytest.importorskip("matplotlib", reason="comes with the extra viewer")
    shown = recording.with_suffix(".png")  # as of view --picture
    shown.write_bytes(b"kept")
    assert wingedge("plot", recording).code == 0
    drawn = recording.with_name(f"{recording.stem}-plot.png")
    assert drawn.stat().st_size > 10_000
    assert shown.read_bytes() == b"kept"
    result = wingedge("plot", "--pair", "a/b", recording)
    assert "there is no pair 'a/b'; reported are" in result.sentence
    for pair in ("ball/table", "table/ball"):
        assert wingedge("plot", "--pair", pair, recording).code == 0
    assert wingedge("plot", "--output", "a.txt", recording).code == 2
    figures = []
    monkeypatch.setattr("viewer.plot.write", lambda figure, _: figures.append(figure))
    assert wingedge("plot", "--margins", recording).code == 0
    rows = [axes.get_lines()[0].get_ydata().tolist() for axes in figures[0].axes[:3]]
    with Recording.open(recording) as opened:
        table, far = opened.table(), opened.story.margins(opened)["margin"]
    assert rows == [table[x].tolist() for x in ("distance", "depth", "area")]
    assert far.min() in [y for x in figures[0].axes[4].lines for y in x.get_ydata()]


@pytest.mark.gui
@pytest.mark.parametrize("frame", [None, -1])
def test_view_draws_a_frame_into_a_file(wingedge, recording, tmp_path, frame):
    from PIL import Image

    choice = [] if frame is None else ["--frame", frame]
    result = wingedge("view", recording, "--picture", "a.png", *choice)
    assert result.code == 0
    shown = {None: 5, -1: 7}[frame]
    assert result.out == f"a.png: frame {shown} of 8\n"
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (1280, 720)


def test_replay_says_that_the_bits_are_the_same(wingedge, recording):
    result = wingedge("replay", recording)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{recording}: the same bits in ")


def test_replay_names_the_first_frame_that_differs(wingedge, recording, tmp_path):
    other = tmp_path / "other.vtkhdf"
    with Recording.open(recording) as opened:
        # answered by the rule of another distance, and sealed as if it were this one
        reader = opened._reader
        rules = reader.header.rules._replace(contact_distance=1.0)
        header = reader.header._replace(rules=rules)
        with Recorder(other, header, *reader.part(range(len(reader)))):
            pass
        began = opened.events[0].frame
    result = wingedge("replay", other)
    assert result.code == 1
    assert re.search(r"frame (\d): the story was silent, and is '\1 begin", result.out)
    assert f": frame {began}" not in result.out, "it begins earlier"
    assert "recorded with wingedge" in result.err

"""sim.table, sim.story.order: results as tables."""

import csv
import io

import numpy as np
import pytest

from sim import Body, PairTracker, Pose, Recording, Story, Table, World, motion, scenes
from sim.story.order import contact_table
from wingedge import shapes

COLUMNS = (
    *("frame", "time", "a", "b", "distance", "depth", "area", "lower", "upper"),
    *("certified", "regime", "kind", "feature_a", "feature_b", "point_a", "point_b"),
    "normal",
)


def test_columns_are_arrays_and_rows_are_dicts():
    table = Table({"n": [1, 2], "name": ["a", "b"], "at": [[0, 1, 2], [3, 4, 5]]})
    assert (table.columns, len(table)) == (("n", "name", "at"), 2)
    assert table["at"].shape == (2, 3)
    assert list(table)[1] == {"n": 2, "name": "b", "at_x": 3, "at_y": 4, "at_z": 5}
    assert repr(table).splitlines()[0].split() == ["n", "name", "at_x", "at_y", "at_z"]
    assert repr(Table({"n": range(99)})).endswith("... 99 rows")
    assert (len(Table({})), repr(Table({}))) == (0, "")
    with pytest.raises(KeyError, match="no column 'm'; there are n, name, at"):
        table["m"]
    with pytest.raises(ValueError, match="differ in length: a 1, b 2"):
        Table({"a": [1], "b": [1, 2]})
    with pytest.raises(ValueError, match=r"column 'a' has shape \(2, 2\)"):
        Table({"a": np.zeros((2, 2))})
    with pytest.raises(ValueError, match="'p_x' has the name of an axis of 'p'"):
        Table({"p_x": [1.0], "p": [[1.0, 2.0, 3.0]]})


def test_rows_that_lack_a_value_have_none():
    table = Table.of_rows([{"a": 1, "b": True}, {"a": 2.5}, {"c": 1}], ["a", "b"])
    assert list(table)[:2] == [{"a": 1, "b": True}, {"a": 2.5, "b": None}]
    assert table["a"].tolist() == [1, 2.5, None]
    assert "b" in table
    assert "c" not in table


@pytest.fixture
def recorded(tmp_path):
    """The frames of a scene, and its recording."""
    world = scenes.load("demo")
    with world.record(tmp_path / "run.vtkhdf"):
        frames = list(world.run(scenes.length("demo")))
    with Recording.open(tmp_path / "run.vtkhdf") as recording:
        yield frames, recording


@pytest.fixture
def frames():
    return list(scenes.load("demo").run(60))


def test_a_frame_tells_the_numbers_of_its_states(frames):
    for frame in frames[::7]:
        table = frame.table()
        assert table.columns == COLUMNS
        for row, state in zip(table, frame.pairs, strict=True):
            assert (row["frame"], row["time"]) == (frame.index, frame.time)
            assert (row["a"], row["b"]) == (state.a.name, state.b.name)
            for name in ("distance", "depth", "area", "lower", "certified", "kind"):
                assert row[name] == getattr(state, name)
            assert row["feature_a"] == str(state.feature_a)
            assert row["normal_z"] == state.normal[2]


def test_a_frame_of_hulls_names_their_facets():
    dented = Body(shapes.cup(), name="cup", convexity="hull")
    box = Body(shapes.box(0.1), name="box", pose=Pose(None, (0.0, 0.0, 3.0)))
    (frame,) = World([dented, box]).run(1)
    assert frame.table()["feature_a"][0] == str(frame.pairs[0].feature_a)


def test_a_recording_is_one_table_and_csv_keeps_all_bits(recorded, tmp_path):
    frames, recording = recorded
    table = recording.table()
    assert table["frame"].tolist() == list(range(len(frames)))
    whole = np.array([frame.pairs[0].distance for frame in frames])
    assert table["distance"].tobytes() == whole.tobytes()
    text = table.to_csv(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text() == text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [float(row["distance"]) for row in rows] == whole.tolist()


def test_a_zero_is_printed_without_a_sign_and_keeps_it_in_the_values():
    table = Table({"normal": [[-0.0, 0.0, -1.0]]})
    assert table.to_csv() == "normal_x,normal_y,normal_z\n0.0,0.0,-1.0\n"
    assert str(table).splitlines()[1].split() == ["0", "0", "-1"]
    assert np.signbit(table["normal"][0, 0])


def test_a_recording_without_frames_has_the_columns_all_the_same(frames, tmp_path):
    """``wingedge plot`` of one ended in a KeyError."""
    with scenes.load("demo").record(tmp_path / "none.vtkhdf") as path:
        pass
    with Recording.open(path) as recording:
        table = recording.table()
    some = frames[0].table()
    assert (len(table), table.columns) == (0, some.columns)
    assert table.flat().keys() == some.flat().keys()


def test_a_track_is_a_table():
    box = shapes.box()
    tracker = PairTracker(Body(box), Body(box))
    track = tracker.track(poses_b=[Pose(None, (0, 0, z)) for z in (3.0, 2.0, 1.5)])
    assert track.table()["distance"].tolist() == [2.0, 1.0, 0.5]
    assert track.table()["frame"].tolist() == [0, 1, 2]


def test_contacts_are_rows_with_what_happened_to_them(recorded):
    frames, recording = recorded
    dt = recording.dt
    (row,) = contact_table(frames)
    events = [event for frame in frames for event in frame.events]
    first, last = events[0], events[-1]
    assert (row["begin"], row["end"]) == (first.frame, last.frame)
    assert row["duration"] == pytest.approx((last.frame - first.frame) * dt)
    assert row["changes"] == sum(event.kind == "change" for event in events)
    names = row["features"].split(" > ")
    assert names[0] == str(first.after)
    assert len(names) == row["changes"] + 1
    inside = frames[first.frame : last.frame]
    assert row["least_distance"] == min(f.pairs[0].distance for f in inside)
    assert row["begin_lower"] is None
    assert list(recording.contacts()) == [row]
    (timed,) = recording.contacts(when=True)
    assert timed["begin_lower"] <= timed["begin_upper"] <= row["begin_time"]
    assert row["begin_time"] - dt <= timed["begin_lower"]


def test_a_brush_is_a_contact_and_one_that_lasts_has_no_end():
    table = Body(shapes.box((9.0, 9.0, 1.0)), name="table")
    bullet = Body(shapes.box(0.1), name="b")
    shot = motion.linear((0.0, 0.0, -600.0), start=(0.0, 0.0, 23.0))
    world = World([table, bullet], motion={"b": shot}, between=True)
    (row,) = contact_table(frames := list(world.run(8)))
    assert row["begin"] == row["end"]
    assert row["begin_lower"] < row["end_upper"]
    (told,) = Story.of(frames).spans()
    assert told["begin_lower"] == pytest.approx(row["begin_lower"], abs=1e-12)
    resting = World([Body(shapes.box(), name="a"), Body(shapes.box(), name="b")])
    (row,) = contact_table(resting.run(3))
    assert (row["end"], row["greatest_depth"]) == (None, 1.0)


def test_pandas_and_xarray_take_it(frames):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    table = frames[3].table()
    whole = table.to_pandas()
    assert whole.equals(pandas.DataFrame(table))
    assert whole["normal_z"][0] == frames[3].pairs[0].normal[2]
    pytest.importorskip("xarray", reason="xarray is not installed")
    held = table.to_xarray()
    assert held["normal"].dims == ("row", "axis")
    assert held["normal"].sel(axis="z")[0] == frames[3].pairs[0].normal[2]

import errno  # of sim.story.recording, sim.story.file.journal
import os

import h5py
import numpy as np
import pytest

import wingedge
from sim import Body, Pose, Recording, RecordingError, World, closest, motion, scenes
from sim.errors import advice
from sim.story.file import MAGIC
from sim.story.file.journal import AHEAD, BLOCK, open_journal
from sim.story.file.rows import unpack
from sim.story.story import check_replaced
from sim.table import Table
from wingedge import Feature, shapes

NAMES = ["demo", "tip", "pass_through", "face_on_face"]


def record(path, world, n):
    with world.record(path):
        return list(world.run(n))


def numbers(frame):
    return [(s.a.name, s.b.name, s.frame, s.regime, s.numbers) for s in frame.pairs]


def same(frame, other):
    assert (frame.index, frame.time) == (other.index, other.time)
    assert numbers(frame) == numbers(other)
    assert frame.events == other.events
    for event, expected in zip(frame.events, other.events, strict=True):
        assert event.path == expected.path
    for body, expected in zip(frame.bodies, other.bodies, strict=True):
        assert body.name == expected.name
        assert body.pose == expected.pose
        assert body.points.tobytes() == expected.points.tobytes()


@pytest.fixture(scope="module", params=NAMES)
def kept(request, tmp_path_factory):
    """A scene, its file, and the frames as they were."""
    name = request.param
    path = tmp_path_factory.mktemp("recording") / f"{name}.vtkhdf"
    frames = record(path, scenes.load(name), scenes.length(name))
    return path, frames


@pytest.fixture
def tip(tmp_path):
    path = tmp_path / "tip.vtkhdf"
    record(path, scenes.load("tip"), 30)
    return path


def test_every_frame_comes_back_with_all_its_bits_and_what_it_holds(kept):
    path, frames = kept
    with Recording.open(path) as recording:
        assert len(recording) == len(frames)
        for frame, expected in zip(recording, frames, strict=True):
            same(frame, expected)
        whole = Table.stacked(frame.table() for frame in frames)
        assert recording.table().to_csv() == whole.to_csv()
        for k in (0, len(frames) // 2):  # a state stands on bodies of its own frame
            (state,) = recording[k].pairs
            again = closest(state.a, state.b, contact_distance=0.01)
            assert again.distance == pytest.approx(state.distance, rel=1e-12, abs=1e-14)
    with Recording.open(str(path)) as recording:
        assert recording.bodies == tuple(body.name for body in frames[0].bodies)
        assert recording.dt == 1 / 60
        assert recording.events == tuple(e for f in frames for e in f.events)
        assert repr(recording).startswith(f"Recording('{path}', {len(frames)} frames")


def test_a_frame_is_found_by_its_place(tip):
    with Recording.open(tip) as recording:
        assert recording[-1].index == recording[np.int64(29)].index == 29
        assert [f.index for f in recording[3:9:2]] == [3, 5, 7]
        assert [f.index for f in recording[-2:]] == [28, 29]
        assert [f.index for f in recording] == list(range(30))
        for k in (30, -31):
            with pytest.raises(IndexError, match=f"no frame {k} among 30"):
                recording[k]
        with pytest.raises(TypeError):
            recording["3"]


def test_worlds_without_bodies_or_frames_and_names_of_any_script_are_recorded(tmp_path):
    path = tmp_path / "nothing.vtkhdf"
    record(path, World([]), 3)
    with Recording.open(path) as recording:
        assert recording.bodies == ()
        assert [frame.time for frame in recording] == [0.0, 1 / 60, 2 / 60]
        assert recording.replay().digest == recording.digest
    path = tmp_path / "指.vtkhdf"
    bodies = [Body(shapes.box(), name=name) for name in ("left finger", "石鹸")]
    frames = record(path, World(bodies), 2)
    with Recording.open(path) as recording:
        assert recording.bodies == ("left finger", "石鹸")
        assert recording.events == frames[0].events
        assert recording[1].pair("石鹸", "left finger").regime == "penetrating"
    path = tmp_path / "empty.vtkhdf"
    with scenes.load("tip").record(path):
        pass
    with Recording.open(path) as recording:
        assert len(recording) == 0
        assert recording.events == ()
        assert recording[:] == []
        assert recording.replay().digest == recording.digest


def test_a_replay_has_the_same_digest(kept, tmp_path):
    path, _ = kept
    with Recording.open(path) as recording:
        replay = recording.replay()
        assert replay.digest == recording.digest
        assert replay.story_digest == recording.story_digest
        assert replay.events == recording.events
        written = recording.replay(tmp_path / "again.vtkhdf")
        assert written.digest == recording.digest
        assert len(written.digest) == len(written.story_digest) == 16
        assert (tmp_path / "again.vtkhdf").exists()


@pytest.mark.parametrize("half", [20, 60])
@pytest.mark.parametrize("name", ["tip", "face_on_face", "pass_through"])
def test_a_run_that_was_joined_midway_is_replayed(tmp_path, name, half):
    world = scenes.load(name)
    before = [event for frame in world.run(half) for event in frame.events]
    path = tmp_path / "half.vtkhdf"
    frames = record(path, world, scenes.length(name) - half)
    with Recording.open(path) as recording:
        assert recording[0].index == half
        assert recording.replay().digest == recording.digest
        assert len(before) + len(recording.events) == len(
            [e for f in scenes.load(name).run(scenes.length(name)) for e in f.events]
        )
        same(recording[-1], frames[-1])


@pytest.mark.parametrize(("at", "lost"), [(200, [7]), (2, [*range(7, 12)])])
def test_a_changed_bit_is_named_where_the_frame_or_the_story_is_read(
    tmp_path, at, lost
):
    """Also in the length of a frame: what is behind cannot be found."""
    path = tmp_path / "run.vtkhdf"
    fall = motion.linear((0.0, 0.0, -1.0))
    grow = {"a": lambda rest, t: rest * (1.0 + t)}
    body = Body(shapes.box(), name="a")
    record(path, World([body], motion={"a": fall}, deform=grow), 12)
    with h5py.File(path, "r+") as file:
        bits = file["wingedge/journal"][:]
        bits[begins(bits, 7) + at] ^= 1
        file["wingedge/journal"][:] = bits
    with Recording.open(path) as recording:
        for read in (
            lambda: recording[lost[0]],
            lambda: recording.digest,
            lambda: recording.story,
        ):
            said = rf"frame {lost[0]} .*read the others, or record"
            with pytest.raises(RecordingError, match=said):
                read()
        rest = [k for k in range(12) if k not in lost]
        assert [recording[k].index for k in rest] == rest, "all others are read"
        with recording.save_as(tmp_path / "part.vtkhdf", slice(lost[0])) as part:
            assert len(list(part)) == part.story.frames == lost[0]


def test_open_bodies_and_poses_of_all_kinds_are_replayed(tmp_path):
    ball = Body(shapes.icosphere(1), name="ball", convexity="trust")
    still = Body(shapes.box((4.0, 4.0, 1.0)), name="still", convexity="raise")
    world = World([ball, still], dt=0.1)
    path = tmp_path / "open.vtkhdf"
    stretch = np.array([1.0, 1.0, 1.1])
    with world.record(path):
        frames = [world.step()]
        ball.pose = Pose(None, (0.0, 0.0, 1.6))
        frames.append(world.step())
        ball.points = ball.mesh.points * stretch
        frames.append(world.step())
        ball.transform[0, 0] = 1.5
        frames.append(world.step())
        ball.points[...] *= stretch
        frames.append(world.step())
        ball.points[3] = (-0.0, 0.0, 5.0)
        ball.pose = Pose.identity()
        frames.append(world.step())
        frames.append(world.step())
        ball.pose = Pose(None, (0.0, 0.0, 3.0))
        frames.append(world.step())
    with Recording.open(path) as recording:
        for k, frame in enumerate(frames):
            same(recording[k], frame)
            assert recording[k].pairs[0].a.is_open == (k >= 4)
            assert recording[k].pairs[0].a.convexity == "trust"
        assert recording.replay().digest == recording.digest
    journal = open_journal(path)
    rows = [unpack(journal.block(k + AHEAD))["positions"] for k in range(len(frames))]
    stored = sum(map(len, rows)) / ball.mesh.n_vertices
    assert stored == len({id(frame.bodies[0].points) for frame in frames}) - 1


def test_recording_does_not_change_the_run(tmp_path):
    plain = list(scenes.load("spin").run(60))
    world = scenes.load("spin")
    frames = list(world.run(10))
    frames += record(tmp_path / "part.vtkhdf", world, 20)
    frames += list(world.run(30))
    for frame, expected in zip(frames, plain, strict=True):
        same(frame, expected)
    with Recording.open(tmp_path / "part.vtkhdf") as recording:
        assert [frame.index for frame in recording] == list(range(10, 30))


def test_a_recording_replaces_the_file_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "run.vtkhdf"
    record(path, scenes.load("demo"), 2)
    record(path, scenes.load("tip"), 5)
    first = Recording.open(path)
    record(path, scenes.load("tip"), 3)
    assert [len(first), len(Recording.open(path))] == [5, 3]
    assert first[4].index == 4, "who reads the old file goes on reading it"
    assert [file.name for file in tmp_path.iterdir()] == ["run.vtkhdf"]


def test_a_file_can_be_read_while_it_is_written(run, tmp_path):
    path = tmp_path / "live.vtkhdf"
    world = scenes.load("tip")
    code = (
        "import sys; from sim import Recording; print(len(Recording.open(sys.argv[1])))"
    )
    with world.record(path):
        list(world.run(9))
        assert run(code, path).stdout == "9\n"


def test_a_world_is_recorded_once_at_a_time(tmp_path):
    world = scenes.load("tip")
    with (
        world.record(tmp_path / "one.vtkhdf"),
        pytest.raises(ValueError, match="already"),
        world.record(tmp_path / "two.vtkhdf"),
    ):
        pass
    assert not (tmp_path / "two.vtkhdf").exists()


def test_places_that_cannot_be_written_are_named_and_disks_told_apart(tmp_path):
    world = scenes.load("tip")
    with (
        pytest.raises(RecordingError, match=r"cannot be written.*folder"),
        world.record(tmp_path / "nowhere" / "run.vtkhdf"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []
    assert world.step().index == 0
    said = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert "make room on the disk" in advice(said)
    assert "folder" in advice(FileNotFoundError(errno.ENOENT, "no such folder"))


def test_frames_stay_when_the_file_is_closed_and_no_replay_overwrites_it(tip):
    with Recording.open(tip) as recording:
        with pytest.raises(ValueError, match="give another name"):
            recording.replay(tip)
        assert len(recording) == 30
    recording = Recording.open(tip)
    frame = recording[20]
    recording.close()
    assert frame.pairs[0].feature_a == Feature("face", 0)
    with pytest.raises(RecordingError, match="is closed"):
        recording[0]


def filled(mode, fill):

    def spoil(path):
        with h5py.File(path, mode) as file:
            fill(file)

    return spoil


def written(**said):
    return filled("r+", lambda file: file["wingedge"].attrs.update(said))


def other_rows(file):
    del file["wingedge/journal"]
    file["wingedge/journal"] = np.arange(30)


def begins(journal, frame):
    """Find where a frame begins in a journal."""
    at = len(MAGIC)
    for _ in range(frame + AHEAD):
        at += BLOCK.itemsize + int(journal[at : at + 8].view("<i8")[0])
    return at


def ends_after(path, frame):
    """Leave what a kill leaves: a journal up to the middle of a frame."""
    with h5py.File(path) as file:
        bits = file["wingedge/journal"][:]
    path.write_bytes(bits[: begins(bits, frame) + 60].tobytes())


FOREIGN = "is an HDF5 file but no recording of a run; give"
AGAIN = "is damaged .* record the run again"
BAD = {
    "foreign": (filled("w", lambda f: f.update(data=[1])), FOREIGN),
    "foreign group": (filled("w", lambda f: f.update(wingedge=[1])), FOREIGN),
    "newer": (written(format=99), "99 .* run 'pip install \"wingedge>=0.3.0\"'"),
    "newest": (written(format=9, read_by="0.4.0"), r'install "wingedge>=0\.4\.0"'),
    "older": (written(format=4, wingedge="0.2.0"), r"read it with wingedge 0\.2\.0"),
    "a text": (written(format="three"), ""),
    "negative": (written(format=-1), ""),
    "two": (written(format=[1, 2]), ""),
    "no frames": (filled("r+", lambda f: f.pop("wingedge/journal")), AGAIN),
    "other rows": (filled("r+", other_rows), AGAIN),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_one_sentence(tip, name):
    spoil, message = BAD[name]
    spoil(tip)
    with pytest.raises(RecordingError, match=message or None) as caught:
        Recording.open(tip)
    text = str(caught.value)
    assert text.startswith(str(tip))
    assert "\n" not in text
    assert isinstance(caught.value, ValueError)


def test_a_journal_that_was_cut_short_is_read_to_its_last_whole_frame(tip):
    with Recording.open(tip) as recording:
        frame = recording[11]
    ends_after(tip, 12)
    with Recording.open(tip) as recording:
        assert len(recording) == 12
        same(recording[11], frame)


def test_a_part_is_a_recording_of_its_own(tmp_path):
    path = tmp_path / "whole.vtkhdf"
    frames = record(path, scenes.load("knead"), 32)
    with Recording.open(path) as whole:
        part = whole.save_as(tmp_path / "part.vtkhdf", slice(12, -5))
        assert [frame.index for frame in part] == list(range(12, 27))
        for frame in part:
            same(frame, frames[frame.index])
        assert part.notes == whole.notes
        assert part.replay().digest == part.digest
        everything = whole.save_as(tmp_path / "again.vtkhdf")
        assert everything.digest == whole.digest


def test_a_recording_keeps_notes_and_says_what_answered(tmp_path):
    path = tmp_path / "run.vtkhdf"
    world = scenes.load("tip")
    world.notes["seed"] = 7
    record_with = {"script": "press.py", "share": 0.1, "wet": True, "seed": 8}
    with world.record(path, notes=record_with):
        world.step()
    with Recording.open(path) as recording:
        assert recording.notes == {"scene": "tip", **record_with}
        assert recording.versions["wingedge"] == wingedge.__version__
        assert recording.versions["numpy"] == np.__version__
        assert set(recording.versions) == {
            *("wingedge", "python", "numpy", "h5py", "platform")
        }
    with (
        pytest.raises(TypeError, match=r"notes\['seed'\] is list"),
        world.record(path, notes={"seed": [1]}),
    ):
        pass


def test_what_is_no_recording_is_not_replaced(tmp_path):
    path = tmp_path / "mesh.vtkhdf"
    path.write_text("v 0 0 0")
    world = scenes.load("demo")
    said = r"mesh\.vtkhdf: the file there is no rec"
    with pytest.raises(RecordingError, match=said), world.record(path):
        pass
    assert path.read_text() == "v 0 0 0"
    check_replaced(tmp_path / "nowhere" / "run.vtkhdf")  # who writes there says so
    with world.record(tmp_path / "run.vtkhdf"):  # not "recorded already"
        world.step()


def test_one_moved_bit_changes_the_digest_but_not_the_story(tmp_path):
    digests = []
    for k, height in enumerate((1.2, np.nextafter(1.2, 2.0))):
        bodies = [Body(shapes.box(), name=name) for name in "ab"]
        fall = motion.linear((0.0, 0.0, -1.0), start=(0.0, 0.0, height))
        record(tmp_path / f"{k}.vtkhdf", World(bodies, motion={"a": fall}), 20)
        with Recording.open(tmp_path / f"{k}.vtkhdf") as recording:
            digests.append((recording.digest, recording.story_digest))
            assert len(recording.events) > 0
    assert digests[0][0] != digests[1][0]
    assert digests[0][1] == digests[1][1]

import subprocess
import sys
from functools import partial
from importlib.metadata import entry_points

import pytest

from sim import Recording
from sim.story.compare import first_difference
from viewer.hands.hands import save_session


def handled(hands):
    hands.choose("box")
    for step in ((0.2, 0.0, -0.08), (0.0, 0.1, -0.04), (0.3, 0.0, 0.0)):
        hands.shift(step)
        hands.work()
    hands.remould(squash=0.3)
    hands.work()
    hands.let_go()
    for _ in range(3):
        hands.timeline.step_forward()


def test_a_saved_session_replays_to_the_same_bits(hands):
    handled(hands)
    frames = [hands.timeline.source[k] for k in range(len(hands.timeline.source))]
    saved = hands.save()
    with Recording.open(saved.recording) as recording:
        assert len(recording) == saved.frames == len(frames)
        assert first_difference(recording, recording.rerun()) is None
        assert recording.replay().digest == recording.digest
        assert [str(event) for event in recording.events] == [
            str(event) for frame in frames for event in frame.events
        ]
        for mine, stored in zip(frames, recording, strict=True):
            for body in mine.bodies:
                other = stored.body(body.name)
                assert other.pose == body.pose
                assert other.points.tobytes() == body.points.tobytes()


def test_the_test_that_is_written_passes_and_notices_a_change(hands, tmp_path):
    handled(hands)
    saved = hands.save()
    assert saved.test.name == "test_session_1.py"
    command = [sys.executable, "-m", "pytest", "-q", saved.test.name]
    if not any(e.name == "wingedge" for e in entry_points(group="pytest11")):
        command += ["-p", "sim.story.pytest_plugin"]  # run from the source tree
    run = partial(subprocess.run, command, cwd=tmp_path, capture_output=True)
    ran = run(text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 passed" in ran.stdout
    golden = saved.golden.read_text()
    assert "begin box/table" in golden
    saved.golden.write_text(golden.replace("begin box/table", "begin ball/table", 1))
    assert run(check=False).returncode == 1


def test_sessions_are_numbered_and_replace_nothing(hands, tmp_path):
    handled(hands)
    (tmp_path / "test_session_2.py").write_text("mine")
    names = [hands.save().recording.name for _ in range(2)]
    assert names == ["session-1.vtkhdf", "session-3.vtkhdf"]
    assert (tmp_path / "test_session_2.py").read_text() == "mine"
    assert hands.said == (
        f"saved {len(hands.timeline.source)} frames: session-3.vtkhdf; "
        f"pytest test_session_3.py plays them again"
    )


def test_empty_worlds_and_folders_that_are_not_there_are_told(hands, tmp_path, world):
    handled(hands)
    hands.folder = tmp_path / "gone"
    assert hands.save() is None
    assert hands.said.startswith("not saved: there is no folder")
    with pytest.raises(ValueError, match="step the world first"):
        save_session(world.reel(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_frames_that_were_dropped_are_not_in_the_session(hands, tmp_path):
    handled(hands)
    reel = hands.timeline.source.kept
    before = len(reel)
    for _ in range(3):
        reel.drop()
    saved = save_session(reel, tmp_path)
    assert saved.frames == before - 3
    with Recording.open(saved.recording) as recording:
        assert recording[0].index == 3
        assert recording.replay().digest == recording.digest

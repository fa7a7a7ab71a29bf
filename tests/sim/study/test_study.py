"""sim.study.study, sim.study.cases: each case once, the same files, nothing lost."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest

from sim.study import Study, StudyError, grid, run, sample, steps
from sim.study.script import ScriptError

SCRIPT = """
import os, signal, time
from sim import Body, Pose, World
from wingedge import shapes


def world(height=0.8, speed=0.3, wait=0.0, deadly=False, missing=""):
    with open(__file__ + ".calls", "a") as calls:
        calls.write(f"{height}\\n")
    time.sleep(wait)
    if deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    if missing:
        open(missing)
    if height > 2.0:
        raise RuntimeError("too high")
    ball = Body(shapes.box((1.0, 1.0, 1.0)), name="ball")
    table = Body(shapes.box((3.0, 3.0, 0.5)), name="table")
    fall = lambda t: Pose(None, (0.0, 0.0, height - speed * t))
    return World([ball, table], dt=0.25, motion={"ball": fall}, contact_distance=0.01)
"""
FRAMES = 5  # the last is at time 1: there the ball touches where height - speed = 0.75


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "drop.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.fixture
def study(script, tmp_path):
    return lambda cases, folder="f": Study(
        script, cases, frames=FRAMES, folder=tmp_path / folder
    )


def calls(script):
    return len(Path(f"{script}.calls").read_text().split())


def files(folder):
    """Return what the files of a study's cases hold, but for how long they took."""
    return {
        file.name: [line for line in file.open("rb") if b'"seconds"' not in line]
        for file in Path(folder).glob("cases/*")
    }


def test_a_case_is_run_once_and_its_row_says_what_came_of_it(script, study):
    lists = {"height": [0.8, 1.5, 3.0], "speed": [0.2]}
    first = study(lists)
    assert str(first.explain()).startswith("3 cases, 0 finished, 3 to run")
    table = first.run()
    assert table["status"].tolist() == ["done", "done", "failed"]
    assert table["events"].tolist()[:2] == [2, 0]
    assert table["least_distance"].tolist()[0] == pytest.approx(0.6 - 0.75)
    assert table["error"][2].endswith("drop.py, line 16: RuntimeError: too high")
    with first.recording(height=0.8, speed=0.2) as recording:
        assert recording.digest == table["digest"][0]
        assert recording.story_digest == table["story_digest"][0]
    before = calls(script)
    again = study({**lists, "height": [1.5, 0.8]}).run()
    assert again["digest"].tolist() == [table["digest"][1], table["digest"][0]]
    run.run_case(first.folder, {"height": 0.8, "speed": 0.2})  # by another study
    assert calls(script) == before == 3


def test_an_edited_script_has_new_cases_and_old_results_stay(script, study, tmp_path):
    old = study({"height": [0.8]})
    old.run()
    kept = files(tmp_path / "f")
    script.write_text(SCRIPT.replace("0.5)", "0.6)"), encoding="utf-8")
    new = study({"height": [0.8]})
    assert new.explain().missing == 1
    new.run()
    assert kept.items() < files(tmp_path / "f").items()
    assert len(files(tmp_path / "f")) == 4
    assert new.table()["digest"] != old.table()["digest"]


def test_what_the_machine_refuses_is_no_result_and_is_tried_again(study, tmp_path):
    needed = tmp_path / "needed"
    one = study([{"missing": str(needed)}, {"height": 0.9}])
    assert one.run()["status"].tolist() == ["given up", "done"]
    assert "FileNotFoundError" in one.table()["error"][0]
    needed.touch()
    assert one.run()["status"].tolist() == ["done", "done"]


def test_a_folder_of_another_script_is_refused_and_nothing_is_written(script, tmp_path):
    folder = tmp_path / "f"
    folder.mkdir()
    (folder / "study.json").write_text('{"script": "other.py"}')
    with pytest.raises(StudyError, match=r"f: belongs to other.py, not to drop.py"):
        Study(script, {"height": [1.0]}, frames=1, folder=folder)
    assert os.listdir(folder) == ["study.json"]
    (folder / "study.json").write_text("{")
    with pytest.raises(StudyError, match=r"study.json: is damaged"):
        Study(script, {"height": [1.0]}, frames=1, folder=folder)
    with pytest.raises(StudyError, match="holds other files and no study"):
        Study(script, {"height": [1.0]}, frames=1, folder=tmp_path)
    with pytest.raises(StudyError, match=r"drop.py: is no folder"):
        Study(script, {"height": [1.0]}, frames=1, folder=script)


def test_a_product_that_is_too_large_is_named(study, monkeypatch):
    monkeypatch.setattr("sim.study.cases.MOST", 1000)
    with pytest.raises(StudyError, match="50 of height x 50 of speed: a study takes"):
        study({"height": range(50), "speed": range(50)})


def test_values_may_come_one_by_one_and_what_world_needs_must_be_there(tmp_path):
    script = tmp_path / "needs.py"
    script.write_text("def world(a, b=1, *, c, d=2): pass", encoding="utf-8")

    def made(cases):
        return Study(script, cases, frames=1, folder=tmp_path / "f")

    counted = ({"a": a, "c": 1} for a in range(3))
    assert made(counted).explain().cases == 3
    lists = {"a": (x for x in (1, 2)), "c": iter([3])}
    assert list(made(lists).cases.values()) == [{"a": 1, "c": 3}, {"a": 2, "c": 3}]
    with pytest.raises(StudyError, match=r"c: needs.py needs it, and 2 of 3 cases"):
        made([{"a": 1}, {"a": 1, "c": 2}, {"a": 1}])
    script.write_text("from needed import world", encoding="utf-8")
    assert made({"whatever": [1]}).explain().cases == 1


def test_two_studies_in_one_folder_at_the_same_moment_share_what_is_finished(study):
    many = {"height": grid(0.8, 1.2, 8), "wait": [0.02]}
    other = threading.Thread(target=study(many).run)
    other.start()
    assert study(many).run()["status"].tolist() == ["done"] * 8
    other.join()
    assert set(study(many).table()["status"]) == {"done"}


def test_grid_and_steps_include_their_ends_and_samples_keep_their_seed(recwarn):
    assert grid(0.1, 0.6, 3) == [0.1, 0.35, 0.6]
    assert steps(0.0, 0.3, 0.1) == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert steps(1.0, 0.5, 1.0) == [] == steps(1.0, -5.0, 1.0)
    ranges = {"depth": (0.0, 1.0), "speed": (2.0, 4.0)}
    drawn = sample(ranges, 16, seed=3)
    assert drawn == sample(ranges, 16, seed=3)
    assert drawn != sample(ranges, 16, seed=4)
    rows = np.array([list(case.values()) for case in drawn])
    # one in each sixteenth of either range
    cells = np.floor((rows - [0.0, 2.0]) / [1.0, 2.0] * 16).astype(int)
    assert [sorted(column) for column in cells.T.tolist()] == [list(range(16))] * 2
    assert sample({"a": (0.0, 1.0)}, 5) == sample({"a": (0.0, 1.0)}, 8)[:5]
    assert not recwarn.list


def test_what_is_not_what_its_id_says_is_not_run(script, study, tmp_path):
    one = study({"height": [0.8]})
    other = tmp_path / "other.py"
    other.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n{SCRIPT}")
    with pytest.raises(ScriptError, match="was edited since the study began"):
        run.run_case(one.folder._replace(script=other), {"height": 0.8})
    script.write_text(other.read_text())
    assert "was edited since" in one.run()["error"][0]
    assert not (tmp_path / "ran").exists()


def test_the_border_of_the_first_begin_is_where_the_ball_comes_near(study):
    one = study({"height": [0.9, 1.5], "speed": [0.3, 0.4]})
    border = one.border("height", of=lambda story: len(story.events) > 0, speed=0.4)
    assert border.lower == pytest.approx(0.75 + 0.01 + 0.4, abs=1e-6)
    assert 0 < border.upper - border.lower <= 1e-6
    assert len(border.below.events) == 1
    assert not border.above.events
    assert "begin" in border.words
    with pytest.raises(ValueError, match="there are height, speed"):
        one.border("depth")


def test_the_map_says_which_story_each_pair_of_values_has(script, study):
    # none at 0.76
    one = study({"height": grid(0.6, 2.0, 6), "speed": grid(0.103, 0.503, 4)})
    found = one.map("height", "speed", of=lambda story: len(story.events) > 0)
    height, speed = np.meshgrid(found.across, found.up)
    met = height - speed <= 0.76
    with pytest.raises(ValueError, match="two settings, not height twice"):
        one.map("height", "height")
    words = [len(story.events) > 0 for story in found.stories]
    assert (np.array(words)[found.cells] == met).all()
    assert calls(script) == found.cells.size == 24
    assert len(set(words)) == len(found.stories) == 2


def test_groups_say_what_tells_them_apart(study):
    one = study({"height": [1.4, 1.5, 1.0, 1.6]})
    one.run()
    most, other = one.stories()
    assert str(most) == "3 cases, height=1.4 .. 1.6: 0 events"
    assert str(other).startswith("1 case, height=1.0: against the first group: frame")
    assert str(one.explain()) == "4 cases, 4 finished, nothing to run"
    assert "begin" in other.words
    alike = [group.words for group in one.stories(of="kinds")]
    assert alike == ["0 events", "ball/table begin, penetrate"]
    one = study([{"height": 1.5}, {"speed": -0.3}])
    one.run()
    assert str(*one.stories()) == "2 cases, height=1.5: 0 events"


def test_a_killed_study_goes_on_where_it_was(script, study, tmp_path):
    program = (
        f"from sim.study import Study\n"
        f"cases = {{'height': {grid(0.8, 1.2, 12)}, 'wait': [0.1]}}\n"
        f"study = Study({str(script)!r}, cases, frames={FRAMES}, folder='f')\n"
        f"study.run()\n"
    )
    # from standard input: there is no __main__ that anybody could import
    going = subprocess.Popen([sys.executable, "-"], stdin=subprocess.PIPE, cwd=tmp_path)
    going.stdin.write(program.encode())
    going.stdin.close()
    folder = tmp_path / "f"
    while len(list(folder.glob("cases/*.json"))) < 3:
        assert going.poll() is None
        time.sleep(0.02)
    going.send_signal(signal.SIGKILL)
    going.wait()
    kept = {row: row.stat().st_mtime_ns for row in folder.glob("cases/*.json")}
    before = calls(script)
    one = study({"height": grid(0.8, 1.2, 12), "wait": [0.1]})
    assert one.explain().finished == len(kept) < 12
    assert one.run()["status"].tolist() == ["done"] * 12
    assert calls(script) == before + 12 - len(kept)
    assert all(row.stat().st_mtime_ns == then for row, then in kept.items())
    (left := folder / "running" / "old.vtkhdf").touch()
    os.utime(left, (0.0, 0.0))
    study({"height": [3.0]}).run()
    assert not left.exists()


def test_workers_that_are_killed_lose_nothing_and_write_the_same(study, tmp_path):
    psutil = pytest.importorskip("psutil")
    cases = [{"height": h, "wait": 0.15} for h in grid(0.8, 1.4, 30)]
    deadly = {"height": 1.0, "deadly": True}
    one = study([*cases[::-1], deadly], "killed")
    ended, killed, doors = threading.Event(), [], []

    def kill():
        finished = 0
        while not ended.wait(0.1) and len(killed) < 6:
            # a busy machine starts workers slowly: each must have done something
            done = len(list(tmp_path.glob("killed/cases/*.json")))
            if done < finished + 3:
                continue
            finished = done
            workers = active_children()
            for worker in workers[len(killed) % 2 :][:1]:
                with suppress(psutil.NoSuchProcess):
                    doors.extend(psutil.Process(worker.pid).net_connections())
                worker.kill()
                killed.append(worker.pid)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        table = one.run(workers=2)
    finally:
        ended.set()
        killer.join()
    assert killed
    assert not doors
    assert table["status"].tolist() == ["done"] * 30 + ["given up"]
    assert "its process ended 3 times" in table["error"][-1]
    study(cases, "here").run()
    assert files(tmp_path / "killed") == files(tmp_path / "here")
    assert len(files(tmp_path / "here")) == 60


def test_a_scheduler_that_is_not_there_is_named(study, tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(StudyError, match=r"127\.0\.0\.1:9: does not answer \(\w+ .+\)"):
        study({"height": [0.8]}).run(scheduler="tcp://127.0.0.1:9")
    assert json.loads((tmp_path / "f/study.json").read_bytes())["script"] == "drop.py"
    assert not files(tmp_path / "f")

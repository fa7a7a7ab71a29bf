import json
import random
import re
import string

import numpy as np
import pytest

import wingedge
from sim import Body, Event, Frame, Recording, Story, World, motion, scenes
from sim.story.writing import json_of
from wingedge import shapes

TIP = """\
wingedge story 1
digest 7984147075f2951e
bodies block/table
frames 100
first 0
dt 0.016666666666666666

17 begin block/table FF f0 f1
25 change block/table FF f0 f1 -> EF e2(3-1) f1
72 change block/table EF e2(3-1) f1 -> FF f5 f1
87 end block/table FF f5 f1
"""
# every kind of event, a lid, a name with spaces, two pairs, what began before
ALL = """\
wingedge story 1
bodies left jelly/table/soap #2
frames 60
first 40
dt 0.01

40 collapsed left jelly
40 expanded table
40 inverted table
40 convexity_lost table winding 0
41 separate left jelly/table EF e1(0-2) f0
41 change left jelly/table VF v12 f5 -> EE l(3-9) e9(1-4)
41 split left jelly/table #1 -> #1+#4
41 merge left jelly/table #1+#4+#7 -> #1
41 birth left jelly/table #8 VF v12 f5
41 death left jelly/table #9 VF v12 f5
41 begin left jelly/soap #2 FF l(3-9-12) f0
41 penetrate left jelly/soap #2 FF f3 f0
42 upright table
42 convexity_lost table e12(3-9) 0.0123
42 end left jelly/soap #2 VE v4 e11(12-7)
43 convexity_restored table
43 begin left jelly/soap #2 FF f3 f0
99 end left jelly/table VV v0 v1
"""


@pytest.fixture(scope="module")
def tip(tmp_path_factory):
    """The story of a block that is tipped over, told by its frames, and its file."""
    path = tmp_path_factory.mktemp("story") / "tip.vtkhdf"
    world = scenes.load("tip")
    with world.record(path):
        frames = list(world.run(scenes.length("tip")))
    return frames, path


def test_a_run_has_one_text_and_a_story_outlives_its_recording(tip):
    frames, path = tip
    assert str(Story.of(frames)) == TIP
    with Recording.open(path) as recording:
        assert str(recording.story) == TIP
        assert Story.of(recording) is recording.story
        assert recording.story_digest == recording.story.digest == "7984147075f2951e"
    assert Story.of(iter(scenes.load("tip").run(100))) == Story.parse(TIP)
    with Recording.open(path) as recording:
        story = recording.story
    assert [event.state for event in story.events] == [None] * 4
    assert [e.path for e in story.events] == [e.path for f in frames for e in f.events]
    assert len(story.events[1].path) == 2


@pytest.mark.parametrize("text", [TIP, ALL], ids=["tip", "all"])
def test_a_text_is_read_back_as_the_story_that_prints_it(text):
    story = Story.parse(text)
    again = Story.parse(str(story))
    assert again == story
    assert str(again) == str(story)
    head, _, lines = text.partition("\n\n")
    assert [str(e) for e in story.events] == lines.splitlines() == list(story.lines)
    assert head.splitlines()[-4:] == str(story).splitlines()[2:6]


def test_the_columns_say_what_the_lines_say():
    story = Story.parse(ALL)
    table = story.table()
    (change,) = (row for row in table if row["kind"] == "change" and row["before"])
    assert (change["frame"], change["a"], change["b"]) == (41, "left jelly", "table")
    assert (change["before"], change["after"]) == ("VF", "EE")
    assert change["before_a"] == "v12"
    assert change["after_a"].startswith("l(3-9")
    assert change["after_b"] == "e9(1-4)"
    assert table["depth"][~np.isnan(table["depth"])].tolist() == [0.0, 0.0123]
    (merge,) = (row for row in table if row["kind"] == "merge")
    assert (merge["parents"], merge["children"]) == ("1+4+7", "1")
    assert table["contact"][table["b"] == ""].tolist() == [-1] * sum(table["b"] == "")


def test_a_line_of_json_says_what_its_event_says():
    found = [json.loads(json_of(event)) for event in Story.parse(ALL).events]
    assert [f["line"] for f in found] == list(Story.parse(ALL).lines)
    assert found[5] == {
        "frame": 41,
        "kind": "change",
        "a": "left jelly",
        "b": "table",
        "contact": 0,
        **{"before": "VF", "before_a": "v12", "before_b": "f5"},
        **{"after": "EE", "after_a": "l(3-9)", "after_b": "e9(1-4)"},
        "line": "41 change left jelly/table VF v12 f5 -> EE l(3-9) e9(1-4)",
    }
    assert found[13]["dent"] == "e12(3-9)"
    assert (found[13]["depth"], found[7]["parents"]) == (0.0123, "1+4+7")


def test_a_contact_is_counted_when_it_is_named_first():
    contacts = [
        (e.kind, e.a, e.b, e.contact)
        for e in Story.parse(ALL).events
        if e.kind in ("begin", "end", "change", "separate")
    ]
    assert contacts == [
        ("separate", "left jelly", "table", 0),
        ("change", "left jelly", "table", 0),
        ("begin", "left jelly", "soap #2", 1),
        ("end", "left jelly", "soap #2", 1),
        ("begin", "left jelly", "soap #2", 2),
        ("end", "left jelly", "table", 0),
    ]


def test_from_the_first_frame_on_contacts_are_counted_as_in_the_run():
    way = motion.waypoints(range(5), [(x, 0.0, 0.0) for x in (3, 1.0, 3, 1.0, 3)])
    bodies = [Body(shapes.box(), name=name) for name in "abc"]
    world = World(bodies, motion={"a": way}, dt=1.0)
    frames = list(world.run(5))
    told = [(e.kind, e.contact) for f in frames for e in f.events]
    assert len(told) > 6
    story = Story.of(frames)
    assert [(e.kind, e.contact) for e in story.events] == told
    assert story.dt == 1.0


def test_a_recording_that_was_joined_midway_says_where_it_begins(tmp_path):
    world = scenes.load("tip")
    list(world.run(20))
    with world.record(tmp_path / "late.vtkhdf") as path:
        frames = list(world.run(60))
    with Recording.open(path) as recording:
        story = recording.story
        assert (story.first, story.frames, len(story.events)) == (20, 60, 2)
        assert Story.of(frames) == story == Story.parse(str(story))


def test_numpys_numbers_are_as_good_and_an_event_that_is_none_is_refused():
    story = Story(["a"], np.int32(3), np.int64(0), np.float64(0.1), [])
    assert str(story).endswith("bodies a\nframes 3\nfirst 0\ndt 0.1\n")
    whole = Story.parse(ALL)
    some = [e for e in whole.events if e.b == "soap #2"]
    story = Story(whole.bodies, whole.frames, whole.first, whole.dt, tuple(some))
    assert [e.contact for e in story.events] == [0, 0, 0, 1]
    assert Story.parse(str(story)) == story
    for kind, b in [("boom", "b"), ("begin", ""), ("begin", "c")]:
        event = Event(1, kind, "a", b, 0)
        with pytest.raises(ValueError, match=r"event 0: .*: there is no"):
            Story(("a", "b"), 5, 0, 1.0, (event,))


def test_a_story_is_written_and_read_as_text_or_from_a_recording(tip, tmp_path):
    _, path = tip
    story = Story.read(path)
    story.write(tmp_path / "tip.story")
    assert (tmp_path / "tip.story").read_bytes().decode() == TIP
    assert Story.read(str(tmp_path / "tip.story")) == story


def test_a_story_of_nothing_is_a_head(tmp_path):
    empty = Story.of(())
    assert str(empty).splitlines()[2:] == ["bodies", "frames 0", "first 0", "dt 0.0"]
    assert Story.parse(str(empty)) == empty
    assert (len(empty.table()), "frame" in empty.table()) == (0, True)
    quiet = Story(("a", "b"), 3, 0, 0.5, ())
    assert Story.parse(str(quiet)) == quiet
    assert str(quiet).endswith("dt 0.5\n")


def test_frames_that_do_not_follow_are_refused(tip):
    frames, _ = tip
    with pytest.raises(ValueError, match="frame 7 of block/table does not follow fra"):
        Story.of([frames[5], frames[7]])
    for source in ("run.vtkhdf", None, scenes.load("tip")):
        with pytest.raises(TypeError, match=r"of Frames, got .* Story\.read"):
            Story.of(source)
    with pytest.raises(TypeError, match="of Frames, got int"):
        Story.of([1])


@pytest.mark.parametrize("dt", [1 / 60, 0.01, 1 / 3, 0.1, 1e-3 / 7, 2.0**-20])
@pytest.mark.parametrize("first", [0, 1, 5, 999])
def test_the_time_between_frames_is_read_off_them(dt, first):
    frames = [Frame(k, k * dt, (), (), ()) for k in range(first, first + 12)]
    found = Story.of(frames).dt
    assert all(f.index * found == f.time for f in frames)
    if first <= 1 or dt in (1 / 60, 0.01):
        assert found == dt
    assert Story.of(frames, dt=dt).dt == dt


BY_HAND = TIP.replace("digest 7984147075f2951e\n", "")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (TIP, "", "line 1: '' begins no story; one begins with 'wingedge story 1'"),
        (TIP, "once upon a time\n", "line 1: 'once upon a time' begins no story"),
        ("story 1", "story 01", "line 1: 'wingedge story 01' begins no story"),
        ("story 1", "story 2", "line 1: a story of version 2, and this is wingedge"),
        ("story 1", "story 2", f"{wingedge.__version__} which reads version 1; run"),
        ("digest 79", "digest 7A", "line 2: .* should be 'digest 7984.* delete line 2"),
        ("f5 f1\n87", "f4 f1\n87", "line 2: .*: lines below were edited by hand"),
        ("bodies block", "body block", "line 3: 'body block/table' should say"),
        ("bodies block/table\n", "", "line 3: 'frames 100' should say 'bodies ...'"),
        ("block/table\nfr", "block/block\nfr", "line 3: two bodies are called 'block'"),
        ("block/table\nfr", "block//table\nfr", "line 3: .* cannot be called ''"),
        ("frames 100", "frames many", "line 4: 'many' is no number as 'frames' has"),
        ("frames 100", "frames 0100", "line 4: .* should be 'frames 100'"),
        ("frames 100", "frames 80", "line 11: .*: the story is of frames 0 to 79"),
        ("frames 100", "frames 1", "line 8: .*: the story is of frame 0 alone"),
        (
            "first 0",
            "first -1",
            "line 3: 100 frames from frame -1 on: neither is below",
        ),
        ("first 0", "first 20", "line 8: .*: the story is of frames 20 to 119"),
        ("dt 0.016666666666666666", "dt 1e-2", "line 6: .* should be 'dt 0.01'"),
        ("dt 0.016666666666666666", "dt inf", "line 3: dt=inf is no time"),
        ("\n\n17", "\n17", "line 7: '17 begin .* should be ''"),
        ("\n\n17", "\n\n\n17", "line 8: '' is no event"),
        ("\n25", "\n\n25", "line 10: '25 .* does not begin the numbers"),
        ("\n25", "\r\r\n25", "line 8: "),
        ("17 begin", "017 begin", "line 8: .* does not begin with the number"),
        ("17 begin", "\uff17 begin", "line 8: .* does not begin with the number"),
        ("17 begin", "<<<<<<< HEAD\n17 begin", "line 8: '<<<<<<< HEAD' is no event"),
        ("e2(3-1)", "e02(3-1)", "line 9: 'e02.* names no feature"),
        ("e2(3-1)", "e2(3-01)", "line 9: .* is no edge"),
        (
            "25 change",
            "20 convexity_lost block f1 0.10\n25 change",
            "line 9: .* is written '20 convexity_lost block f1 0.1'",
        ),
        ("e2(3-1)", "e2 (3-1)", "line 9: "),
        ("87 end", "60 end", "line 11: .* stands behind what it comes before"),
        ("72 change", "72 end", "line 10: "),
        ("87 end block/table", "87 end block/chair", "line 11: .*no body 'chair' here"),
        ("87 end block/table", "87 end table/block", "line 11: .* is called block/tab"),
        ("f5 f1\n\0", "f5 f1", ""),
    ],
)
def test_what_is_no_story_is_refused(old, new, sentence):
    text = TIP.replace(old, new)
    if not sentence:
        assert Story.parse(text) == Story.parse(TIP)
        return
    assert text != TIP
    with pytest.raises(ValueError, match=sentence):
        Story.parse(text)


def test_a_text_may_be_written_by_hand_or_on_windows_but_not_cut_short():
    for end in range(len(TIP) - 1):
        with pytest.raises(ValueError, match=r"^line \d+: "):
            Story.parse(TIP[:end])
    assert Story.parse(TIP[:-1]) == Story.parse(TIP)  # the digest says it is whole
    assert str(Story.parse(BY_HAND)) == TIP
    for end in range(len(BY_HAND)):
        if BY_HAND[:end].count("\n") < 5 or BY_HAND[end - 1] != "\n":
            with pytest.raises(ValueError, match=r"^line \d+: "):
                Story.parse(BY_HAND[:end])
    assert Story.parse(TIP.replace("\n", "\r\n")) == Story.parse(TIP)


@pytest.mark.parametrize("whole", [TIP, BY_HAND, ALL], ids=["tip", "by hand", "all"])
def test_a_damaged_text_is_refused_in_words_or_printed_back(whole):
    chance = random.Random(7)
    for k in range(400):
        cuts = sorted(chance.randrange(len(whole) + 1) for _ in range(2))
        start, end = whole[: cuts[0]], whole[cuts[1] :]
        noise = "".join(chance.choices(string.printable + "\u00e9\uff17\0", k=3))
        other = "".join(chance.choices(whole.splitlines(keepends=True), k=2))
        text = start + chance.choice(["", noise, other]) + chance.choice([end, whole])
        if k % 2:  # one letter
            text = whole[: cuts[0]] + noise[0] + whole[cuts[0] + k % 4 // 2 :]
        try:
            lines = list(Story.parse(text).lines)
        except ValueError as error:
            said = str(error)
        else:
            said = "line 1: it is read"
            assert lines == text.partition("\n\n")[2].splitlines(), k
        assert re.match(r"line \d+: ", said), (k, text)


def test_a_file_that_is_no_story_is_named(tmp_path):
    path = tmp_path / "tip.story"
    path.write_bytes(TIP.encode().replace(b"25 change", b"25 \xff"))
    with pytest.raises(ValueError, match=r"tip\.story, line 9: is no text in UTF-8"):
        Story.read(path)
    path.write_text(TIP.replace("87 end", "88 end"))
    with pytest.raises(ValueError, match=r"tip\.story, line 2: 'digest"):
        Story.read(path)
    with pytest.raises(FileNotFoundError):
        Story.read(tmp_path / "none.story")


@pytest.mark.parametrize(
    "line",
    [
        "1 split a/b #1 -> " + "+".join(["#1"] * 200_000),
        "1 split a/b #1 -> #" + "1" * 400_000,
        "1 begin a/b FF l(" + "-".join(["1"] * 200_000) + ") f0",
        "1 begin a/b VF v" + "9" * 400_000 + " f0",
        "1" * 400_000 + " begin a/b VF v0 f0",
        "1 begin " + "a/" * 200_000 + "b VV v0 v1",
        "1 begin " + " " * 400_000 + "a/b VV v0 v1",
        "1 convexity_lost " + "a" * 400_000 + " e1(1-2) " + "1" * 400_000,
        "1 change a/b " + "-> " * 200_000,
    ],
    ids=lambda line: line[:16],
)
def test_a_long_line_takes_a_moment_and_is_quoted_in_part(line):
    """Where twice the length took four times as long, this would not end."""
    said = line
    try:
        said = str(Event.parse(line))
    except ValueError as error:
        message = str(error)
    else:
        message = ""
    assert said == line
    assert len(message) < 1000

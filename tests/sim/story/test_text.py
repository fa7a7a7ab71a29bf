"""What is no text of a story is refused with a sentence that names the line."""

import pytest

import wingedge
from sim import Event, Story

GOOD = """\
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
BY_HAND = GOOD.replace("digest 7984147075f2951e\n", "")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (GOOD, "", "line 1: '' begins no story; one begins with 'wingedge story 1'"),
        (GOOD, "once upon a time\n", "line 1: 'once upon a time' begins no story"),
        ("story 1", "story 01", "line 1: 'wingedge story 01' begins no story"),
        ("story 1", "story 2", "line 1: a story of version 2, and this is wingedge"),
        ("story 1", "story 2", f"{wingedge.__version__} which reads version 1; run"),
        ("digest 79", "digest 7", "line 2: .* is no digest of 16 hex digits"),
        ("digest 79", "digest 7A", "line 2: .* is no digest of 16 hex digits"),
        ("digest 79", "digest 78", "line 2: the digest is 78.*51e, and that .* 79"),
        ("f5 f1\n87", "f4 f1\n87", "line 2: .*: they were edited by hand"),
        ("bodies block", "body block", "line 3: 'body block/table' should say"),
        ("bodies block/table\n", "", "line 3: 'frames 100' should say 'bodies ...'"),
        ("block/table\nfr", "block/block\nfr", "line 3: two bodies are called 'block'"),
        ("block/table\nfr", "block//table\nfr", "line 3: .* cannot be called ''"),
        ("bodies block/table", "bodies ", "line 3: 'bodies ' should say"),
        ("frames 100", "frames many", "line 4: 'many' is no number of frames"),
        ("frames 100", "frames 0100", "line 4: '0100' is no number of frames"),
        ("frames 100", "frames 80", "line 11: .*: the story is of frames 0 to 79"),
        ("frames 100", "frames 1", "line 8: .*: the story is of frame 0 alone"),
        ("first 0", "first -1", "line 5: '-1' is no number of the first frame"),
        ("first 0", "first 20", "line 8: .*: the story is of frames 20 to 119"),
        ("dt 0.016666666666666666", "dt 1/60", "line 6: '1/60' is no time between"),
        ("dt 0.016666666666666666", "dt 1e-2", "line 6: '1e-2' is no time between"),
        ("dt 0.016666666666666666", "dt nan", "line 6: 'nan' is no time between"),
        ("dt 0.016666666666666666", "dt inf", "line 6: 'inf' is no time between"),
        ("\n\n17", "\n17", "line 7: .* is not the empty line between"),
        ("\n\n17", "\n\n\n17", "line 8: '' is no event"),
        ("\n25", "\n\n25", "line 10: '25 .* does not begin the numbers"),
        ("\n25", "\r\r\n25", "line 8: .* is no"),
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
    text = GOOD.replace(old, new)
    if not sentence:
        assert Story.parse(text) == Story.parse(GOOD)
        return
    assert text != GOOD
    with pytest.raises(ValueError, match=sentence):
        Story.parse(text)


def test_every_text_that_is_cut_short_is_refused():
    for end in range(len(GOOD) - 1):
        with pytest.raises(ValueError, match=r"^line \d+: "):
            Story.parse(GOOD[:end])
    assert Story.parse(GOOD[:-1]) == Story.parse(GOOD)  # the digest says it is whole


def test_a_text_without_a_digest_is_written_by_hand():
    assert str(Story.parse(BY_HAND)) == GOOD
    for end in range(len(BY_HAND)):
        if BY_HAND[:end].count("\n") < 5 or BY_HAND[end - 1] != "\n":
            with pytest.raises(ValueError, match=r"^line \d+: "):
                Story.parse(BY_HAND[:end])


def test_line_ends_of_windows_are_read():
    assert Story.parse(GOOD.replace("\n", "\r\n")) == Story.parse(GOOD)


def test_a_file_that_is_no_story_is_named(tmp_path):
    path = tmp_path / "tip.story"
    path.write_bytes(GOOD.encode().replace(b"25 change", b"25 \xff"))
    with pytest.raises(ValueError, match=r"tip\.story, line 9: is no text in UTF-8"):
        Story.read(path)
    path.write_text(GOOD.replace("87 end", "88 end"))
    with pytest.raises(ValueError, match=r"tip\.story, line 2: the digest is"):
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

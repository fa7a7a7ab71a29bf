"""Damaged stories are refused, or read as what they say: a few of the fuzz."""

import random

from stories.texts import (
    damaged,
    drawn,
    fault_of_file,
    fault_of_line,
    fault_of_story,
    fault_of_text,
    is_event,
)

from sim import Story


def texts(kind, number):
    for k in range(number):
        rng = random.Random(f"{kind} {k}")
        yield damaged(drawn(rng), rng)


def test_what_was_drawn_is_read_and_the_judge_sees_another_story():
    for seed in range(20):
        text = drawn(random.Random(seed))
        assert str(Story.parse(text)) == text
    text = drawn(random.Random(3))
    other = text.replace("\nframes ", "\nframes 2")
    assert other != text
    assert fault_of_story(Story.parse(text), text) == ""
    assert fault_of_story(Story.parse(other), text) == "read as another story"


def test_damaged_texts_files_and_lines_are_refused_or_read_as_what_they_say(tmp_path):
    for how, text in texts("texts", 100):
        assert fault_of_text(text) == "", (how, text[:500])
    path = tmp_path / "golden.story"
    for how, text in texts("files", 100):
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        assert fault_of_file(path) == "", (how, text[:500])
    rng = random.Random("lines")
    lines = ["9 inverted jelly"]
    while len(lines) < 100:
        lines += "".join(drawn(rng).split("\n\n")[1:2]).splitlines()
    for line in lines[:100]:
        assert is_event(line)
        how, broken = damaged(line, rng)
        assert fault_of_line(broken) == "", (how, broken[:500])

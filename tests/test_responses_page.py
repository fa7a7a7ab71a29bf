"""docs/responses.md: its program runs, its words are all that there are."""

import re
from pathlib import Path

from sim.response import RESPONSES, walk

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "responses.md").read_text(encoding="utf-8")


def test_the_program_of_the_page_runs_and_prints(capsys):
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    exec(program, {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "slide [ 4.5  3.  -1.5]"
    assert len(printed) == 3


def test_every_response_and_word_for_an_outcome_and_its_picture_are_on_the_page():
    for how in RESPONSES:
        assert f'| `"{how}"` |' in PAGE
    words = {
        word
        for name, word in vars(walk).items()
        if name.isupper() and isinstance(word, str)
    }
    assert len(words) == 6
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M)) == words
    assert (ROOT / "docs" / "gallery" / "room_walk.png").is_file()
    assert "gallery/room_walk.png" in PAGE

"""A part in pieces as several bodies: what is told of them is told of the part."""

import ast
import runpy
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "examples" / "pieces.py"


@pytest.fixture
def example():
    return runpy.run_path(str(PATH))


def test_it_is_short_and_says_what_is_seen():
    source = PATH.read_text(encoding="utf-8")
    assert source.count("\n") <= 120
    assert ast.get_docstring(ast.parse(source))


def test_pieces_that_touch_and_let_go_are_one_contact_of_the_part(example, capsys):
    pytest.importorskip("coacd", reason="coacd is in the extra 'decompose'")
    example["main"](view=False)  # which asserts distances and the story
    told = capsys.readouterr().out
    assert "begin arm-0/ball" in told
    assert told.endswith("end arm/ball\n")


def test_without_coacd_it_says_what_to_install(example, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "coacd", None)
    example["main"](view=False)
    assert "pip install 'wingedge[decompose]'" in capsys.readouterr().out

"""Memory that is shared, and words in it."""

import sys

import pytest

from viewer.process.memory import FAILED, STARTING, Control, create


def test_what_one_side_writes_the_other_reads():
    mine = Control()
    theirs = Control(mine.name)
    assert (theirs.state, theirs.generation, theirs.said) == (STARTING, 0, "")
    mine.generation = 2
    theirs.state, theirs.taken, theirs.drawn, theirs.answered = FAILED, 2**40, 7, 3
    theirs.said = "ValueError: größer"
    assert theirs.generation == 2
    assert (mine.state, mine.taken, mine.drawn, mine.answered) == (FAILED, 2**40, 7, 3)
    assert mine.said == "ValueError: größer"
    theirs.close()
    mine.close()


def test_a_long_sentence_is_cut():
    control = Control()
    control.said = "x" * 10_000
    assert control.said == "x" * 2000
    control.close()


def test_only_the_one_who_made_it_removes_it(left):
    before = left()
    mine = Control()
    theirs = Control(mine.name)
    theirs.close()
    theirs.close()
    assert Control(mine.name).generation == 0
    mine.close()
    mine.close()
    with pytest.raises(FileNotFoundError):
        Control(mine.name)
    assert left() == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says beforehand")
def test_memory_that_is_not_there_is_refused_and_nothing_is_left(left):
    """Without asking first, the write that finds no room kills the process."""
    before = left()
    with pytest.raises(OSError, match=r"no room for 1000000.0 MB in /dev/shm"):
        create(10**12)
    assert left() == before

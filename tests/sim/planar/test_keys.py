import pytest

from sim.planar.keys import KeyLog

L, SHIFT_S = frozenset("L"), frozenset({"Shift", "S"})


def test_a_log_says_what_is_held_in_every_frame_one_after_the_other():
    log = KeyLog.parse("L*2 Shift+S -")
    assert list(log) == [L, L, SHIFT_S, frozenset()]
    assert len(log) == 4
    assert str(KeyLog.parse("L*2") + KeyLog.parse("L H")) == "L*3 H"
    assert repr(KeyLog.parse("L*3")) == "KeyLog('L*3')"


def test_a_log_has_one_written_form():
    for written, form in [
        ("", ""),
        ("L L*3  L\nL", "L*6"),
        ("S+Shift*2", "Shift+S*2"),
        ("L+H+1", "1+H+L"),
        ("-*5 - L", "-*6 L"),
        ("L*007", "L*7"),
    ]:
        log = KeyLog.parse(written)
        assert str(log) == form
        assert KeyLog.parse(form) == log
        assert KeyLog.of(log) == log


def test_words_that_are_none_are_named_and_keys_that_do_nothing_refused():
    for word in [
        "l",
        "L*",
        "L*x",
        "L*-1",
        "L*1.5",
        "LL",
        "L+",
        "L+L",
        "*3",
        "Ctrl+S",
        "é",
    ]:
        with pytest.raises(ValueError, match="write") as error:
            KeyLog.parse(f"H*2 {word} J")
        assert repr(word) in str(error.value)
    with pytest.raises(ValueError, match=r"'L\*0' lasts no frame"):
        KeyLog.parse("L*0")
    with pytest.raises(ValueError, match="at most 1000000"):
        KeyLog.parse("L*600000 H*600000")
    with pytest.raises(ValueError, match="'esc' is no key"):
        KeyLog(((frozenset({"esc"}), 1),))
    with pytest.raises(ValueError, match="L for 0 frames"):
        KeyLog(((L, 0),))
    log = KeyLog.parse("L Shift+X*3")
    with pytest.raises(ValueError, match=r"nothing is done by X; the keys are H L"):
        log.known(("H", "L"))
    assert log.known("LX") is log

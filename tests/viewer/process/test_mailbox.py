import subprocess

import numpy as np
import pytest

from viewer.process.mailbox import SLOTS, Inbox, Outbox, fresh_name

FLOATS = 40_000  # long enough to be overtaken while it is copied

# Every number of a message, and every byte, says which message it is of.
PUTTING = """
import sys
import numpy as np
from viewer.process.mailbox import Outbox

outbox = Outbox(sys.argv[1], b"preface", int(sys.argv[2]), 4096)
print("ready", flush=True)
floats = np.empty(int(sys.argv[2]))
for number in range(1, int(sys.argv[3]) + 1):
    floats[:] = number
    outbox.put(number, [floats], [bytes([number % 251]) * (number % 4096)])
sys.stdin.read()
outbox.close()
"""


@pytest.fixture
def both():
    opened = []

    def make(preface=b"", floats=4, room=64):
        name = fresh_name()
        opened.append(Outbox(name, preface, floats, room))
        opened.append(Inbox(name))
        return opened[-2:]

    yield make
    for box in opened:
        box.close()


def put(outbox, number, text=b"said"):
    outbox.put(number, [np.full(4, float(number))], [text])


def test_a_message_comes_as_it_was_put_bit_by_bit(both):
    outbox, inbox = both(b"what stays")
    strange = np.array([0.0, -0.0, np.nan, 5e-324])
    strange.view(np.int64)[2] += 7  # a NaN of its own
    assert inbox.take() is None
    outbox.put(3, [strange[:1], strange[1:].reshape(3, 1)], [b"a", b"", b"bc"])
    number, floats, text = inbox.take()
    assert (number, text, inbox.preface) == (3, b"abc", b"what stays")
    np.testing.assert_array_equal(floats.view(np.int64), strange.view(np.int64))


def test_the_newest_message_is_taken_once_and_stays_when_its_slot_is_used_again(both):
    outbox, inbox = both()
    for number in range(1, 12):
        put(outbox, number)
    assert inbox.take().number == 11
    assert inbox.take() is None
    put(outbox, 12)
    assert inbox.take().number == 12
    put(outbox, 1)
    taken = inbox.take()
    for number in range(2, 2 + 2 * SLOTS):
        put(outbox, number, b"other")
    assert (taken.floats == 1.0).all()
    assert taken.text == b"said"


def test_two_processes_never_tear_a_message(left, start):
    """400 000 bytes are overtaken while they are copied; 4000 messages."""
    count, before, name = 4000, left(), fresh_name()
    writer = start(PUTTING, name, FLOATS, count, options={"stdin": subprocess.PIPE})
    try:
        assert writer.stdout.readline() == "ready\n"
        inbox = Inbox(name)
        seen = []
        while not seen or seen[-1] < count:
            message = inbox.take()
            if message is None:
                assert writer.poll() is None, "the writer died"
                continue
            number = message.number
            assert message.floats.min() == message.floats.max() == number
            assert message.text == bytes([number % 251]) * (number % 4096)
            seen.append(number)
        inbox.close()
    finally:
        writer.communicate(timeout=60)
    assert seen == sorted(set(seen))
    assert len(seen) > 20
    assert left() == before


def test_closing_leaves_nothing_and_twice_is_no_error(left):
    before = left()
    outbox = Outbox(name := fresh_name(), b"", 4, 64)
    inbox = Inbox(name)
    for box in (outbox, inbox, outbox, inbox):
        box.close()
    assert left() == before
    with pytest.raises(FileNotFoundError):
        Inbox(name)

import os
import signal
import sys
import time

import pytest

from viewer.process.mailbox import Control, create

# Makes memory, and gives it back, again and again.
MAKER = """
import sys
from viewer.process.mailbox import Outbox
from viewer.process.mailbox import Control, fresh_name
print("ready", flush=True)
while True:
    control, outbox = Control(), Outbox(fresh_name(), b"preface", 100, 1000)
    control.state = 1
    outbox.close()
    control.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says beforehand")
def test_memory_that_is_not_there_is_refused_and_nothing_is_left(left):
    """Without asking first, the write that finds no room kills the process."""
    before = left()
    with pytest.raises(OSError, match=r"no room for 1000000.0 MB in /dev/shm"):
        create(10**12)
    assert left() == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists shared memory")
def test_what_killed_processes_left_is_removed_at_the_next_start(left, start):
    """A kill of the whole group ends the tracker of Python, too, that would remove it.

    What a living process made stays.
    """
    before = left()
    mine = Control()
    found = 0
    for k in range(20):
        maker = start(MAKER, options={"start_new_session": True})
        assert maker.stdout.readline() == "ready\n"
        time.sleep(0.0007 * k)
        os.killpg(maker.pid, signal.SIGKILL)
        maker.communicate()
        found += len(left(maker.pid)) > 0
        memory = create(8)
        memory.close()
        memory.unlink()
        assert not left(maker.pid)
    assert found  # else there was nothing to remove
    Control(mine.name).close()
    mine.close()
    assert left() == before

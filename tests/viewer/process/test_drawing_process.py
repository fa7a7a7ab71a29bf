import contextlib
import os
import sys

import pytest

import viewer
from sim import scenes
from viewer.process.screen import limit_threads


def test_one_core_is_left_free_unless_the_user_says_otherwise(monkeypatch):
    threads = {}
    for cores, wanted in ((None, "1"), (1, "1"), (2, "1"), (4, "3"), (64, "4")):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        limit_threads(threads := {})
        assert threads == {"LP_NUM_THREADS": wanted}
    limit_threads(threads := {"LP_NUM_THREADS": "8"})
    assert threads == {"LP_NUM_THREADS": "8"}


def policies(process):
    """The policy of every thread of a process; one may end while it is asked."""
    for thread in os.listdir(f"/proc/{process}/task"):
        with contextlib.suppress(ProcessLookupError):
            yield os.sched_getscheduler(int(thread))


@pytest.mark.gui
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has SCHED_IDLE")
def test_once_there_is_a_picture_every_thread_that_draws_lets_others_go_first(wait_for):
    with viewer.ProcessScreen(size=(480, 300), off_screen=True) as screen:
        screen.show(scenes.load("demo").step())
        wait_for(lambda: screen.drawn, "a frame is drawn")
        # told before the process gives way: on a busy machine it may wait for minutes
        wait_for(
            lambda: set(policies(screen.pid)) == {os.SCHED_IDLE}, "all threads are idle"
        )
        assert len(list(policies(screen.pid))) > 1
        assert os.getpriority(os.PRIO_PROCESS, screen.pid) > os.getpriority(
            os.PRIO_PROCESS, 0
        )
    assert os.sched_getscheduler(0) == os.SCHED_OTHER

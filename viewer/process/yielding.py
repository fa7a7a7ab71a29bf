"""Let everybody else go first: a picture must not delay what it shows."""

import contextlib
import os
import sys
from collections.abc import MutableMapping


def limit_threads(environment: MutableMapping[str, str]) -> None:
    """Tell llvmpipe, which draws on the processor, to leave one core free.

    Before GL is loaded; what the user has set stays.
    """
    spare = max(1, (os.cpu_count() or 2) - 1)
    environment.setdefault("LP_NUM_THREADS", str(min(spare, 4)))


def yield_to_others() -> None:
    """Run this process, and its threads from now on, only where nobody else wants to.

    On Linux a process that is idle is put aside within microseconds when another one
    wakes up; one that is only nice may run on for milliseconds.
    """
    if sys.platform == "win32":
        return  # it was created with a lower priority
    with contextlib.suppress(OSError):
        os.nice(19)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

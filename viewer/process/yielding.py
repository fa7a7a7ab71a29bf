"""Let everybody else go first: a picture must not delay what it shows."""

import contextlib
import os
import sys
from collections.abc import MutableMapping

_QUIETLY = 10  # on the scale of ``nice``, where 19 gets next to nothing
_THREADS = 4  # more do not draw faster


def limit_threads(environment: MutableMapping[str, str]) -> None:
    """Tell llvmpipe, which draws on the processor, to leave one core free.

    Before GL is loaded; what the user has set stays.
    """
    spare = max(1, (os.cpu_count() or 2) - 1)
    environment.setdefault("LP_NUM_THREADS", str(min(spare, _THREADS)))


def start_quietly() -> None:
    """Give way to others, but come to an end: for a process that is starting."""
    if sys.platform != "win32":  # there it was created so
        with contextlib.suppress(OSError):
            os.nice(_QUIETLY)


def yield_to_others() -> None:
    """Run all threads of this process only where nobody else wants to; on Linux.

    A process like that is put aside within microseconds when another one wakes up.
    One that is only nice runs its turn to the end: beside it one step of a thousand
    was 3 ms late (Linux 6.18, two cores), beside an idle one 0.8 ms.
    """
    if sys.platform != "linux":
        return
    done: set[str] = set()
    while threads := set(os.listdir("/proc/self/task")) - done:  # some begin meanwhile
        for thread in threads:
            with contextlib.suppress(OSError):  # it has ended
                os.sched_setscheduler(int(thread), os.SCHED_IDLE, os.sched_param(0))
        done |= threads

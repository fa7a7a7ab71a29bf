"""Start the process that draws, and talk to it."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

_PATIENCE = 10.0  # seconds until a process that was asked to end is ended

# -P: the current folder must not bring another ``sim``; the path says which it is.
_CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from viewer.process.child import main; main()"
)


class ChildOptions(NamedTuple):
    """What the child is told first."""

    control: str
    kind: str  # "window" or "web"
    given: dict[str, Any]  # keyword arguments of the screen
    background: bool  # whether everybody else goes first


class DrawingProcess:
    """Start a process that draws, and tell it what to do.

    It is started anew, not forked, and does not import the program that starts it: a
    script needs no guard, and nothing of it is sent but frames.

    Raises OSError if it cannot be started.
    """

    def __init__(self, options: ChildOptions) -> None:
        if not sys.executable:
            raise OSError(
                "this Python does not know its own executable, so it cannot start "
                "another process; show frames with viewer.WindowScreen"
            )
        environment = dict(os.environ)
        flags = 0
        if options.background:
            limit_threads(environment)
            flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # Windows
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CHILD, str(Path(__file__).parents[2])],
            env=environment,
            stdin=subprocess.PIPE,
            creationflags=flags,
            start_new_session=True,  # Ctrl-C is for the loop
        )
        self.tell(tuple(options))

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def gone(self) -> bool:
        """Whether it has ended, however."""
        return self._process.poll() is not None

    @property
    def last_word(self) -> str:
        """How it ended, in a sentence."""
        code = self._process.poll()
        how = f"ended with exit code {code}"
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                how = f"was ended by {signal.Signals(-code).name}"
        return f"the process that draws {how}; the loop is not harmed"

    def tell(self, order: tuple[object, ...]) -> None:
        """Ask it for something; one that is gone is asked for nothing."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(pickle.dumps(order))
            self._process.stdin.flush()

    def close(self, *, at_once: bool = False) -> None:
        """Let it end, or end it."""
        assert self._process.stdin is not None
        if at_once:
            self._process.kill()
        with contextlib.suppress(OSError):
            self._process.stdin.close()  # it ends when nobody can tell it anything
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_QUIETLY = 10  # on the scale of ``nice``, where 19 gets next to nothing
_THREADS = 4  # more do not draw faster


def limit_threads(environment: MutableMapping[str, str]) -> None:
    """Tell llvmpipe, which draws on the processor, to leave one core free.

    Before GL is loaded; what the user has set stays.
    """
    spare = max(1, (os.cpu_count() or 2) - 1)
    environment.setdefault("LP_NUM_THREADS", str(min(spare, _THREADS)))


def lower_priority() -> None:
    """Give way to others, but come to an end: for a process that is starting."""
    if sys.platform != "win32":  # there it was created so
        with contextlib.suppress(OSError):
            os.nice(_QUIETLY)


def set_idle_priority() -> None:
    """Run all threads of this process only where nobody else wants to; on Linux.

    A process like that is put aside within microseconds when another one wakes up.
    One that is only nice runs its turn to the end: beside it one step of a thousand
    was 3 ms late (Linux 6.18, two cores), beside an idle one 0.8 ms.
    """
    if sys.platform != "linux":
        return
    done = {str(threading.get_native_id())}
    while threads := set(os.listdir("/proc/self/task")) - done:  # some begin meanwhile
        for thread in threads:
            with contextlib.suppress(OSError):  # it has ended
                os.sched_setscheduler(int(thread), os.SCHED_IDLE, os.sched_param(0))
        done |= threads
    with contextlib.suppress(OSError):  # itself last: it may not run soon again
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

"""The process that draws, seen from the one that makes the frames."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

from viewer.process.child import Options
from viewer.process.yielding import limit_threads

_PATIENCE = 10.0  # seconds until a process that was asked to end is ended

# -P: the current folder must not bring another ``sim``; the path says which it is.
_CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from viewer.process.child import main; main()"
)


class Painter:
    """Start a process that draws, and tell it what to do.

    It is started anew, not forked, and does not import the program that starts it: a
    script needs no guard, and nothing of it is sent but frames.

    Raises
    ------
    OSError
        If it cannot be started.
    """

    def __init__(self, options: Options) -> None:
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

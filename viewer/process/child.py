"""The process that draws: start it and talk to it; its loop takes the newest frame."""

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from viewer.process.mailbox import (
    CLOSED,
    FAILED,
    OPEN,
    Control,
    Inbox,
    attach,
    bytes_of,
)

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

    It does not import the program that starts it: a script needs no guard.
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
    """Tell llvmpipe, before GL is loaded, to leave a core free, unless the user did."""
    spare = max(1, (os.cpu_count() or 2) - 1)
    environment.setdefault("LP_NUM_THREADS", str(min(spare, _THREADS)))


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


EVERY = 1 / 60  # seconds between two frames that are taken, at least
_GRACE = 5.0  # seconds until a process without a parent is ended


class DrawingLoop:
    """Take the newest frame every so often, show it, and do what is asked for.

    In the ``background`` everybody else goes first, once there is a picture.
    """

    def __init__(
        self,
        control: Control,
        view: Any,
        every: float = EVERY,
        *,
        background: bool = False,
    ) -> None:
        self.view = view
        self._background = background
        self.asked: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
        self._control = control
        self._every = every
        from viewer.process.packing import Unpacker  # which needs h5py

        self._unpacker = Unpacker()
        self._inbox: Inbox | None = None
        self._generation = 0
        self._due = 0.0

    def run(self) -> None:
        """Draw until the view is closed, or the other process is gone."""
        while not self.view.closed:
            self.turn()

    def turn(self) -> None:
        """Do what was asked for; show the newest frame if there is another one."""
        while not self.asked.empty():
            self._do(self.asked.get())
        if self.view.closed or not self._take():
            self.view.turn()

    def close(self) -> None:
        """Let go of the mailbox and of the view."""
        self.view.close()
        if self._inbox is not None:
            self._inbox.close()

    def _take(self) -> bool:
        """Take and show the newest frame; False if there is none yet."""
        now = time.perf_counter()
        if now < self._due:
            return False
        with contextlib.suppress(FileNotFoundError, ValueError):  # replaced meanwhile
            self._follow()
        message = None if self._inbox is None else self._inbox.take()
        if message is None:
            return False
        self._due = now + self._every
        frame, events = self._unpacker.unpack(message)
        self._control.taken = message.number
        self.view.show(frame, events)
        first = self._control.state != OPEN
        self._control.drawn += 1
        self._control.state = OPEN
        if first and self._background:  # told before: on a busy machine this is the end
            set_idle_priority()
        return True

    def _follow(self) -> None:
        """Open the mailbox that is in use now."""
        generation = self._control.generation
        if generation == self._generation:
            return
        inbox = Inbox(mailbox_name(self._control.name, generation))
        if self._inbox is not None:
            self._inbox.close()
        self._unpacker.learn(inbox.preface)
        self._inbox, self._generation = inbox, generation

    def _do(self, order: tuple[Any, ...] | None) -> None:
        if order is None:  # nobody is there who could ask for more
            self.view.close()
            return
        what, *given = order
        if what == "end":
            self._due = 0.0  # the last frame is shown, however fast it came
            self.view.pushed.end(*given)
        elif what == "press":
            self._due = 0.0
            self._take()
            self.view.window.press(*given)
        elif what == "image":
            self._answer(*given)

    def _answer(self, name: str, number: int) -> None:
        """Copy what is shown into memory that was made for it."""
        self._due = 0.0
        self._take()
        image = self.view.window.image()
        memory = attach(name)
        shown = np.ndarray(image.shape, np.uint8, bytes_of(memory))
        shown[...] = image
        del shown
        memory.close()
        self._control.answered = number


def mailbox_name(control: str, generation: int) -> str:
    """Name a mailbox; both sides know it without being told."""
    return f"{control}_{generation}"


def listen(pipe: BinaryIO, asked: queue.SimpleQueue[tuple[Any, ...] | None]) -> None:
    """Hand on what the parent asks for; None when it is gone, whyever."""
    try:
        while True:
            asked.put(pickle.load(pipe))
    except (EOFError, OSError, pickle.UnpicklingError):
        asked.put(None)
    time.sleep(_GRACE)
    os._exit(1)  # drawing hangs, and nobody is there to end it


def main() -> None:
    """Draw for the process that started this one, until either has enough."""
    pipe = os.fdopen(os.dup(0), "rb")
    try:
        options = ChildOptions(*pickle.load(pipe))
        control = Control(options.control)
    except (EOFError, FileNotFoundError):
        return  # whoever started it is gone already
    if options.background and sys.platform != "win32":  # there it was created so
        with contextlib.suppress(OSError):
            os.nice(_QUIETLY)  # give way, but come to an end
    code = 1
    try:
        view = _view_of(options)
        drawing = DrawingLoop(control, view, background=options.background)
        threading.Thread(target=listen, args=(pipe, drawing.asked), daemon=True).start()
        drawing.run()
        control.state = CLOSED
        drawing.close()
        code = 0
    except BaseException as error:
        control.said = f"{type(error).__name__}: {error}"
        control.state = FAILED
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # a thread still reads, and nothing here needs to be tidied up


def _view_of(options: ChildOptions) -> Any:
    if options.kind == "web":
        from viewer.web.page import Page

        return Page(**options.given)
    from viewer.screens import WindowScreen

    return WindowScreen(**options.given)

"""Run the process that draws: its loop takes the newest frame."""

import contextlib
import os
import pickle
import queue
import sys
import threading
import time
import traceback
from importlib import import_module
from typing import Any, BinaryIO

import numpy as np

from viewer.process import mailbox
from viewer.process.mailbox import OPEN, Control, Inbox

_QUIETLY = 10  # on the scale of ``nice``, where 19 gets next to nothing


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


VIEWS = {
    "window": ("viewer.window.window", "WindowScreen"),
    "web": ("viewer.web.page", "Page"),
}
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
        inbox = Inbox(self._control.mailbox(generation))
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
            return
        self._due = 0.0
        self._take()
        (self.view.window.press if what == "press" else self._answer)(*given)

    def _answer(self, name: str, number: int) -> None:
        """Copy what is shown into memory that was made for it."""
        image = self.view.window.image()
        memory = mailbox.attach(name)
        shown = np.ndarray(image.shape, np.uint8, mailbox.bytes_of(memory))
        shown[...] = image
        del shown
        memory.close()
        self._control.answered = number


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
        name, kind, given, background = pickle.load(pipe)
        control = Control(name)
    except (EOFError, FileNotFoundError):
        return  # whoever started it is gone already
    if background and sys.platform != "win32":  # there it was created so
        with contextlib.suppress(OSError):
            os.nice(_QUIETLY)  # give way, but come to an end
    code = 1
    try:
        home, name = VIEWS[kind]
        view = getattr(import_module(home), name)(**given)
        drawing = DrawingLoop(control, view, background=background)
        threading.Thread(target=listen, args=(pipe, drawing.asked), daemon=True).start()
        drawing.run()
        control.state = mailbox.CLOSED
        drawing.close()
        code = 0
    except BaseException as error:
        control.said = f"{type(error).__name__}: {error}"
        control.state = mailbox.FAILED
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # a thread still reads, and nothing here needs to be tidied up

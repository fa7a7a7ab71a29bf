"""Run the process that draws: it takes the newest frame whenever it wants another."""

import os
import pickle
import shutil
import time
import traceback
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from viewer.process.mailbox import Mailbox
from viewer.sources import PushedFrames
from viewer.timeline import Timeline


class MailedFrames(PushedFrames):
    """The newest frame of another process, and all events since the last one."""

    dt = 1 / 60  # whatever time it is there

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._box, self._said = Mailbox(folder / "frame"), Mailbox(folder / "said")
        self.last: list[Exception | None] = []  # once no frame comes any more: why

    def extend(self) -> bool:
        """Take the newest frame; False if there is no other one."""
        before, message = self._box.number, self._box.take()
        if message is None:
            if self.last:
                self.end(*self.last)
            return False
        waiting, frame, events = message
        missed = [pickle.loads(told) for number, _, told in waiting if number > before]
        self.append(frame, (*(e for told in missed for e in told), *events))
        self.say("")
        return True

    def say(self, trouble: str) -> None:
        """Tell the other process how far this one is."""
        with suppress(FileNotFoundError):  # it is gone, and its folder
            self._said.put((self._box.number, len(self), trouble))


def main() -> None:
    """Draw for the process that started this one, until either has enough."""
    pipe, code = os.fdopen(os.dup(0), "rb"), 0
    folder, make, niceness = pickle.load(pipe)
    frames = MailedFrames(folder)
    Thread(target=_listen, args=(pipe, frames, folder), daemon=True).start()
    try:
        if hasattr(os, "nice"):
            os.nice(niceness)
        view = make()
        while not frames.extend():
            time.sleep(0.004)
        view.play(Timeline(frames))
    except BaseException as error:
        if error is not frames.trouble:
            traceback.print_exc()
            frames.say(f"{type(error).__name__}: {error}")
            code = 1
    os._exit(code)  # a thread still reads, and nothing here needs to be tidied up


def _listen(pipe: BinaryIO, frames: MailedFrames, folder: Path) -> None:
    """Hear why no frame comes any more; end when the parent is gone, whyever."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            frames.last = pickle.load(pipe)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)

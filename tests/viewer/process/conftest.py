"""What hands frames over by hand, and a look at what is left behind."""

import os
from pathlib import Path

import pytest

from viewer.process.mailbox import Control, Outbox
from viewer.process.packing import Packer

SHARED = Path("/dev/shm")


@pytest.fixture
def left():
    """Name the memory that a process shares now; none where that is not seen."""

    def names(pid=None):
        return {file.name for file in SHARED.glob(f"wingedge_{pid or os.getpid()}_*")}

    return names


class Sender:
    """Hand frames over as `ProcessScreen` does, to whoever is in this process."""

    def __init__(self):
        self.control = Control()
        self.packer = Packer()
        self.outbox = None
        self.number = 0

    def send(self, frame, room=2**19):
        suits = self.packer.suits(frame)
        self.number += 1
        arrays, text = self.packer.pack(
            self.number, frame, frame.events, self.control.taken
        )
        if self.outbox is None or not suits:
            old, generation = self.outbox, self.control.generation + 1
            name = self.control.mailbox(generation)
            self.outbox = Outbox(name, self.packer.preface, self.packer.floats, room)
            self.control.generation = generation
            if old is not None:
                old.close()
        self.outbox.put(self.number, arrays, text)

    def close(self):
        if self.outbox is not None:
            self.outbox.close()
        self.control.close()


@pytest.fixture
def sender():
    made = Sender()
    yield made
    made.close()

"""Pass the newest thing only to another process: a pickled file replaced by rename."""

import io
import os
import pickle
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary, finalize

import numpy as np

from sim import Body
from wingedge import WingedEdgeMesh

_read: WeakValueDictionary[str, Any] = WeakValueDictionary()


class Mailbox:
    """The newest message, whole: one process puts, one takes; ``number`` counts them.

    Meshes, and arrays whose ids are in ``staying``, have files of their own.
    """

    def __init__(self, path: Path) -> None:
        self.number, self.staying = 0, set[int]()
        self._path, self._files = path, dict[int, str]()

    def put(self, message: object) -> None:
        """Replace the message; OSError if there is no room for it."""
        file, part = io.BytesIO(), self._path.with_suffix(".part")
        self.number += 1
        self._held = message  # and with it the files of what it has
        pickle.dump(self.number, file)
        pickler = pickle.Pickler(file, 5)
        pickler.dispatch_table = {
            WingedEdgeMesh: self._apart,
            np.ndarray: self._array,
            Body: lambda b: (_body, (b.name, b.mesh, b.convexity, b.flatness)),
        }
        pickler.dump(message)
        part.write_bytes(file.getbuffer())
        for _ in range(1000):  # Windows replaces no file that somebody reads
            with suppress(PermissionError):
                return os.replace(part, self._path)
            time.sleep(0.001)

    def take(self) -> Any:
        """Return the newest message; None if it was taken, or there is none."""
        with suppress(FileNotFoundError, PermissionError):  # replaced just now
            with self._path.open("rb") as file:
                number = pickle.load(file)
                content = b"" if number == self.number else file.read()
            if content:
                message, self.number = pickle.loads(content), number
                return message
        return None

    def _array(self, array: Any) -> Any:
        apart = id(array) in self.staying
        return self._apart(array) if apart else array.__reduce_ex__(5)

    def _apart(self, thing: Any) -> Any:
        """Write a thing once, into a file that is there as long as the thing."""
        if (key := id(thing)) not in self._files:
            path = self._files[key] = f"{self._path}-{self.number}-{key}"
            Path(path).write_bytes(pickle.dumps(thing, 5))
            finalize(thing, self._forget, key).atexit = False
        return _opened, (self._files[key],)

    def _forget(self, key: int) -> None:
        with suppress(OSError):
            os.unlink(self._files.pop(key))


def _opened(path: str) -> Any:
    if (thing := _read.get(path)) is None:
        _read[path] = thing = pickle.loads(Path(path).read_bytes())
    return thing


@lru_cache(256)  # the same one in every frame
def _body(name: str, mesh: WingedEdgeMesh, convexity: str, flatness: str) -> Body:
    return Body(mesh, name=name, convexity=convexity, flatness=flatness)

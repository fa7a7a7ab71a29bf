"""The log of a run: one JSON object per event, in the file as soon as it happened."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path

from sim.errors import RecordingError, advice
from sim.story.events import Event
from sim.story.file.replacing import put
from sim.story.writing.exchange import json_of

Tell = Callable[[int, Iterable[Event]], int]


@contextmanager
def logged(path: str | PathLike[str] | None) -> Iterator[Tell]:
    """Open a text file, and give a function that writes events into it.

    ``tell(end, events)`` writes them behind the first ``end`` bytes, hands them to the
    system, and returns where they end: an interrupted frame is told again at the same
    place.  The file is left as it is until then.  Without a path it does nothing.

    Raises
    ------
    RecordingError
        If the file cannot be written.
    """
    if path is None:
        yield lambda end, events: end
        return
    name = fspath(path)
    fresh = not Path(name).exists()
    try:
        file = open(name, "ab", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise RecordingError(
            f"{name}: the log cannot be written ({error.strerror}); {advice(error)}"
        ) from error
    plain = Path(name).is_file()

    def tell(end: int, events: Iterable[Event]) -> int:
        text = "".join(f"{json_of(event)}\n" for event in events).encode()
        try:
            if plain:
                file.truncate(end)  # and what is written goes to the end
            put(file, text)
        except OSError as error:
            raise RecordingError(
                f"{name}: the log could not be written ({error.strerror}); is the disk "
                "full?"
            ) from error
        return end + len(text)

    with file:
        try:
            yield tell
        except BaseException:
            if fresh and not file.tell():
                with suppress(OSError):  # nothing was told: nothing is left behind
                    Path(name).unlink()
            raise

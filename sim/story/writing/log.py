"""The log of a run: one JSON object per event, in the file as soon as it happened."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath

from sim.errors import RecordingError, advice
from sim.story.events import Event
from sim.story.writing.exchange import json_of

Tell = Callable[[Iterable[Event]], None]


@contextmanager
def logged(path: str | PathLike[str] | None) -> Iterator[Tell]:
    """Replace a text file, and give a function that appends events to it.

    Every call hands what it wrote to the system.  Without a path it does nothing.

    Raises
    ------
    RecordingError
        If the file cannot be written.
    """
    if path is None:
        yield lambda events: None
        return
    name = fspath(path)
    try:
        file = open(name, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
    except OSError as error:
        raise RecordingError(
            f"{name}: the log cannot be written ({error.strerror}); {advice(error)}"
        ) from error

    def tell(events: Iterable[Event]) -> None:
        try:
            file.write("".join(f"{json_of(event)}\n" for event in events))
            file.flush()
        except OSError as error:
            raise RecordingError(
                f"{name}: the log could not be written ({error.strerror}); is the disk "
                "full?"
            ) from error

    with file:
        yield tell

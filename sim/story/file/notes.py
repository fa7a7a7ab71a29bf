"""Notes: what a user writes down beside a run, a scene, a script, seeds."""

from collections.abc import Mapping
from types import MappingProxyType

Note = str | int | float | bool
Notes = Mapping[str, Note]
NO_NOTES: Notes = MappingProxyType({})


def check_notes(notes: Notes) -> dict[str, Note]:
    """Return notes as they will be read back.

    Raises
    ------
    TypeError
        If one is no text or number; names it.
    """
    if not isinstance(notes, Mapping):
        raise TypeError(
            f"notes are {type(notes).__name__}; give a mapping, as in "
            "notes={'seed': 7, 'script': 'press.py'}"
        )
    for name, value in notes.items():
        if not isinstance(name, str) or not isinstance(value, Note):
            raise TypeError(
                f"notes[{name!r}] is {type(value).__name__}; a recording keeps text "
                "and numbers under names, as in notes={'seed': 7}"
            )
    return dict(notes)

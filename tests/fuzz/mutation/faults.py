"""Read ``faults.txt``: faults that a contact tracker may have, each as one edit."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Fault(NamedTuple):
    """One edit: what kind of mistake it is, where, and the two texts."""

    name: str
    kind: str
    file: str
    old: str
    new: str
    survives: str = ""  # why no story notices it
    tested: bool = False  # no story shows it, and a test was written for it


def read() -> Iterator[Fault]:
    file, found = "", None
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        mark, _, text = line.partition(" ")
        if mark in ("-", "+"):
            part = "old" if mark == "-" else "new"
            before = getattr(found, part)
            found = found._replace(**{part: f"{before}\n{text}" if before else text})
        elif mark == "survives:":
            found = found._replace(survives=text)
        elif line and mark != "#":
            if found:
                yield found
            found = None
            if mark == "file":
                file = text
            else:
                name, kind = line.removeprefix("tested ").split(": ")
                found = Fault(name, kind, file, "", "", tested=mark == "tested")
    if found:
        yield found


EVERY = tuple(read())
FAULTS = tuple(fault for fault in EVERY if not fault.tested)
TESTED = tuple(fault for fault in EVERY if fault.tested)
SURVIVORS = {fault.name: fault.survives for fault in FAULTS if fault.survives}

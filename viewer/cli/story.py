"""``wingedge events``, ``wingedge digest``: what happened, and is it the same.

Both take recordings and texts of stories alike.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from viewer.cli import FAILED, NO, YES
from viewer.cli.progress import waiting


def events(
    file: Path, /, *, json: bool = False, table: bool = False, story: bool = False
) -> int:
    """Print what happened, one line per event.

    Parameters
    ----------
    file : Path
        A recording, as `wingedge run --record` writes it, or the text of a story.
    json : bool
        Print one JSON object per event.
    table : bool
        Print a table as CSV.
    story : bool
        Print the whole text of the story, with its head and digest.
    """
    if json + table + story > 1:
        raise ValueError("--json, --table and --story are three forms; ask for one")
    from sim import Story

    with waiting(f"reading {file}"):
        told = Story.read(file)
    if json:
        text = told.json_lines()
    elif table:
        text = told.csv()
    elif story:
        text = str(told)
    else:
        text = "".join(f"{line}\n" for line in told.lines)
    sys.stdout.write(text)
    if not told.events and not (table or story):
        print(f"no events in {told.frames} frames", file=sys.stderr)
    return YES


class Sums(NamedTuple):
    """The digests of one file."""

    story: str
    bits: str | None  # None: a text has none


def digest(*files: Path, story: bool = False) -> int:
    """Print the digests of files, and say whether all are the same.

    Exit code 0 if all are the same (or there is one), 1 if not, 2 if one cannot be
    read.

    Parameters
    ----------
    files : Path
        Recordings, as `wingedge run --record` writes them, and texts of stories. All
        have a digest of their story, the lines of all events; recordings one of all
        bits of positions, poses and answers as well.
    story : bool
        Look at the stories only: quicker, and the same where bits may differ.
    """
    if not files:
        raise ValueError("name at least one recording or story")
    found, unread = [], False
    for file in files:
        try:
            with waiting(f"reading {file}"):
                sums = _sums(file, bits=not story)
        except (OSError, ValueError) as error:
            print(f"wingedge digest: {_said(error, file)}", file=sys.stderr)
            unread = True
            continue
        found.append(sums)
        bits = f"  bits {sums.bits}" if sums.bits else ""
        print(f"story {sums.story}{bits}  {file}")
    if unread:
        return FAILED
    same_story = len({sums.story for sums in found}) == 1
    same_bits = len({sums.bits for sums in found if sums.bits}) <= 1
    if not same_story:
        print("the stories differ")
    elif not same_bits:
        print("the same story, other bits")
    elif len(found) > 1:
        print("the same")
    return YES if same_story and same_bits else NO


def _said(error: Exception, file: Path) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{file}: {error.strerror.lower()}"
    return " ".join(str(error).split()).rstrip(".")


def _sums(file: Path, *, bits: bool) -> Sums:
    from sim import Recording, Story
    from sim.story.story import is_recording

    if bits and is_recording(file):
        with Recording.open(file) as recording:
            return Sums(recording.story_digest, recording.digest)
    return Sums(Story.read(file).digest, None)

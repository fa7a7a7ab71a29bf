"""Run ``wingedge events``, ``digest`` and ``diff``.

Stories are taken from recordings and from texts alike.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sim.progress import counting
from viewer.cli import FAILED, NO, TIMES, YES, one_line, tell_undecided, timed_line
from viewer.cli.options import Whole

if TYPE_CHECKING:
    from sim import Event


def events(
    file: Path,
    /,
    *,
    json: bool = False,
    table: bool = False,
    story: bool = False,
    when: bool = False,
    pattern: str | None = None,
    margins: bool = False,
) -> int:
    """Print what happened, one line per event.

    Args:
        file: A recording, as `wingedge run --record` writes it, or the text of a story.
        json: Print one JSON object per event.
        table: Print a table as CSV.
        story: Print the whole text of the story, with its head and digest.
        when: Print when each event of a recording was, as @0.25+-1e-10: a quarter of
            the way from the frame before, proven to 1e-10 of it; then in seconds. Also
            brushes (pairs that touch and part between two frames). Also with --json
            and --table.
        pattern: Of such bodies or parts only, as *.heel/*; not with --story, --margins.
        margins: Print how far off positions may be before each event is in doubt.
    """
    if json + table + story > 1:
        raise ValueError("--json, --table and --story are three forms; ask for one")
    if pattern and (story or margins):
        raise ValueError("--pattern chooses lines, --json or --table of events")
    if margins and (json or table or story or when):
        raise ValueError("--margins prints lines of its own; ask for it alone")
    if margins:
        from sim import Recording

        with Recording.open(file) as recording:
            rows = recording.story.margins(recording)
        for line, margin in zip(rows["line"], rows["margin"], strict=True):
            print(f"{line}  margin {margin:.2g}")
        return YES
    if when:
        if story:
            raise ValueError("--when goes with --json or --table; a story has no times")
        return _timed(file, pattern, json=json, table=table)
    from sim import Story
    from sim.events.patterns import pairs_like
    from sim.events.rows import json_of, table_of

    with counting(f"reading {file}"):
        read = Story.read(file)
    chosen = pairs_like(pattern, read.bodies)
    some = [event for event in read.events if chosen(event.named)]
    if table or story:
        sys.stdout.write(str(read) if story else table_of(some).to_csv())
    else:
        for event in some:
            print(json_of(event) if json else event)
    if not some and not (table or story):
        of = f" of {pattern}" if pattern else ""
        print(f"no events{of} in {read.frames} frames", file=sys.stderr)
    return YES


def _timed(file: Path, pattern: str | None, *, json: bool, table: bool) -> int:
    """Print the events of a recording with the times between frames."""
    from sim import Recording
    from sim.events.patterns import pairs_like
    from sim.events.rows import json_of, table_of

    timed = False
    with Recording.open(file) as recording:
        rows: list[Event] = []
        left, chosen = [], pairs_like(pattern, recording.bodies)
        for frame in recording.timed():
            left += [(frame.index, gap) for gap in frame.undecided]
            happened = [event for event in frame.events if chosen(event.named)]
            if table:
                rows += happened
                continue
            for event in happened:
                print(json_of(event) if json else timed_line(event))
                timed = not json
        if timed:
            print(TIMES, file=sys.stderr)
        if table:
            sys.stdout.write(table_of(rows).to_csv())
        tell_undecided(left)
    return YES


def digest(*files: Path, story: bool = False) -> int:
    """Print the digests of files, and say whether all are the same.

    Args:
        files: Recordings, as `wingedge run --record` writes them, and texts of stories.
            Each has a digest of its story, the lines of all events. Recordings also
            have one of all bits of positions, poses and answers.
        story: Compare the stories only: this is faster, and ignores differences in
            bits.
    """
    from sim import Recording, Story
    from sim.story.story import is_recording

    if not files:
        raise ValueError("name at least one recording or story")
    stories, all_bits, unread = set(), set(), False
    for file in files:
        try:
            with counting(f"reading {file}"):
                if story or not is_recording(file):
                    own, bits = Story.read(file).digest, ""
                else:
                    with Recording.open(file) as recording:
                        own, bits = recording.story_digest, recording.digest
        except (OSError, ValueError) as error:
            words = one_line(error)
            if isinstance(error, OSError) and error.strerror:
                words = f"{file}: {error.strerror.lower()}"
            print(f"wingedge digest: {words}", file=sys.stderr)
            unread = True
            continue
        stories.add(own)
        all_bits |= {bits} - {""}
        print(f"story {own}{f'  bits {bits}' * bool(bits)}  {file}")
    if unread:
        return FAILED
    same = len(stories) == 1 and len(all_bits) <= 1
    if len(stories) > 1:
        print("the stories differ")
    elif len(files) > 1:
        print("the same" if same else "the same story, other bits")
    return YES if same else NO


def diff(
    a: Path,
    b: Path,
    /,
    *,
    frame_tolerance: Whole = 0,
    tolerance: float = 1e-9,
    numbers: bool = True,
    output: Path | None = None,
) -> int:
    """Say what is different between two contact stories.

    Args:
        a: The expected story: a recording, or the text of a story.
        b: The actual story, in the same form.
        frame_tolerance: An event counts as equal if it is at most this many frames
            later or earlier.
        tolerance: By how much numbers, and the distances of tied features, may differ,
            relative to the size of the coordinates.
        numbers: Also compare distances, points and normals, if both are recordings.
        output: A file to write instead of printing.
    """
    from sim import compare
    from viewer.files import check_place, replacing

    if output is not None:
        check_place(output)
    with counting(f"comparing {a} with {b}"):
        comparison = compare(
            a, b, frame_tolerance=frame_tolerance, tolerance=tolerance, numbers=numbers
        )
    text = f"{comparison}\n"
    if output is None:
        print(text, end="")
    else:
        with replacing(output) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")
        print(comparison.summary)
    return YES if comparison.same else NO

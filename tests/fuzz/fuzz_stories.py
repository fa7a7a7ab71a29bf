"""Damage written stories and see that each is refused, or read as what it says.

    python tests/fuzz/fuzz_stories.py [--number 10000] [--seed 1] [--log FILE]

As many damaged texts, files and single lines of events as ``--number`` says.  Right is
a ``ValueError`` that names the line in a sentence, or a story that prints back the same
text; lines of events are judged both ways, by a grammar of their own
(``stories/texts.py``).  Wrong is everything else, and whatever takes over 2 s of
processor time.  Exit code 1 where one is wrong; ``--seed`` and the number of the case
bring it back.
"""

import random
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from runner import Say, list_cases, main
from stories.texts import damaged, drawn, fault_of_file, fault_of_line, fault_of_text

from sim import Event, Story

SLOW = 2.0  # seconds of processor time


def text_case(rng: random.Random, folder: Path) -> tuple[str, str, Callable[[], str]]:
    """Damage a text; return how, the text, and what judges it."""
    how, text = damaged(drawn(rng), rng)
    return how, text, lambda: fault_of_text(text)


def file_case(rng: random.Random, folder: Path) -> tuple[str, str, Callable[[], str]]:
    how, text = damaged(drawn(rng), rng)
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    if data and rng.random() < 0.5:
        how = f"{how}, bytes"
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    path = folder / "golden.story"
    path.write_bytes(data)
    return how, repr(bytes(data)), lambda: fault_of_file(path)


def line_case(rng: random.Random, folder: Path) -> tuple[str, str, Callable[[], str]]:
    lines = "".join(drawn(rng).split("\n\n")[1:2]).splitlines() or ["1 inverted jelly"]
    how, line = damaged(rng.choice(lines) + rng.choice(["", "\n"]), rng)
    return how.split(",")[0], line, lambda: fault_of_line(line)


CASES = {"texts": text_case, "files": file_case, "lines": line_case}


def is_read(name: str, text: str, folder: Path) -> bool:
    try:
        if name == "lines":
            Event.parse(text)
        elif name == "texts":
            Story.parse(text)
        else:
            Story.read(folder / "golden.story")
    except ValueError:
        return False
    return True


def judged(
    name: str,
    draw: Callable[[random.Random, Path], tuple[str, str, Callable[[], str]]],
    number: int,
    seed: int,
    folder: Path,
    wrong: list[str],
) -> list[str]:
    """Run all cases of one kind; return the rows of the table, add what is wrong."""
    count: Counter[tuple[str, str]] = Counter()
    slowest: dict[str, float] = {}
    for k in range(number):
        how, text, judge = draw(random.Random(f"{seed} {name} {k}"), folder)
        start = time.process_time()
        fault = judge()
        spent = time.process_time() - start
        how = how.split(",")[0]
        slowest[how] = max(slowest.get(how, 0.0), spent)
        if not fault and spent > SLOW:
            fault = f"took {spent:.1f} s"
        count[how, "cases"] += 1
        count[how, "read"] += is_read(name, text, folder)
        count[how, "faults"] += bool(fault)
        if fault:
            wrong.append(f"{name} {k} ({how}): {fault}: {text[:300]!r}")
    rows = []
    for how in sorted(slowest):
        cases, read, faults = (count[how, what] for what in ("cases", "read", "faults"))
        rows.append(
            f"{name + ', ' + how:34} {cases:8} {read:8} {cases - read:8} {faults:8} "
            f"{slowest[how] * 1e3:6.0f}ms"
        )
    return rows


def run(options: Namespace, say: Say) -> bool:
    say(f"{'':34}    cases     read  refused   faults  slowest")
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for kind, draw in CASES.items():
            given = options.number, options.seed, Path(name), wrong
            say("\n".join(judged(kind, draw, *given)))
    list_cases(wrong, say)
    say(f"{len(wrong)} wrong")
    return not wrong


if __name__ == "__main__":
    sys.exit(main(__doc__, run, number=10_000, seed=1))

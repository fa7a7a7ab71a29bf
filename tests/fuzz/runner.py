"""What every fuzzer shares: the options, heading and log of benchmarks, and a pool."""

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
from bench import Say, main

__all__ = ["SHOWN", "Say", "list_cases", "main", "played"]

SHOWN = 300  # failing cases listed
Job, Told = TypeVar("Job"), TypeVar("Told")


def played(
    follow: Callable[[Job], Told], jobs: Sequence[Job], processes: int
) -> Iterator[Told]:
    """Do all jobs, here or in other processes, with a counter on the terminal."""
    start = shown = time.monotonic()
    with ExitStack() as stack:
        done: Iterator[Told] = map(follow, jobs)
        if processes > 1:
            pool = multiprocessing.get_context("spawn").Pool(processes)
            done = stack.enter_context(pool).imap_unordered(follow, jobs)
        for count, told in enumerate(done, 1):
            yield told
            now = time.monotonic()
            if now - shown > 5.0 or count == len(jobs):
                shown = now
                text = f"{count}/{len(jobs)} stories, {now - start:.0f} s"
                print(text, file=sys.stderr, flush=True)


def list_cases(cases: list[str], say: Say) -> None:
    for line in sorted(cases)[:SHOWN]:
        say("case " + line)
    if len(cases) > SHOWN:
        say(f"... and {len(cases) - SHOWN} more")

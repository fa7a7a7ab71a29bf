"""The bits of the scenes, as they were and as they are on this machine.

``python -m tests.digests`` runs all scenes here and compares them with the table
beside this file; exit code 1 where any differs. ``--write`` writes the table anew, for
a change of an answer or of a scene that was meant.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sim import scenes
from sim.story.recording import Recording

TABLE = Path(__file__).with_name("digests.txt")
HEAD = "# scene digest story_digest; written by: python -m tests.digests --write\n"


class Digests(NamedTuple):
    """What sums up the run of a scene; see ``Recording``."""

    digest: str  # all bits of positions, poses and answers
    story_digest: str  # the lines of all events


def measured(name: str) -> Digests:
    """Record a scene and sum it up.

    Raises RuntimeError if a replay of the recording answers otherwise.
    """
    with TemporaryDirectory() as folder:
        with (world := scenes.load(name)).record(Path(folder) / "scene.vtkhdf") as path:
            for _ in world.run(scenes.length(name)):
                pass
        with Recording.open(path) as first:
            found, again = (
                Digests(one.digest, one.story_digest) for one in (first, first.replay())
            )
    if again != found:
        raise RuntimeError(f"scene {name!r}: {found} recorded, {again} replayed")
    return found


def committed() -> dict[str, Digests]:
    """Read the table: the digests that every scene has on every machine."""
    rows = [row.split() for row in TABLE.read_text("utf-8").splitlines()[1:]]
    return {name: Digests(*digests) for name, *digests in rows}


def main(arguments: Sequence[str]) -> int:
    """Compare this machine with the table, or write it; return the exit code."""
    if arguments not in ([], ["--write"]):
        print("usage: python -m tests.digests [--write]", file=sys.stderr)
        return 2
    found = {name: measured(name) for name in scenes.names()}
    if arguments:
        lines = (f"{name} {' '.join(digests)}\n" for name, digests in found.items())
        TABLE.write_text(HEAD + "".join(lines), "utf-8", newline="\n")
        return 0
    known, same = committed(), 0
    for name, digests in found.items():
        alike = digests == known.get(name)
        same += alike
        print(name, *digests, "same" if alike else f"differs from {known.get(name)}")
    print(f"{same} same, {len(found) - same} differ")
    return int(same < len(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

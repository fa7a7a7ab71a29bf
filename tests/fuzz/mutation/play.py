"""Play all scenes with the code that is found first, and say what they tell.

Run as a script, in a process of its own, with the folder of the golden files first:
one JSON object per scene, on one line.
"""

import json
import sys
from pathlib import Path

from sim import Story, compare, scenes


def final(frame: object) -> list[list[object]]:
    """Write down how every pair is in a frame: what a test of the end sees."""
    return [
        [
            state.a.name,
            state.b.name,
            state.regime,
            state.distance,
            state.size,
            state.unique,
            *(f"{state.kind} {state.feature_a} {state.feature_b}".split()),
        ]
        for state in frame.pairs
    ]


def play(name: str, golden: Path) -> dict[str, object]:
    """Play one scene to its end, and compare it as ``contact_regression`` would.

    A story that cannot be told is no fault that the last frame shows.
    """
    frames = list(scenes.load(name).run(scenes.length(name)))
    seen = {"scene": name, "final": final(frames[-1])}
    try:
        story = str(Story.of(frames, numbers=True))
        found = compare(Story.read(golden / f"{name}.story"), frames)
    except Exception as error:
        said = f"{type(error).__name__}: {error}!"  # no text of a story ends so
        return seen | {"story": said, "check": said}
    return seen | {"story": story, "check": "" if found.same else found.summary}


def main() -> None:
    for name in sys.argv[2:] or scenes.names():
        print(json.dumps(play(name, Path(sys.argv[1]))), flush=True)


if __name__ == "__main__":
    main()
